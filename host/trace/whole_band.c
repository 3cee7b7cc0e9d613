#include "trace/whole_band_internal.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"

/* A part continues this many lines below the next part's first right line, to find the path's node there.
 * For each row of the line, it continues two more lines. */
#define BACK_LINES 512
/* After a try with too small a spare, the next try has a spare SPARE_MORE times as large. The last try has
 * a single part. */
#define SPARE_MORE 4
#define TRIES_MOST 2

/* Makes the values of a part's upper row: the matrix' upper border, or only the corner. In that row, no gap
 * is open. */
static cla_status make_top(whole_band_part *p, cla_error *error) {
  const whole_band *w = p->whole;
  const cla_scoring *scoring = w->in.problem->scheme.scoring;
  const int64_t last = p->row == 0 ? w->top_last : 0;
  cla_status status = row_values_make(&p->top, last + 1, scoring, "a band's upper row", error);
  for (int64_t j = 0; j <= last && status == CLA_OK; j++) {
    p->top.h[j] = p->row == 0 ? path_ends_top_h(whole_band_ends(w), scoring, j) : p->value;
    row_values_open(p->top, j, scoring);
  }
  return status;
}

static cla_status count_cells(void *user, int64_t cells, cla_error *error) {
  whole_band_part *p = user;
  whole_band *w = p->whole;
  const int64_t all = atomic_fetch_add(&w->cells, cells - p->cells_counted) + cells - p->cells_counted;
  p->cells_counted = cells;
  return w->in.tick && p->own.tick ? w->in.tick(w->in.tick_user, all, error) : CLA_OK;
}

static cla_status make_band(whole_band_part *p, cla_error *error) {
  const whole_band *w = p->whole;
  const pair_problem *problem = w->in.problem;
  live_band *band = NULL;
  bool fits = false;
  cla_status status = ALLOCATE_ZEROS(&band, 1, "a band", error);
  p->band = band;
  if (status == CLA_OK) status = make_top(p, error);
  if (status != CLA_OK) return status;
  int64_t end_row, end_column;
  potential_box(w->in.potential, p->stop, &end_row, &end_column);
  band->part = &p->own;
  band->rows = larger(end_row - p->row, 0);
  band->columns = larger(end_column - p->column, 0);
  band->bytes = live_band_bytes(band->rows, band->columns, &problem->scheme);
  band->scale.row_step = w->in.worth->mean;
  band->in = (live_band_input){.problem = problem,
                               .worth = w->in.worth,
                               .row = p->row,
                               .column = p->column,
                               .top = p->top,
                               .cells_limit = INT64_MAX,
                               .bytes_limit = p->bytes_limit,
                               .cancel = &w->failed};
  if (p->row == 0) band->in.extent.last = w->top_last;
  band->border_last = p->row == 0 ? w->left_last : -1;
  band->kept.interval = w->interval;
  band->kept.shift = p->line % w->interval;
  band_goals_set_potential(&band->goals, w->in.worth, w->in.potential, p->row, end_row);
  band->goals.least[0] -= p->own.spare;
  if (band->bytes > band->in.bytes_limit) return CLA_OK;
  band_values_look(&band->in, &band->goals);
  status = band_values_make(&fits, band, error);
  if (status != CLA_OK || !fits) return status;
  band_values_begin(band);
  p->outcome = LIVE_BAND_READY;
  return CLA_OK;
}

/* Computes the part up to a line of the matrix. */
static void go_on(whole_band_part *p, int64_t line) {
  if (p->status == CLA_OK && p->outcome == LIVE_BAND_READY)
    p->status = live_band_go_on(&p->outcome, p->band, line - p->line, &p->error);
  if (p->status == CLA_OK) p->status = count_cells(p, live_band_cells(p->band), &p->error);
  if (p->status != CLA_OK) atomic_store(&p->whole->failed, true);
}

static void sweep_part(whole_band_part *p) {
  const whole_band *w = p->whole;
  const bool last = p == w->parts + w->count - 1;
  p->status = make_band(p, &p->error);
  if (p->band) go_on(p, last ? p->stop : p[1].line);
  /* below the end of the bound's path, all nodes may be dead */
  if (last && p->outcome == LIVE_BAND_EMPTY) p->outcome = LIVE_BAND_READY;
}

