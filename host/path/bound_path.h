#ifndef HOST_PATH_BOUND_PATH_H
#define HOST_PATH_BOUND_PATH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/extremes.h"
#include "clalign/alignment.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

/* Stops a search in all threads as soon as the tick returns a status other than CLA_OK. */
typedef struct bound_stop {
  cla_status (*tick)(void *user, cla_error *error); /* NULL: no tick */
  void *user;
  cla_error *error;  /* passed to the tick */
  atomic_int status; /* last result of the tick */
} bound_stop;

typedef struct bound_pair bound_pair;
typedef struct bound_area bound_area;
typedef struct bound_path bound_path;

/* Extends the path, which stops at the first corner of an area, to the last corner. The added part is the
 * best alignment within `band` diagonals of both corners' diagonals; *score receives its score. Adds nothing
 * if scores are too large for a band. Several threads may call the function simultaneously. Fails with
 * CLA_ERROR_MEMORY, or with the status that stops the pair. */
typedef cla_status bound_banded(bound_path *path, int64_t *score, const bound_pair *pair,
                                const bound_area *area, int64_t band, cla_error *error);

/* A pair for which a bound is sought. Neither sequence is empty. */
struct bound_pair {
  pair_problem problem;
  bound_banded *banded; /* NULL: no band */
  bound_stop *stop;     /* NULL: nothing stops the search */
  bool ticks;           /* this thread calls stop->tick */
};

/* A rectangle of the matrix: query letters [query, query_stop) and target letters [target, target_stop). */
struct bound_area {
  int64_t query, target, query_stop, target_stop;
};

static inline int64_t bound_area_rows(const bound_area *area) {
  return area->query_stop - area->query;
}

static inline int64_t bound_area_columns(const bound_area *area) {
  return area->target_stop - area->target;
}

static inline int64_t bound_area_shorter(const bound_area *area) {
  return smaller(bound_area_rows(area), bound_area_columns(area));
}

