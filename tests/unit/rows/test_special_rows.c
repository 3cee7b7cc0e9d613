
#include "reference/reference.h"
#include "rows/special_rows.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

enum { NODES = KEPT_ROW_CHUNK + 3 * KEPT_ROW_ANCHOR + 17, FIRST = 1000, ROWS = 3 };

static int64_t h[ROWS][NODES], f[ROWS][NODES], f2[ROWS][NODES], got_h[NODES], got_f[NODES], got_f2[NODES];

/* H of a row that rises and falls as far as the scheme lets it, and F between H - first and H - ext, of
 * either piece of gap costs. */
static void make_row(int64_t *row_h, int64_t *row_f, int64_t *row_f2, int64_t start,
                     const cla_scoring *scoring, random_stream *stream) {
  const int64_t rise =
      scoring->match + scoring->gap_ext + 2 * (int64_t)(scoring->gap_first - scoring->gap_ext);
  int64_t value = start;
  for (int64_t i = 0; i < NODES; i++) {
    row_h[i] = value;
    row_f[i] = value - scoring->gap_ext -
               (int64_t)random_stream_below(stream, (uint64_t)(scoring->gap_first - scoring->gap_ext) + 1);
    row_f2[i] = value - scoring->gap_ext2 -
                (int64_t)random_stream_below(stream, (uint64_t)(scoring->gap_first2 - scoring->gap_ext2) + 1);
    value +=
        (int64_t)random_stream_below(stream, (uint64_t)(rise + scoring->gap_first) + 1) - scoring->gap_first;
  }
}

static void *make_lanes(const int64_t *values, int64_t count, int lane_bits) {
  uint32_t *lanes = malloc((size_t)count * sizeof *lanes);
  cr_assert(lanes);
  for (int64_t i = 0; i < count; i++) {
    if (lane_bits == 8)
      ((uint8_t *)lanes)[i] = (uint8_t)values[i];
    else if (lane_bits == 16)
      ((uint16_t *)lanes)[i] = (uint16_t)values[i];
    else
      lanes[i] = (uint32_t)values[i];
  }
  return lanes;
}

/* Puts nodes of a row as lanes of `lane_bits` leave them, in parts of random length. `before` is H of the
 * node left of them; row_f2 is NULL with one piece of gap costs. */
static void put_nodes(special_rows *rows, int64_t row, int64_t column, const int64_t *row_h,
                      const int64_t *row_f, const int64_t *row_f2, int64_t count, int64_t before,
                      int lane_bits, random_stream *stream) {
  char *lane_h = make_lanes(row_h, count, lane_bits), *lane_f = make_lanes(row_f, count, lane_bits);
  char *lane_f2 = row_f2 ? make_lanes(row_f2, count, lane_bits) : NULL;
  for (int64_t done = 0; done < count;) {
    int64_t some = 1 + (int64_t)random_stream_below(stream, random_stream_below(stream, 3) ? 9000 : 200000);
    if (some > count - done) some = count - done;
    const int64_t offset = done * lane_bits / 8;
    const region_row_part part = {.row = row,
                                  .column = column + done,
                                  .count = some,
                                  .before = done > 0 ? row_h[done - 1] : before,
                                  .h = lane_h + offset,
                                  .f = {lane_f + offset, lane_f2 ? lane_f2 + offset : NULL},
                                  .lane_bits = lane_bits};
    assert_ok(special_rows_put(rows, &part, &why));
    done += some;
  }
  free(lane_h);
  free(lane_f);
  free(lane_f2);
}

static void end_row(special_rows *rows, int64_t row) {
  assert_ok(special_rows_put(rows, &(region_row_part){.row = row}, &why));
}

