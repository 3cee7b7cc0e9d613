#include "bound/path_detour.h"

#include <stdlib.h>

#include "base/extremes.h"

#define GAP_LEAST 64                     /* letters of a gap that leads to another diagonal */
#define ROUNDS_MOST 12                   /* after each, detours may lie side by side that did not before */
#define BAND 64                          /* diagonals on either side of the straight way */
#define PIECE_LETTERS (INT64_C(1) << 16) /* letters of the straight way that are aligned at once */
#define SAMPLE_LETTERS 1024              /* letters of the straight way that are aligned first */
#define SAMPLE_GAIN 2  /* divisor: a sample scores at least this part of its matches' score */
#define LETTER_GAIN 16 /* divisor: a straight letter loses less than this part of a match's score */

/* The runs of the path between and with two gaps. */
typedef struct detour {
  int64_t first, last;         /* runs */
  int64_t rows;                /* query letters between the gaps */
  int64_t columns;             /* target letters between the gaps */
  int64_t row_gap, column_gap; /* letters of the gaps of either kind */
  bool rows_first;             /* true if the first gap is of query letters */
} detour;

static bool is_long_gap(const cla_run *run) {
  return run->kind != CLA_RUN_PAIR && run->length >= GAP_LEAST;
}

/* The detour that begins with a run, if one does. */
static bool detour_at(detour *out, const bound_path *path, int64_t first) {
  const cla_run *from = &path->runs[first];
  *out = (detour){.first = first, .rows_first = from->kind == CLA_RUN_QUERY};
  if (!is_long_gap(from)) return false;
  int64_t i = first + 1;
  for (; i < path->count && !is_long_gap(&path->runs[i]); i++) {
    if (path->runs[i].kind != CLA_RUN_TARGET) out->rows += path->runs[i].length;
    if (path->runs[i].kind != CLA_RUN_QUERY) out->columns += path->runs[i].length;
  }
  out->last = i;
  if (i == path->count || path->runs[i].kind == from->kind) return false;
  out->row_gap = out->rows_first ? from->length : path->runs[i].length;
  out->column_gap = out->rows_first ? path->runs[i].length : from->length;
  return true;
}

/* Leads the way straight on over so many letters of both sequences. *whole: whether it did. It stops where
 * the letters at its begin are unlike. */
static cla_status go_straight(bound_path *way, bool *whole, const bound_pair *pair, int64_t letters,
                              cla_error *error) {
  cla_status status = CLA_OK;
  *whole = true;
  for (int64_t left = letters; left > 0 && *whole && status == CLA_OK;) {
    const bool sample = left == letters;
    const int64_t count = smaller(left, sample ? SAMPLE_LETTERS : PIECE_LETTERS);
    const bound_area area = {way->query_stop, way->target_stop, way->query_stop + count,
                             way->target_stop + count};
    int64_t score = 0;
    status = pair->banded(way, &score, pair, &area, BAND, NULL);
    *whole = way->query_stop == area.query_stop && way->target_stop == area.target_stop;
    if (sample && SAMPLE_GAIN * score < count * pair->problem.scheme.table->match) *whole = false;
    left -= count;
  }
  return status == CLA_OK || bound_pair_stopped(pair) ? CLA_OK : bound_memory_error(error);
}

static cla_status add_gaps(bound_path *way, int64_t rows, int64_t columns, cla_error *error) {
  cla_status status = bound_path_add(way, CLA_RUN_QUERY, rows, error);
  return status == CLA_OK ? bound_path_add(way, CLA_RUN_TARGET, columns, error) : status;
}

/* The straight way from corner to corner of a detour, what is left of its gaps before or behind it. */
static cla_status make_straight(bound_path *way, bool *whole, const bound_pair *pair, const detour *d,
                                bool gap_before, cla_error *error) {
  const int64_t rows = d->rows + d->row_gap, columns = d->columns + d->column_gap;
  const int64_t letters = smaller(rows, columns);
  cla_status status = gap_before ? add_gaps(way, rows - letters, columns - letters, error) : CLA_OK;
  if (status == CLA_OK) status = go_straight(way, whole, pair, letters, error);
  return status == CLA_OK && !gap_before ? add_gaps(way, rows - letters, columns - letters, error) : status;
}

/* Whether gaps that are spared and letters that are gained may be more than letters straight on lose. */
static bool is_worth(const detour *d, const bound_pair *pair) {
  const cla_scoring *scoring = pair->problem.scheme.scoring;
  const int64_t match = pair->problem.scheme.table->match;
  const int64_t rows = d->rows + d->row_gap, columns = d->columns + d->column_gap;
  const int64_t letters = smaller(rows, columns);
  const int64_t spared = gap_cost(scoring, d->row_gap) + gap_cost(scoring, d->column_gap) -
                         gap_cost(scoring, larger(rows, columns) - letters);
  const int64_t gained = match * (letters - smaller(d->rows, d->columns));
  return (spared + gained) * LETTER_GAIN > letters * match;
}

/* Adds the detour, or what is better, to the new path, whose stop is its first node. */
static cla_status add_better(bound_path *path, bool *better, const bound_pair *pair, const bound_path *old,
                             const detour *d, cla_error *error) {
  bound_path best = {.query = path->query_stop,
                     .target = path->target_stop,
                     .runs = old->runs + d->first,
                     .count = d->last - d->first + 1};
  bound_path ways[2] = {{0}};
  int64_t most = bound_path_score(&best, pair);
  cla_status status = CLA_OK;
  for (int k = 0; k < 2 && status == CLA_OK; k++) {
    bool whole = false;
    bound_path_begin(&ways[k], path->query_stop, path->target_stop);
    status = make_straight(&ways[k], &whole, pair, d, k == 1, error);
    const int64_t score = status == CLA_OK && whole ? bound_path_score(&ways[k], pair) : most;
    if (score <= most) continue;
    most = score;
    best = ways[k];
    *better = true;
  }
  if (status == CLA_OK) status = bound_path_add_all(path, &best, error);
  for (int k = 0; k < 2; k++) bound_path_free(&ways[k]);
  return status;
}

/* Takes detours out of the path, each of which lies behind the one before. */
static cla_status take_out(bound_path *path, bool *better, const bound_pair *pair, int64_t *cells,
                           cla_error *error) {
  bound_path straighter = {0};
  cla_status status = CLA_OK;
  bound_path_begin(&straighter, path->query, path->target);
  for (int64_t i = 0; i < path->count && status == CLA_OK; i++) {
    detour d;
    const bool found = detour_at(&d, path, i) && is_worth(&d, pair);
    const int64_t takes = found ? 2 * (2 * BAND + 1) * (d.rows + d.row_gap) : 0;
    if (found && takes <= *cells && !bound_pair_stopped(pair)) {
      *cells -= takes;
      status = add_better(&straighter, better, pair, path, &d, error);
      i = d.last;
    } else {
      status = bound_path_add(&straighter, path->runs[i].kind, path->runs[i].length, error);
    }
  }
  return bound_path_take(path, &straighter, status);
}

cla_status path_detours(space_crosser *t, int64_t cells, cla_error *error) {
  bool better = true;
  cla_status status = CLA_OK;
  for (int round = 0; round < ROUNDS_MOST && better && status == CLA_OK; round++) {
    better = false;
    status = take_out(t->path, &better, t->pair, &cells, error);
  }
  return status;
}
