#ifndef HOST_SCORING_MATRIX_TEXT_H
#define HOST_SCORING_MATRIX_TEXT_H

#include "clalign/scoring.h"

/* Score matrices in NCBI's text form (docs/matrices.md). */

/* Parses `length` bytes of text into letters and matrix; everything else keeps its worth, in the fewest units
 * that do for all. `shown` names the file in messages. CLA_ERROR_INPUT; *scoring is then as it was. */
cla_status matrix_text_parse(cla_scoring *scoring, const char *text, int64_t length, const char *shown,
                             bool asymmetric, cla_error *error);

/* Sets the gap costs that go with a matrix of unknown origin. It fails only where cla_scoring_check would. */
cla_status matrix_default_gap_costs(cla_scoring *scoring, cla_error *error);

#endif