/* Of one piece if first2 is 0. */
static void check_pieces(int match, int first, int ext, int first2, int ext2, int lane_bits, uint64_t seed) {
  random_stream stream;
  special_rows *rows = NULL;
  random_stream_init(&stream, seed, 0);
  cla_scoring scoring = default_scoring();
  scoring.match = match;
  scoring.gap_first = first;
  scoring.gap_ext = ext;
  scoring.gap_first2 = first2;
  scoring.gap_ext2 = ext2;
  const bool two = first2 > 0;
  const row_shape shape = {.column = FIRST, .nodes = NODES, .largest_score = match, .scoring = &scoring};
  assert_ok(special_rows_create(&rows, &shape, &why));
  for (int r = 0; r < ROWS; r++) {
    make_row(h[r], f[r], f2[r], (r - 1) * (INT64_C(1) << 40), &scoring, &stream);
    put_nodes(rows, 100 * (r + 1), FIRST, h[r], f[r], two ? f2[r] : NULL, 1, h[r][0], 32, &stream);
    put_nodes(rows, 100 * (r + 1), FIRST + 1, h[r] + 1, f[r] + 1, two ? f2[r] + 1 : NULL, NODES - 1, h[r][0],
              lane_bits, &stream);
    end_row(rows, 100 * (r + 1));
  }
  for (int i = 0; i < 100; i++) {
    const int r = (int)random_stream_below(&stream, ROWS);
    const int64_t from = (int64_t)random_stream_below(&stream, NODES);
    int64_t count = 1 + (int64_t)random_stream_below(&stream, (uint64_t)(NODES - from));
    if (i % 4) count = count < 10000 ? count : 10000;
    special_rows_read(rows, 100 * (r + 1), FIRST + from, count,
                      (row_values){got_h, {i % 2 ? got_f : NULL, two && i % 3 ? got_f2 : NULL}});
    for (int64_t k = 0; k < count; k++) {
      cr_assert_eq(got_h[k], h[r][from + k], "match %d, gap %d %d, %d bits, seed %llu", match, first, ext,
                   lane_bits, (unsigned long long)seed);
      if (i % 2) cr_assert_eq(got_f[k], f[r][from + k]);
      if (two && i % 3) cr_assert_eq(got_f2[k], f2[r][from + k]);
    }
  }
  special_rows_free(rows);
}

static void check_scheme(int match, int first, int ext, int lane_bits, uint64_t seed) {
  check_pieces(match, first, ext, 0, 0, lane_bits, seed);
}

Test(special_rows, have_f_of_both_pieces) {
  for (int bits = 8; bits <= 32; bits *= 2) {
    check_pieces(1, 3, 2, 24, 1, bits, 7);
    check_pieces(2, 6, 2, 127, 0, bits, 8);                     /* F2 as far below H as 8 bits take */
    if (bits > 8) check_pieces(2, 6, 2, 32000, 0, bits, 9);     /* two bytes for F2's sake alone */
    if (bits > 16) check_pieces(2, 6, 2, 1000000, 1, bits, 10); /* four bytes, likewise */
  }
}

Test(special_rows, give_back_every_part_in_every_width) {
  for (int bits = 8; bits <= 32; bits *= 2) {
    check_scheme(1, 5, 2, bits, 1);                       /* one byte */
    check_scheme(5, 5, 5, bits, 2);                       /* one byte, F always at H - first */
    check_scheme(30, 38, 0, bits, 3);                     /* two bytes */
    if (bits > 8) check_scheme(100, 1000, 50, bits, 4);   /* two bytes, nearly full */
    if (bits > 8) check_scheme(300, 15800, 200, bits, 5); /* four bytes */
  }
  check_scheme(CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, 0, 32, 6);
}

/* (1) and (2) of scoring/lane_width.h for two neighbours. */
static void check_neighbours(int64_t left, int64_t right, const cla_scoring *scoring, int64_t largest,
                             const char *text) {
  const int64_t match = largest > 0 ? largest : 0;
  cr_assert_geq(right, left - scoring->gap_first, "%s", text);
  cr_assert_leq(right, left + match + scoring->gap_first, "%s", text); /* (M + e) + (o - e) */
}

