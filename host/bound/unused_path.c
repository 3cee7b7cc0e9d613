#include "bound/unused_path.h"

#include "base/allocate.h"

/* The first of `length` pairs from letters (query, target) on, along their diagonal, that is used, and how
 * many from there on are; false if none is. */
static bool first_used(int64_t *first, int64_t *count, const used_pairs *used, int64_t query, int64_t target,
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

/* Adds pairs, and gaps for those of them that are used. */
static cla_status add_pairs(bound_path *path, const used_pairs *used, int64_t length, cla_error *error) {
  cla_status status = CLA_OK;
  int64_t first, count;
  while (status == CLA_OK && first_used(&first, &count, used, path->query_stop, path->target_stop, length)) {
    status = bound_path_add(path, CLA_RUN_PAIR, first, error);
    if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, count, error);
    if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_TARGET, count, error);
    length -= first + count;
  }
  return status == CLA_OK ? bound_path_add(path, CLA_RUN_PAIR, length, error) : status;
}

cla_status unused_path_make(bound_path *path, const bound_pair *pair, cla_error *error) {
  const used_pairs *used = pair->table->used;
  bound_path round = {0};
  cla_status status = CLA_OK;
  if (!used) return CLA_OK;
  bound_path_begin(&round, path->query, path->target);
  for (int64_t i = 0; status == CLA_OK && i < path->count; i++)
    status = path->runs[i].kind == CLA_RUN_PAIR
                 ? add_pairs(&round, used, path->runs[i].length, error)
                 : bound_path_add(&round, path->runs[i].kind, path->runs[i].length, error);
  if (status == CLA_OK) {
    const bound_path swap = *path;
    *path = round;
    round = swap;
  }
  bound_path_free(&round);
  return status;
}

bool unused_path_is(const bound_path *path, const bound_pair *pair) {
  int64_t query = path->query, target = path->target, first, count;
  for (int64_t i = 0; i < path->count; i++) {
    const cla_run run = path->runs[i];
    if (run.kind == CLA_RUN_PAIR && first_used(&first, &count, pair->table->used, query, target, run.length))
      return false;
    if (run.kind != CLA_RUN_TARGET) query += run.length;
    if (run.kind != CLA_RUN_QUERY) target += run.length;
  }
  return true;
}

static cla_status add_match(seed_matches *out, seed_match match, cla_error *error) {
  cla_status status = allocate_grow((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items,
                                    "matches of the lower bound", error);
  if (status == CLA_OK) out->items[out->count++] = match;
  return status;
}

cla_status unused_match_add(seed_matches *out, seed_match match, int64_t least, const bound_pair *pair,
                            cla_error *error) {
  cla_status status = CLA_OK;
  int64_t first, count;
  while (status == CLA_OK &&
         first_used(&first, &count, pair->table->used, match.query, match.target, match.length)) {
    const seed_match before = {.query = match.query, .target = match.target, .length = first};
    if (first >= least) status = add_match(out, before, error);
    match.query += first + count;
    match.target += first + count;
    match.length -= first + count;
  }
  return status == CLA_OK && match.length >= least ? add_match(out, match, error) : status;
}
