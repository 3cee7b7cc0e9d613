/* One upper bound for many rotations. A global path of rotation `d` leaves out letters of the window before
 * and after the rotation. Each of these letters is charged the cost of the cheapest letter of a gap. The
 * sum of these charges is the same for every rotation, so it is added to the result again. Gaps at the ends
 * of the path itself cost as usual. For every rotation, the `k` letters before or after the path in the
 * window cost at least end_cost(k):
 *
 *    end_cost(k) = min over d of gap_cost(k - d) + least_ext * d,   0 <= d <= min(k, last) */

#include "trace/circle_window.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define MINUS_INFINITY (INT64_MIN / 4)

/* A value, and the column of the first letter of the path with that value. */
typedef struct node {
  int64_t value, start;
} node;

typedef struct window_work {
  const circle_window *window;
  const uint8_t *line, *circle;
  int64_t rows, columns;
  int pieces; /* number of pieces of gap costs */
  const cla_gap_piece *gap;
  int64_t least_ext;
  /* Scores of pairs, at index line's code * CLA_MATRIX_STRIDE + circle's code. */
  int32_t scores[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE];
  node *h, *f[CLA_GAP_PIECES]; /* H, and F of each piece of gap costs, in a row; owned */
} window_work;

static int64_t end_cost(const window_work *w, int64_t letters) {
  const int64_t left_out = smaller(letters, w->window->last);
  return gap_cost(w->window->problem.scheme.scoring, letters - left_out) + w->least_ext * left_out;
}

static node better(node one, node other) {
  return one.value >= other.value ? one : other;
}

static node less(node of, int64_t cost) {
  of.value -= cost;
  return of;
}

static void fill_row(window_work *w, uint8_t letter) {
  const int32_t *scores = &w->scores[letter * CLA_MATRIX_STRIDE];
  const int pieces = w->pieces;
  node across[CLA_GAP_PIECES], diagonal = {.value = MINUS_INFINITY};
  for (int piece = 0; piece < pieces; piece++) across[piece] = (node){.value = MINUS_INFINITY};
  for (int64_t column = 0; column <= w->columns; column++) {
    const node above = w->h[column];
    node best = diagonal;
    if (column > 0) best.value += scores[w->circle[column - 1]];
    for (int piece = 0; piece < pieces; piece++) {
      node *down = &w->f[piece][column];
      *down = better(less(above, w->gap[piece].first), less(*down, w->gap[piece].ext));
      best = better(best, *down);
      best = better(best, across[piece]);
    }
    w->h[column] = best;
    for (int piece = 0; piece < pieces; piece++)
      across[piece] = better(less(best, w->gap[piece].first), less(across[piece], w->gap[piece].ext));
    diagonal = above;
  }
}

/* Finds the rotation in which a path from column `start` to `stop` has the highest score. */
static void find_rotation(circle_window_bound *out, const window_work *w, int64_t start, int64_t stop) {
  const cla_scoring *scoring = w->window->problem.scheme.scoring;
  const int64_t last = w->window->last, behind = w->columns - stop;
  const int64_t ends[] = {larger(0, last - behind), smaller(start, last)};
  const int64_t charged = end_cost(w, start) + end_cost(w, behind) - w->least_ext * last;
  out->known = false;
  if (ends[0] > ends[1]) return;
  for (int i = 0; i < 2; i++) {
    const int64_t rotation = ends[i];
    const int64_t gaps = gap_cost(scoring, start - rotation) + gap_cost(scoring, behind - (last - rotation));
    const int64_t score = out->most + charged - gaps;
    if (out->known && score <= out->score) continue;
    out->known = true;
    out->score = score;
    out->rotation = rotation;
  }
}

/* Finds the bound in the last row. If the search finds a rotation whose score equals the bound, stores the
 * rotation, too. */
static void find_best(circle_window_bound *out, const window_work *w) {
  const int64_t last = w->window->last, letters = w->columns - last;
  bool any = false;
  for (int64_t stop = 0; stop <= w->columns; stop++) {
    circle_window_bound at = {.cells = out->cells};
    const int64_t start = w->h[stop].start;
    at.most = w->h[stop].value - end_cost(w, w->columns - stop) + w->least_ext * last;
    if (any && at.most < out->most) continue;
    find_rotation(&at, w, start, stop);
    const bool reached = at.known && at.score == at.most;
    if (any && at.most == out->most && (!reached || (out->known && out->score == out->most))) continue;
    /* The split is halfway between the path's start and its stop, both taken as places at which the circle
     * is cut. */
    at.split = larger(0, smaller((start + larger(stop - letters, 0) - 1) / 2, last - 1));
    *out = at;
    any = true;
  }
}

static cla_status begin(window_work *w, const circle_window *window, cla_error *error) {
  const pair_problem *pair = &window->problem;
  const cla_scoring *scoring = pair->scheme.scoring;
  const bool turned = window->query_is_circle;
  *w = (window_work){.window = window,
                     .line = turned ? pair->target : pair->query,
                     .circle = turned ? pair->query : pair->target,
                     .rows = turned ? pair->columns : pair->rows,
                     .columns = turned ? pair->rows : pair->columns,
                     .pieces = gap_pieces(scoring),
                     .gap = scoring->gap,
                     .least_ext = gap_least_ext(scoring)};
  for (int line = 0; line < CLA_MATRIX_STRIDE; line++)
    for (int circle = 0; circle < CLA_MATRIX_STRIDE; circle++) {
      const int of_query = turned ? circle : line, of_target = turned ? line : circle;
      w->scores[line * CLA_MATRIX_STRIDE + circle] =
          pair->scheme.table->score[of_query * CLA_MATRIX_STRIDE + of_target];
    }
  cla_status status = ALLOCATE_ARRAY(&w->h, w->columns + 1, "a row of a circle", error);
  for (int piece = 0; piece < w->pieces && status == CLA_OK; piece++)
    status = ALLOCATE_ARRAY(&w->f[piece], w->columns + 1, "a row of a circle", error);
  for (int64_t column = 0; column <= w->columns && status == CLA_OK; column++) {
    w->h[column] = (node){.value = -end_cost(w, column), .start = column};
    for (int piece = 0; piece < w->pieces; piece++) w->f[piece][column] = (node){.value = MINUS_INFINITY};
  }
  return status;
}

cla_status circle_window_compute(circle_window_bound *out, const circle_window *window, cla_error *error) {
  window_work w;
  *out = (circle_window_bound){0};
  cla_status status = begin(&w, window, error);
  for (int64_t row = 0; row < w.rows && status == CLA_OK; row++) {
    fill_row(&w, w.line[row]);
    out->cells += w.columns;
    if (window->tick) status = window->tick(window->tick_user, out->cells, error);
  }
  if (status == CLA_OK) find_best(out, &w);
  free(w.h);
  for (int piece = 0; piece < w.pieces; piece++) free(w.f[piece]);
  return status;
}
