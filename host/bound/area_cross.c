#include "bound/area_cross.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define BLOCK_LETTERS 512 /* letters of either side of a block along the diagonal of a large area */

/* A cell's directions: where H came from, and whether E of the next column and F of the next row open a gap
 * there. */
enum { FROM_PAIR = 0, FROM_E = 1, FROM_F = 2, FROM_MASK = 3, E_OPENS = 4, F_OPENS = 8 };

void exact_space_free(exact_space *space) {
  free(space->h);
  free(space->f);
  free(space->directions);
  free(space->runs);
  memset(space, 0, sizeof *space);
}

/* Allocates the largest sizes. A path has at most as many runs as both sides have letters. */
static cla_status prepare(exact_space *space, cla_error *error) {
  const char *what = "the lower bound's exact parts";
  if (space->runs) return CLA_OK;
  const int64_t side = EXACT_SPACE_SIDE + 1;
  cla_status status = allocate_array((void **)&space->h, side, sizeof *space->h, what, error);
  if (status == CLA_OK) status = allocate_array((void **)&space->f, side, sizeof *space->f, what, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&space->directions, EXACT_SPACE_CELLS, 1, what, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&space->runs, 2 * side, sizeof *space->runs, what, error);
  return status;
}

/* Gotoh's recurrence, row by row. */
static void fill(exact_space *space, const bound_pair *pair, const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  const int64_t first = pair->problem.scheme.scoring->gap_first,
                further = pair->problem.scheme.scoring->gap_ext;
  const uint8_t *target = pair->problem.target + area->target;
  int64_t *h = space->h, *f = space->f;
  for (int64_t j = 0; j <= columns; j++) {
    h[j] = -gap_cost(pair->problem.scheme.scoring, j);
    f[j] = h[j] - first;
  }
  for (int64_t i = 1; i <= rows; i++) {
    const int32_t *scores =
        pair->problem.scheme.table->score + pair->problem.query[area->query + i - 1] * CLA_MATRIX_STRIDE;
    uint8_t *directions = space->directions + (i - 1) * columns;
    int64_t corner = h[0];
    h[0] = -gap_cost(pair->problem.scheme.scoring, i);
    int64_t e = h[0] - first;
    for (int64_t j = 1; j <= columns; j++) {
      int64_t best = corner + scores[target[j - 1]];
      uint8_t direction = FROM_PAIR;
      corner = h[j];
      if (e > best) {
        best = e;
        direction = FROM_E;
      }
      if (f[j] > best) {
        best = f[j];
        direction = FROM_F;
      }
      h[j] = best;
      const int64_t opened = best - first;
      e -= further;
      f[j] -= further;
      if (opened >= e) {
        e = opened;
        direction |= E_OPENS;
      }
      if (opened >= f[j]) {
        f[j] = opened;
        direction |= F_OPENS;
      }
      directions[j - 1] = direction;
    }
  }
}

static void step_back(exact_space *space, int64_t *count, cla_run_kind kind, int64_t length) {
  if (length == 0) return;
  if (*count > 0 && space->runs[*count - 1].kind == kind)
    space->runs[*count - 1].length += length;
  else
    space->runs[(*count)++] = (cla_run){.length = length, .kind = kind};
}

/* Follows the directions from the last corner back to the first. Returns the number of runs. */
static int64_t trace(exact_space *space, int64_t rows, int64_t columns) {
  int64_t i = rows, j = columns, count = 0;
  while (i > 0 && j > 0) {
    const int from = space->directions[(i - 1) * columns + j - 1] & FROM_MASK;
    if (from == FROM_PAIR) {
      step_back(space, &count, CLA_RUN_PAIR, 1);
      i--;
      j--;
    } else if (from == FROM_E) {
      do {
        step_back(space, &count, CLA_RUN_TARGET, 1);
        j--;
      } while (j > 0 && !(space->directions[(i - 1) * columns + j - 1] & E_OPENS));
    } else {
      do {
        step_back(space, &count, CLA_RUN_QUERY, 1);
        i--;
      } while (i > 0 && !(space->directions[(i - 1) * columns + j - 1] & F_OPENS));
    }
  }
  step_back(space, &count, CLA_RUN_QUERY, i);
  step_back(space, &count, CLA_RUN_TARGET, j);
  return count;
}

