/* Paths of a pair_solver to ends that are known, in all modes but global.
 *
 * A path that comes to its end from a diagonal k above it, or k below it, has gaps of k letters of the query,
 * or of the target. It has no more pairs than the letters of both sequences before the end, less the gap's.
 * So it scores no more than
 *
 *      match min(row - k, column) - gap_cost(k),     or match min(row, column - k) - gap_cost(k)
 *
 * Where that is less than the pair's score, no path of that score, and so not the canonical one, comes there.
 */

#include "base/error.h"
#include "base/extremes.h"
#include "dp/pair_solver_internal.h"

/* The most letters of a gap that a path to the pair's end may have beside its pairs, which leave out so many
 * letters of that side, too. */
static int32_t most_apart(const pair_solver *s, const solver_pairs *pairs, int64_t pair, int side) {
  const int64_t row = pairs->end_row[pair], column = pairs->end_column[pair];
  int64_t low = 0, high = side == 0 ? row : column;
  while (low < high) {
    const int64_t middle = (low + high + 1) / 2;
    const int64_t letters = side == 0 ? smaller(row - middle, column) : smaller(row, column - middle);
    if (s->scheme.match * letters - gap_cost(s->scheme.scheme->scoring, middle) >= pairs->score[pair])
      low = middle;
    else
      high = middle - 1;
  }
  return (int32_t)low;
}

/* What is computed for a pair's path: the nodes from (first_row, first_column) to its end, of the diagonals
 * `low` to `high` from that node's on. */
typedef struct path_area {
  int32_t rows, columns, first_row, first_column, low, high;
} path_area;

static path_area area_of(const pair_solver *s, const solver_pairs *pairs, int64_t pair) {
  const int32_t row = pairs->end_row[pair], column = pairs->end_column[pair];
  path_area out = {.low = column - row - most_apart(s, pairs, pair, 1),
                   .high = column - row + most_apart(s, pairs, pair, 0)};
  out.first_column = (int32_t)larger(0, out.low);
  out.first_row = (int32_t)larger(0, -out.high);
  out.low += out.first_row - out.first_column;
  out.high += out.first_row - out.first_column;
  out.rows = row - out.first_row;
  out.columns = column - out.first_column;
  return out;
}

static int64_t path_loss(const pair_solver *s, const solver_pairs *pairs, int64_t pair, int32_t rows) {
  return (int64_t)s->scheme.match * rows - pairs->score[pair];
}

/* Where the pair's path is looked for; `band` is how many diagonals that are. A pair without cells has its
 * path at once. */
static cla_status add_path(pair_solver *s, const solver_pairs *pairs, int64_t pair, cla_error *error) {
  const path_area area = area_of(s, pairs, pair);
  const int64_t loss = path_loss(s, pairs, pair, area.rows);
  const int32_t rows = pairs->rows[pair], columns = pairs->columns[pair];
  if (pairs->end_row[pair] == 0 || pairs->end_column[pair] == 0) {
    lanes_group none = {.scheme = &s->scheme, .way = s->ways[1]};
    none.rows[0] = none.end_row[0] = pairs->end_row[pair];
    none.end_column[0] = pairs->end_column[pair];
    none.loss[0] = (int32_t)path_loss(s, pairs, pair, pairs->end_row[pair]);
    return solver_take_path(s, pairs, pair, &none, 0, error);
  }
  pending out = {.pair = pair, .rows = area.rows, .band = area.high - area.low};
  out.bits = loss < UINT8_MAX && lanes_takes(s->ways[0], &s->scheme, rows, columns) ? 8 : 16;
  pairs->solved[pair] = loss < UINT16_MAX;
  return pairs->solved[pair] ? solver_add_again(s, out, error) : CLA_OK;
}

/* Puts a pair's area into a lane. */
static void take_area(const pair_solver *s, lanes_group *group, int lane, const path_area *area,
                      const solver_pairs *pairs, int64_t pair) {
  group->rows[lane] = area->rows;
  group->columns[lane] = area->columns;
  group->query[lane] = pairs->query[pair] + area->first_row;
  group->target[lane] = pairs->target[pair] + area->first_column;
  group->cut_top[lane] = area->first_row > 0;
  group->cut_left[lane] = area->first_column > 0;
  group->bound[lane] = (int32_t)path_loss(s, pairs, pair, area->rows);
  group->any_cut |= group->cut_top[lane] || group->cut_left[lane];
  group->low = (int32_t)smaller(group->low, area->low);
  group->high = (int32_t)larger(group->high, area->high);
}

static cla_status take_paths(pair_solver *s, const solver_pairs *pairs, const pending *first,
                             const lanes_group *group, cla_error *error) {
  cla_status status = CLA_OK;
  for (int lane = 0; lane < group->count && status == CLA_OK; lane++) {
    const int64_t pair = first[lane].pair;
    const path_area area = area_of(s, pairs, pair);
    if (group->loss[lane] != group->bound[lane])
      return error_set(error, CLA_ERROR_DEVICE, "wrong value: a pair of score %lld has a path that loses %d",
                       (long long)pairs->score[pair], (int)group->loss[lane]);
    status = solver_take_path(s, pairs, pair, group, lane, error);
    pairs->start_row[pair] += area.first_row;
    pairs->start_column[pair] += area.first_column;
  }
  return status;
}

/* The paths of the first pairs of the queue, as many as directions have room for: `count` is set to that. */
static cla_status solve_paths(pair_solver *s, const solver_pairs *pairs, pending *first, int *count,
                              cla_error *error) {
  const lanes_way *way = s->ways[first->bits == 16];
  lanes_group group = {.count = *count};
  for (int64_t room = 0; room == 0;) {
    int32_t rows = 0;
    group = (lanes_group){
        .scheme = &s->scheme, .way = way, .count = *count, .banded = true, .bounded = true, .masks = true};
    for (int lane = 0; lane < *count; lane++) {
      const path_area area = area_of(s, pairs, first[lane].pair);
      take_area(s, &group, lane, &area, pairs, first[lane].pair);
      rows = (int32_t)larger(rows, area.rows);
    }
    const bool fits = solver_masks_bytes(s, way, rows, (int64_t)group.high - group.low + 1) <= s->path_bytes;
    if (!fits && *count == 1) {
      pairs->solved[first->pair] = false;
      return CLA_OK;
    }
    room = fits;
    *count = fits ? *count : *count / 2;
  }
  cla_status status = lanes_solve(&group, s->space, error);
  s->cells += group.cells;
  return status == CLA_OK ? take_paths(s, pairs, first, &group, error) : status;
}

cla_status solver_solve_paths(pair_solver *s, const solver_pairs *pairs, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < pairs->count && status == CLA_OK; i++)
    if (pairs->solved[i]) status = add_path(s, pairs, i, error);
  const int64_t count = solver_next_round(s);
  for (int64_t next = 0; next < count && status == CLA_OK;) {
    int size = solver_group_size(s, s->queue + next, count - next);
    solver_sort_lanes(s->queue + next, size);
    status = solve_paths(s, pairs, s->queue + next, &size, error);
    next += size;
  }
  return status;
}
