/* Scores along anti-diagonals against the table, in any order of lines, and what rows are worth. */

#include "dp/band_line.h"
#include "dp/score_lines.h"
#include "seq/random_stream.h"
#include "support/test.h"
#include "trace/band_goals.h"

#define LETTERS 24
#define LENGTH_MOST 200

typedef struct block {
  uint8_t query[LENGTH_MOST], target[LENGTH_MOST];
  int64_t rows, columns;
  score_table table;
} block;

/* Random scores from -`reach` to `reach`. */
static block make_block(random_stream *stream, int32_t reach) {
  block b = {.rows = 1 + (int64_t)random_stream_below(stream, LENGTH_MOST),
             .columns = 1 + (int64_t)random_stream_below(stream, LENGTH_MOST),
             .table = {.maximum = INT32_MIN, .minimum = INT32_MAX, .needs_lookup = true}};
  random_stream_codes(stream, b.query, b.rows, LETTERS);
  random_stream_codes(stream, b.target, b.columns, LETTERS);
  for (int q = 0; q < LETTERS; q++)
    for (int t = 0; t < LETTERS; t++) {
      const int32_t score = (int32_t)random_stream_below(stream, 2 * (uint64_t)reach + 1) - reach;
      b.table.score[q * CLA_MATRIX_STRIDE + t] = score;
      if (score > b.table.maximum) b.table.maximum = score;
      if (score < b.table.minimum) b.table.minimum = score;
    }
  return b;
}

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* A part of a line, or nothing where it has no cell. */
static void check_line(score_lines *lines, const block *b, int64_t line, random_stream *stream, int64_t least,
                       int64_t subtract) {
  int64_t first = line - b->columns > 1 ? line - b->columns : 1, last = least_of(line, b->rows);
  if (first > last) return;
  first += (int64_t)random_stream_below(stream, (uint64_t)(last - first + 1));
  last -= (int64_t)random_stream_below(stream, (uint64_t)(last - first + 1));
  const int8_t *scores =
      score_lines_get(lines, line, first, last, random_stream_below(stream, 2) ? last : b->rows);
  for (int64_t i = first; i <= last; i++) {
    if (i == line) continue; /* column 0 */
    const int32_t score = b->table.score[b->query[i - 1] * CLA_MATRIX_STRIDE + b->target[line - i - 1]];
    cr_assert_eq(scores[i - first], (score > least ? score : least) - subtract, "(%lld,%lld) of %lld x %lld",
                 (long long)i, (long long)(line - i), (long long)b->rows, (long long)b->columns);
  }
}

Test(score_lines, have_the_score_of_every_cell) {
  random_stream stream;
  random_stream_init(&stream, 77, 0);
  for (int n = 0; n < 200; n++) {
    const block b = make_block(&stream, 60);
    const int64_t least = -40, subtract = 7;
    const score_lines_input input = {.query = b.query,
                                     .target = b.target,
                                     .rows = b.rows,
                                     .columns = b.columns,
                                     .table = &b.table,
                                     .least = least,
                                     .subtract = subtract};
    OWNED(score_lines_free) score_lines lines;
    cr_assert(score_lines_fit(&b.table, least, subtract));
    assert_ok(score_lines_make(&lines, &input, &why));
    for (int64_t line = 1; line <= b.rows + b.columns; line++)
      check_line(&lines, &b, line, &stream, least, subtract);
    for (int again = 0; again < 50; again++)
      check_line(&lines, &b, 1 + (int64_t)random_stream_below(&stream, (uint64_t)(b.rows + b.columns)),
                 &stream, least, subtract);
  }
}

Test(score_lines, do_not_fit_where_a_byte_does_not_hold_them) {
  score_table table = {.maximum = 127, .minimum = -128};
  cr_expect(score_lines_fit(&table, -1000, 0));
  cr_expect_not(score_lines_fit(&table, -1000, 1));
  cr_expect(score_lines_fit(&table, -100, 1));
  table.maximum = 128;
  cr_expect_not(score_lines_fit(&table, -1000, 0));
}

Test(row_worth, is_no_less_than_any_score_and_adds_up) {
  random_stream stream;
  random_stream_init(&stream, 78, 0);
  for (int n = 0; n < 200; n++) {
    const block b = make_block(&stream, n % 2 ? 11 : 100000);
    OWNED(row_worth_free) row_worth worth;
    int64_t sum = 0;
    assert_ok(row_worth_make(&worth, b.query, b.rows, &b.table, &why));
    cr_expect_eq(row_worth_to(&worth, 0), 0);
    for (int64_t i = 1; i <= b.rows; i++) {
      const int32_t here = row_worth_at(&worth, i);
      cr_assert_geq(here, 0);
      cr_assert_geq(here, worth.least);
      for (int64_t j = 0; j < b.columns; j++)
        cr_assert_geq(here, b.table.score[b.query[i - 1] * CLA_MATRIX_STRIDE + b.target[j]]);
      sum += here;
      cr_assert_eq(row_worth_to(&worth, i), sum);
    }
  }
}

Test(row_worth, of_match_and_mismatch_is_the_match) {
  const uint8_t query[3] = {0, 1, 14};
  const score_table table = {.maximum = 5, .minimum = -4, .match = 5, .mismatch = -4};
  OWNED(row_worth_free) row_worth worth;
  assert_ok(row_worth_make(&worth, query, 3, &table, &why));
  cr_expect_eq(worth.least, 5);
  cr_expect_eq(row_worth_at(&worth, 3), 5);
  cr_expect_eq(row_worth_to(&worth, 3), 15);
}
