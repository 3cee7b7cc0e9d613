#include "path/area_cross.h"

#include "base/extremes.h"
#include "dp/small_block.h"

#define BLOCK_LETTERS 512 /* length, in letters, of each side of a block on the diagonal of a large area */

/* Aligns the area optimally, and adds the first part of the alignment, up to row `rows`, to the path. */
static cla_status cross_rows(bound_path *way, const bound_pair *pair, const bound_area *area, int64_t rows,
                             cla_error *error) {
  /* Use one piece of gap costs. Leave out used pairs: the table has them by rows of the whole matrix, not
   * of the area. */
  cla_scoring scoring = *pair->problem.scheme.scoring;
  score_table table = *pair->problem.scheme.table;
  for (int k = 1; k < CLA_GAP_PIECES; k++) scoring.gap[k] = (cla_gap_piece){0};
  table.used = NULL;
  const pair_problem problem = {.query = pair->problem.query + area->query,
                                .target = pair->problem.target + area->target,
                                .rows = bound_area_rows(area),
                                .columns = bound_area_columns(area),
                                .scheme = {.scoring = &scoring, .table = &table}};
  const small_block block = {.problem = &problem,
                             .read_top = border_read_top,
                             .top_row = &problem.scheme,
                             .left = border_of_gap(&scoring, 0),
                             .any_value = true,
                             .panel_cells = EXACT_SPACE_CELLS};
  trace_point point = {.row = problem.rows, .column = problem.columns};
  int64_t cells = 0, left = rows;
  path steps = {0};
  cla_status status = small_block_trace(&point, &steps, &block, &cells, error);
  if (status == CLA_OK && !point.at_start) status = path_add(&steps, CLA_RUN_TARGET, point.column, error);
  for (int64_t i = steps.count - 1; i >= 0 && (left > 0 || rows == problem.rows) && status == CLA_OK; i--) {
    const cla_run *run = &steps.runs[i];
    const int64_t length = run->kind == CLA_RUN_TARGET ? run->length : smaller(run->length, left);
    if (run->kind != CLA_RUN_TARGET) left -= length;
    status = bound_path_add(way, run->kind, length, error);
  }
  path_free(&steps);
  return status;
}

cla_status exact_area_cross(bound_path *way, const bound_pair *pair, const bound_area *area,
                            cla_error *error) {
  return cross_rows(way, pair, area, bound_area_rows(area), error);
}

/* Extends the path block by block to a corner near the diagonal of the path's stop. */
static cla_status cross_blocks(bound_path *way, const bound_pair *pair, int64_t query_stop,
                               int64_t target_stop, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && !bound_pair_stopped(pair)) {
    const int64_t rows = query_stop - way->query_stop, columns = target_stop - way->target_stop;
    bound_area block = {way->query_stop, way->target_stop, query_stop, target_stop};
    if (rows == 0 || columns == 0) break;
    if (larger(rows, columns) <= 2 * BLOCK_LETTERS) return exact_area_cross(way, pair, &block, error);
    /* The corner is `apart` diagonals away; one block moves the path only a few diagonals closer. */
    const int64_t apart = columns - rows;
    const int64_t back = larger(smaller(apart, BLOCK_LETTERS / 4), -BLOCK_LETTERS / 4);
    block.query_stop = smaller(block.query + BLOCK_LETTERS, query_stop);
    block.target_stop = larger(smaller(block.target + BLOCK_LETTERS + back, target_stop), block.target + 1);
    status = cross_rows(way, pair, &block, larger(bound_area_rows(&block) / 2, 1), error);
  }
  return status == CLA_OK ? bound_path_add_gaps(way, query_stop, target_stop, error) : status;
}

/* A path across an area: `before` pairs on the first corner's diagonal, then gaps, then `after` pairs on
 * the last corner's diagonal. `value` is its score. */
typedef struct crossing {
  int64_t before, after, value;
} crossing;

/* Finds the best crossing with one gap. The pairs on both diagonals together pass all letters of the
 * shorter side. */
static crossing with_one_gap(const bound_pair *pair, const bound_area *area) {
  const int64_t common = bound_area_shorter(area);
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
  out.value = best - gap_cost(pair->problem.scheme.scoring, bound_area_rows(area) - common) -
              gap_cost(pair->problem.scheme.scoring, bound_area_columns(area) - common);
  return out;
}

/* Finds a crossing with two gaps. The pairs from each corner continue as long as they score more than longer
 * gaps would. */
static crossing with_two_gaps(const bound_pair *pair, const bound_area *area) {
  const int64_t common = bound_area_shorter(area), saved = 2 * gap_least_ext(pair->problem.scheme.scoring);
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
  out.value = before_value + after_value -
              gap_cost(pair->problem.scheme.scoring, bound_area_rows(area) - pairs) -
              gap_cost(pair->problem.scheme.scoring, bound_area_columns(area) - pairs);
  return out;
}

static crossing choose_crossing(const bound_pair *pair, const bound_area *area) {
  const crossing one = with_one_gap(pair, area), two = with_two_gaps(pair, area);
  return two.value > one.value ? two : one;
}

cla_status open_space_cross(bound_path *way, const bound_pair *pair, const bound_area *area,
                            cla_error *error) {
  const crossing best = choose_crossing(pair, area);
  cla_status status = bound_path_add(way, CLA_RUN_PAIR, best.before, error);
  if (status == CLA_OK)
    status = bound_path_add_gaps(way, area->query_stop - best.after, area->target_stop - best.after, error);
  return status == CLA_OK ? bound_path_add(way, CLA_RUN_PAIR, best.after, error) : status;
}

int64_t wide_space_cells(const bound_area *area) {
  return 2 * BLOCK_LETTERS * bound_area_shorter(area);
}

cla_status wide_space_cross(bound_path *way, const bound_pair *pair, const bound_area *area,
                            cla_error *error) {
  const crossing best = choose_crossing(pair, area);
  cla_status status = cross_blocks(way, pair, area->query + best.before, area->target + best.before, error);
  if (status == CLA_OK)
    status = bound_path_add_gaps(way, area->query_stop - best.after, area->target_stop - best.after, error);
  return status == CLA_OK ? cross_blocks(way, pair, area->query_stop, area->target_stop, error) : status;
}
