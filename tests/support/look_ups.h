#ifndef TESTS_SUPPORT_LOOK_UPS_H
#define TESTS_SUPPORT_LOOK_UPS_H

#include <stdint.h>

#include "clalign/scoring.h"
#include "seq/random_stream.h"

/* Ambiguous letters, and DNA scores that tell them from others, such that matches score the same and every
 * other pair less: as exact bounds ask for (docs/internals/bounds.md). */

/* Puts a few or many ambiguous letters in, or a run of N. */
void look_ups_letters(uint8_t *letters, int64_t count, random_stream *stream);

/* Makes scores of match and mismatch those of a matrix or of an ambiguity; gap costs stay. */
void look_ups_scores(cla_scoring *scoring, random_stream *stream);

#endif
