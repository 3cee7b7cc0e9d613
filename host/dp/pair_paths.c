/* Finds paths to known ends. In global mode, paths stay within the band of pair_solver.h.
 *
 * In the other modes, consider a path that touches a diagonal `k` above or below that of its end. The path
 * then has at least `k` letters of the query, or of the target, in gaps. These letters cannot be in pairs. So
 * the path's score is at most
 *
 *      match min(row - k, column) - gap_cost(k),     or match min(row, column - k) - gap_cost(k)
 *
 * If this limit is less than the pair's score, no path with the pair's score uses that diagonal, so the
 * canonical path does not use it either. */

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "dp/pair_solver_internal.h"

/* The sweep backwards uses lanes of 8 bits only if each pair's loss exceeds the least loss of its rows by
 * less than this number. */
#define NARROW_LOSS 200

/* Returns the maximum number of letters of one sequence (side 0: query, 1: target) that are in gaps on a
 * path with the pair's score. */
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

/* The area computed for a pair's path: the nodes from (first_row, first_column) to the end. Only the
 * diagonals `low` to `high`, counted from the diagonal of the first node, are computed. */
typedef struct path_area {
  int32_t rows, columns, first_row, first_column, low, high;
} path_area;

static path_area area_of(const pair_solver *s, const solver_pairs *pairs, int64_t pair) {
  const int32_t row = pairs->end_row[pair], column = pairs->end_column[pair];
  if (solver_is_banded(s)) {
    const int32_t band =
        solver_band_for(&s->scheme, s->scheme.match * (int64_t)row - pairs->score[pair], row, column);
    return (path_area){.rows = row,
                       .columns = column,
                       .low = (int32_t)larger(-band, -row),
                       .high = (int32_t)smaller(band, column)};
  }
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

/* Adds a pair to the next round, with the area of its path. If there are no cells before the path's end,
 * stores the path immediately. */
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
  out.large = s->loose || (int64_t)area.rows * smaller(out.band + 1, area.columns) > s->large_cells;
  out.bits = (loss < UINT8_MAX || out.large) && lanes_takes(s->ways[0], &s->scheme, rows, columns) ? 8 : 16;
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
  group->known->bound[lane] = (int32_t)path_loss(s, pairs, pair, area->rows);
  group->any_cut |= group->cut_top[lane] || group->cut_left[lane];
  group->low = (int32_t)smaller(group->low, area->low);
  group->high = (int32_t)larger(group->high, area->high);
}

/* Puts the areas of a group's pairs into its lanes. */
static void take_areas(const pair_solver *s, lanes_group *group, const solver_pairs *pairs,
                       const pending *first) {
  for (int lane = 0; lane < group->count; lane++) {
    const path_area area = area_of(s, pairs, first[lane].pair);
    take_area(s, group, lane, &area, pairs, first[lane].pair);
  }
}

/* Stores a group's results. Pairs whose losses are too high for lanes of 8 bits are tried again with lanes of
 * 16 bits. */
static cla_status take_paths(pair_solver *s, const solver_pairs *pairs, const pending *first,
                             const lanes_group *group, cla_error *error) {
  cla_status status = CLA_OK;
  for (int lane = 0; lane < group->count && status == CLA_OK; lane++) {
    const int64_t pair = first[lane].pair;
    const path_area area = area_of(s, pairs, pair);
    if (group->loss[lane] == LANES_UNKNOWN && group->moves) {
      pending again = first[lane];
      again.bits = 16;
      status = solver_add_again(s, again, error);
      continue;
    }
    if (s->loose && group->loss[lane] <= group->known->bound[lane])
      pairs->score[pair] = (int64_t)s->scheme.match * area.rows - group->loss[lane];
    else if (group->loss[lane] != group->known->bound[lane])
      return error_set(error, CLA_ERROR_DEVICE, "wrong value: no path of a pair has its score %lld",
                       (long long)pairs->score[pair]);
    if (!group->masks) continue;
    status = solver_take_path(s, pairs, pair, group, lane, error);
    pairs->start_row[pair] += area.first_row;
    pairs->start_column[pair] += area.first_column;
  }
  return status;
}

/* Returns the largest number of rows in a group, whose lanes are sorted by rows. */
static int32_t most_rows(const lanes_group *group) {
  return group->rows[group->count - 1];
}

static void reverse(uint8_t *to, const uint8_t *letters, int32_t count) {
  for (int32_t i = 0; i < count; i++) to[i] = letters[count - 1 - i];
}

