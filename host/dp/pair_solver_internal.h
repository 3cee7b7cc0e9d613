#ifndef HOST_DP_PAIR_SOLVER_INTERNAL_H
#define HOST_DP_PAIR_SOLVER_INTERNAL_H

#include "dp/pair_solver.h"

/* Types and functions shared by the files of the pair_solver: groups, rounds and paths. */

/* Number of classes of pairs for which bands are learned. Class k has the pairs of 2^k to 2^(k + 1) - 1 rows.
 */
#define CLASSES 32
#define WIDTHS 128 /* entries of a histogram */

/* What the solver has learned about the bands and lanes of a class of pairs. */
typedef struct seen_class {
  /* Histogram of the narrowest band that suffices for a pair, in steps of `step` diagonals. */
  int32_t needed[WIDTHS];
  int32_t step, seen;
  int32_t tried8;    /* pairs tried in lanes of 8 bits */
  int32_t capped8;   /* pairs whose losses were too high for lanes of 8 bits */
  int32_t chosen;    /* the band that is tried first */
  int32_t chosen_at; /* `seen` when `chosen` was set */
} seen_class;

/* A pair to be solved, and how the solver tries to solve it. */
typedef struct pending {
  int64_t pair;
  int32_t rows; /* number of rows to compute */
  int32_t band; /* diagonals on either side; negative: the whole matrix */
  int bits;
  bool large;  /* the pair's path is found by a sweep backwards and a sweep forward */
  bool scouts; /* this try is a scout: it finds some path, whose loss is a bound */
} pending;

struct pair_solver {
  lanes_scheme scheme;
  bool takes;    /* lanes can use the scheme */
  bool by_query; /* all pairs of a group have the same query */
  const uint32_t *matches;
  int64_t path_bytes;
  const lanes_way *ways[2]; /* for lanes of 8 and of 16 bits */
  lanes_space *space;
  seen_class classes[CLASSES];
  pending *queue; /* pairs of the round, sorted */
  pending *again; /* pairs of the next round */
  int64_t queue_room, again_room, again_count;
  uint32_t *runs;
  int64_t run_count, run_room;
  int64_t cells;

  /* A pair with more than `large_cells` cells is large. Its path is found in two sweeps. The first one,
   * without directions, goes backwards from the end and finds the least loss of each row. So few nodes
   * remain for the forward sweep. */
  int64_t large_cells;
  path_scheme back_ends; /* scheme of the sweep backwards: paths start in the corner */
  lanes_scheme back;
  uint8_t *turned; /* reversed letters of a group */
  uint16_t *rest;  /* least loss of the rows before each 8th row, by lane */
  uint16_t *least; /* lanes_known.least, by row and lane */
  lanes_range *from;
  int32_t *words, *counts; /* by column: the word there; by word: number of occurrences within reach */
  uint16_t letter_loss[32];
  int32_t scout_rows; /* least number of rows of a global pair that gets a scout */
  bool loose;         /* scores given in `pairs` are only lower bounds */
  int64_t *bounded;   /* pairs whose scores are only lower bounds */
  int64_t bounded_count, bounded_room;
  int64_t turned_room, rest_room, least_room, from_room, words_room;
};

/* A pair's letters and the diagonals of its paths. */
typedef struct row_losses_of {
  const uint8_t *query, *target;
  int32_t rows, columns, low, high;
} row_losses_of;

#define ROW_LOSSES_BITS 3 /* there is a stored loss for every 2^3 rows */

/* Sets out[k * LANES_MOST] to the least loss that a path can have in the first 8 k rows, even if a gap is
 * open there. CLA_ERROR_MEMORY. */
cla_status row_losses_add(uint16_t *out, pair_solver *s, const row_losses_of *of, cla_error *error);

/* True if pairs are computed in bands around the main diagonal, as in global mode. */
bool solver_is_banded(const pair_solver *s);

/* Returns the narrowest band that contains every path of a global pair whose loss is at most `loss`. */
int32_t solver_band_for(const lanes_scheme *scheme, int64_t loss, int32_t rows, int32_t columns);

/* Returns the class of pairs with that many rows; rows >= 1. */
static inline int solver_class(int32_t rows) {
  return 31 - __builtin_clz((unsigned)rows);
}

/* Counts a solved pair of a class: the narrowest band that suffices for it. */
void solver_note_band(seen_class *seen, int class, int32_t band);

/* Returns the band with the least total cost for the pairs seen so far. The cost includes solving pairs again
 * if they need a wider band. */
int32_t solver_choose_band(const seen_class *seen, int32_t rows);

/* Finds the scores of the pairs in `bounded`, and their paths if pairs->paths is set. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status solver_solve_bounded(pair_solver *s, const solver_pairs *pairs, cla_error *error);

/* Adds a pair to the next round. CLA_ERROR_MEMORY. */
cla_status solver_add_again(pair_solver *s, pending again, cla_error *error);

/* Makes the next round's pairs the queue, sorted by lanes, rows and band. Returns their number. */
int64_t solver_next_round(pair_solver *s);

/* Returns the number of pairs of the queue that form the next group, all in lanes of the same width. */
int solver_group_size(const pair_solver *s, const pending *first, int64_t left);

/* Sorts the lanes of a group by rows. */
void solver_sort_lanes(pending *first, int count);

/* Returns the loss per letter of a target gap, to be added to the losses of row_losses_add. */
int32_t row_losses_beside(const lanes_scheme *scheme);

/* Finds a pair's path from the masks of the pair's group, and stores it. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status solver_take_path(pair_solver *s, const solver_pairs *pairs, int64_t pair, const lanes_group *group,
                            int lane, cla_error *error);

/* Finds the paths of all solved pairs (pair_paths.c). CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status solver_solve_paths(pair_solver *s, const solver_pairs *pairs, cla_error *error);

#endif