/* The whole matrix of a pair. */
static inline bound_area bound_area_all(const bound_pair *pair) {
  return (bound_area){.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
}

static inline int64_t bound_pair_score(const bound_pair *pair, int64_t query, int64_t target) {
  return pair->problem.scheme.table
      ->score[pair->problem.query[query] * CLA_MATRIX_STRIDE + pair->problem.target[target]];
}

static inline bool bound_letters_match(uint8_t query, uint8_t target) {
  return query == target && query < SEQUENCE_UNAMBIGUOUS;
}

/* True if the next eight letters of the query and of the target match pairwise. */
static inline bool bound_eight_match(const uint8_t *query, const uint8_t *target) {
  uint64_t a, b;
  memcpy(&a, query, sizeof a);
  memcpy(&b, target, sizeof b);
  _Static_assert(SEQUENCE_UNAMBIGUOUS == 4, "codes above 3 have one of these bits");
  return ((a ^ b) | (a & UINT64_C(0xfcfcfcfcfcfcfcfc))) == 0;
}

/* Returns the number of matches before the first mismatch among the next letters of query and target; at most
 * `most`. */
static inline int64_t bound_match_length(const uint8_t *query, const uint8_t *target, int64_t most) {
  int64_t length = 0;
  while (most - length >= 8 && bound_eight_match(query + length, target + length)) length += 8;
  while (length < most && bound_letters_match(query[length], target[length])) length++;
  return length;
}

/* True if the search must stop. The caller then discards all results so far. */
static inline bool bound_pair_stopped(const bound_pair *pair) {
  bound_stop *stop = pair->stop;
  if (!stop) return false;
  if (pair->ticks && stop->tick && atomic_load(&stop->status) == CLA_OK)
    atomic_store(&stop->status, (int)stop->tick(stop->user, stop->error));
  return atomic_load(&stop->status) != CLA_OK;
}

/* Returns a copy of the pair for a thread of parallel_run. Only thread 0, which is the caller's thread, calls
 * the tick. */
static inline bound_pair bound_pair_of_thread(const bound_pair *pair, int thread) {
  bound_pair own = *pair;
  own.ticks &= thread == 0;
  return own;
}

static inline bool bound_thread_stopped(const void *pair, int thread) {
  const bound_pair own = bound_pair_of_thread(pair, thread);
  return bound_pair_stopped(&own);
}

/* A path through the matrix, built from its start to its stop. Positions count from the starts of the ranges.
 * The caller sets the start, zero-initialises the other fields, and calls bound_path_free. */
struct bound_path {
  int64_t query, target;           /* start of the path */
  int64_t query_stop, target_stop; /* end of the path built so far */
  cla_run *runs;                   /* owned; adjacent runs are of different kinds */
  int64_t count, capacity;
};

void bound_path_begin(bound_path *path, int64_t query, int64_t target);
void bound_path_free(bound_path *path);

/* Adds `length` >= 0 steps. Fails with CLA_ERROR_MEMORY. */
cla_status bound_path_add(bound_path *path, cla_run_kind kind, int64_t length, cla_error *error);

/* Adds gaps up to the node (query_stop, target_stop): a gap of query letters, then a gap of target letters.
 * Fails with CLA_ERROR_MEMORY. */
cla_status bound_path_add_gaps(bound_path *path, int64_t query_stop, int64_t target_stop, cla_error *error);

/* Adds all steps of `way`, but ignores its positions. Fails with CLA_ERROR_MEMORY. */
cla_status bound_path_add_all(bound_path *path, const bound_path *way, cla_error *error);

/* Replaces the path by `other` if `made` is CLA_OK. Frees the path that is not kept. Returns `made`. */
cla_status bound_path_take(bound_path *path, bound_path *other, cla_status made);

/* Sets *error to CLA_ERROR_MEMORY for a search whose threads ran out of memory. Returns this status. */
cla_status bound_memory_error(cla_error *error);

/* Cuts the path down to its part with the largest score, which starts and ends with a pair. Returns the
 * part's score. If no part scores above 0, returns 0, and the path becomes empty. */
int64_t bound_path_keep_best_part(bound_path *path, const bound_pair *pair);

/* Like bound_path_keep_best_part, but considers only parts that begin at the path's start. */
int64_t bound_path_keep_best_start(bound_path *path, const bound_pair *pair);

/* Removes gaps at both ends. */
void bound_path_strip(bound_path *path);

/* Computes the path's score letter by letter. */
int64_t bound_path_score(const bound_path *path, const bound_pair *pair);

/* Extends both ends of the path to nodes where `ends` allows a path to start and end. Each end follows its
 * diagonal to the matrix' border, or reaches the border by a gap, whichever scores more. If gaps at that end
 * are not free, the path continues along the border to the corner. Takes linear time. Fails with
 * CLA_ERROR_MEMORY. */
cla_status bound_path_complete(bound_path *path, const bound_pair *pair, const path_ends *ends,
                               cla_error *error);

/* The functions below make paths without used pairs (scoring/used_pairs.h), for bounds of alignments after
 * the first one. The pair's score table contains the used pairs. */

/* Removes used pairs from the path: each run of used pairs becomes a gap in the query and one in the target.
 * Fails with CLA_ERROR_MEMORY. */
cla_status unused_path_make(bound_path *path, const bound_pair *pair, cla_error *error);

/* True if the path contains no used pair. */
bool unused_path_is(const bound_path *path, const bound_pair *pair);

/* Finds the first used pair among `length` consecutive pairs on a diagonal, starting with (query, target).
 * *first receives the pair's index, *count the length of its run of used pairs. Returns false if no pair is
 * used. */
bool unused_path_first(int64_t *first, int64_t *count, const used_pairs *used, int64_t query, int64_t target,
                       int64_t length);

#endif
