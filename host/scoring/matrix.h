#ifndef HOST_SCORING_MATRIX_H
#define HOST_SCORING_MATRIX_H

#include <stdint.h>

#include "clalign/scoring.h"

/* A built-in matrix, which is symmetric. */
typedef struct matrix_table {
  const char *name;    /* NULL ends the list */
  const char *letters; /* in the order of rows and columns */
  int32_t first, ext;  /* the gap costs that go with it (docs/matrices.md), in 1/units points */
  int32_t units;
  const int16_t *scores; /* the lower triangle, row by row, diagonal included */
} matrix_table;

extern const matrix_table matrix_tables[];

/* Score matrices in NCBI's text form (docs/matrices.md). */

/* Parses `length` bytes of text into letters and matrix; all other scores keep their values in points, in the
 * fewest units that suffice. `shown` names the file in messages. CLA_ERROR_INPUT; *scoring is then as it was.
 */
cla_status matrix_text_parse(cla_scoring *scoring, const char *text, int64_t length, const char *shown,
                             bool asymmetric, cla_error *error);

/* Sets the gap costs that go with a matrix of unknown origin. It fails only where cla_scoring_check would. */
cla_status matrix_default_gap_costs(cla_scoring *scoring, cla_error *error);

#endif
