#include "support/cases/region_case.h"

#include "base/extremes.h"
#include "support/test.h"

int64_t *region_case_values(int64_t count) {
  int64_t *values = calloc((size_t)count, sizeof *values);
  cr_assert(values);
  return values;
}

static void copy_letters(uint8_t *to, const uint8_t *from, int64_t first, int64_t count, bool reverse) {
  for (int64_t i = 0; i < count; i++) to[i] = reverse ? from[first - 1 - i] : from[first + i];
}

void region_case_free(region_case *c) {
  free(c->query);
  free(c->target);
  row_values_free(&c->top);
  for (int k = 0; k < CLA_GAP_PIECES; k++) free(c->oracle_f[k]);
  free(c->left_h);
  free(c->left_e);
  reference_matrix_free(&c->matrix);
}

/* Shifts the border values of every other region, so that values pass the limits of 15, 16, 31 or 40 bits
 * upwards or downwards. */
static void shift_borders(region_case *c, random_stream *stream) {
  static const int64_t limits[] = {INT64_C(1) << 15, INT64_C(1) << 16, INT64_C(1) << 31, INT64_C(1) << 40};
  if (random_stream_below(stream, 2) == 0) return;
  int64_t shift = limits[random_stream_below(stream, 4)] - (int64_t)random_stream_below(stream, 300);
  if (!c->what.floor && random_stream_below(stream, 3) == 0) shift = -shift;
  for (int64_t j = 0; j <= c->what.columns; j++) {
    c->top.h[j] += shift;
    for (int k = 0; k < CLA_GAP_PIECES && c->top.f[k]; k++) {
      c->top.f[k][j] += shift;
      c->oracle_f[k][j] += shift;
    }
  }
}

/* Chooses the part of the pair's matrix, and the rules of its borders. */
static void choose_region(region_case *c, const random_pair *pair, const region_place *place,
                          random_stream *stream) {
  const bool local = pair->mode == CLA_MODE_LOCAL;
  const border_rule gap = border_of_gap(&pair->scoring, 0);
  region *r = &c->what;
  *r = (region){.rows = pair->query_length, .columns = pair->target_length, .floor = local};
  if (!local) r->left = r->top = gap;
  c->ends = path_ends_make(pair->mode, 0);
  if (!local && place->kind != REGION_BELOW_A_ROW) { /* free starts along the borders */
    c->ends.query_start = random_stream_below(stream, 3) == 0;
    c->ends.target_start = random_stream_below(stream, 3) == 0;
    if (c->ends.query_start) r->left = (border_rule){0};
    if (c->ends.target_start) r->top = (border_rule){0};
  }
  if (place->kind == REGION_REVERSE) {
    r->reverse = true;
    r->row = r->rows;
    r->column = r->columns;
  } else if (place->kind == REGION_BELOW_A_ROW) {
    r->row = place->row;
    r->column = place->column;
    r->rows -= r->row;
    r->columns -= r->column;
    r->left = gap;
  }
  if (pair->seed % 4 > 0) r->depths = place->kind == REGION_BELOW_A_ROW ? LANE_WIDTH_BELOW_ROW + 1 : 1;
}

static void make_values(region_case *c, const cla_scoring *scoring) {
  const region *r = &c->what;
  assert_ok(row_values_make(&c->top, r->columns + 1, scoring, "a row", &why));
  for (int k = 0; k < CLA_GAP_PIECES; k++) c->oracle_f[k] = region_case_values(r->columns + 1);
  c->left_h = region_case_values(r->rows + 1);
  c->left_e = region_case_values(r->rows + 1);
}

/* Fills the oracle's matrix of the whole pair. */
static void fill_whole(reference_matrix *whole, const random_pair *pair, const score_table *table) {
  reference_borders borders = {0};
  assert_ok(reference_borders_make(&borders, pair->query_length, pair->target_length, &pair->scoring,
                                   path_ends_make(pair->mode, 0), &why));
  assert_ok(reference_fill(whole,
                           &(pair_problem){pair->query,
                                           pair->target,
                                           pair->query_length,
                                           pair->target_length,
                                           {&pair->scoring, table, {.floor = pair->mode == CLA_MODE_LOCAL}}},
                           &borders, &why));
  reference_borders_free(&borders);
}

/* Sets the upper border from a row of the whole matrix or, if `whole` is NULL, from the rule of starts. */
static void set_top(region_case *c, const cla_scoring *scoring, const reference_matrix *whole) {
  const region *r = &c->what;
  for (int64_t j = 0; j <= r->columns; j++) {
    int64_t h = path_ends_top_h(&c->ends, scoring, j);
    if (whole) h = reference_at(whole, whole->h, r->row, r->column + j);
    c->top.h[j] = h;
    for (int k = 0; k < gap_pieces(scoring); k++) {
      const cla_gap_piece gap = scoring->gap[k];
      int64_t f = h - gap.first;
      if (whole) f = larger(f, reference_at(whole, whole->f[k], r->row, r->column + j) - gap.ext);
      c->top.f[k][j] = f;
      c->oracle_f[k][j] = f + gap.ext;
    }
  }
}

