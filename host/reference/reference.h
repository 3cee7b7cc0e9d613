#ifndef HOST_REFERENCE_REFERENCE_H
#define HOST_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "scoring/pair_problem.h"

/* The oracle of the tests: docs/internals/exactness.md written down cell by cell, slow and obvious. It shares
 * nothing with what it checks, on purpose: no kernel, no tracer, and not their order among equal ends and
 * paths (scoring/pair_problem.h, dp/directions.h). Pairs of table->used are never made. */

/* Minus infinity. Gap costs and scores are added to it without a check, which cannot overflow for matrices
 * that fit in memory; so compare with `value < REFERENCE_MINUS_INFINITY / 2`, not for equality. */
#define REFERENCE_MINUS_INFINITY (INT64_MIN / 4)

/* The full matrices, borders included: value (i,j) is at [i * (columns + 1) + j], 0 <= i <= rows. */
typedef struct reference_matrix {
  int64_t rows, columns;
  int64_t *h, *e[CLA_GAP_PIECES], *f[CLA_GAP_PIECES]; /* by piece of gap costs; NULL beyond the scheme's */
} reference_matrix;                                   /* all owned */

#define REFERENCE_CELL_LIMIT (INT64_C(1) << 27) /* cells of one matrix, borders included: 1 GiB each */

/* What enters a rectangle from above and from the left. Corner: top_h[0] holds, left_h[0] must equal it.
 * top_f[.][0] and left_e[.][0] have no reader. */
typedef struct reference_borders {
  const int64_t *top_h, *top_f[CLA_GAP_PIECES];   /* H(0,j), F(0,j): columns + 1 values each */
  const int64_t *left_h, *left_e[CLA_GAP_PIECES]; /* H(i,0), E(i,0): rows + 1 values each */
  /* E(0,j), columns + 1, and F(i,0), rows + 1; only a traceback reads them; NULL: all minus infinity. */
  const int64_t *top_e[CLA_GAP_PIECES], *left_f[CLA_GAP_PIECES];
} reference_borders;

/* The borders of a whole alignment with these ends. All arrays are owned: end with
 * reference_borders_free. CLA_ERROR_MEMORY. */
cla_status reference_borders_make(reference_borders *out, int64_t rows, int64_t columns,
                                  const cla_scoring *scoring, path_ends ends, cla_error *error);
void reference_borders_free(reference_borders *borders);

/* Fills the matrices; rows and columns may be 0. Of the ends only the floor counts: H is at least 0 inside.
 * CLA_ERROR_MEMORY, also beyond REFERENCE_CELL_LIMIT. The caller ends with reference_matrix_free. */
cla_status reference_fill(reference_matrix *out, const pair_problem *problem,
                          const reference_borders *borders, cla_error *error);
void reference_matrix_free(reference_matrix *matrix);

/* Cell (i,j) of one of a matrix' arrays. */
static inline int64_t reference_at(const reference_matrix *matrix, const int64_t *values, int64_t i,
                                   int64_t j) {
  return values[i * (matrix->columns + 1) + j];
}

/* A node of a matrix with its H; the empty one is all 0. */
typedef struct reference_cell {
  int64_t score, row, column;
} reference_cell;

/* The canonical best cell: of those with the largest H above 0 the first by rows, then columns; empty if
 * there is none. */
reference_cell reference_best(const reference_matrix *matrix);

/* Of the cells of the last column, rows >= 1, with the largest H the first. */
reference_cell reference_last_column(const reference_matrix *matrix);

/* The canonical end: of all nodes in which a path may end, borders included, with the largest H the first by
 * rows, then columns. */
reference_cell reference_end(const reference_matrix *matrix, path_ends ends);

/* The canonical alignment. Ranges are 0-based half-open; an empty local alignment is all 0, every other
 * empty one starts where it ends. */
typedef struct reference_alignment {
  int64_t score;
  int64_t query_start, query_end, target_start, target_end;
  cla_run *runs; /* from start to end, neighbours of different kinds; owned, NULL if run_count is 0 */
  size_t run_count;
} reference_alignment;

/* CLA_ERROR_MEMORY, also beyond REFERENCE_CELL_LIMIT. The caller ends with reference_alignment_free. */
cla_status reference_align(reference_alignment *out, const pair_problem *problem, cla_error *error);
void reference_alignment_free(reference_alignment *alignment);

/* Score and canonical end cell (query_end, target_end) alone, in memory linear in `columns`; the starts
 * are 0 and there are no runs. CLA_ERROR_MEMORY. */
cla_status reference_score(reference_alignment *out, const pair_problem *problem, cla_error *error);

#endif
