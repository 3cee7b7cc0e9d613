/* Finds exact matches of the two sequences, for a faint dot plot behind the paths. */

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "seq/sequence.h"
#include "seq/word_index.h"
#include "write/plots/plot_internal.h"

/* Largest number of letters that are searched; for more, the index would need too much memory for a
 * picture. */
#define LETTERS_MOST (INT64_C(1) << 25)
/* Words that occur at more places are skipped: they mean little, like words from long runs of one letter. */
#define PLACES_MOST 256
/* Largest number of matches that are collected before the longest are chosen. */
#define GATHERED_MOST (INT64_C(1) << 20)

/* Returns a number of letters such that two random sequences of these lengths are unlikely to have a match of
 * that length. */
static int64_t least_letters(int64_t rows, int64_t columns) {
  return (int64_t)ceil(log2((double)rows) / 2 + log2((double)columns) / 2) + 2;
}

/* A search for matches between one strand of the query's part in the view and the target's part. */
typedef struct dot_search {
  const uint8_t *query, *target;
  int64_t rows, columns;
  int64_t step; /* rows from one word that is looked up to the next; every match contains such a word */
  const word_index *index;
} dot_search;

static bool same(const dot_search *s, int64_t row, int64_t column) {
  return s->query[row] < SEQUENCE_UNAMBIGUOUS && s->query[row] == s->target[column];
}

/* Extends equal words to a match. Returns false if the match contains an earlier word, with which it was
 * already found. */
static bool grow(plot_dot *out, const dot_search *s, int64_t row, int64_t column) {
  int64_t before = 0, length = s->index->word;
  while (before < row && before < column && same(s, row - before - 1, column - before - 1))
    if (++before == s->step) return false;
  while (row + length < s->rows && column + length < s->columns && same(s, row + length, column + length))
    length++;
  *out = (plot_dot){.query = row - before, .target = column - before, .length = before + length};
  return true;
}

static cla_status gather(plot_dots *out, const dot_search *s, bool reverse, cla_error *error) {
  for (int64_t row = 0; row + s->index->word <= s->rows; row += s->step) {
    const int32_t *places = NULL;
    int64_t count = 0;
    if (!word_index_find(&places, &count, s->index, s->query + row, (word_range){0, s->columns}) ||
        count > PLACES_MOST)
      continue;
    for (int64_t i = 0; i < count; i++) {
      plot_dot dot;
      if (!grow(&dot, s, row, places[i]) || dot.length < out->least) continue;
      if (out->count == GATHERED_MOST) return CLA_OK;
      cla_status status = ALLOCATE_GROW(&out->items, &out->room, out->count + 1, "matches of a plot", error);
      if (status != CLA_OK) return status;
      if (reverse) dot.query = s->rows - dot.query - dot.length;
      dot.reverse = reverse;
      out->items[out->count++] = dot;
    }
  }
  return CLA_OK;
}

/* Orders matches by descending length. Matches of equal length are ordered by their places, so that the
 * choice is always the same. */
static int compare(const void *first, const void *second) {
  const plot_dot *a = first, *b = second;
  if (a->length != b->length) return a->length < b->length ? 1 : -1;
  if (a->target != b->target) return a->target > b->target ? 1 : -1;
  if (a->query != b->query) return a->query > b->query ? 1 : -1;
  return (int)a->reverse - (int)b->reverse;
}

static cla_status search(plot_dots *out, dot_search *s, cla_error *error) {
  uint8_t *other = NULL;
  cla_status status = gather(out, s, false, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&other, s->rows, "letters of a plot", error);
  if (status == CLA_OK) {
    reverse_complement_codes(other, s->query, s->rows);
    s->query = other;
    status = gather(out, s, true, error);
  }
  free(other);
  return status;
}