/* Allocates memory for the sweep backwards. */
static cla_status make_room(pair_solver *s, const lanes_group *group, cla_error *error) {
  static const char what[] = "paths of large pairs";
  const int64_t rows = most_rows(group) + 1;
  int64_t letters = 0;
  for (int lane = 0; lane < group->count; lane++) letters += group->rows[lane] + group->columns[lane];
  cla_status status = ALLOCATE_GROW(&s->turned, &s->turned_room, letters, what, error);
  if (status == CLA_OK) status = ALLOCATE_GROW(&s->least, &s->least_room, rows * LANES_MOST, what, error);
  if (status == CLA_OK)
    status =
        ALLOCATE_GROW(&s->rest, &s->rest_room, ((rows >> ROW_LOSSES_BITS) + 1) * LANES_MOST, what, error);
  if (status == CLA_OK) status = ALLOCATE_GROW(&s->from, &s->from_room, rows, what, error);
  for (int64_t row = 0; row < rows && status == CLA_OK; row++) s->from[row] = (lanes_range){0, -1};
  return status;
}

/* Computes the least losses of a pair's rows from upper bounds of the values in these rows. A gap may be
 * open. */
static void add_tops(uint16_t *out, const pair_solver *s, const row_tops *tops, int32_t rows) {
  const path_scheme *scheme = s->scheme.scheme;
  const int64_t match = s->scheme.match, open = gap_most_cut(scheme->scoring);
  for (int64_t row = 0; row <= rows; row += 1 << ROW_LOSSES_BITS) {
    const int64_t known = row / tops->step, above = known * tops->step;
    int64_t least = 0;
    if (known > 0)
      least = match * above - open -
              larger(tops->most[(known - 1) * tops->stride],
                     path_ends_left_h(&scheme->ends, scheme->scoring, above));
    out[(row >> ROW_LOSSES_BITS) * LANES_MOST] = (uint16_t)smaller(larger(least, 0), UINT16_MAX);
  }
}

/* Computes the least losses of the group's rows, and known->beside. */
static cla_status find_rest(pair_solver *s, lanes_known *known, const lanes_group *group,
                            const solver_pairs *pairs, const pending *first, cla_error *error) {
  cla_status status = CLA_OK;
  known->beside = s->scheme.scheme->ends.target_start ? 0 : row_losses_beside(&s->scheme);
  for (int lane = 0; lane < group->count && status == CLA_OK; lane++) {
    const row_tops *tops = pairs->tops ? &pairs->tops[first[lane].pair] : NULL;
    const row_losses_of of = {.query = group->query[lane],
                              .target = group->target[lane],
                              .rows = group->rows[lane],
                              .columns = group->columns[lane],
                              .low = group->low,
                              .high = group->high};
    if (tops && tops->most && group->query[lane] == pairs->query[first[lane].pair]) {
      add_tops(s->rest + lane, s, tops, of.rows);
      known->beside = 0;
    } else {
      status = row_losses_add(s->rest + lane, s, &of, error);
    }
  }
  return status;
}

/* True if lanes of 8 bits suffice for the sweep backwards: no pair's loss is far above the least loss of its
 * rows. */
static bool is_narrow(const pair_solver *s, const lanes_group *group) {
  for (int lane = 0; lane < group->count; lane++) {
    const int32_t rest = s->rest[(group->rows[lane] >> ROW_LOSSES_BITS) * LANES_MOST + lane];
    if (group->known->bound[lane] - rest >= NARROW_LOSS) return false;
  }
  return lanes_takes(s->ways[0], &s->back, 1, 1);
}

/* Makes the group for the sweep backwards from the pairs in lane `lane` and after. Writes their reversed
 * letters to `letters`. Returns the first byte behind the letters. */
static uint8_t *turn_group(lanes_group *back, const lanes_group *group, int lane, uint8_t *letters) {
  back->low = INT32_MAX;
  back->high = INT32_MIN;
  for (int i = 0; i < back->count; i++) {
    const int32_t rows = group->rows[lane + i], columns = group->columns[lane + i];
    reverse(letters, group->query[lane + i], rows);
    back->query[i] = letters;
    reverse(letters + rows, group->target[lane + i], columns);
    back->target[i] = letters + rows;
    letters += rows + columns;
    back->rows[i] = rows;
    back->columns[i] = columns;
    back->known->bound[i] = group->known->bound[lane + i];
    back->low = (int32_t)larger(smaller(back->low, columns - rows - group->high), -most_rows(group));
    back->high = (int32_t)larger(back->high, columns - rows - group->low);
  }
  return letters;
}

/* Lowers bounds to the losses that the sweep backwards has found with lanes of 16 bits. */
static void tighten(lanes_known *known, int lane, const lanes_group *back) {
  for (int i = 0; i < back->count; i++)
    if (back->loss[i] < known->bound[lane + i]) known->bound[lane + i] = back->loss[i];
}

/* Sweeps backwards from the pairs' ends, to find the least losses of rows and the nodes from which paths may
 * come. */
