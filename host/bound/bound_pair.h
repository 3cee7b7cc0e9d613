#ifndef HOST_BOUND_BOUND_PAIR_H
#define HOST_BOUND_BOUND_PAIR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "scoring/score_table.h"

/* Ends a search early: as soon as the tick says anything but CLA_OK, which every thread then sees. */
typedef struct bound_stop {
  cla_status (*tick)(void *user, cla_error *error); /* NULL: none */
  void *user;
  cla_error *error;  /* for the tick */
  atomic_int status; /* what it said last */
} bound_stop;

/* What a bound is sought for: codes (seq/sequence.h) of the two ranges and the scheme. */
typedef struct bound_pair {
  const uint8_t *query, *target;
  int64_t query_length, target_length; /* >= 1 */
  const cla_scoring *scoring;
  const score_table *table;
  bound_stop *stop; /* NULL: nothing stops the search */
  bool ticks;       /* this thread calls stop->tick */
} bound_pair;

/* A rectangle of the matrix: query letters query .. query_stop - 1 against target letters likewise. */
typedef struct bound_area {
  int64_t query, target, query_stop, target_stop;
} bound_area;

static inline int64_t bound_area_rows(const bound_area *area) {
  return area->query_stop - area->query;
}

static inline int64_t bound_area_columns(const bound_area *area) {
  return area->target_stop - area->target;
}

static inline int64_t bound_pair_score(const bound_pair *pair, int64_t query, int64_t target) {
  return pair->table->score[pair->query[query] * CLA_MATRIX_STRIDE + pair->target[target]];
}

/* Asks whether to stop: then nothing that is found is of use any more. */
static inline bool bound_pair_stopped(const bound_pair *pair) {
  bound_stop *stop = pair->stop;
  if (!stop) return false;
  if (pair->ticks && stop->tick && atomic_load(&stop->status) == CLA_OK)
    atomic_store(&stop->status, (int)stop->tick(stop->user, stop->error));
  return atomic_load(&stop->status) != CLA_OK;
}

#endif
