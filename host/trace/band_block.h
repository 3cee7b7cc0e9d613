#ifndef HOST_TRACE_BAND_BLOCK_H
#define HOST_TRACE_BAND_BLOCK_H

#include <pthread.h>

#include "trace/live_band.h"

/* A live band between two kept rows that was computed, and traced from a guessed node, before it is known
 * where the path leaves the lower one. A guess costs time where it is wrong, but never changes a result: what
 * was computed holds for each of the goals, and what was traced is taken over from the first node on that the
 * path is found to share, because the canonical path from a node in a state is one. */
typedef struct band_block {
  int64_t upper, lower; /* matrix rows */
  int64_t guess;        /* the column of the lower row where the path is thought to be */
  int64_t straight;     /* likewise if sequences are unlike: on a line from where it is known to be, */
  int64_t distance;     /* so many rows below; how far it may be from there: band_block_wander */
  double wander;
  int64_t wide_before; /* wide blocks passed in a row: as many threads are thought to be at work */
  bool wide;           /* goals are many nodes around `straight`: set when it is computed */
  live_band *band;     /* NULL unless ready */
  band_goals goals;
  band_node *nodes; /* of the guessed path: where it begins, and where each call of live_band_trace left it */
  path *parts;      /* from each of those nodes to the next one, or to where the path ended */
  int64_t count, capacity, parts_capacity;
  band_node end;  /* where it ended, as live_band_trace says */
  row_values top; /* from the band's column on */
  int64_t cells;
  int rank;       /* that has the band, and traces in it; 0: this process */
  int64_t number; /* of the block there */
} band_block;

/* What all blocks have in common. */
typedef struct band_blocks {
  const pair_problem *problem;
  const row_worth *worth;
  const special_rows *kept;
  pthread_rwlock_t *reading;          /* held while `kept` is read */
  int64_t bytes_limit, line_interval; /* of a band (live_band_input) */
  int64_t wide_rows_least;            /* a block of fewer rows has no wide goals */
  int threads;                        /* that compute bands */
  double device_rate;                 /* cells a second of a block on the device, about */
  const atomic_bool *cancel;
} band_blocks;

/* About how long so many cells of a band take one thread, with values of 2 or 4 bytes. */
double band_seconds(double cells, int value_bytes);

/* How far the path between unlike sequences may be from a straight line `distance` rows above where it is
 * known: a random walk's exponent would be 1/2, that of the best of many paths is 2/3. The factor depends on
 * the scores. */
double band_block_wander(double factor, int64_t distance);

/* A band that is to be computed. */
typedef struct band_work {
  bool fits;             /* false: it would be too large, or lead nowhere */
  band_node node;        /* the guess, or the known one */
  live_band_input input; /* its top is the block's */
} band_work;

/* Looks at the block between rows block->upper and block->lower, the first being a kept row or row 0.
 * `known`, unless NULL, is the path's node in the lower row; otherwise that row is kept, and block->guess
 * set. CLA_ERROR_MEMORY. */
cla_status band_block_look(band_work *out, band_block *block, const band_blocks *all, const band_node *known,
                           cla_error *error);

/* Computes the band; block->band stays NULL where that leads nowhere. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status band_block_compute(band_block *block, const band_work *work, cla_error *error);

/* Goes on from `node`, which lies in block->lower, to block->upper or to the path's start. *done is false,
 * and nothing is changed, if the block does not lead there. Errors as live_band_trace. */
cla_status band_block_take(bool *done, band_node *node, path *into, band_block *block, cla_error *error);

void band_block_free(band_block *block);

#endif
