#ifndef HOST_SCORING_USED_PAIRS_H
#define HOST_SCORING_USED_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"

/* Used pairs: pairs of letters that earlier alignments have aligned. Later alignments may not align them
 * again (Waterman and Eggert 1987). Cell (i,j) is the pair of query letter i and target letter j, counted
 * from 1 in the ranges, as in region/region.h. An alignment has at most one pair in each row and column. So
 * its pairs form runs along diagonals; each run lies below and to the right of the previous one. */

/* The cells (row + k, column + k) for 0 <= k < length. */
typedef struct used_run {
  int64_t row, column, length;
} used_run;

typedef struct used_pairs used_pairs;

/* Makes an empty set. Fails with CLA_ERROR_MEMORY. The caller frees *out with used_pairs_free. */
cla_status used_pairs_create(used_pairs **out, cla_error *error);
void used_pairs_free(used_pairs *used);

/* Adds the pairs of a path that starts at node (row, column) and consists of `runs`. Fails with
 * CLA_ERROR_MEMORY. */
cla_status used_pairs_add(used_pairs *used, int64_t row, int64_t column, const cla_run *runs, size_t count,
                          cla_error *error);

/* Returns the runs of a path, from top to bottom. The set owns them. */
const used_run *used_pairs_runs(int64_t *count, const used_pairs *used, int path);

/* Adds a path given as runs of pairs, which are copied. Fails with CLA_ERROR_MEMORY. */
cla_status used_pairs_add_runs(used_pairs *used, const used_run *runs, int64_t count, cla_error *error);

/* Returns the number of paths, which is also the maximum number of used cells in a row or column. Returns 0
 * if `used` is NULL. */
int used_pairs_paths(const used_pairs *used);

/* Sets *first and *last to the first and last row in which a path uses a cell. Returns false if the path uses
 * no cell. */
bool used_pairs_rows(const used_pairs *used, int path, int64_t *first, int64_t *last);

/* Returns the row in which a path uses a cell (i,j) with i + j == line; 0 if there is none. A path has at
 * most one such cell. */
int64_t used_pairs_on_line(const used_pairs *used, int path, int64_t line);

/* Returns the column of the cell that a path uses in that row; 0 if there is none. */
int64_t used_pairs_in_row(const used_pairs *used, int path, int64_t row);

/* True if some path uses the cell. `used` may be NULL. */
bool used_pairs_has(const used_pairs *used, int64_t row, int64_t column);

/* A walk over the used cells of a rectangle. It returns the parts of runs that lie in the rectangle, path by
 * path, each path from top to bottom. */
typedef struct used_walk {
  const used_pairs *used;
  int64_t first_row, last_row, first_column, last_column; /* cells of the rectangle, inclusive */
  int path;
  size_t next;
} used_walk;

/* Starts a walk. `used` may be NULL. */
used_walk used_walk_begin(const used_pairs *used, int64_t first_row, int64_t last_row, int64_t first_column,
                          int64_t last_column);
bool used_walk_next(used_walk *walk, used_run *out);

#endif
