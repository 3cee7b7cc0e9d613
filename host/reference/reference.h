#ifndef HOST_REFERENCE_REFERENCE_H
#define HOST_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "scoring/pair_problem.h"

/* The oracle of the tests: docs/internals/exactness.md written down cell by cell, slow and obvious. On
 * purpose, it shares no code with what it checks: no kernel, no tracer, and not the code that orders equal
 * ends and paths (scoring/pair_problem.h, dp/directions.h). Pairs of table->used are never aligned. */

/* Minus infinity. Gap costs and scores are added to this value without a check. The sum cannot overflow for
 * matrices that fit in memory. So test with `value < REFERENCE_MINUS_INFINITY / 2`, not for equality. */
#define REFERENCE_MINUS_INFINITY (INT64_MIN / 4)

/* The full matrices, borders included: value (i,j) is at [i * (columns + 1) + j], 0 <= i <= rows. */
typedef struct reference_matrix {
  int64_t rows, columns;
  int64_t *h, *e[CLA_GAP_PIECES],
      *f[CLA_GAP_PIECES]; /* by piece of gap costs; NULL for pieces that the scheme lacks */
} reference_matrix;       /* arrays are owned */

#define REFERENCE_CELL_LIMIT (INT64_C(1) << 27) /* cells of one matrix, borders included; 1 GiB of memory */

/* The values that enter a rectangle from above and from the left. In the corner, left_h[0] must equal
 * top_h[0]. top_f[.][0] and left_e[.][0] are never read. */
typedef struct reference_borders {
  const int64_t *top_h, *top_f[CLA_GAP_PIECES];   /* H(0,j), F(0,j): arrays of columns + 1 values */
  const int64_t *left_h, *left_e[CLA_GAP_PIECES]; /* H(i,0), E(i,0): arrays of rows + 1 values */
  /* E(0,j), columns + 1 values, and F(i,0), rows + 1 values. Only a traceback reads them; NULL: all are minus
   * infinity. */
  const int64_t *top_e[CLA_GAP_PIECES], *left_f[CLA_GAP_PIECES];
} reference_borders;

/* Makes the borders of a whole matrix in which paths have these ends. The caller frees *out with
 * reference_borders_free. CLA_ERROR_MEMORY. */
cla_status reference_borders_make(reference_borders *out, int64_t rows, int64_t columns,
                                  const cla_scoring *scoring, path_ends ends, cla_error *error);
void reference_borders_free(reference_borders *borders);

/* Fills the matrices; rows and columns may be 0. Of the problem's ends only the floor is used: if set, H is
 * at least 0 inside. CLA_ERROR_MEMORY, also if the matrix exceeds REFERENCE_CELL_LIMIT. The caller frees *out
 * with reference_matrix_free. */
cla_status reference_fill(reference_matrix *out, const pair_problem *problem,
                          const reference_borders *borders, cla_error *error);
void reference_matrix_free(reference_matrix *matrix);

/* Returns the value of cell (i,j) in one of a matrix' arrays. */
static inline int64_t reference_at(const reference_matrix *matrix, const int64_t *values, int64_t i,
                                   int64_t j) {
  return values[i * (matrix->columns + 1) + j];
}

/* A node of a matrix with its H. The empty alignment's node is all 0. */
typedef struct reference_cell {
  int64_t score, row, column;
} reference_cell;

/* Returns the canonical best cell: the first by rows, then columns, of all cells with the largest H above 0;
 * all 0 if no H is above 0. */
reference_cell reference_best(const reference_matrix *matrix);

/* Returns the first cell with the largest H of the last column, rows >= 1. */
reference_cell reference_last_column(const reference_matrix *matrix);

/* Returns the canonical end: the first by rows, then columns, of the nodes with the largest H in which a path
 * may end. Nodes on the borders are included. */
reference_cell reference_end(const reference_matrix *matrix, path_ends ends);

/* The canonical alignment. Ranges are 0-based half-open. An empty local alignment is all 0; any other empty
 * alignment starts where it ends. */
typedef struct reference_alignment {
  int64_t score;
  int64_t query_start, query_end, target_start, target_end;
  cla_run *runs; /* runs from start to end, neighbours of different kinds; owned, NULL if run_count is 0 */
  size_t run_count;
} reference_alignment;

void reference_alignment_free(reference_alignment *alignment);

/* Finds only the score and the canonical end (query_end, target_end), in memory linear in `columns`. The
 * starts are 0, and there are no runs. CLA_ERROR_MEMORY. */
cla_status reference_score(reference_alignment *out, const pair_problem *problem, cla_error *error);

#endif