static cla_status go_back(pair_solver *s, const lanes_group *group, const solver_pairs *pairs,
                          const pending *first, cla_error *error) {
  const lanes_scheme *scheme = &s->scheme;
  const path_ends *ends = &scheme->scheme->ends;
  lanes_known known = {.back = true,
                       .ends = ends,
                       .down = ends->query_start ? scheme->match : scheme->down[scheme->pieces - 1].ext,
                       .across = ends->target_start ? 0 : scheme->across[scheme->pieces - 1].ext,
                       .rest_bits = ROW_LOSSES_BITS,
                       .from = s->from};
  cla_status status = find_rest(s, &known, group, pairs, first, error);
  const bool narrow = status == CLA_OK && is_narrow(s, group);
  const lanes_way *way = s->ways[!narrow];
  uint8_t *letters = s->turned;
  for (int lane = 0; lane < group->count && status == CLA_OK; lane += way->lanes) {
    lanes_group back = {.scheme = &s->back,
                        .way = way,
                        .count = (int)smaller(way->lanes, group->count - lane),
                        .known = &known,
                        .banded = true,
                        .moves = narrow};
    known.rest = s->rest + lane;
    known.least = s->least + lane;
    letters = turn_group(&back, group, lane, letters);
    status = lanes_solve(&back, s->space, error);
    s->cells += back.cells;
    if (s->loose && !narrow) tighten(group->known, lane, &back);
    for (int i = 0; i < back.count; i++)
      for (int64_t row = known.swept + 1; row <= back.rows[i]; row++)
        s->least[row * LANES_MOST + lane + i] = UINT16_MAX;
  }
  return status;
}

/* Solves a group whose areas are set. For large pairs, the forward sweep follows a sweep backwards. */
static cla_status solve_group(pair_solver *s, lanes_group *group, const solver_pairs *pairs,
                              const pending *first, cla_error *error) {
  const uint16_t open = (uint16_t)gap_most_cut(s->scheme.scheme->scoring);
  cla_status status = CLA_OK;
  if (first->large) {
    status = make_room(s, group, error);
    if (status == CLA_OK) status = go_back(s, group, pairs, first, error);
    if (status != CLA_OK) return status;
    /* A gap may be open in a row, so the cost of opening a gap is subtracted. */
    for (int64_t i = 0; i < ((int64_t)most_rows(group) + 1) * LANES_MOST; i++)
      s->least[i] = (uint16_t)(s->least[i] > open ? s->least[i] - open : 0);
    group->known->rest = s->least;
    group->known->sources = s->from;
    group->moves = group->way->bits == 8;
  }
  status = lanes_solve(group, s->space, error);
  s->cells += group->cells;
  return status;
}

/* Finds the paths of the first *count pairs of the queue. If there is not enough memory for directions,
 * halves *count and tries again. */
static cla_status solve_paths(pair_solver *s, const solver_pairs *pairs, pending *first, int *count,
                              cla_error *error) {
  for (;; *count /= 2) {
    lanes_known known = {.down = s->scheme.down[s->scheme.pieces - 1].ext,
                         .across = s->scheme.across[s->scheme.pieces - 1].ext};
    lanes_group group = {.scheme = &s->scheme,
                         .way = s->ways[first->bits == 16],
                         .count = *count,
                         .banded = true,
                         .known = &known,
                         .masks = pairs->paths || !s->loose,
                         .masks_most = s->path_bytes};
    take_areas(s, &group, pairs, first);
    cla_status status = solve_group(s, &group, pairs, first, error);
    if (status == CLA_OK && !group.full) return take_paths(s, pairs, first, &group, error);
    /* Half of the pairs need at least half of the memory. If only a bound is known, most of the time goes
     * into the sweep backwards. */
    const int64_t part = s->loose ? 2 : 4;
    const bool hopeless = *count == 1 || (first->large && part * group.full_row < most_rows(&group));
    for (int lane = 0; lane < *count && hopeless; lane++) pairs->solved[first[lane].pair] = false;
    if (status != CLA_OK || hopeless) return status;
  }
}

static cla_status solve_rounds(pair_solver *s, const solver_pairs *pairs, cla_error *error) {
  int64_t count = 0;
  cla_status status = CLA_OK;
  while (status == CLA_OK && (count = solver_next_round(s)) > 0)
    for (int64_t next = 0; next < count && status == CLA_OK;) {
      int size = solver_group_size(s, s->queue + next, count - next);
      solver_sort_lanes(s->queue + next, size);
      status = solve_paths(s, pairs, s->queue + next, &size, error);
      next += size;
    }
  return status;
}

cla_status solver_solve_paths(pair_solver *s, const solver_pairs *pairs, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < pairs->count && status == CLA_OK; i++)
    if (pairs->solved[i]) status = add_path(s, pairs, i, error);
  return status == CLA_OK ? solve_rounds(s, pairs, error) : status;
}

cla_status solver_solve_bounded(pair_solver *s, const solver_pairs *pairs, cla_error *error) {
  cla_status status = CLA_OK;
  s->loose = true;
  for (int64_t i = 0; i < s->bounded_count && status == CLA_OK; i++)
    status = add_path(s, pairs, s->bounded[i], error);
  if (status == CLA_OK) status = solve_rounds(s, pairs, error);
  s->loose = false;
  return status;
}
