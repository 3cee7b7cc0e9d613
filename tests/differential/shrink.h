#ifndef TESTS_DIFFERENTIAL_SHRINK_H
#define TESTS_DIFFERENTIAL_SHRINK_H

#include "differential/runs.h"

/* Makes a case that differs smaller and plainer for so many seconds, as long as it differs: fewer pairs and
 * letters, fewer options. `text` is the difference of what is left. */
void shrink_case(drawn_case *one, char text[DIFFERENCE_SIZE], const run_place *place, double seconds);

#endif
