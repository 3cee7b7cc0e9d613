#ifndef HOST_DP_PAIR_SOLVER_INTERNAL_H
#define HOST_DP_PAIR_SOLVER_INTERNAL_H

#include "dp/pair_solver.h"

/* What the two files of a pair_solver share: groups, rounds, and paths. */

/* Bands are learned for pairs of alike lengths: of 2^k rows and more, but fewer than 2^(k + 1). */
#define CLASSES 32
#define WIDTHS 128 /* entries of a histogram */

/* What was seen of pairs of a class. */
typedef struct seen_class {
  int32_t needed[WIDTHS]; /* pairs by the narrowest band that is wide enough, in steps of `step` diagonals */
  int32_t step, seen;
  int32_t tried8;    /* pairs in lanes of 8 bits */
  int32_t capped8;   /* pairs whose losses lanes of 8 bits cannot tell */
  int32_t chosen;    /* the band that is tried */
  int32_t chosen_at; /* `seen` when `chosen` was set */
} seen_class;

/* Pairs that are still to be solved, by the band that is tried. */
typedef struct pending {
  int64_t pair;
  int32_t rows; /* rows that are computed */
  int32_t band; /* negative: the whole matrix */
  int bits;
  bool large;  /* a path is looked for forth and back */
  bool scouts; /* any path will do, whose loss is a bound */
} pending;

struct pair_solver {
  lanes_scheme scheme;
  bool takes;    /* the scheme has losses */
  bool by_query; /* all pairs of a group have one query */
  const uint32_t *matches;
  int64_t path_bytes;
  const lanes_way *ways[2]; /* of 8 and of 16 bits */
  lanes_space *space;
  seen_class classes[CLASSES];
  pending *queue; /* sorted before each round */
  pending *again; /* pairs of the next round */
  int64_t queue_room, again_room, again_count;
  uint32_t *runs;
  int64_t run_count, run_room;
  int64_t cells;

  /* For paths of large pairs, which have more than `large_cells`. A sweep without directions goes back from
   * their ends first. It finds the least loss of each row, so that few nodes are left for the way forth. */
  int64_t large_cells;
  path_scheme back_ends; /* paths back from the end begin in the corner */
  lanes_scheme back;
  uint8_t *turned; /* letters of a group in reverse */
  uint16_t *rest;  /* by 8 rows and lane; what the rows before lose at the least */
  uint16_t *least; /* by row and lane; lanes_known.least */
  lanes_range *from;
  int32_t *words, *counts; /* the word at each column; how often each word occurs in reach */
  uint16_t letter_loss[32];
  int32_t scout_rows; /* global pairs of so many rows have a scout */
  bool loose;         /* scores that are known are lower bounds */
  int64_t *bounded;   /* pairs whose scores are lower bounds */
  int64_t bounded_count, bounded_room;
  int64_t turned_room, rest_room, least_room, from_room, words_room;
};

/* A pair's letters and the diagonals of its paths. */
typedef struct row_losses_of {
  const uint8_t *query, *target;
  int32_t rows, columns, low, high;
} row_losses_of;

#define ROW_LOSSES_BITS 3 /* losses are known for 2^3 rows */

/* Sets out[k LANES_MOST] to the least loss in the first 8 k rows of paths that go on in any way, an open gap
 * included. CLA_ERROR_MEMORY. */
cla_status row_losses_add(uint16_t *out, pair_solver *s, const row_losses_of *of, cla_error *error);

/* Whether pairs are computed in bands around the main diagonal, in global mode. */
bool solver_is_banded(const pair_solver *s);

/* The narrowest band that no path of such a loss leaves, of global pairs. */
int32_t solver_band_for(const lanes_scheme *scheme, int64_t loss, int32_t rows, int32_t columns);

/* Scores, and with pairs->paths paths, of the pairs in `bounded`. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status solver_solve_bounded(pair_solver *s, const solver_pairs *pairs, cla_error *error);

/* Adds a pair to the next round. CLA_ERROR_MEMORY. */
cla_status solver_add_again(pair_solver *s, pending again, cla_error *error);

/* The next round's pairs become the queue, sorted by lanes, rows and band; returns how many they are. */
int64_t solver_next_round(pair_solver *s);

/* How many pairs of the queue make the next group, all in lanes of the same width. */
int solver_group_size(const pair_solver *s, const pending *first, int64_t left);

/* Sorts the lanes of a group by rows. */
void solver_sort_lanes(pending *first, int count);

/* What each letter in a gap of the target loses beside that. */
int32_t row_losses_beside(const lanes_scheme *scheme);

/* A pair's path, from the masks of its group. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status solver_take_path(pair_solver *s, const solver_pairs *pairs, int64_t pair, const lanes_group *group,
                            int lane, cla_error *error);

/* Paths of all pairs that are solved (pair_paths.c). CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status solver_solve_paths(pair_solver *s, const solver_pairs *pairs, cla_error *error);

#endif