cla_status plot_dots_find(plot_dots *out, const plot_view *view, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error) {
  word_index index = {0};
  dot_search s = {.query = sequence_codes(query) + view->query.from,
                  .target = sequence_codes(target) + view->target.from,
                  .rows = view->query.to - view->query.from,
                  .columns = view->target.to - view->target.from,
                  .index = &index};
  if (cla_sequence_alphabet(query) != CLA_ALPHABET_DNA || larger(s.rows, s.columns) > LETTERS_MOST ||
      smaller(s.rows, s.columns) < 1)
    return CLA_OK;
  out->least = least_letters(s.rows, s.columns);
  const int word = (int)smaller(out->least, WORD_INDEX_LETTERS_MOST);
  s.step = out->least - word + 1;
  const word_index_input input = {.codes = s.target, .letters = s.columns, .word = word, .threads = 1};
  cla_status status = word_index_make(&index, &input, error);
  if (status == CLA_OK) status = search(out, &s, error);
  word_index_free(&index);
  if (status != CLA_OK || out->count == 0) return status;
  qsort(out->items, (size_t)out->count, sizeof *out->items, compare);
  for (int64_t i = 0; i < out->count; i++) {
    out->items[i].query += view->query.from;
    out->items[i].target += view->target.from;
  }
  return CLA_OK;
}

/* The view is divided into CELLS x CELLS cells, to find the parts that paths cross. */
#define CELLS 512

typedef struct crossed_cells {
  const plot_view *view;
  bool crossed[CELLS][CELLS];
} crossed_cells;

static int cell_of(const plot_axis *axis, double position) {
  const double letters = (double)larger(axis->to - axis->from, 1);
  return (int)fmin(fmax((position - (double)axis->from) / letters * CELLS, 0), CELLS - 1);
}

/* Marks a cell and the cells around it as crossed, because a line is wider than a cell. */
static void cross_cells(crossed_cells *cells, double query, double target) {
  const int row = cell_of(&cells->view->query, query), column = cell_of(&cells->view->target, target);
  for (int i = row > 0 ? row - 1 : 0; i <= row + 1 && i < CELLS; i++)
    for (int k = column > 0 ? column - 1 : 0; k <= column + 1 && k < CELLS; k++) cells->crossed[i][k] = true;
}

static bool is_crossed(const crossed_cells *cells, double query, double target) {
  return cells->crossed[cell_of(&cells->view->query, query)][cell_of(&cells->view->target, target)];
}

static void cross_piece(crossed_cells *cells, const plot_piece *piece) {
  const plot_view *view = cells->view;
  const double rows = piece->to_query - piece->query, columns = piece->to_target - piece->target;
  const double across = fmax(fabs(rows) / (double)larger(view->query.to - view->query.from, 1),
                             columns / (double)larger(view->target.to - view->target.from, 1));
  const int steps = (int)(across * CELLS * 2) + 1;
  for (int i = 0; i <= steps; i++)
    cross_cells(cells, piece->query + rows * i / steps, piece->target + columns * i / steps);
}

static void cross_paths(crossed_cells *cells, const plot_figure *figure) {
  for (size_t i = 0; i < figure->count; i++) {
    plot_walk walk;
    plot_piece piece;
    if (!figure->alignments[i]->has_path) continue;
    plot_walk_begin(&walk, figure->alignments[i]);
    while (plot_walk_next(&walk, &piece))
      if (plot_piece_clip(&piece, cells->view)) cross_piece(cells, &piece);
  }
}

cla_status plot_dots_choose(plot_dots *dots, const plot_figure *figure, cla_error *error) {
  crossed_cells *cells = NULL;
  int64_t kept = 0;
  cla_status status = ALLOCATE_ZEROS(&cells, 1, "cells of a plot", error);
  if (status != CLA_OK) return status;
  cells->view = &figure->view;
  cross_paths(cells, figure);
  for (int64_t i = 0; i < dots->count && kept < PLOT_DOTS_MOST; i++) {
    const plot_dot *dot = &dots->items[i];
    const double low = (double)dot->query, high = (double)(dot->query + dot->length);
    const double end = (double)(dot->target + dot->length);
    if (is_crossed(cells, dot->reverse ? high : low, (double)dot->target) &&
        is_crossed(cells, dot->reverse ? low : high, end))
      continue;
    dots->items[kept++] = *dot;
  }
  dots->count = kept;
  free(cells);
  return CLA_OK;
}

void plot_dots_free(plot_dots *dots) {
  free(dots->items);
}