/* The current or a kept line of a band, for a comparison with another band. */
typedef struct band_line_view {
  const live_band *band;
  int64_t first, last; /* matrix rows of the arrays; the first and the last may have the lowest value */
  const void *arrays[BAND_KEPT_ARRAYS_MOST]; /* from row `first` on */
} band_line_view;

static band_line_view front_view(const live_band *band) {
  void *arrays[BAND_KEPT_ARRAYS_MOST];
  const int count = band_values_arrays(band, arrays);
  band_line_view view = {.band = band,
                         .first = band->in.row + band->front.first - 1,
                         .last = band->in.row + band->front.last + 1};
  for (int i = 0; i < count; i++) view.arrays[i] = value_at(band, arrays[i], band->front.first - 1);
  return view;
}

static band_line_view kept_view(const live_band *band, const kept_line *kept) {
  const int64_t count = kept->last - kept->first + 3;
  band_line_view view = {
      .band = band, .first = band->in.row + kept->first - 1, .last = band->in.row + kept->last + 1};
  for (int i = 0; i < band_kept_arrays(band); i++) view.arrays[i] = value_at(band, kept->values, i * count);
  return view;
}

#define DEAD (INT64_MIN / 4)

/* Returns a value of the matrix, or DEAD if no later line reads it. Pairs and gaps down the rows read the
 * row above; gaps along a row read the same row. */
static int64_t view_value(const band_line_view *view, int array, int64_t row) {
  const band_scale *scale = &view->band->scale;
  const bool across = array >= 2 && array % 2 == 0,
             whole = array == 0; /* `across`: E of a piece; `whole`: H */
  if (row < view->first + across || row > view->last - (!across && !whole)) return DEAD;
  const int64_t stored = value_get(view->band, view->arrays[array], row - view->first);
  return stored <= scale->lowest ? DEAD : stored + scale->row_step * row + scale->base;
}

/* True if no path that matters passes through row `row` of line `line` in the state that `array` stores. */
static bool is_excluded(const whole_band_part *p, int array, int64_t line, int64_t row, int64_t value) {
  const int64_t column = line - (array == 1) - row;
  return value <= DEAD / 2 || column < 0 || column > p->whole->in.problem->columns ||
         potential_excludes(p->whole->in.potential, row, column, value + p->own.spare);
}

/* Compares the part's current line with the next part's kept copy of that line. True if all values that
 * matter differ by the same number. *lower: the number by which the next part's values are lower. */
static bool agrees(int64_t *lower, const whole_band_part *p, const kept_line *kept) {
  const band_line_view own = front_view(p->band), next = kept_view(p[1].band, kept);
  const int64_t line = p->line + p->band->front.line;
  bool known = false;
  *lower = 0;
  for (int array = 0; array < band_kept_arrays(p->band); array++)
    for (int64_t row = larger(smaller(own.first, next.first), 0); row <= larger(own.last, next.last); row++) {
      const int64_t value = view_value(&own, array, row), other = view_value(&next, array, row);
      if (!known && value != DEAD && other != DEAD && !is_excluded(p, array, line, row, value)) {
        known = true;
        *lower = value - other;
      }
      if (value == other + *lower && known) continue;
      if (!is_excluded(p, array, line, row, value) || !is_excluded(p, array, line, row, other + *lower))
        return false;
    }
  return known;
}

/* Continues the part until it agrees with the next part. Then computes some more lines, which the traceback
 * needs. */
static void join_part(whole_band_part *p) {
  whole_band_part *next = p + 1;
  if (next == p->whole->parts + p->whole->count) return;
  for (int64_t i = 0; i < next->band->kept.count; i++) {
    const kept_line *kept = next->band->kept.lines + i;
    const int64_t line = next->line + kept->line;
    if (line > p->stop) break;
    go_on(p, line);
    if (p->status != CLA_OK || p->outcome != LIVE_BAND_READY) return;
    if (!agrees(&next->lower, p, kept)) continue;
    next->right_below = line;
    go_on(p, smaller(p->stop, line + BACK_LINES + 2 * (p->band->front.last - p->band->front.first)));
    return;
  }
}

/* Returns the node of the part's current line with the largest value; if no node is alive, the value is
 * DEAD. */
