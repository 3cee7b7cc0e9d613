#include "path/bound_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

void bound_path_begin(bound_path *path, int64_t query, int64_t target) {
  path->query = path->query_stop = query;
  path->target = path->target_stop = target;
  path->count = 0;
}

void bound_path_free(bound_path *path) {
  free(path->runs);
  memset(path, 0, sizeof *path);
}

cla_status bound_path_add(bound_path *path, cla_run_kind kind, int64_t length, cla_error *error) {
  if (length == 0) return CLA_OK;
  if (kind != CLA_RUN_TARGET) path->query_stop += length;
  if (kind != CLA_RUN_QUERY) path->target_stop += length;
  if (path->count > 0 && path->runs[path->count - 1].kind == kind) {
    path->runs[path->count - 1].length += length;
    return CLA_OK;
  }
  cla_status status =
      ALLOCATE_GROW(&path->runs, &path->capacity, path->count + 1, "the path of the lower bound", error);
  if (status == CLA_OK) path->runs[path->count++] = (cla_run){.length = length, .kind = kind};
  return status;
}

cla_status bound_path_add_gaps(bound_path *path, int64_t query_stop, int64_t target_stop, cla_error *error) {
  cla_status status = bound_path_add(path, CLA_RUN_QUERY, query_stop - path->query_stop, error);
  return status == CLA_OK ? bound_path_add(path, CLA_RUN_TARGET, target_stop - path->target_stop, error)
                          : status;
}

cla_status bound_path_add_all(bound_path *path, const bound_path *way, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < way->count && status == CLA_OK; i++)
    status = bound_path_add(path, way->runs[i].kind, way->runs[i].length, error);
  return status;
}

cla_status bound_path_take(bound_path *path, bound_path *other, cla_status made) {
  if (made == CLA_OK) {
    const bound_path swap = *path;
    *path = *other;
    *other = swap;
  }
  bound_path_free(other);
  return made;
}

cla_status bound_memory_error(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY,
                   "out of memory for the lower bound; free some, or leave it out (--lower-bound off)");
}

/* A place on the path, before letter `offset` of a run. */
typedef struct path_place {
  int64_t run, offset, query, target;
} path_place;

/* Cuts the path down to the part between two places. Each place lies within a run of pairs or at its end. */
static void keep_part(bound_path *path, const path_place *from, const path_place *to) {
  int64_t count = to->run - from->run + 1;
  path->runs[to->run].length = to->offset;
  path->runs[from->run].length -= from->offset;
  memmove(path->runs, path->runs + from->run, (size_t)count * sizeof *path->runs);
  path->count = count;
  path->query = from->query;
  path->target = from->target;
  path->query_stop = to->query;
  path->target_stop = to->target;
}

/* Cuts the path down to the part with the largest score. A part is given up once its score has fallen to 0
 * or below, unless the part must begin at the path's start. */
static int64_t keep_best(bound_path *path, const bound_pair *pair, bool from_start) {
  path_place here = {.query = path->query, .target = path->target}, start = here, best_from = here,
             best_to = here;
  int64_t sum = 0, best = 0;
  for (; here.run < path->count; here.run++, here.offset = 0) {
    const cla_run run = path->runs[here.run];
    if (run.kind != CLA_RUN_PAIR) {
      sum -= gap_cost(pair->problem.scheme.scoring, run.length);
      if (run.kind == CLA_RUN_QUERY)
        here.query += run.length;
      else
        here.target += run.length;
      continue;
    }
    while (here.offset < run.length) {
      if (sum <= 0 && !from_start) {
        sum = 0;
        start = here;
      }
      sum += bound_pair_score(pair, here.query++, here.target++);
      here.offset++;
      if (sum <= best) continue;
      best = sum;
      best_from = start;
      best_to = here;
    }
  }
  if (best > 0)
    keep_part(path, &best_from, &best_to);
  else
    bound_path_begin(path, 0, 0);
  return best;
}

int64_t bound_path_keep_best_part(bound_path *path, const bound_pair *pair) {
  return keep_best(path, pair, false);
}

int64_t bound_path_keep_best_start(bound_path *path, const bound_pair *pair) {
  return keep_best(path, pair, true);
}

int64_t bound_path_score(const bound_path *path, const bound_pair *pair) {
  int64_t query = path->query, target = path->target, score = 0;
  for (int64_t i = 0; i < path->count; i++) {
    const cla_run run = path->runs[i];
    if (run.kind != CLA_RUN_PAIR) score -= gap_cost(pair->problem.scheme.scoring, run.length);
    for (int64_t k = 0; k < run.length && run.kind == CLA_RUN_PAIR; k++)
      score += bound_pair_score(pair, query + k, target + k);
    if (run.kind != CLA_RUN_TARGET) query += run.length;
    if (run.kind != CLA_RUN_QUERY) target += run.length;
  }
  return score;
}

/* Moves a place forward (`sign` 1) or back (`sign` -1) by a gap's letters. */
static void pass_gap(int64_t *query, int64_t *target, const cla_run *gap, int64_t sign) {
  if (gap->kind == CLA_RUN_QUERY)
    *query += sign * gap->length;
  else
    *target += sign * gap->length;
}

void bound_path_strip(bound_path *path) {
  int64_t gaps = 0;
  for (; path->count > 0 && path->runs[path->count - 1].kind != CLA_RUN_PAIR; path->count--)
    pass_gap(&path->query_stop, &path->target_stop, &path->runs[path->count - 1], -1);
  for (; gaps < path->count && path->runs[gaps].kind != CLA_RUN_PAIR; gaps++)
    pass_gap(&path->query, &path->target, &path->runs[gaps], 1);
  path->count -= gaps;
  if (gaps > 0 && path->count > 0)
    memmove(path->runs, path->runs + gaps, (size_t)path->count * sizeof *path->runs);
}

