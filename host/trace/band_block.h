#ifndef HOST_TRACE_BAND_BLOCK_H
#define HOST_TRACE_BAND_BLOCK_H

#include <pthread.h>

#include "trace/live_band.h"

/* A live band between two kept rows. It is computed and traced from a guessed node of the lower row, before
 * the path's node there is known. A wrong guess costs time, but never changes a result: the band's values
 * are exact for each of its goals. The guessed path is used from the first node that the real path shares
 * with it. From there on, both are the same, because a node in a given state has only one canonical path. */
typedef struct band_block {
  int64_t upper, lower; /* matrix rows */
  int64_t guess;        /* guessed column of the path in the lower row */
  int64_t
      straight; /* guessed column for dissimilar sequences: on a straight line from the path's known node */
  int64_t distance; /* rows from the lower row down to the path's known node */
  double wander;    /* the argument `factor` of band_block_wander: how far the path may be from `straight` */
  int64_t
      wide_before; /* number of wide blocks that the path has passed; as many threads are assumed to work */
  bool wide;       /* the goals are many nodes around `straight`; set by the computation */
  live_band *band; /* NULL until the band is computed */
  band_goals goals;
  band_node *nodes; /* nodes of the guessed path: the guess, and the node after each live_band_trace */
  path *parts;      /* by node: the steps to the next node, or to `end` */
  int64_t count, capacity, parts_capacity;
  band_node end;  /* upper end of the guessed path */
  row_values top; /* values of the upper row from the band's column on */
  int64_t cells;
  int owner;      /* number of the process that stores the band and traces in it; 0: this process */
  int64_t number; /* number by which the owner knows the block */
} band_block;

/* Data that is the same for all blocks. */
typedef struct band_blocks {
  const pair_problem *problem;
  const row_worth *worth;
  const special_rows *kept;
  pthread_rwlock_t *reading;          /* held while `kept` is read */
  int64_t bytes_limit, line_interval; /* as in live_band_input */
  int64_t wide_rows_least;            /* a block of fewer rows has no wide goals */
  int threads;                        /* threads that compute bands */
  double device_rate;                 /* approximate cells per second of a block on the device */
  const atomic_bool *cancel;
} band_blocks;

/* Returns the approximate seconds that a thread needs for `cells` cells of a band. */
double band_seconds(double cells, int value_bytes);

/* Returns how many columns a path between dissimilar sequences may be from a straight line, `distance` rows
 * above the path's known node: factor * distance^(2/3). The exponent is 2/3, not the 1/2 of a random walk,
 * because the path is the best of many. The factor depends on the scores. */
double band_block_wander(double factor, int64_t distance);

/* A request for a band. */
typedef struct band_work {
  bool fits;             /* false: the band would be too large, or no path through the block reaches a goal */
  band_node node;        /* the guessed or known node of the lower row */
  live_band_input input; /* the block owns input.top */
} band_work;

/* Prepares the computation of the block between block->upper, a kept row or row 0, and block->lower. `known`
 * is the path's node in the lower row. If `known` is NULL, the lower row must be kept, and block->guess must
 * be set. CLA_ERROR_MEMORY. */
cla_status band_block_look(band_work *out, band_block *block, const band_blocks *all, const band_node *known,
                           cla_error *error);

/* Computes the block's band. block->band stays NULL if no path leads through the block. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status band_block_compute(band_block *block, const band_work *work, cla_error *error);

/* Follows the path from *node, in row block->lower, up to block->upper or the path's start; sets *node to the
 * node reached and adds the steps. If the block does not have the path, *done is false and nothing changes.
 * Errors as live_band_trace. */
cla_status band_block_take(bool *done, band_node *node, path *into, band_block *block, cla_error *error);

void band_block_free(band_block *block);

#endif
