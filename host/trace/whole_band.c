#include "trace/whole_band.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "trace/live_band_internal.h"

/* Lines between those that are kept: where they are far apart, the band between two of them is wide when it
 * is computed again, and where they are near each takes its time. They take this part of the memory at most.
 */
#define LINES_APART 128
#define KEPT_LINES_SHARE 2
/* Parts for each thread, so that all end at about the same time, and the lines that one has at least. */
#define PARTS_OF_THREAD 4
#define PART_LINES_LEAST 16384
/* By so much the bound's path may fall behind the matches of a part's rows, that its values take 2 bytes. */
#define PART_FALL 32768
/* A part goes on into this share of the next one at most. */
#define OVER_SHARE 2
/* Where it goes on from to find the way back: so many lines below, and for each row of a line, two more. */
#define BACK_LINES 512
/* Values of parts may be lower than the true ones by this share of what the potential does not know, and by
 * what an edit costs for so many that the bound's path has. (Seen: 1 Mbp, unit costs at 15 %, 1,700.) */
#define SPARE_SHARE 16
#define SPARE_EDITS 1500
/* Where that was too little, so many times as much the next time; at last there is one part. */
#define SPARE_MORE 4
#define TRIES_MOST 2

typedef struct part {
  whole_band *whole;
  live_band *band;
  band_part own;
  int64_t row, column;   /* of its first node, the corner */
  int64_t value;         /* there */
  int64_t line;          /* of the corner: row + column, as all lines here */
  int64_t stop;          /* up to which line it may be computed */
  int64_t bytes_limit;   /* in proportion to its lines */
  int64_t right_below;   /* below this line its values are right, */
  int64_t lower;         /* but for being so much lower than the true ones */
  band_node meets;       /* where its way back comes to the line below which the next part is right */
  band_node out;         /* and where it comes to its own */
  bool out_ended;        /* it is the path's start */
  path steps;            /* from the one to the other */
  row_values top;        /* of the corner, or of the matrix */
  int64_t cells_counted; /* in whole_band's */
  live_band_outcome outcome;
  cla_status status;
  cla_error error;
} part;

struct whole_band {
  whole_band_input in;
  part *parts;
  int count;
  int last;          /* the part in which the path ends */
  int64_t spare;     /* what parts' values may be lower by, on average */
  int64_t interval;  /* between kept lines */
  int64_t top_last;  /* the last column of row 0 that matters, */
  int64_t left_last; /* and the last row of column 0 in which a path may start, or -1 */
  path_end end;      /* INT64_MIN as score: not known */
  atomic_int next;   /* part */
  atomic_bool failed;
  atomic_llong cells;
};

static const path_ends *ends_of(const whole_band *w) {
  return &w->in.problem->scheme.ends;
}

/* The last node of the upper row, or of the left border, that is not excluded where paths come to it along
 * that border or start there; -1: none. */
static int64_t last_on_border(const whole_band *w, bool upper) {
  const path_ends *ends = ends_of(w);
  const cla_scoring *scoring = w->in.problem->scheme.scoring;
  int64_t last = upper ? w->in.problem->columns : ends->query_start ? w->in.problem->rows : -1;
  while (last >= 0 && potential_excludes(w->in.potential, upper ? 0 : last, upper ? last : 0,
                                         upper ? path_ends_top_h(ends, scoring, last)
                                               : path_ends_left_h(ends, scoring, last)))
    last--;
  return last;
}

/* The values of a part's upper row, into which no gap comes: the matrix' borders, or the corner alone. */
static cla_status make_top(part *p, cla_error *error) {
  const whole_band *w = p->whole;
  const cla_scoring *scoring = w->in.problem->scheme.scoring;
  const int64_t last = p->row == 0 ? w->top_last : 0;
  cla_status status = row_values_make(&p->top, last + 1, scoring, "a band's upper row", error);
  for (int64_t j = 0; j <= last && status == CLA_OK; j++) {
    p->top.h[j] = p->row == 0 ? path_ends_top_h(ends_of(w), scoring, j) : p->value;
    p->top.f[j] = p->top.h[j] - scoring->gap_first;
    if (p->top.f2) p->top.f2[j] = p->top.h[j] - scoring->gap_first2;
  }
  return status;
}