static band_node likeliest(const whole_band_part *p) {
  const band_line_view view = front_view(p->band);
  const int64_t line = p->line + p->band->front.line;
  band_node node = {.row = view.first, .value = DEAD, .state = STATE_H};
  for (int64_t row = view.first; row <= view.last; row++) {
    const int64_t value = view_value(&view, 0, row);
    if (value > node.value)
      node = (band_node){.row = row, .column = line - row, .value = value, .state = STATE_H};
  }
  return node;
}

/* Traces from *node back to a line, or to the path's start. */
static void trace_back(whole_band_part *p, band_node *node, int64_t line, path *steps) {
  while (p->status == CLA_OK && p->outcome == LIVE_BAND_READY && !p->out_ended &&
         node->row + node->column > line)
    p->status = live_band_trace(node, &p->out_ended, steps, &p->outcome, p->band, &p->error);
}

static void trace_from(whole_band_part *p, const band_node *node) {
  path_free(&p->steps);
  p->meets = p->out = *node;
  trace_back(p, &p->out, p->right_below, &p->steps);
}

/* Traces a part's path. In all parts but the last, the trace starts from a guessed node. Without a guess,
 * `meets` is not a node of the path. A guessed node may be one that does not matter, and may depend on
 * nodes that were left out. Then the kept lines do not reproduce its value. That is no error. */
static void trace_part(whole_band_part *p) {
  const whole_band *w = p->whole;
  const path_end *end = &w->end;
  if (p > w->parts + w->last) return;
  band_node node = {.row = end->row, .column = end->column, .value = end->score - p->lower, .state = STATE_H};
  if (p == w->parts + w->last) {
    trace_from(p, &node);
    return;
  }
  node = likeliest(p);
  if (node.value != DEAD) trace_back(p, &node, p[1].right_below, &p->steps);
  if (p->status == CLA_OK && !p->out_ended && node.row + node.column <= p[1].right_below)
    trace_from(p, &node);
  if (p->status != CLA_ERROR_DEVICE) return;
  p->status = CLA_OK;
  p->outcome = LIVE_BAND_READY;
  p->meets = (band_node){0};
}

/* Work that threads do on part `first` and on every `step`-th part after it. */
typedef struct work {
  whole_band *whole;
  void (*of_part)(whole_band_part *);
  int first, step;
} work;

static void take_parts(void *user, int thread) {
  const work *all = user;
  whole_band *w = all->whole;
  for (int i; (i = all->first + all->step * atomic_fetch_add(&w->next, 1)) < w->count;) {
    w->parts[i].own.tick = thread == 0 ? count_cells : NULL;
    all->of_part(&w->parts[i]);
  }
}

/* Runs the work on all parts. *outcome is the worst outcome of a part. */
static cla_status run(live_band_outcome *outcome, work all, cla_error *error) {
  whole_band *w = all.whole;
  atomic_store(&w->next, 0);
  parallel_run(w->in.threads < w->count ? w->in.threads : w->count, take_parts, &all);
  *outcome = LIVE_BAND_READY;
  for (int i = 0; i < w->count; i++) {
    const whole_band_part *p = &w->parts[i];
    if (p->status != CLA_OK) {
      *error = p->error;
      return p->status;
    }
    if (p->outcome != LIVE_BAND_READY && *outcome != LIVE_BAND_TOO_LARGE) *outcome = p->outcome;
  }
  return CLA_OK;
}

static void take_end(whole_band *w, const whole_band_part *p, path_end end) {
  if (end.score == INT64_MIN) return;
  end.score += p->lower;
  if (!path_end_is_better(end, w->end)) return;
  w->end = end;
  w->last = (int)(p - w->parts);
}

/* Finds the best end among the lines with right values of each part. */
static void find_end(whole_band *w) {
  w->end = (path_end){.score = INT64_MIN};
  for (int i = 0; i < w->count; i++) {
    const whole_band_part *p = &w->parts[i];
    for (int64_t k = 0; k < p->band->kept.count; k++)
      if (p->line + p->band->kept.lines[k].line > p->right_below) take_end(w, p, p->band->kept.lines[k].end);
    take_end(w, p, p->own.end);
  }
}

