#ifndef HOST_BOUND_BOUND_PATH_H
#define HOST_BOUND_BOUND_PATH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "clalign/alignment.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

/* Ends a search early: as soon as the tick says anything but CLA_OK, which every thread then sees. */
typedef struct bound_stop {
  cla_status (*tick)(void *user, cla_error *error); /* NULL: none */
  void *user;
  cla_error *error;  /* for the tick */
  atomic_int status; /* what it said last */
} bound_stop;

typedef struct bound_pair bound_pair;
typedef struct bound_area bound_area;
typedef struct bound_path bound_path;

/* Leads the path from the first corner of an area, its stop, to the last by the best of the alignments that
 * stay within `band` diagonals of both corners'. *score: what that scores. Adds nothing where the scores are
 * too large for it. Threads call it at once. CLA_ERROR_MEMORY, and what stops the pair. */
typedef cla_status bound_banded(bound_path *path, int64_t *score, const bound_pair *pair,
                                const bound_area *area, int64_t band, cla_error *error);

/* The pair that a bound is sought for; both sequences have letters. */
struct bound_pair {
  pair_problem problem;
  bound_banded *banded; /* NULL: none */
  bound_stop *stop;     /* NULL: nothing stops the search */
  bool ticks;           /* this thread calls stop->tick */
};

/* A rectangle of the matrix: query letters query .. query_stop - 1 against target letters likewise. */
struct bound_area {
  int64_t query, target, query_stop, target_stop;
};

static inline int64_t bound_area_rows(const bound_area *area) {
  return area->query_stop - area->query;
}

static inline int64_t bound_area_columns(const bound_area *area) {
  return area->target_stop - area->target;
}

static inline int64_t bound_pair_score(const bound_pair *pair, int64_t query, int64_t target) {
  return pair->problem.scheme.table
      ->score[pair->problem.query[query] * CLA_MATRIX_STRIDE + pair->problem.target[target]];
}

static inline bool bound_letters_match(uint8_t query, uint8_t target) {
  return query == target && query < SEQUENCE_UNAMBIGUOUS;
}

/* Whether eight letters from two places on do. */
static inline bool bound_eight_match(const uint8_t *query, const uint8_t *target) {
  uint64_t a, b;
  memcpy(&a, query, sizeof a);
  memcpy(&b, target, sizeof b);
  _Static_assert(SEQUENCE_UNAMBIGUOUS == 4, "codes above 3 have one of these bits");
  return ((a ^ b) | (a & UINT64_C(0xfcfcfcfcfcfcfcfc))) == 0;
}

/* How many letters from two places on match, of so many at most. */
static inline int64_t bound_match_length(const uint8_t *query, const uint8_t *target, int64_t most) {
  int64_t length = 0;
  while (most - length >= 8 && bound_eight_match(query + length, target + length)) length += 8;
  while (length < most && bound_letters_match(query[length], target[length])) length++;
  return length;
}

/* Asks whether to stop: then nothing that is found is of use any more. */
static inline bool bound_pair_stopped(const bound_pair *pair) {
  bound_stop *stop = pair->stop;
  if (!stop) return false;
  if (pair->ticks && stop->tick && atomic_load(&stop->status) == CLA_OK)
    atomic_store(&stop->status, (int)stop->tick(stop->user, stop->error));
  return atomic_load(&stop->status) != CLA_OK;
}

/* Likewise for a thread of parallel_run: only the caller's, which is 0, calls the tick. */
static inline bool bound_thread_stopped(const bound_pair *pair, int thread) {
  bound_pair own = *pair;
  own.ticks &= thread == 0;
  return bound_pair_stopped(&own);
}

/* A path through the matrix, made from its start to its stop; positions count from the ranges' begins. Begins
 * as zero but for the start, ends with bound_path_free. */
struct bound_path {
  int64_t query, target;           /* where it starts */
  int64_t query_stop, target_stop; /* where it has come to */
  cla_run *runs;                   /* neighbours of different kinds; owned */
  int64_t count, capacity;
};

void bound_path_begin(bound_path *path, int64_t query, int64_t target);
void bound_path_free(bound_path *path);

/* Goes on by `length` >= 0 steps. CLA_ERROR_MEMORY. */
cla_status bound_path_add(bound_path *path, cla_run_kind kind, int64_t length, cla_error *error);

/* Goes on by all steps of `way`, wherever that is. CLA_ERROR_MEMORY. */
cla_status bound_path_add_all(bound_path *path, const bound_path *way, cla_error *error);

/* `other` becomes the path, if it was made; what is not the path any more is freed. Returns `made`. */
cla_status bound_path_take(bound_path *path, bound_path *other, cla_status made);

/* CLA_ERROR_MEMORY, of a search whose threads had none left. */
cla_status bound_memory_error(cla_error *error);

/* Likewise, of a potential. */
cla_status potential_memory_error(cla_error *error);

/* Cuts the path down to its part of the largest score, which begins and ends with a pair, and returns that
 * score; 0, and no runs, where no part is worth more. */
int64_t bound_path_keep_best_part(bound_path *path, const bound_pair *pair);

/* Likewise, of the parts that begin where the path does. */
int64_t bound_path_keep_best_start(bound_path *path, const bound_pair *pair);

/* Takes gaps off both ends. */
void bound_path_strip(bound_path *path);

/* The path's score, letter by letter. */
int64_t bound_path_score(const bound_path *path, const bound_pair *pair);

/* Leads a path to where paths may begin and end: from either end along its diagonal up to the matrix' border,
 * or straight there in a gap, whichever scores more, and along the border where that end is not free. Linear
 * time. CLA_ERROR_MEMORY. */
cla_status bound_path_complete(bound_path *path, const bound_pair *pair, const path_ends *ends,
                               cla_error *error);

/* Bounds of alignments after the first: paths that make none of the pairs that earlier ones have used
 * (scoring/used_pairs.h), which the table of the pair knows. */

/* Leads the path round such pairs: a gap in either sequence takes the letters of each stretch of them.
 * CLA_ERROR_MEMORY. */
cla_status unused_path_make(bound_path *path, const bound_pair *pair, cla_error *error);

/* Whether the path makes none of them. */
bool unused_path_is(const bound_path *path, const bound_pair *pair);

/* The first of `length` pairs from letters (query, target) on, along their diagonal, that is used, and how
 * many from there on are; false if none is. */
bool unused_path_first(int64_t *first, int64_t *count, const used_pairs *used, int64_t query, int64_t target,
                       int64_t length);

#endif
