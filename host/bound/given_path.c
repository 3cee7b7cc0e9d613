#include "bound/given_path.h"

#include "base/error.h"
#include "base/extremes.h"
#include "bound/space_cross.h"

/* Positions never pass 2^62, so that later sums cannot overflow. */
static bool runs_are_possible(const cla_path *given) {
  const int64_t limit = INT64_MAX / 2;
  int64_t query = given->query_start, target = given->target_start;
  if (query < 0 || target < 0 || query > limit || target > limit) return false;
  for (size_t i = 0; i < given->run_count; i++) {
    const cla_run *run = &given->runs[i];
    const int kind = (int)run->kind;
    if (kind < CLA_RUN_PAIR || kind > CLA_RUN_TARGET || run->length < 1) return false;
    if (run->length > limit - larger(query, target)) return false;
    if (kind != CLA_RUN_TARGET) query += run->length;
    if (kind != CLA_RUN_QUERY) target += run->length;
  }
  return true;
}

/* The part of a run that starts at (query, target) and lies within the matrix: steps from .. to - 1. A gap's
 * own letters must lie in it, and the other sequence's position too. */
static void clip(int64_t *from, int64_t *to, const cla_run *run, int64_t query, int64_t target,
                 const bound_pair *pair) {
  const bool moves_query = run->kind != CLA_RUN_TARGET, moves_target = run->kind != CLA_RUN_QUERY;
  *from = 0;
  *to = run->length;
  if (moves_query) {
    *from = larger(*from, -query);
    *to = smaller(*to, pair->query_length - query);
  } else if (query < 0 || query > pair->query_length) {
    *to = 0;
  }
  if (moves_target) {
    *from = larger(*from, -target);
    *to = smaller(*to, pair->target_length - target);
  } else if (target < 0 || target > pair->target_length) {
    *to = 0;
  }
}

/* A path only moves on, so what lies in the matrix is in one piece. */
static cla_status take_runs(space_crosser *t, bool *found, const cla_path *given, int64_t query,
                            int64_t target, bool ends, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < given->run_count && status == CLA_OK; i++) {
    const cla_run *run = &given->runs[i];
    const bool moves_query = run->kind != CLA_RUN_TARGET, moves_target = run->kind != CLA_RUN_QUERY;
    int64_t from, to;
    clip(&from, &to, run, query, target, t->pair);
    if (from < to) {
      const int64_t q = query + (moves_query ? from : 0), d = target + (moves_target ? from : 0);
      const bound_area before = {.query_stop = q, .target_stop = d};
      if (!*found && ends)
        status = space_cross(t, &before, error);
      else if (!*found)
        bound_path_begin(t->path, q, d);
      *found = true;
      if (status == CLA_OK) status = bound_path_add(t->path, run->kind, to - from, error);
    }
    if (moves_query) query += run->length;
    if (moves_target) target += run->length;
  }
  return status;
}

cla_status given_path_make(bound_path *out, bool *found, const bound_pair *pair, const cla_path *given,
                           int64_t query_begin, int64_t target_begin, bool ends, int64_t work, int threads,
                           cla_error *error) {
  space_crosser t = {.pair = pair, .path = out, .work = work, .threads = threads};
  *found = false;
  bound_path_begin(out, 0, 0);
  if (!runs_are_possible(given))
    return error_set(
        error, CLA_ERROR_OPTION,
        "the path for the lower bound has a run of an unknown kind, without letters, or beyond any "
        "sequence; give runs of at least one letter");
  cla_status status = take_runs(&t, found, given, given->query_start - query_begin,
                                given->target_start - target_begin, ends, error);
  if (status == CLA_OK && *found && ends) {
    const bound_area after = {.query = out->query_stop,
                              .target = out->target_stop,
                              .query_stop = pair->query_length,
                              .target_stop = pair->target_length};
    status = space_cross(&t, &after, error);
  }
  return status;
}
