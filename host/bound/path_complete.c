#include "bound/path_complete.h"

#include "base/extremes.h"

/* The way between the path and a border, as seen from the path: pairs, then a gap of either kind. */
typedef struct way {
  int64_t pairs, query_gap, target_gap;
} way;

/* The better of the two ways over so many letters of either sequence that are beyond the path's end;
 * `diagonal` is what their pairs score. `query_free` letters need not be passed once all of the target's are,
 * and the other way round. */
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
  return choose(path->query, path->target, diagonal, ends->query_start, ends->target_start, pair->scoring);
}

static way after(const bound_path *path, const bound_pair *pair, const path_ends *ends) {
  const int64_t query = pair->query_length - path->query_stop,
                target = pair->target_length - path->target_stop;
  int64_t diagonal = 0;
  if (ends->anywhere) return (way){0};
  for (int64_t on = 0; on < smaller(query, target); on++)
    diagonal += bound_pair_score(pair, path->query_stop + on, path->target_stop + on);
  return choose(query, target, diagonal, ends->query_end, ends->target_end, pair->scoring);
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
  for (int64_t i = 0; status == CLA_OK && i < path->count; i++)
    status = bound_path_add(&whole, path->runs[i].kind, path->runs[i].length, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_PAIR, tail.pairs, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_QUERY, tail.query_gap, error);
  if (status == CLA_OK) status = bound_path_add(&whole, CLA_RUN_TARGET, tail.target_gap, error);
  if (status == CLA_OK) {
    const bound_path swap = *path;
    *path = whole;
    whole = swap;
  }
  bound_path_free(&whole);
  return status;
}