/* The steps from an end of the path to a border: first pairs, then gaps. */
typedef struct way {
  int64_t pairs, query_gap, target_gap;
} way;

/* Chooses the better way to pass the `query` and `target` letters beyond the path's end: gaps alone, or
 * pairs, which score `diagonal`, and then gaps. `query_free`: once all target letters are passed, the
 * remaining query letters cost nothing. `target_free`: the same with the sequences exchanged. */
static way choose(int64_t query, int64_t target, int64_t diagonal, bool query_free, bool target_free,
                  const cla_scoring *scoring) {
  const int64_t both = smaller(query, target);
  const way along = {.pairs = both,
                     .query_gap = query_free ? 0 : query - both,
                     .target_gap = target_free ? 0 : target - both};
  way straight = {.query_gap = query, .target_gap = target};
  if (target_free && (!query_free || query <= target))
    straight.target_gap = 0;
  else if (query_free)
    straight.query_gap = 0;
  const int64_t along_score =
      diagonal - gap_cost(scoring, along.query_gap) - gap_cost(scoring, along.target_gap);
  const int64_t straight_score =
      -gap_cost(scoring, straight.query_gap) - gap_cost(scoring, straight.target_gap);
  return along_score >= straight_score ? along : straight;
}

static way before(const bound_path *path, const bound_pair *pair, const path_ends *ends) {
  int64_t diagonal = 0;
  for (int64_t back = 1; back <= smaller(path->query, path->target); back++)
    diagonal += bound_pair_score(pair, path->query - back, path->target - back);
  return choose(path->query, path->target, diagonal, ends->query_start, ends->target_start,
                pair->problem.scheme.scoring);
}

static way after(const bound_path *path, const bound_pair *pair, const path_ends *ends) {
  const int64_t query = pair->problem.rows - path->query_stop,
                target = pair->problem.columns - path->target_stop;
  int64_t diagonal = 0;
  if (ends->anywhere) return (way){0};
  for (int64_t on = 0; on < smaller(query, target); on++)
    diagonal += bound_pair_score(pair, path->query_stop + on, path->target_stop + on);
  return choose(query, target, diagonal, ends->query_end, ends->target_end, pair->problem.scheme.scoring);
}

cla_status bound_path_complete(bound_path *path, const bound_pair *pair, const path_ends *ends,
                               cla_error *error) {
  const way head = before(path, pair, ends), tail = after(path, pair, ends);
  bound_path whole = {0};
  bound_path_begin(&whole, path->query - head.pairs - head.query_gap,
                   path->target - head.pairs - head.target_gap);
  cla_status status = bound_path_add(&whole, CLA_RUN_QUERY, head.query_gap, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_TARGET, head.target_gap, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_PAIR, head.pairs, error);
  if (status == CLA_OK) status = bound_path_add_all(&whole, path, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_PAIR, tail.pairs, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_QUERY, tail.query_gap, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_TARGET, tail.target_gap, error);
  return bound_path_take(path, &whole, status);
}

bool unused_path_first(int64_t *first, int64_t *count, const used_pairs *used, int64_t query, int64_t target,
                       int64_t length) {
  used_run run;
  used_walk walk = used_walk_begin(used, query + 1, query + length, target + 1, target + length);
  *first = length;
  *count = 0;
  while (used_walk_next(&walk, &run)) {
    const int64_t at = run.row - 1 - query;
    if (run.column - run.row != target - query || at >= *first) continue;
    *first = at;
    *count = run.length;
  }
  return *count > 0;
}

/* Adds `length` pairs to the path; used pairs are replaced by gaps. */
static cla_status add_pairs(bound_path *path, const used_pairs *used, int64_t length, cla_error *error) {
  cla_status status = CLA_OK;
  int64_t first, count;
  while (status == CLA_OK &&
         unused_path_first(&first, &count, used, path->query_stop, path->target_stop, length)) {
    status = bound_path_add(path, CLA_RUN_PAIR, first, error);
    if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, count, error);
    if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_TARGET, count, error);
    length -= first + count;
  }
  return status == CLA_OK ? bound_path_add(path, CLA_RUN_PAIR, length, error) : status;
}

cla_status unused_path_make(bound_path *path, const bound_pair *pair, cla_error *error) {
  const used_pairs *used = pair->problem.scheme.table->used;
  bound_path round = {0};
  cla_status status = CLA_OK;
  if (!used) return CLA_OK;
  bound_path_begin(&round, path->query, path->target);
  for (int64_t i = 0; status == CLA_OK && i < path->count; i++)
    status = path->runs[i].kind == CLA_RUN_PAIR
                 ? add_pairs(&round, used, path->runs[i].length, error)
                 : bound_path_add(&round, path->runs[i].kind, path->runs[i].length, error);
  return bound_path_take(path, &round, status);
}

bool unused_path_is(const bound_path *path, const bound_pair *pair) {
  int64_t query = path->query, target = path->target, first, count;
  for (int64_t i = 0; i < path->count; i++) {
    const cla_run run = path->runs[i];
    if (run.kind == CLA_RUN_PAIR &&
        unused_path_first(&first, &count, pair->problem.scheme.table->used, query, target, run.length))
      return false;
    if (run.kind != CLA_RUN_TARGET) query += run.length;
    if (run.kind != CLA_RUN_QUERY) target += run.length;
  }
  return true;
}