/* Puts some segments of the matrix' last row and reads the whole row back. */
static void check_substitutes(uint64_t seed) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  bool there[700] = {false};
  random_pair pair;
  random_stream stream;
  score_table table;
  OWNED(reference_borders_free) reference_borders borders = {0};
  OWNED(reference_matrix_free) reference_matrix m = {0};
  special_rows *rows = NULL;
  random_pair_make(&pair, seed, 600);
  random_pair_text(&pair, text);
  random_stream_init(&stream, seed, 7);
  const bool local = pair.mode == CLA_MODE_LOCAL, two = gap_pieces(&pair.scoring) > 1;
  const int64_t last = pair.target_length, row = pair.query_length;
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_ok(reference_borders_make(&borders, row, last, &pair.scoring, path_ends_make(pair.mode, 0), &why));
  assert_ok(reference_fill(
      &m, &(pair_problem){pair.query, pair.target, row, last, {&pair.scoring, &table, {.floor = local}}},
      &borders, &why));
  for (int64_t j = 0; j <= last; j++) {
    h[0][j] = reference_at(&m, m.h, row, j);
    f[0][j] = h[0][j] - pair.scoring.gap_first;
    const int64_t longer = reference_at(&m, m.f[0], row, j) - pair.scoring.gap_ext;
    if (j > 0 && longer > f[0][j]) f[0][j] = longer;
    f2[0][j] = h[0][j] - pair.scoring.gap_first2;
    if (!two) continue;
    const int64_t longer2 = reference_at(&m, m.f[1], row, j) - pair.scoring.gap_ext2;
    if (j > 0 && longer2 > f2[0][j]) f2[0][j] = longer2;
  }
  const row_shape shape = {.column = FIRST,
                           .nodes = last + 1,
                           .largest_score = table.maximum,
                           .scoring = &pair.scoring,
                           .floor = local};
  assert_ok(special_rows_create(&rows, &shape, &why));
  int64_t from = (int64_t)random_stream_below(&stream, (uint64_t)last + 1), first_there = from,
          last_there = from;
  while (from <= last) {
    const int64_t to = from + 1 + (int64_t)random_stream_below(&stream, (uint64_t)(last + 1 - from));
    put_nodes(rows, 64, FIRST + from, h[0] + from, f[0] + from, two ? f2[0] + from : NULL, to - from,
              h[0][from > 0 ? from - 1 : 0], 32, &stream);
    for (int64_t j = from; j < to; j++) there[j] = true;
    last_there = to - 1;
    from = to + 1 + (int64_t)random_stream_below(&stream, 200);
  }
  end_row(rows, 64);
  for (int64_t begin = 0; begin <= last; begin += 1 + (int64_t)random_stream_below(&stream, 300)) {
    const int64_t count =
        begin == 0 ? last + 1 : 1 + (int64_t)random_stream_below(&stream, (uint64_t)(last + 1 - begin));
    special_rows_read(rows, 64, FIRST + begin, count,
                      (row_values){got_h + begin, {got_f + begin, two ? got_f2 + begin : NULL}});
    for (int64_t j = begin; j < begin + count; j++) {
      if (there[j]) {
        cr_assert(got_h[j] == h[0][j] && got_f[j] == f[0][j], "%s: node %lld", text, (long long)j);
      } else {
        cr_assert_leq(got_h[j], h[0][j], "%s: node %lld", text, (long long)j);
        cr_assert_leq(got_f[j], f[0][j], "%s: node %lld", text, (long long)j);
        cr_assert(!local || got_h[j] >= 0, "%s", text);
        cr_assert_eq(got_f[j], got_h[j] - pair.scoring.gap_first);
      }
      if (two && there[j]) cr_assert_eq(got_f2[j], f2[0][j], "%s: node %lld", text, (long long)j);
      if (two && !there[j]) cr_assert_eq(got_f2[j], got_h[j] - pair.scoring.gap_first2);
      if (j > begin) check_neighbours(got_h[j - 1], got_h[j], &pair.scoring, table.maximum, text);
    }
  }
  int64_t first = 0, end = 0, seen = 0, want = 0;
  for (int64_t j = 0; j <= last; j++) want += there[j];
  for (int64_t j = FIRST; special_rows_computed(rows, 64, j, &first, &end); j = end + 1) {
    cr_assert_geq(first, j);
    for (int64_t k = first; k <= end; k++) cr_assert(there[k - FIRST], "%s", text);
    seen += end - first + 1;
  }
  cr_assert_eq(seen, want, "%s", text);
  special_rows_hull(rows, 64, &first, &end);
  cr_assert_eq(end, FIRST + last_there);
  if (first_there > 0) cr_assert_eq(first, FIRST + first_there);
  special_rows_free(rows);
  random_pair_free(&pair);
}

