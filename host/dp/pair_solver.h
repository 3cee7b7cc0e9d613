#ifndef HOST_DP_PAIR_SOLVER_H
#define HOST_DP_PAIR_SOLVER_H

#include "dp/pair_lanes.h"

/* Solves any number of pairs of one scheme on the calling thread, by groups of lanes.
 *
 * Global alignments are computed in a band of diagonals that the score itself proves. Costs count the letters
 * of both sequences:
 *
 *      cost = match (rows + columns) - 2 score
 *
 * A path that leaves the diagonals -W to W has a gap to leave and one to return. These alone cost
 *
 *      g(W + 1) + g(W + 1 - |columns - rows|),     g(k) = 2 gap_cost(k) + match k
 *
 * If the best path of the band costs less, it is the optimum. All paths of that cost are inside, too. A band
 * that is too narrow still gives a path, whose cost says which band is wide enough.
 *
 * Long pairs have a scout: a narrow band gives a path first, whose loss is a bound. What the bound leaves is
 * computed back from the end, and forth again, as pair_paths.c has it for losses that are known. */

/* Upper bounds of H in some rows of a pair's matrix: in row (k + 1) step no inner node exceeds most[k
 * stride]. */
typedef struct row_tops {
  const int32_t *most; /* NULL: nothing is known */
  int64_t stride, step;
} row_tops;

/* Pairs and room for what is found of them; index i is about the i-th pair. Codes are letter codes. */
typedef struct solver_pairs {
  const uint8_t *const *query, *const *target;
  const int32_t *rows, *columns; /* letters, >= 1 */
  int64_t count;
  bool paths;           /* paths are wanted */
  bool scores_only;     /* without paths: ends are not wanted either */
  const row_tops *tops; /* for pair_solver_trace, which they make faster; NULL: nothing is known */

  /* Results; the caller's memory. */
  int64_t *score;
  int32_t *end_row, *end_column;
  int32_t *start_row, *start_column; /* with paths */
  int64_t *runs;                     /* with paths: where each pair's runs begin in pair_solver_runs */
  int32_t *run_count;                /* with paths: how many runs a pair has */
  bool *solved; /* false: lanes cannot solve the pair; the caller must take another way */
} solver_pairs;

typedef struct pair_solver pair_solver;

/* `scheme` and `matches`, which lanes_walk explains, must outlive it. Directions may take `path_bytes`
 * of memory. CLA_ERROR_MEMORY. */
cla_status pair_solver_create(pair_solver **out, const path_scheme *scheme, const uint32_t matches[32],
                              int64_t path_bytes, cla_error *error);
void pair_solver_free(pair_solver *solver);

/* The widest vectors to take, in bytes, for tests and comparisons; 64 at first. */
void pair_solver_widest(pair_solver *solver, int widest);

/* Paths of pairs with more cells are found forth and back, for tests; chosen at first. */
void pair_solver_large(pair_solver *solver, int64_t cells);

/* Global pairs of so many rows have a scout, for tests; chosen at first. */
void pair_solver_scouts(pair_solver *solver, int32_t rows);

/* Solves all pairs. It learns which bands suffice, for this call and the next ones; results do not
 * depend on it. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE (a path does not have its score). */
cla_status pair_solver_solve(pair_solver *solver, const solver_pairs *pairs, cla_error *error);

/* Finds paths of pairs whose score and end are known, and set in `pairs`. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE
 * (no path has that score). */
cla_status pair_solver_trace(pair_solver *solver, const solver_pairs *pairs, cla_error *error);

/* Runs of all paths of the last call, in the paths' order. */
const uint32_t *pair_solver_runs(const pair_solver *solver);

/* Cells computed in all calls. */
int64_t pair_solver_cells(const pair_solver *solver);

#endif
