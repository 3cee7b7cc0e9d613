#ifndef TESTS_SUPPORT_SMALL_PLANS_H
#define TESTS_SUPPORT_SMALL_PLANS_H

#include "plan/plan.h"

/* Makes blocks, searches, strips and tiles as small as possible, so that pairs of a few hundred letters pass
 * through every stage. If the sweep keeps rows, it keeps one per strip. */
void small_plan(plan *whole);

#endif
