#ifndef HOST_DP_PAIR_SOLVER_H
#define HOST_DP_PAIR_SOLVER_H

#include "dp/pair_lanes.h"

/* Solves any number of pairs of one scheme on the calling thread, by groups of lanes.
 *
 * Global alignments are computed in a band of diagonals. The resulting score shows whether the band is wide
 * enough. A path's cost counts the letters of both sequences:
 *
 *      cost = match (rows + columns) - 2 score
 *
 * A path that leaves the diagonals -W to W has one gap on the way out and one gap on the way back. These gaps
 * alone cost at least
 *
 *      g(W + 1) + g(W + 1 - |columns - rows|),     g(k) = 2 gap_cost(k) + match k
 *
 * If the best path in the band costs less, this path is the optimum, and all paths of the same cost are in
 * the band, too. Even a band that is too narrow contains a path, and the cost of that path gives a band that
 * is wide enough.
 *
 * A long pair first gets a scout: the best path in a narrow band, whose loss is an upper bound. The nodes
 * that the bound does not exclude are then computed backwards from the end, and after that forward, as
 * pair_paths.c does for known losses. */

/* Upper bounds of H in some rows of a pair's matrix: H of an inner node in row (k + 1) * step is at most
 * most[k * stride]. */
typedef struct row_tops {
  const int32_t *most; /* NULL: no bounds are known */
  int64_t stride, step;
} row_tops;

/* Pairs, and the arrays for their results. Index i of each array belongs to pair i. Sequences are letter
 * codes. */
typedef struct solver_pairs {
  const uint8_t *const *query, *const *target;
  const int32_t *rows, *columns; /* number of letters, >= 1 */
  int64_t count;
  bool paths;           /* paths are wanted */
  bool scores_only;     /* neither paths nor ends are wanted */
  const row_tops *tops; /* bounds of H that make pair_solver_trace faster; NULL: none */

  /* Arrays of results, in the caller's memory. */
  int64_t *score;
  int32_t *end_row, *end_column;
  int32_t *start_row, *start_column; /* with paths: the paths' starts */
  int64_t *runs;                     /* with paths: index of each pair's first run in pair_solver_runs */
  int32_t *run_count;                /* with paths: number of each pair's runs */
  bool *solved;                      /* false: lanes cannot solve the pair, and the caller must solve it */
} solver_pairs;

typedef struct pair_solver pair_solver;

/* Creates a solver. `scheme` and `matches` (see lanes_walk) must outlive the solver. Directions take at most
 * `path_bytes` bytes of memory. CLA_ERROR_MEMORY. */
cla_status pair_solver_create(pair_solver **out, const path_scheme *scheme, const uint32_t matches[32],
                              int64_t path_bytes, cla_error *error);
void pair_solver_free(pair_solver *solver);

/* Sets the width in bytes of the widest vectors to use, for tests and comparisons; 64 by default. */
void pair_solver_widest(pair_solver *solver, int widest);

/* Sets the number of cells above which a pair's path is found by a sweep backwards and a sweep forward, for
 * tests. */
void pair_solver_large(pair_solver *solver, int64_t cells);

/* Sets the least number of rows of a global pair that gets a scout, for tests. */
void pair_solver_scouts(pair_solver *solver, int32_t rows);

/* Solves all pairs. The solver learns which bands suffice, for this and later calls. The results do not
 * depend on the bands. CLA_ERROR_MEMORY; CLA_ERROR_DEVICE if a path does not have its score. */
cla_status pair_solver_solve(pair_solver *solver, const solver_pairs *pairs, cla_error *error);

/* Finds the paths of pairs whose score and end are set in `pairs`. CLA_ERROR_MEMORY; CLA_ERROR_DEVICE if no
 * path has that score. */
cla_status pair_solver_trace(pair_solver *solver, const solver_pairs *pairs, cla_error *error);

/* Returns the runs of all paths of the last call, each path's runs in forward order. */
const uint32_t *pair_solver_runs(const pair_solver *solver);

/* Returns the number of cells computed in all calls. */
int64_t pair_solver_cells(const pair_solver *solver);

#endif