/* Computes by how much each part's values are lower than the true values. Returns true if each part agrees
 * with the next part and no part exceeds its spare. *lower: the largest sum of differences, over the parts
 * that agree. */
static bool are_right(int64_t *lower, whole_band *w) {
  bool enough = true;
  *lower = 0;
  for (int i = 1; i < w->count; i++) {
    whole_band_part *p = &w->parts[i];
    if (p->right_below == INT64_MAX) return false;
    p->lower += p[-1].lower;
    *lower = larger(*lower, p->lower);
    enough &= p->lower <= p->own.spare;
  }
  return enough;
}

/* Sweeps the matrix in at most `count` parts. *right is the result of are_right. If it is false, the spare
 * is increased for the next try. */
static cla_status sweep_parts(bool *right, live_band_outcome *outcome, whole_band *w, int count,
                              cla_error *error) {
  int64_t lower = 0;
  cla_status status = band_parts_make(w, count, error);
  if (status == CLA_OK) status = run(outcome, (work){w, sweep_part, 0, 1}, error);
  /* The even parts continue first, then the odd ones: while a part is compared with the next part's kept
   * lines, these must not change. */
  for (int first = 0; first < 2; first++)
    if (status == CLA_OK && *outcome == LIVE_BAND_READY)
      status = run(outcome, (work){w, join_part, first, 2}, error);
  *right = status == CLA_OK && *outcome == LIVE_BAND_READY && are_right(&lower, w);
  if (!*right) w->spare = larger(2 * lower, SPARE_MORE * w->spare);
  return status;
}

cla_status whole_band_sweep(whole_band **out, live_band_outcome *outcome, path_end *end,
                            const whole_band_input *input, cla_error *error) {
  whole_band *w = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&w, 1, "a band", error);
  if (status != CLA_OK) return status;
  w->in = *input;
  w->end.score = INT64_MIN;
  bool right = false;
  const int count = band_parts_choose(w);
  *outcome = LIVE_BAND_READY;
  for (int tries = 0; status == CLA_OK && *outcome != LIVE_BAND_TOO_LARGE && !right; tries++)
    status = sweep_parts(&right, outcome, w, tries < TRIES_MOST ? count : 1, error);
  if (status == CLA_OK && *outcome == LIVE_BAND_READY) find_end(w);
  if (w->end.score < input->bound->path_score && *outcome == LIVE_BAND_READY) *outcome = LIVE_BAND_EMPTY;
  *end = w->end;
  if (status == CLA_OK && *outcome == LIVE_BAND_READY)
    *out = w;
  else
    whole_band_free(w);
  return status;
}

void whole_band_free(whole_band *w) {
  if (!w) return;
  band_parts_free(w);
  free(w);
}

int64_t whole_band_cells(const whole_band *w) {
  int64_t cells = atomic_load(&w->cells);
  for (int i = 0; i < w->count; i++) cells += live_band_cells(w->parts[i].band) - w->parts[i].cells_counted;
  return cells;
}

static bool same_node(const band_node *a, const band_node *b) {
  return a->row == b->row && a->column == b->column && a->state == b->state && a->value == b->value;
}

cla_status whole_band_trace(int64_t *row, int64_t *column, path *into, live_band_outcome *outcome,
                            whole_band *w, cla_error *error) {
  cla_status status = run(outcome, (work){w, trace_part, 0, 1}, error);
  if (status != CLA_OK || *outcome != LIVE_BAND_READY) return status;
  band_node node = w->parts[w->last].meets;
  for (int i = w->last; i >= 0 && status == CLA_OK; i--) {
    whole_band_part *p = &w->parts[i];
    if (i < w->last) node.value += p[1].lower - p->lower;
    if (!same_node(&node, &p->meets)) { /* the guess was wrong */
      p->out_ended = false;
      trace_from(p, &node);
      status = p->status;
      *outcome = p->outcome;
      if (status != CLA_OK) *error = p->error;
      if (status != CLA_OK || *outcome != LIVE_BAND_READY) return status;
    }
    status = path_add_all(into, &p->steps, error);
    node = p->out;
  }
  if (status == CLA_OK) status = live_band_finish(&node, into, whole_band_ends(w), error);
  *row = node.row;
  *column = node.column;
  return status;
}