static void set_left(region_case *c) {
  region *r = &c->what;
  r->corner = c->top.h[0];
  for (int64_t i = 0; i <= r->rows; i++) {
    c->left_h[i] = r->corner - border_fall(&r->left, i);
    if (r->floor && c->left_h[i] < 0) c->left_h[i] = 0;
    c->left_e[i] = REFERENCE_MINUS_INFINITY;
  }
}

/* Sets the region's letters, and fills the oracle's matrix between its borders. */
static void fill_region(region_case *c, const random_pair *pair, const score_table *table) {
  const region *r = &c->what;
  c->query = malloc((size_t)r->rows);
  c->target = malloc((size_t)r->columns);
  cr_assert(c->query && c->target);
  copy_letters(c->query, pair->query, r->row, r->rows, r->reverse);
  copy_letters(c->target, pair->target, r->column, r->columns, r->reverse);
  reference_borders borders = {.top_h = c->top.h, .left_h = c->left_h};
  for (int k = 0; k < CLA_GAP_PIECES; k++) {
    borders.top_f[k] = c->oracle_f[k];
    borders.left_e[k] = c->left_e;
  }
  assert_ok(reference_fill(
      &c->matrix,
      &(pair_problem){c->query, c->target, r->rows, r->columns, {&pair->scoring, table, {.floor = r->floor}}},
      &borders, &why));
}

void region_case_make(region_case *c, const random_pair *pair, const score_table *table,
                      random_stream *stream) {
  region_place place = {.kind = (region_kind)random_stream_below(stream, REGION_KINDS)};
  if (place.kind == REGION_BELOW_A_ROW) {
    place.row = (int64_t)random_stream_below(stream, (uint64_t)pair->query_length);
    place.column = (int64_t)random_stream_below(stream, (uint64_t)pair->target_length);
  }
  region_case_make_at(c, pair, table, &place, stream);
}

void region_case_make_at(region_case *c, const random_pair *pair, const score_table *table,
                         const region_place *place, random_stream *stream) {
  const bool below = place->kind == REGION_BELOW_A_ROW;
  reference_matrix whole = {0};
  *c = (region_case){0};
  choose_region(c, pair, place, stream);
  make_values(c, &pair->scoring);
  if (below) {
    fill_whole(&whole, pair, table);
    c->what.above = c->top;
  }
  set_top(c, &pair->scoring, below ? &whole : NULL);
  reference_matrix_free(&whole);
  shift_borders(c, stream);
  set_left(c);
  fill_region(c, pair, table);
}

void region_case_choose_ends(region_case *c, random_stream *stream) {
  path_ends *ends = &c->ends;
  if (ends->floor) {
    if (random_stream_below(stream, 8) > 0) c->what.best = BEST_ANYWHERE;
    return;
  }
  const uint64_t which = random_stream_below(stream, 5);
  ends->anywhere = which == 4;
  ends->query_end = which == 1 || which == 3;
  ends->target_end = which == 2 || which == 3;
  c->what.best = path_ends_best(ends);
}

reference_cell region_case_best(const region_case *c) {
  return c->what.best == BEST_LAST_COLUMN ? reference_last_column(&c->matrix) : reference_best(&c->matrix);
}

int64_t region_case_best_end(const region_case *c) {
  const reference_cell best = region_case_best(c);
  int64_t most = c->what.best ? best.score : INT64_MIN;
  const int64_t first = c->ends.target_end ? 1 : c->what.columns;
  for (int64_t j = first; path_ends_in_last_row(&c->ends) && j <= c->what.columns; j++) {
    const int64_t h = reference_at(&c->matrix, c->matrix.h, c->what.rows, j);
    if (h > most) most = h;
  }
  return most;
}

int64_t region_case_f_below(const reference_matrix *matrix, const cla_scoring *scoring, int piece,
                            int64_t row, int64_t column) {
  const cla_gap_piece gap = scoring->gap[piece];
  return larger(reference_at(matrix, matrix->h, row, column) - gap.first,
                reference_at(matrix, matrix->f[piece], row, column) - gap.ext);
}

int64_t region_case_unwrap(const void *values, int64_t index, int lane_bits, int64_t neighbour) {
  const int64_t modulus = INT64_C(1) << lane_bits;
  const int64_t low = lane_bits == 8    ? ((const uint8_t *)values)[index]
                      : lane_bits == 16 ? ((const uint16_t *)values)[index]
                                        : ((const uint32_t *)values)[index];
  int64_t up = (low - neighbour) % modulus;
  if (up < 0) up += modulus;
  return neighbour + (up < modulus / 2 ? up : up - modulus);
}
