/* Divides a band into parts, and chooses by how much a part's values may be lower than the true values. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "trace/whole_band_internal.h"

/* Lines from one kept line to the next. The larger the distance, the more cells the traceback computes
 * again. */
#define LINES_APART 128
#define KEPT_LINES_SHARE 2 /* the kept lines get 1 / KEPT_LINES_SHARE of the memory */
/* Parts per thread, so that all threads finish at about the same time. */
#define PARTS_OF_THREAD 4
/* Least number of lines of a part. */
#define PART_LINES_LEAST 16384
/* Largest amount by which, within a part's rows, the bound's path may score less than matches in all rows.
 * With this limit, values fit into 2 bytes. */
#define PART_FALL 32768
/* A part may continue into the next part, by at most 1 / OVER_SHARE of the next part's lines. */
#define OVER_SHARE 2
/* A part's values may be lower than the true values. The allowed difference is the larger of two terms
 * (SPARE_SHARE, SPARE_EDITS), plus the costs of the first letters of two gaps. Measured with 1 Mbp, 15 %
 * divergence and unit costs: 1,700. */
#define SPARE_SHARE 16   /* one term: the score that a path may lose beyond the potential, divided by this */
#define SPARE_EDITS 1500 /* other term: one point of score per this number of edits of the bound's path */

/* Returns the last node of the upper row (`upper`) or of the left border at which a path can start, or
 * which a path along the border can reach. -1: no such node. */
static int64_t last_on_border(const whole_band *w, bool upper) {
  const path_ends *ends = whole_band_ends(w);
  const cla_scoring *scoring = w->in.problem->scheme.scoring;
  int64_t last = upper ? w->in.problem->columns : ends->query_start ? w->in.problem->rows : -1;
  while (last >= 0 && potential_excludes(w->in.potential, upper ? 0 : last, upper ? last : 0,
                                         upper ? path_ends_top_h(ends, scoring, last)
                                               : path_ends_left_h(ends, scoring, last)))
    last--;
  return last;
}

void band_parts_free(whole_band *w) {
  for (int i = 0; i < w->count; i++) {
    whole_band_part *p = &w->parts[i];
    live_band_free(p->band);
    row_values_free(&p->top);
    path_free(&p->steps);
  }
  free(w->parts);
  w->parts = NULL;
  w->count = 0;
}

/* Returns the line from which on no path that matters can start. */
static int64_t first_line_without_starts(const whole_band *w) {
  const int64_t borders = larger(w->top_last, w->left_last);
  return larger(borders, whole_band_ends(w)->floor ? potential_last_start(w->in.potential) : -1) + 1;
}

/* Returns the number of diagonals that the potential does not exclude at a row and in the chunk below it.
 * Where this number is small, neighbouring parts soon agree. */
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

/* The search for the best corner of a part on lines `first` to `last`. */
typedef struct corner_choice {
  int64_t first, last;
  int64_t width; /* width of the band at the best node so far; -1: none */
  whole_band_part best;
} corner_choice;

/* Starts the search for the corner of part `index`. It covers a quarter of a part's length on either side
 * of the corner that parts of equal length would have. It begins at line `without` or below, where no path
 * starts. */
static corner_choice choose_corner(const whole_band *w, int index, int64_t without) {
  const int64_t end = w->in.bound->query_stop + w->in.bound->target_stop;
  const int64_t before = larger((w->count * without - end) / larger(w->count - 1, 1), 0);
  const int64_t length = (end - before) / w->count, at = before + length * index;
  return (corner_choice){.first = larger(at - length / 4, without), .last = at + length / 4, .width = -1};
}

/* Chooses the parts' corners, which are nodes of the bound's path. Returns the number of parts. */
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
          choice.best =
              (whole_band_part){.whole = w, .row = row, .column = column, .value = value, .line = line};
        }
      }
      if (line < choice.last) continue;
      if (choice.width >= 0) w->parts[count++] = choice.best;
      choice = choose_corner(w, ++index, without);
    }
  }
  return count;
}

cla_status band_parts_make(whole_band *w, int count, cla_error *error) {
  const int64_t total = w->in.problem->rows + w->in.problem->columns;
  band_parts_free(w);
  cla_status status = ALLOCATE_ZEROS(&w->parts, count, "a band's parts", error);
  if (status != CLA_OK) return status;
  int64_t lines = 0; /* sum over all parts */
  w->count = count;
  w->parts[0].whole = w;
  w->count = put_corners(w);
  for (int i = 0; i < w->count; i++) {
    whole_band_part *p = &w->parts[i];
    const int64_t after = i + 2 < w->count ? p[2].line : total;
    p->stop = i + 1 < w->count ? p[1].line + (after - p[1].line) / OVER_SHARE : total;
    p->right_below = i == 0 ? -1 : INT64_MAX;
    p->outcome = LIVE_BAND_TOO_LARGE;
    /* The first part's values are true. From part to part, the differences from the true values add up. So
     * each later part has a larger spare. */
    p->own = (band_part){.spare = i == 0 ? 0 : w->spare / 2 + 3 * w->spare * i / (2 * w->count),
                         .least_score = w->in.bound->path_score - w->in.margin,
                         .quiet = -1,
                         .end = {.score = INT64_MIN},
                         .tick_user = p};
    lines += p->stop - p->line + 1;
  }
  for (int i = 0; i < w->count; i++) {
    whole_band_part *p = &w->parts[i];
    p->bytes_limit = (int64_t)((double)w->in.bytes_limit * (double)(p->stop - p->line + 1) / (double)lines);
  }
  return CLA_OK;
}

/* Returns by how much the bound's path scores less than matches in all its rows. */
static int64_t path_fall(const whole_band *w) {
  const lower_bound *bound = w->in.bound;
  return row_worth_to(w->in.worth, bound->query_stop - bound->query_start) - bound->path_score;
}

/* Chooses by how much the parts' values may be lower than the true values. The best choice would be the
 * optimum minus the bound's score, but the optimum is not known. */
static int64_t choose_spare(const whole_band *w) {
  const lower_bound *bound = w->in.bound;
  const int64_t row = bound->query_start, column = bound->target_start;
  const path_ends *ends = whole_band_ends(w);
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
      larger(LINES_APART, potential_area(w->in.potential) / (room / (BAND_KEPT_ARRAYS_MOST * 4) + 1));
  if (w->in.line_interval > 0) return w->in.line_interval;
  return (apart + LINES_BETWEEN_LOOKS - 1) / LINES_BETWEEN_LOOKS * LINES_BETWEEN_LOOKS;
}

int band_parts_choose(whole_band *w) {
  w->top_last = larger(last_on_border(w, true), 0);
  w->left_last = last_on_border(w, false);
  w->interval = choose_interval(w);
  w->spare = choose_spare(w);
  return choose_parts(w);
}

int64_t whole_band_bytes(const pair_problem *problem) {
  const int64_t one = live_band_bytes(problem->rows, problem->columns, &problem->scheme);
  return one + one / OVER_SHARE + one * KEPT_LINES_SHARE / 4;
}
