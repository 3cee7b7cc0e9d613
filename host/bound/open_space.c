#include "bound/open_space.h"

/* How many pairs on the first corner's diagonal and on the last corner's. */
typedef struct crossing {
  int64_t before, after, value;
} crossing;

static int64_t shorter_side(const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  return rows < columns ? rows : columns;
}

/* Pairs on both diagonals for all of the shorter side, with one gap where it costs least. */
static crossing with_one_gap(const bound_pair *pair, const bound_area *area) {
  const int64_t common = shorter_side(area);
  const int64_t query = area->query_stop - common, target = area->target_stop - common;
  int64_t value = 0, best = 0;
  crossing out = {.before = 0, .after = common};
  for (int64_t i = 0; i < common; i++) value += bound_pair_score(pair, query + i, target + i);
  best = value;
  for (int64_t i = 0; i < common; i++) {
    value += bound_pair_score(pair, area->query + i, area->target + i) -
             bound_pair_score(pair, query + i, target + i);
    if (value <= best) continue;
    best = value;
    out = (crossing){.before = i + 1, .after = common - i - 1};
  }
  out.value = best - gap_cost(pair->scoring, bound_area_rows(area) - common) -
              gap_cost(pair->scoring, bound_area_columns(area) - common);
  return out;
}

/* Pairs as long as they are worth more than two longer gaps, from either corner. */
static crossing with_two_gaps(const bound_pair *pair, const bound_area *area) {
  const int64_t common = shorter_side(area), saved = 2 * gap_least_ext(pair->scoring);
  crossing out = {0};
  int64_t value = 0, before_value = 0, after_value = 0;
  for (int64_t i = 0; i < common; i++) {
    value += bound_pair_score(pair, area->query + i, area->target + i);
    if (value + saved * (i + 1) <= before_value + saved * out.before) continue;
    before_value = value;
    out.before = i + 1;
  }
  value = 0;
  for (int64_t i = 0; i < common - out.before; i++) {
    value += bound_pair_score(pair, area->query_stop - 1 - i, area->target_stop - 1 - i);
    if (value + saved * (i + 1) <= after_value + saved * out.after) continue;
    after_value = value;
    out.after = i + 1;
  }
  const int64_t pairs = out.before + out.after;
  out.value = before_value + after_value - gap_cost(pair->scoring, bound_area_rows(area) - pairs) -
              gap_cost(pair->scoring, bound_area_columns(area) - pairs);
  return out;
}

cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error) {
  crossing best = with_one_gap(pair, area);
  const crossing other = with_two_gaps(pair, area);
  if (other.value > best.value) best = other;
  const int64_t pairs = best.before + best.after;
  cla_status status = bound_path_add(path, CLA_RUN_PAIR, best.before, error);
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, bound_area_rows(area) - pairs, error);
  if (status == CLA_OK)
    status = bound_path_add(path, CLA_RUN_TARGET, bound_area_columns(area) - pairs, error);
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_PAIR, best.after, error);
  return status;
}
