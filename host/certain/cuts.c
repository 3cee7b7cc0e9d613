#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "certain/certain_internal.h"

/* Places are numbered from 0, which stands for all places before the path, to count - 1, which stands for all
 * places behind it. */
static int64_t place_of(const outside_losses *of, int64_t place) {
  return larger(smaller(place - of->first, of->count - 1), 0);
}

static cla_status make_losses(cut_loss **out, int64_t count, int64_t delta, cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(out, count, "a certificate", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) atomic_init(&(*out)[i], (int32_t)delta + 1);
  return status;
}

static cla_status make_outside(outside_losses *of, const cuts *c, int64_t first, int64_t last,
                               cla_error *error) {
  const path_ends *ends = &c->problem->scheme.ends;
  cla_status status = CLA_OK;
  of->first = first;
  of->count = last - first + 2;
  if (ends->floor || ends->query_start || ends->target_start)
    status = make_losses(&of->starts, of->count, c->delta, error);
  if (status == CLA_OK && (ends->anywhere || ends->query_end || ends->target_end))
    status = make_losses(&of->ends, of->count, c->delta, error);
  return status;
}

static cla_status make_crossings(path_crossing **out, cut_loss **far, const cuts *c, int64_t count,
                                 cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, count + 1, "a certificate", error);
  if (status == CLA_OK) status = make_losses(far, count * c->displacements + 1, c->delta, error);
  return status;
}

/* Sets the crossings of the path's edges. */
static void follow(cuts *c, const cla_run *runs, size_t run_count) {
  int64_t row = c->start_row, column = c->start_column, index = 0;
  for (size_t i = 0; i < run_count; i++)
    for (int64_t k = 0; k < runs[i].length; k++) {
      path_crossing of = {.index = index, .loss = (int32_t)c->delta + 1, .kind = (uint8_t)runs[i].kind};
      row += runs[i].kind != CLA_RUN_TARGET;
      column += runs[i].kind != CLA_RUN_QUERY;
      c->kinds[index++] = of.kind;
      of.across = column;
      if (runs[i].kind != CLA_RUN_TARGET) c->rows[row - c->start_row - 1] = of;
      of.across = row;
      if (runs[i].kind != CLA_RUN_QUERY) c->columns[column - c->start_column - 1] = of;
    }
}

cla_status cuts_make(cuts *c, const cla_run *runs, size_t run_count, cla_error *error) {
  c->stop_row = c->start_row;
  c->stop_column = c->start_column;
  c->column_count = 0;
  for (size_t i = 0; i < run_count; i++) {
    if (runs[i].kind != CLA_RUN_TARGET) c->stop_row += runs[i].length;
    if (runs[i].kind != CLA_RUN_QUERY) c->stop_column += runs[i].length;
    c->column_count += runs[i].length;
  }
  cla_status status = make_crossings(&c->rows, &c->far_rows, c, c->stop_row - c->start_row, error);
  if (status == CLA_OK)
    status = make_crossings(&c->columns, &c->far_columns, c, c->stop_column - c->start_column, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&c->kinds, c->column_count + 1, "a certificate", error);
  if (status == CLA_OK) status = make_outside(&c->by_row, c, c->start_row, c->stop_row, error);
  if (status == CLA_OK) status = make_outside(&c->by_column, c, c->start_column, c->stop_column, error);
  if (status == CLA_OK)
    status =
        make_outside(&c->by_line, c, c->start_row + c->start_column - 1, c->stop_row + c->stop_column, error);
  if (status == CLA_OK) follow(c, runs, run_count);
  return status;
}

void cuts_free(cuts *c) {
  free(c->rows);
  free(c->columns);
  free(c->kinds);
  free(c->far_rows);
  free(c->far_columns);
  outside_losses *const all[] = {&c->by_row, &c->by_column, &c->by_line};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]->starts);
    free(all[i]->ends);
  }
}

static int32_t loss_of(cuts *c, int64_t score) {
  const int64_t loss = c->optimum - score;
  if (loss < 0) atomic_store(&c->better, true);
  return (int32_t)(loss > c->delta ? c->delta + 1 : loss);
}

static int32_t lost(const cut_loss *at) {
  return atomic_load_explicit(at, memory_order_relaxed);
}