Test(special_rows, stand_in_for_nodes_that_were_not_computed) {
  for (uint64_t seed = 1; seed <= 400; seed++) check_substitutes(seed);
}

Test(special_rows, leave_a_lone_border_node_out_of_the_hull) {
  special_rows *rows = NULL;
  const uint32_t values[2] = {5, 4};
  int64_t first = 0, last = 0;
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.column = 7, .nodes = 100, .largest_score = 1, .scoring = &scoring};
  assert_ok(special_rows_create(&rows, &shape, &why));
  region_row_part part = {.row = 64, .column = 7, .count = 1, .h = values, .f = {values}, .lane_bits = 32};
  assert_ok(special_rows_put(rows, &part, &why));
  special_rows_hull(rows, 64, &first, &last);
  cr_assert(first == 7 && last == 7);
  part.column = 30;
  part.count = 2;
  assert_ok(special_rows_put(rows, &part, &why));
  special_rows_hull(rows, 64, &first, &last);
  cr_assert(first == 30 && last == 31);
  special_rows_free(rows);
}

Test(special_rows, finds_the_last_row_above_and_drops_from_below) {
  special_rows *rows = NULL;
  const uint32_t lane_h[2] = {0, 1}, lane_f[2] = {(uint32_t)-5, (uint32_t)-4};
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.column = 7, .nodes = 2, .largest_score = 1, .scoring = &scoring};
  assert_ok(special_rows_create(&rows, &shape, &why));
  cr_assert_eq(special_rows_above(rows, 1000), -1);
  for (int64_t row = 64; row <= 256; row += 64) {
    const region_row_part part = {
        .row = row, .column = 7, .count = 2, .h = lane_h, .f = {lane_f}, .lane_bits = 32};
    assert_ok(special_rows_put(rows, &part, &why));
  }
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

static void put_two_nodes(special_rows *rows, int64_t row, uint32_t first) {
  const uint32_t lane_h[2] = {first, first + 1}, lane_f[2] = {first - 5, first - 4};
  const region_row_part part = {
      .row = row, .column = 7, .count = 2, .h = lane_h, .f = {lane_f}, .before = first, .lane_bits = 32};
  assert_ok(special_rows_put(rows, &part, &why));
}

Test(special_rows, take_the_place_of_others_and_stay_when_pinned) {
  special_rows *rows = NULL, *others = NULL;
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.column = 7, .nodes = 2, .largest_score = 1, .scoring = &scoring};
  assert_ok(special_rows_create(&rows, &shape, &why));
  assert_ok(special_rows_create(&others, &shape, &why));
  cr_expect_eq(special_rows_bytes(rows), 0);
  for (int64_t row = 64; row <= 192; row += 64) put_two_nodes(rows, row, 10);
  put_two_nodes(rows, 160, 10); /* between those that are taken: of what was there before */
  put_two_nodes(others, 128, 20);
  put_two_nodes(others, 192, 10);
  put_two_nodes(others, 256, 30);
  cr_expect_not(special_rows_same(rows, others, 128));
  cr_expect(special_rows_same(rows, others, 192));
  cr_expect_gt(special_rows_bytes(rows), 3 * 4);
  special_rows_pin(rows);
  special_rows_drop_from(rows, 64);
  cr_assert_eq(special_rows_count(rows), 4);
  put_two_nodes(others, 320, 40); /* of a block that is not whole */
  assert_ok(special_rows_take(rows, others, 65, 300, &why));
  cr_assert_eq(special_rows_count(others), 1);
  cr_expect_eq(special_rows_at(others, 0), 320);
  cr_assert_eq(special_rows_count(rows), 4);
  const int64_t want[4] = {10, 20, 10, 30};
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(special_rows_at(rows, i), 64 * (i + 1));
    special_rows_read(rows, 64 * (i + 1), 7, 2, (row_values){got_h, {got_f}});
    cr_expect(got_h[0] == want[i] && got_h[1] == want[i] + 1, "row %d", 64 * (i + 1));
    cr_expect(got_f[0] == want[i] - 5 && got_f[1] == want[i] - 4, "row %d", 64 * (i + 1));
  }
  special_rows_free(others);
  special_rows_free(rows);
}
