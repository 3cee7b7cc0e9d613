#ifndef TESTS_SUPPORT_LOOK_UPS_H
#define TESTS_SUPPORT_LOOK_UPS_H

#include <stdint.h>

#include "clalign/scoring.h"
#include "seq/random_stream.h"

/* Ambiguous letters, and DNA scores that treat them differently. All matches score the same and all other
 * pairs less, as exact bounds demand (docs/internals/bounds.md). */

/* Replaces a few or many letters by ambiguous ones, or by a run of N. */
void look_ups_letters(uint8_t *letters, int64_t count, random_stream *stream);

/* Replaces scores of match and mismatch by a matrix, or sets an ambiguity; gap costs stay. */
void look_ups_scores(cla_scoring *scoring, random_stream *stream);

#endif
