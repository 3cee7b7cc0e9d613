#include <criterion/criterion.h>
#include <stdlib.h>

#include "seq/random_stream.h"
#include "store/special_rows.h"

/* H of a row that rises and falls as far as the scheme lets it, and F between H - first and H - ext. */
static void make_row(int64_t *h, int64_t *f, int64_t nodes, int64_t start, const cla_scoring *scoring,
                     random_stream *stream) {
  const int64_t rise =
      scoring->match + scoring->gap_ext + 2 * (int64_t)(scoring->gap_first - scoring->gap_ext);
  int64_t value = start;
  for (int64_t i = 0; i < nodes; i++) {
    h[i] = value;
    f[i] = value - scoring->gap_ext -
           (int64_t)random_stream_below(stream, (uint64_t)(scoring->gap_first - scoring->gap_ext) + 1);
    value +=
        (int64_t)random_stream_below(stream, (uint64_t)(rise + scoring->gap_first) + 1) - scoring->gap_first;
  }
}

static void check_scheme(int match, int first, int ext, uint64_t seed) {
  enum { NODES = 3 * SPECIAL_ROW_ANCHOR + 17, FIRST = 1000, ROWS = 3 };
  static int64_t h[ROWS][NODES], f[ROWS][NODES], got_h[NODES], got_f[NODES];
  cla_error error = {0};
  cla_scoring scoring;
  random_stream stream;
  special_rows *rows = NULL;
  random_stream_init(&stream, seed, 0);
  cla_scoring_init(&scoring);
  scoring.match = match;
  scoring.gap_first = first;
  scoring.gap_ext = ext;
  cr_assert_eq(special_rows_create(&rows, FIRST, NODES, match, &scoring, &error), CLA_OK);
  for (int r = 0; r < ROWS; r++) {
    make_row(h[r], f[r], NODES, (r - 1) * (INT64_C(1) << 40), &scoring, &stream);
    for (int64_t done = 0; done < NODES;) {
      int64_t count = 1 + (int64_t)random_stream_below(&stream, 5000);
      if (count > NODES - done) count = NODES - done;
      cr_assert_eq(
          special_rows_put(rows, 100 * (r + 1), FIRST + done, count, h[r] + done, f[r] + done, &error),
          CLA_OK);
      done += count;
    }
  }
  for (int i = 0; i < 300; i++) {
    const int r = (int)random_stream_below(&stream, ROWS);
    const int64_t from = (int64_t)random_stream_below(&stream, NODES);
    const int64_t count = 1 + (int64_t)random_stream_below(&stream, (uint64_t)(NODES - from));
    special_rows_read(rows, 100 * (r + 1), FIRST + from, count, got_h, i % 2 ? got_f : NULL);
    for (int64_t k = 0; k < count; k++) {
      cr_assert_eq(got_h[k], h[r][from + k], "match %d, gap %d %d, seed %llu", match, first, ext,
                   (unsigned long long)seed);
      if (i % 2) cr_assert_eq(got_f[k], f[r][from + k]);
    }
  }
  special_rows_free(rows);
}

Test(special_rows, give_back_every_part_in_every_width) {
  check_scheme(1, 5, 2, 1);          /* one byte */
  check_scheme(5, 5, 5, 2);          /* one byte, F always at H - first */
  check_scheme(30, 127, 0, 3);       /* two bytes */
  check_scheme(1000, 16000, 200, 4); /* two bytes, nearly full */
  check_scheme(CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, 0, 5);
}

Test(special_rows, finds_the_last_row_above_and_drops_from_below) {
  cla_error error = {0};
  cla_scoring scoring;
  special_rows *rows = NULL;
  const int64_t h[2] = {0, 1}, f[2] = {-5, -4};
  cla_scoring_init(&scoring);
  cr_assert_eq(special_rows_create(&rows, 7, 2, 1, &scoring, &error), CLA_OK);
  cr_assert_eq(special_rows_above(rows, 1000), -1);
  for (int64_t row = 64; row <= 256; row += 64)
    cr_assert_eq(special_rows_put(rows, row, 7, 2, h, f, &error), CLA_OK);
  cr_assert_eq(special_rows_column(rows), 7);
  cr_assert_eq(special_rows_above(rows, 64), -1);
  cr_assert_eq(special_rows_above(rows, 65), 64);
  cr_assert_eq(special_rows_above(rows, 1000), 256);
  special_rows_drop_from(rows, 129);
  cr_assert_eq(special_rows_above(rows, 1000), 128);
  special_rows_drop_from(rows, 0);
  cr_assert_eq(special_rows_above(rows, 1000), -1);
  special_rows_free(rows);
}