static void lower(cut_loss *at, int32_t loss) {
  int32_t old = lost(at);
  while (loss < old &&
         !atomic_compare_exchange_weak_explicit(at, &old, loss, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* Notes an edge in the crossing of its row or column. */
static void note(const cuts *c, path_crossing *at, cut_loss *far, cla_run_kind kind, int64_t across,
                 int32_t loss) {
  const int64_t away = across > at->across ? across - at->across : at->across - across;
  for (int64_t k = 0; k < c->displacements; k++)
    if (away > c->diagonals[k]) lower(&far[k], loss);
  if (across != at->across || (cla_run_kind)at->kind != kind)
    lower(&at->loss, loss);
  else if (loss == 0)
    atomic_store_explicit(&at->seen, true, memory_order_relaxed);
}

void cuts_edge(cuts *c, cla_run_kind kind, int64_t row, int64_t column, int64_t score) {
  const int32_t loss = loss_of(c, score);
  if (loss > c->delta) return;
  const int64_t r = row - c->start_row - 1, t = column - c->start_column - 1;
  if (kind != CLA_RUN_TARGET && r >= 0 && row <= c->stop_row)
    note(c, &c->rows[r], c->far_rows + r * c->displacements, kind, column, loss);
  if (kind != CLA_RUN_QUERY && t >= 0 && column <= c->stop_column)
    note(c, &c->columns[t], c->far_columns + t * c->displacements, kind, row, loss);
}

/* The three ways to number the places of a node. */
static void lower_all(cuts *c, bool ends, int64_t row, int64_t column, int32_t loss) {
  const int64_t places[] = {row, column, row + column};
  outside_losses *const all[] = {&c->by_row, &c->by_column, &c->by_line};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    cut_loss *losses = ends ? all[i]->ends : all[i]->starts;
    if (losses) lower(&losses[place_of(all[i], places[i])], loss);
  }
}

void cuts_start(cuts *c, int64_t row, int64_t column, int64_t score) {
  lower_all(c, false, row, column, loss_of(c, score));
}

void cuts_end(cuts *c, int64_t row, int64_t column, int64_t score) {
  lower_all(c, true, row, column, loss_of(c, score));
}

void cuts_finish(cuts *c) {
  outside_losses *const all[] = {&c->by_row, &c->by_column, &c->by_line};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (int64_t k = 1; k < all[i]->count && all[i]->ends; k++)
      lower(&all[i]->ends[k], lost(&all[i]->ends[k - 1]));
    for (int64_t k = all[i]->count - 2; k >= 0 && all[i]->starts; k--)
      lower(&all[i]->starts[k], lost(&all[i]->starts[k + 1]));
  }
}

/* Returns the least loss of paths that start at `start` or behind, or end at `end` or before. */
static int32_t outside(const cuts *c, const outside_losses *of, int64_t start, int64_t end) {
  int64_t loss = c->delta + 1;
  if (of->starts) loss = smaller(loss, lost(&of->starts[place_of(of, start)]));
  if (of->ends) loss = smaller(loss, lost(&of->ends[place_of(of, end)]));
  return (int32_t)loss;
}

int32_t cuts_outside_line(const cuts *c, int64_t line) {
  return outside(c, &c->by_line, line + 1, line - 1);
}

/* A column's margins, by the crossings of rows or of columns. */
typedef struct margin_view {
  const path_crossing *crossings;
  const cut_loss *far;
  const outside_losses *outside;
  int64_t start, count;
} margin_view;

/* Sets the margins of the edges that cross from a row (or column) to the next. Pairs cross both; then both
 * margins must be equal. */
static bool put_margins(cla_certificate *out, const cuts *c, const margin_view *view) {
  for (int64_t i = 0; i < view->count; i++) {
    const path_crossing *at = &view->crossings[i];
    const int64_t place = view->start + i + 1;
    const int32_t beyond = outside(c, view->outside, place, place - 1);
    const int64_t margin = smaller(lost(&at->loss), beyond);
    int64_t *to = &out->margins[at->index];
    if (!at->seen || (*to >= 0 && *to != margin)) return false;
    *to = margin;
    for (int64_t k = 0; k < c->displacements; k++) {
      int64_t *far = &out->displacements[k].margins[at->index];
      *far = smaller(*far, smaller(lost(&view->far[i * c->displacements + k]), beyond));
    }
  }
  return true;
}

static cla_status make_displacements(cla_certificate *out, const cuts *c, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(&out->displacements, c->displacements + 1, "a certificate", error);
  if (status == CLA_OK) out->displacement_count = c->displacements;
  for (int64_t k = 0; k < c->displacements && status == CLA_OK; k++) {
    cla_displacement *to = &out->displacements[k];
    to->diagonals = c->diagonals[k];
    status = ALLOCATE_ARRAY(&to->margins, c->column_count + 1, "a certificate", error);
    for (int64_t i = 0; i < c->column_count && status == CLA_OK; i++) to->margins[i] = c->delta + 1;
  }
  return status;
}

cla_status cuts_margins(cla_certificate *out, const cuts *c, cla_error *error) {
  const margin_view rows = {c->rows, c->far_rows, &c->by_row, c->start_row, c->stop_row - c->start_row};
  const margin_view columns = {c->columns, c->far_columns, &c->by_column, c->start_column,
                               c->stop_column - c->start_column};
  out->column_count = c->column_count;
  cla_status status = ALLOCATE_ARRAY(&out->margins, c->column_count + 1, "a certificate", error);
  for (int64_t i = 0; i < c->column_count && status == CLA_OK; i++) out->margins[i] = -1;
  if (status == CLA_OK) status = make_displacements(out, c, error);
  if (status != CLA_OK) return status;
  if (c->better || !put_margins(out, c, &rows) || !put_margins(out, c, &columns))
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "wrong value: the margins of rows and columns contradict each other, or the alignment "
                     "is not optimal; verify the alignment, and report this if it is right");
  for (int64_t i = 0; i < c->column_count; i++) out->ambiguous += out->margins[i] == 0;
  return CLA_OK;
}
