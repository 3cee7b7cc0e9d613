#ifndef HOST_SCORING_USED_PAIRS_H
#define HOST_SCORING_USED_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"

/* Used pairs: pairs of letters of earlier alignments, which later ones may not use (Waterman and Eggert
 * 1987). Cell (i,j) is the pair of query letter i and target letter j of the ranges, from 1 on, as in
 * region/region.h. An alignment uses each row and column for at most one pair, so its pairs are runs along
 * diagonals that go down and to the right. */

/* Cells (row + k, column + k) for 0 <= k < length. */
typedef struct used_run {
  int64_t row, column, length;
} used_run;

typedef struct used_pairs used_pairs;

/* Makes an empty set. CLA_ERROR_MEMORY. The caller ends with used_pairs_free. */
cla_status used_pairs_create(used_pairs **out, cla_error *error);
void used_pairs_free(used_pairs *used);

/* Adds the pairs of a path that begins at a node. CLA_ERROR_MEMORY. */
cla_status used_pairs_add(used_pairs *used, int64_t row, int64_t column, const cla_run *runs, size_t count,
                          cla_error *error);

/* The runs of a path, from the top down; they are the set's. */
const used_run *used_pairs_runs(int64_t *count, const used_pairs *used, int path);

/* Adds a path of such runs, which are copied. CLA_ERROR_MEMORY. */
cla_status used_pairs_add_runs(used_pairs *used, const used_run *runs, int64_t count, cla_error *error);

/* The number of paths added, which is the most used cells of a row or column. 0 for NULL. */
int used_pairs_paths(const used_pairs *used);

/* Sets the first and last row in which a path uses a cell. False if it uses none. */
bool used_pairs_rows(const used_pairs *used, int path, int64_t *first, int64_t *last);

/* The row in which a path uses a cell (i,j) with i + j == line, or 0. No path has two of them. */
int64_t used_pairs_on_line(const used_pairs *used, int path, int64_t line);

/* The column in which a path uses a cell of that row, or 0. */
int64_t used_pairs_in_row(const used_pairs *used, int path, int64_t row);

/* True if some path uses the cell. `used` may be NULL. */
bool used_pairs_has(const used_pairs *used, int64_t row, int64_t column);

/* Goes through the used cells of a rectangle: the parts of runs in it, path by path, downwards in each. */
typedef struct used_walk {
  const used_pairs *used;
  int64_t first_row, last_row, first_column, last_column; /* cells, inclusive */
  int path;
  size_t next;
} used_walk;

/* `used` may be NULL. */
used_walk used_walk_begin(const used_pairs *used, int64_t first_row, int64_t last_row, int64_t first_column,
                          int64_t last_column);
bool used_walk_next(used_walk *walk, used_run *out);

#endif
