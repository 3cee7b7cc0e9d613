#ifndef TESTS_DIFFERENTIAL_MODES_H
#define TESTS_DIFFERENTIAL_MODES_H

#include "differential/cases.h"

/* Modes by what their sweeps are built for. */
enum { ENDS_LOCAL, ENDS_EXTEND, ENDS_FIXED, ENDS_LAST_COLUMN, ENDS_GROUPS };

/* Draws a mode of the group and its free ends. */
void mode_draw(cla_mode *mode, int *free_ends, random_stream *stream, int group);

/* "semi-global", or the free ends by their letters, such as "free Qs,Te". */
const char *mode_word(cla_mode mode, int free_ends, char buffer[CASE_WORD_SIZE]);

#endif