/* Adds the path through the area, until it has passed `rows` of its rows. */
static cla_status cross_rows(exact_space *space, bound_path *path, const bound_pair *pair,
                             const bound_area *area, int64_t rows, cla_error *error) {
  cla_status status = prepare(space, error);
  if (status != CLA_OK) return status;
  fill(space, pair, area);
  int64_t left = rows;
  for (int64_t i = trace(space, bound_area_rows(area), bound_area_columns(area)) - 1;
       i >= 0 && (left > 0 || rows == bound_area_rows(area)) && status == CLA_OK; i--) {
    const cla_run *run = &space->runs[i];
    const int64_t length = run->kind == CLA_RUN_TARGET ? run->length : smaller(run->length, left);
    if (run->kind != CLA_RUN_TARGET) left -= length;
    status = bound_path_add(path, run->kind, length, error);
  }
  return status;
}

cla_status exact_space_cross(exact_space *space, bound_path *path, const bound_pair *pair,
                             const bound_area *area, cla_error *error) {
  return cross_rows(space, path, pair, area, bound_area_rows(area), error);
}

/* Leads the path from its stop to a corner near its diagonal, block by block. */
static cla_status cross_blocks(exact_space *space, bound_path *path, const bound_pair *pair,
                               int64_t query_stop, int64_t target_stop, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && !bound_pair_stopped(pair)) {
    const int64_t rows = query_stop - path->query_stop, columns = target_stop - path->target_stop;
    bound_area block = {path->query_stop, path->target_stop, query_stop, target_stop};
    if (rows == 0 || columns == 0) break;
    if (larger(rows, columns) <= 2 * BLOCK_LETTERS)
      return exact_space_cross(space, path, pair, &block, error);
    /* Diagonals to the corner, of which half a block can make up a few. */
    const int64_t apart = columns - rows;
    const int64_t back = larger(smaller(apart, BLOCK_LETTERS / 4), -BLOCK_LETTERS / 4);
    block.query_stop = smaller(block.query + BLOCK_LETTERS, query_stop);
    block.target_stop = larger(smaller(block.target + BLOCK_LETTERS + back, target_stop), block.target + 1);
    status = cross_rows(space, path, pair, &block, larger(bound_area_rows(&block) / 2, 1), error);
  }
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, query_stop - path->query_stop, error);
  return status == CLA_OK ? bound_path_add(path, CLA_RUN_TARGET, target_stop - path->target_stop, error)
                          : status;
}

/* A way across an area: the number of pairs on the first corner's diagonal and on the last corner's, and its
 * score. */
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
  out.value = best - gap_cost(pair->problem.scheme.scoring, bound_area_rows(area) - common) -
              gap_cost(pair->problem.scheme.scoring, bound_area_columns(area) - common);
  return out;
}

/* Pairs as long as they are worth more than two longer gaps, from either corner. */
static crossing with_two_gaps(const bound_pair *pair, const bound_area *area) {
  const int64_t common = shorter_side(area), saved = 2 * gap_least_ext(pair->problem.scheme.scoring);
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

cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error) {
  const crossing best = choose_crossing(pair, area);
  const int64_t pairs = best.before + best.after;
  cla_status status = bound_path_add(path, CLA_RUN_PAIR, best.before, error);
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, bound_area_rows(area) - pairs, error);
  if (status == CLA_OK)
    status = bound_path_add(path, CLA_RUN_TARGET, bound_area_columns(area) - pairs, error);
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_PAIR, best.after, error);
  return status;
}

int64_t wide_space_cells(const bound_area *area) {
  return 2 * BLOCK_LETTERS * shorter_side(area);
}

cla_status wide_space_cross(exact_space *space, bound_path *path, const bound_pair *pair,
                            const bound_area *area, cla_error *error) {
  const crossing best = choose_crossing(pair, area);
  cla_status status =
      cross_blocks(space, path, pair, area->query + best.before, area->target + best.before, error);
  const int64_t rows = area->query_stop - best.after - path->query_stop;
  const int64_t columns = area->target_stop - best.after - path->target_stop;
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_QUERY, rows, error);
  if (status == CLA_OK) status = bound_path_add(path, CLA_RUN_TARGET, columns, error);
  return status == CLA_OK ? cross_blocks(space, path, pair, area->query_stop, area->target_stop, error)
                          : status;
}
