#ifndef HOST_SCORING_MATRIX_H
#define HOST_SCORING_MATRIX_H

#include <stdint.h>

#include "clalign/scoring.h"

/* A built-in matrix. All built-in matrices are symmetric. */
typedef struct matrix_table {
  const char *name;    /* NULL in the entry that ends the list */
  const char *letters; /* letters of the rows and columns, in order */
  int32_t first, ext;  /* the matrix' usual gap costs (docs/matrices.md), in 1/units points */
  int32_t units;
  const int16_t *scores; /* lower triangle of the matrix, row by row, with the diagonal */
} matrix_table;

extern const matrix_table matrix_tables[];

/* Score matrices in NCBI's text form (docs/matrices.md). */

/* Parses `length` bytes of text into the scheme's letters and matrix. The scheme's other scores keep their
 * values in points. The scheme gets the smallest number of units per point with which all scores are whole.
 * `shown`: the file's name in messages. After CLA_ERROR_INPUT, *scoring is unchanged. */
cla_status matrix_text_parse(cla_scoring *scoring, const char *text, int64_t length, const char *shown,
                             bool asymmetric, cla_error *error);

/* Sets usual gap costs for a matrix of unknown origin. Fails only if cla_scoring_check fails. */
cla_status matrix_default_gap_costs(cla_scoring *scoring, cla_error *error);

#endif
