/* The largest margin that a scheme allows for a column: what the cheapest known detour loses. */

#include "base/extremes.h"
#include "certain/certain_internal.h"

/* Gaps without a pair between them. */
typedef struct gap_group {
  int64_t letters[2]; /* number of target letters, and of query letters */
  int64_t cost;       /* cost of all gaps of the group */
} gap_group;

static gap_group group_at(const cuts *c, const cla_run *runs, size_t run_count, size_t run, int step) {
  gap_group group = {0};
  for (size_t i = run; i < run_count && runs[i].kind != CLA_RUN_PAIR; i += (size_t)step) {
    group.letters[runs[i].kind == CLA_RUN_QUERY] += runs[i].length;
    group.cost += gap_cost(c->problem->scheme.scoring, runs[i].length);
  }
  return group;
}

/* Returns what is lost if a pair becomes two letters in gaps, joined with the gaps beside it. */
static int64_t pair_detour(const cuts *c, int64_t score, const gap_group *before, const gap_group *behind) {
  const cla_scoring *scoring = c->problem->scheme.scoring;
  int64_t cost = -before->cost - behind->cost;
  for (int side = 0; side < 2; side++)
    cost += gap_cost(scoring, before->letters[side] + behind->letters[side] + 1);
  return score + cost;
}

/* Returns what is lost if the gap of `letters` letters behind node (row, column) moves by one pair. */
static int64_t shift_detour(const cuts *c, bool across, int64_t letters, int64_t row, int64_t column,
                            bool left) {
  const int64_t end_row = across ? row : row + letters, end_column = across ? column + letters : column;
  if (left) return near_pair_score(c, row, column) - near_pair_score(c, end_row, end_column);
  return near_pair_score(c, end_row + 1, end_column + 1) - near_pair_score(c, row + 1, column + 1);
}

static int64_t gap_ceiling(const cuts *c, const cla_run *runs, size_t run_count, size_t run, int64_t row,
                           int64_t column) {
  const bool across = runs[run].kind == CLA_RUN_TARGET;
  int64_t least = INT64_MAX;
  if (run > 0 && runs[run - 1].kind == CLA_RUN_PAIR)
    least = shift_detour(c, across, runs[run].length, row, column, true);
  if (run + 1 < run_count && runs[run + 1].kind == CLA_RUN_PAIR)
    least = smaller(least, shift_detour(c, across, runs[run].length, row, column, false));
  return least;
}

void ceilings_find(int64_t *out, const cuts *c, const cla_run *runs, size_t run_count) {
  const bool floor = c->problem->scheme.ends.floor;
  const int64_t most = floor ? c->optimum : INT64_MAX;
  int64_t row = c->start_row, column = c->start_column, index = 0;
  const gap_group none = {0};
  for (size_t i = 0; i < run_count; i++) {
    const bool pair = runs[i].kind == CLA_RUN_PAIR;
    const int64_t gap = pair ? 0 : gap_ceiling(c, runs, run_count, i, row, column);
    const gap_group before = pair && i > 0 ? group_at(c, runs, run_count, i - 1, -1) : none;
    const gap_group behind = pair ? group_at(c, runs, run_count, i + 1, 1) : none;
    for (int64_t k = 0; k < runs[i].length; k++) {
      row += runs[i].kind != CLA_RUN_TARGET;
      column += runs[i].kind != CLA_RUN_QUERY;
      const int64_t loss = !pair ? gap
                                 : pair_detour(c, near_pair_score(c, row, column), k == 0 ? &before : &none,
                                               k + 1 == runs[i].length ? &behind : &none);
      out[index++] = smaller(loss, most);
    }
  }
}