static cla_status count_cells(void *user, int64_t cells, cla_error *error) {
  part *p = user;
  whole_band *w = p->whole;
  const int64_t all = atomic_fetch_add(&w->cells, cells - p->cells_counted) + cells - p->cells_counted;
  p->cells_counted = cells;
  return w->in.tick && p->own.tick ? w->in.tick(w->in.tick_user, all, error) : CLA_OK;
}

static cla_status make_band(part *p, cla_error *error) {
  const whole_band *w = p->whole;
  const pair_problem *problem = w->in.problem;
  live_band *band = NULL;
  bool fits = false;
  cla_status status = allocate_zeros((void **)&band, 1, sizeof *band, "a band", error);
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

/* Goes on to a line of the matrix. */
static void go_on(part *p, int64_t line) {
  if (p->status == CLA_OK && p->outcome == LIVE_BAND_READY)
    p->status = live_band_go_on(&p->outcome, p->band, line - p->line, &p->error);
  if (p->status == CLA_OK) p->status = count_cells(p, live_band_cells(p->band), &p->error);
  if (p->status != CLA_OK) atomic_store(&p->whole->failed, true);
}

static void sweep_part(part *p) {
  const whole_band *w = p->whole;
  const bool last = p == w->parts + w->count - 1;
  p->status = make_band(p, &p->error);
  if (p->band) go_on(p, last ? p->stop : p[1].line);
  /* Beyond the bound's path nothing need be alive. */
  if (last && p->outcome == LIVE_BAND_EMPTY) p->outcome = LIVE_BAND_READY;
}

/* A line of a band as the other one has it, for a comparison. */
typedef struct band_line_view {
  const live_band *band;
  int64_t first, last; /* rows of the matrix that have values; one more on either side has the lowest */
  const void *arrays[BAND_KEPT_ARRAYS]; /* from row first on */
} band_line_view;

static band_line_view front_view(const live_band *band) {
  void *arrays[BAND_KEPT_ARRAYS];
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

/* A value of the matrix; DEAD where there is none that the next lines read: steps down come from the row
 * above, gaps in a row from that row. */
static int64_t view_value(const band_line_view *view, int array, int64_t row) {
  const band_scale *scale = &view->band->scale;
  const bool across = array == 2 || array == 4, whole = array == 0;
  if (row < view->first + across || row > view->last - (!across && !whole)) return DEAD;
  const int64_t stored = value_get(view->band, view->arrays[array], row - view->first);
  return stored <= scale->lowest ? DEAD : stored + scale->row_step * row + scale->base;
}

/* Whether a path through the node of the line, in the state of an array, cannot matter. */
static bool is_excluded(const part *p, int array, int64_t line, int64_t row, int64_t value) {
  const int64_t column = line - (array == 1) - row;
  return value <= DEAD / 2 || column < 0 || column > p->whole->in.problem->columns ||
         potential_excludes(p->whole->in.potential, row, column, value + p->own.spare);
}

/* Whether on the line on which the part stands, which the next part has kept, both have the same values but
 * for a number, wherever that matters. *lower: by how much those of the next part are. */
static bool agrees(int64_t *lower, const part *p, const kept_line *kept) {
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

/* Goes on until the part agrees with the next one, and a little further for the way back. */
static void join_part(part *p) {
  part *next = p + 1;
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

/* The node of the line on which the part stands that has the largest value; DEAD: there is none. */
static band_node likeliest(const part *p) {
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

/* From a node back to the one at a line, or to the path's start. */
static void trace_back(part *p, band_node *node, int64_t line, path *steps) {
  while (p->status == CLA_OK && p->outcome == LIVE_BAND_READY && !p->out_ended &&
         node->row + node->column > line)
    p->status = live_band_trace(node, &p->out_ended, steps, &p->outcome, p->band, &p->error);
}

static void trace_from(part *p, const band_node *node) {
  path_free(&p->steps);
  p->meets = p->out = *node;
  trace_back(p, &p->out, p->right_below, &p->steps);
}

/* All parts but the last one begin with a guess; without one `meets` is no node that the way back comes to. A
 * guess may be a node that does not matter, and come from nodes that were left out: then it has a value that
 * the lines kept do not give. */
static void trace_part(part *p) {
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

/* Work of parts by threads: of part `first` and each `step`-th one below. */
typedef struct work {
  whole_band *whole;
  void (*of_part)(part *);
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

/* *outcome: the worst of the parts'. */
static cla_status run(live_band_outcome *outcome, work all, cla_error *error) {
  whole_band *w = all.whole;
  atomic_store(&w->next, 0);
  parallel_run(w->in.threads < w->count ? w->in.threads : w->count, take_parts, &all);
  *outcome = LIVE_BAND_READY;
  for (int i = 0; i < w->count; i++) {
    const part *p = &w->parts[i];
    if (p->status != CLA_OK) {
      *error = p->error;
      return p->status;
    }
    if (p->outcome != LIVE_BAND_READY && *outcome != LIVE_BAND_TOO_LARGE) *outcome = p->outcome;
  }
  return CLA_OK;
}

static void free_parts(whole_band *w) {
  for (int i = 0; i < w->count; i++) {
    part *p = &w->parts[i];
    live_band_free(p->band);
    row_values_free(&p->top);
    path_free(&p->steps);
  }
  free(w->parts);
  w->parts = NULL;
  w->count = 0;
}

/* The line from which on no path starts any more that matters. */
static int64_t first_line_without_starts(const whole_band *w) {
  const int64_t borders = larger(w->top_last, w->left_last);
  return larger(borders, ends_of(w)->floor ? potential_last_start(w->in.potential) : -1) + 1;
}

/* Diagonals that are left near a row, of the chunk below as well: where they are few, parts soon agree. */
static int64_t width_near(const whole_band *w, int64_t row) {
  int64_t width = 0, first, last;
  for (int i = 0; i < 2; i++) {
    potential_row(w->in.potential,
                  smaller(row + i * potential_chunk_rows(w->in.potential), w->in.problem->rows), &first,
                  &last);
    width += last - first;
  }
  return width;
}

/* Where the next part may begin: lines first to last. */
typedef struct corner_choice {
  int64_t first, last;
  int64_t width; /* of the best node so far; -1: none */
  part best;
} corner_choice;

/* For part number `index`: a quarter of a part on either side of where parts of one length begin, of which
 * the first ends where no path starts any more: from line `without` on. */
static corner_choice choose_corner(const whole_band *w, int index, int64_t without) {
  const int64_t end = w->in.bound->query_stop + w->in.bound->target_stop;
  const int64_t before = larger((w->count * without - end) / larger(w->count - 1, 1), 0);
  const int64_t length = (end - before) / w->count, at = before + length * index;
  return (corner_choice){.first = larger(at - length / 4, without), .last = at + length / 4, .width = -1};
}

/* Puts the corners of the parts on the bound's path, and returns how many parts there are. */
static int put_corners(whole_band *w) {
  const lower_bound *bound = w->in.bound;
  const pair_problem *problem = w->in.problem;
  const int64_t apart = larger(potential_chunk_rows(w->in.potential) / 2, 1);
  const int64_t without = first_line_without_starts(w);
  int64_t row = bound->query_start, column = bound->target_start, value = 0;
  int count = 1, index = 1;
  corner_choice choice = choose_corner(w, index, without);
  for (size_t i = 0; i < bound->run_count && index < w->count; i++) {
    const cla_run *way = &bound->runs[i];
    if (way->kind != CLA_RUN_PAIR) {
      value -= gap_cost(problem->scheme.scoring, way->length);
      *(way->kind == CLA_RUN_QUERY ? &row : &column) += way->length;
      continue;
    }
    for (int64_t k = 0; k < way->length && index < w->count; k++) {
      value +=
          problem->scheme.table->score[problem->query[row] * CLA_MATRIX_STRIDE + problem->target[column]];
      row++;
      column++;
      const int64_t line = row + column;
      if (line >= choice.first && line <= choice.last && (choice.width < 0 || row % apart == 0)) {
        const int64_t width = width_near(w, row);
        if (choice.width < 0 || width < choice.width) {
          choice.width = width;
          choice.best = (part){.whole = w, .row = row, .column = column, .value = value, .line = line};
        }
      }
      if (line < choice.last) continue;
      if (choice.width >= 0) w->parts[count++] = choice.best;
      choice = choose_corner(w, ++index, without);
    }
  }
  return count;
}

/* Divides the matrix into parts. CLA_ERROR_MEMORY. */
static cla_status make_parts(whole_band *w, int count, cla_error *error) {
  const int64_t total = w->in.problem->rows + w->in.problem->columns;
  free_parts(w);
  cla_status status = allocate_zeros((void **)&w->parts, count, sizeof *w->parts, "a band's parts", error);
  if (status != CLA_OK) return status;
  int64_t lines = 0; /* of all parts */
  w->count = count;
  w->parts[0].whole = w;
  w->count = put_corners(w);
  for (int i = 0; i < w->count; i++) {
    part *p = &w->parts[i];
    const int64_t after = i + 2 < w->count ? p[2].line : total;
    p->stop = i + 1 < w->count ? p[1].line + (after - p[1].line) / OVER_SHARE : total;
    p->right_below = i == 0 ? -1 : INT64_MAX;
    p->outcome = LIVE_BAND_TOO_LARGE;
    /* The first value is right. What parts lack adds up, but the next parts may lack most of it. */
    p->own = (band_part){.spare = i == 0 ? 0 : w->spare / 2 + 3 * w->spare * i / (2 * w->count),
                         .least_score = w->in.bound->score,
                         .quiet = -1,
                         .end = {.score = INT64_MIN},
                         .tick_user = p};
    lines += p->stop - p->line + 1;
  }
  for (int i = 0; i < w->count; i++) {
    part *p = &w->parts[i];
    p->bytes_limit = (int64_t)((double)w->in.bytes_limit * (double)(p->stop - p->line + 1) / (double)lines);
  }
  return CLA_OK;
}

static void take_end(whole_band *w, const part *p, path_end end) {
  if (end.score == INT64_MIN) return;
  end.score += p->lower;
  if (!path_end_is_better(end, w->end)) return;
  w->end = end;
  w->last = (int)(p - w->parts);
}

/* The best end of where parts are right. */
static void find_end(whole_band *w) {
  w->end = (path_end){.score = INT64_MIN};
  for (int i = 0; i < w->count; i++) {
    const part *p = &w->parts[i];
    for (int64_t k = 0; k < p->band->kept.count; k++)
      if (p->line + p->band->kept.lines[k].line > p->right_below) take_end(w, p, p->band->kept.lines[k].end);
    take_end(w, p, p->own.end);
  }
}

/* Adds up by how much values of parts are lower. Returns whether they are right: each part agrees with the
 * next one, and they are lower by their spare at most. *lower: how much the most is, as far as parts agree.
 */
static bool are_right(int64_t *lower, whole_band *w) {
  bool enough = true;
  *lower = 0;
  for (int i = 1; i < w->count; i++) {
    part *p = &w->parts[i];
    if (p->right_below == INT64_MAX) return false;
    p->lower += p[-1].lower;
    *lower = larger(*lower, p->lower);
    enough &= p->lower <= p->own.spare;
  }
  return enough;
}

/* Sweeps in so many parts at most. *right: are_right's; if they are not, the spare becomes larger. */
static cla_status sweep_parts(bool *right, live_band_outcome *outcome, whole_band *w, int count,
                              cla_error *error) {
  int64_t lower = 0;
  cla_status status = make_parts(w, count, error);
  if (status == CLA_OK) status = run(outcome, (work){w, sweep_part, 0, 1}, error);
  /* Every other part goes on at once, so that the lines which the next one has kept stay where they are. */
  for (int first = 0; first < 2; first++)
    if (status == CLA_OK && *outcome == LIVE_BAND_READY)
      status = run(outcome, (work){w, join_part, first, 2}, error);
  *right = status == CLA_OK && *outcome == LIVE_BAND_READY && are_right(&lower, w);
  if (!*right) w->spare = larger(2 * lower, SPARE_MORE * w->spare);
  return status;
}

/* What the bound's path scores less than matches in all of its rows would. */
static int64_t path_fall(const whole_band *w) {
  const lower_bound *bound = w->in.bound;
  return row_worth_to(w->in.worth, bound->query_stop - bound->query_start) - bound->score;
}

/* What values of parts may be lower by: what the bound's path scores less than the optimum, which is not
 * known. */
static int64_t choose_spare(const whole_band *w) {
  const lower_bound *bound = w->in.bound;
  const int64_t row = bound->query_start, column = bound->target_start;
  const path_ends *ends = ends_of(w);
  const int64_t value = row == 0      ? path_ends_top_h(ends, w->in.problem->scheme.scoring, column)
                        : column == 0 ? path_ends_left_h(ends, w->in.problem->scheme.scoring, row)
                                      : 0;
  const int64_t slack = potential_slack(w->in.potential, row, column, value) / 2;
  const int64_t edit = w->in.worth->mean - w->in.problem->scheme.scoring->mismatch;
  return larger(larger(slack, 0) / SPARE_SHARE, path_fall(w) / (larger(edit, 1) * SPARE_EDITS)) +
         2 * gap_most_first(w->in.problem->scheme.scoring);
}

static int choose_parts(const whole_band *w) {
  const int64_t lines = w->in.problem->rows + w->in.problem->columns;
  const int64_t of_threads = w->in.threads > 1 ? w->in.threads * PARTS_OF_THREAD : 1;
  if (w->in.parts > 0) return (int)w->in.parts;
  return (int)larger(smaller(larger(of_threads, path_fall(w) / PART_FALL), lines / PART_LINES_LEAST), 1);
}

static int64_t choose_interval(const whole_band *w) {
  const int64_t room = w->in.bytes_limit / KEPT_LINES_SHARE;
  const int64_t apart =
      larger(LINES_APART, potential_area(w->in.potential) / (room / (BAND_KEPT_ARRAYS * 4) + 1));
  if (w->in.line_interval > 0) return w->in.line_interval;
  return (apart + LINES_BETWEEN_LOOKS - 1) / LINES_BETWEEN_LOOKS * LINES_BETWEEN_LOOKS;
}

int64_t whole_band_bytes(const pair_problem *problem) {
  const int64_t one = live_band_bytes(problem->rows, problem->columns, &problem->scheme);
  return one + one / OVER_SHARE + one * KEPT_LINES_SHARE / 4;
}

cla_status whole_band_sweep(whole_band **out, live_band_outcome *outcome, path_end *end,
                            const whole_band_input *input, cla_error *error) {
  whole_band *w = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&w, 1, sizeof *w, "a band", error);
  if (status != CLA_OK) return status;
  w->in = *input;
  w->end.score = INT64_MIN;
  w->top_last = larger(last_on_border(w, true), 0);
  w->left_last = last_on_border(w, false);
  w->interval = choose_interval(w);
  w->spare = choose_spare(w);
  bool right = false;
  const int count = choose_parts(w);
  *outcome = LIVE_BAND_READY;
  for (int tries = 0; status == CLA_OK && *outcome != LIVE_BAND_TOO_LARGE && !right; tries++)
    status = sweep_parts(&right, outcome, w, tries < TRIES_MOST ? count : 1, error);
  if (status == CLA_OK && *outcome == LIVE_BAND_READY) find_end(w);
  if (w->end.score < input->bound->score && *outcome == LIVE_BAND_READY) *outcome = LIVE_BAND_EMPTY;
  *end = w->end;
  if (status == CLA_OK && *outcome == LIVE_BAND_READY)
    *out = w;
  else
    whole_band_free(w);
  return status;
}

void whole_band_free(whole_band *w) {
  if (!w) return;
  free_parts(w);
  free(w);
}

int64_t whole_band_cells(const whole_band *w) {
  int64_t cells = atomic_load(&w->cells);
  for (int i = 0; i < w->count; i++) cells += live_band_cells(w->parts[i].band) - w->parts[i].cells_counted;
  return cells;
}

int whole_band_parts(const whole_band *w) {
  return w->count;
}

static bool same_node(const band_node *a, const band_node *b) {
  return a->row == b->row && a->column == b->column && a->state == b->state && a->value == b->value;
}

/* From where the trace has ended to the path's start: along a border where that is not free. */
static cla_status finish(band_node *node, path *into, const path_ends *ends, cla_error *error) {
  const bool starts = (ends->target_start && node->row == 0) || (ends->query_start && node->column == 0);
  if (ends->floor || (starts && node->state == STATE_H)) return CLA_OK;
  cla_status status = path_add(into, CLA_RUN_QUERY, node->row, error);
  if (status == CLA_OK) status = path_add(into, CLA_RUN_TARGET, node->column, error);
  node->row = node->column = 0;
  return status;
}

cla_status whole_band_trace(int64_t *row, int64_t *column, path *into, live_band_outcome *outcome,
                            whole_band *w, cla_error *error) {
  cla_status status = run(outcome, (work){w, trace_part, 0, 1}, error);
  if (status != CLA_OK || *outcome != LIVE_BAND_READY) return status;
  band_node node = w->parts[w->last].meets;
  for (int i = w->last; i >= 0 && status == CLA_OK; i--) {
    part *p = &w->parts[i];
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
  if (status == CLA_OK) status = finish(&node, into, ends_of(w), error);
  *row = node.row;
  *column = node.column;
  return status;
}
