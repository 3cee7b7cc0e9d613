/* The used pairs of a rectangle against a table of all cells. */

#include "ranks/ranks_internal.h"
#include "scoring/used_pairs.h"
#include "seq/random_stream.h"
#include "support/test.h"

#define SIZE 60

typedef struct fixture {
  bool cells[SIZE + 1][SIZE + 1];
  used_pairs *used;
} fixture;

static void add_random_path(fixture *x, random_stream *stream) {
  cla_run runs[SIZE];
  size_t count = 0;
  const int64_t top = (int64_t)random_stream_below(stream, SIZE),
                left = (int64_t)random_stream_below(stream, SIZE);
  int64_t row = top, column = left;
  for (int before = -1; row < SIZE && column < SIZE && count < SIZE;) {
    const int kind = (int)random_stream_below(stream, 3);
    const int64_t length = 1 + (int64_t)random_stream_below(stream, 9);
    if (kind == before) continue;
    if (kind != CLA_RUN_TARGET && row + length > SIZE) break;
    if (kind != CLA_RUN_QUERY && column + length > SIZE) break;
    runs[count++] = (cla_run){.length = length, .kind = (cla_run_kind)kind};
    for (int64_t k = 1; kind == CLA_RUN_PAIR && k <= length; k++) x->cells[row + k][column + k] = true;
    if (kind != CLA_RUN_TARGET) row += length;
    if (kind != CLA_RUN_QUERY) column += length;
    before = kind;
  }
  assert_ok(used_pairs_add(x->used, top, left, runs, count, &why));
}

static void check_rectangle(const fixture *x, const int64_t edges[4]) {
  bool found[SIZE + 1][SIZE + 1] = {{false}};
  used_run run;
  used_walk walk = used_walk_begin(x->used, edges[0], edges[1], edges[2], edges[3]);
  while (used_walk_next(&walk, &run)) {
    cr_assert_gt(run.length, 0);
    for (int64_t k = 0; k < run.length; k++) {
      cr_assert(run.row + k >= edges[0] && run.row + k <= edges[1]);
      cr_assert(run.column + k >= edges[2] && run.column + k <= edges[3]);
      found[run.row + k][run.column + k] = true;
    }
  }
  for (int64_t i = edges[0]; i <= edges[1]; i++)
    for (int64_t j = edges[2]; j <= edges[3]; j++)
      cr_assert_eq(found[i][j], x->cells[i][j], "cell (%lld, %lld)", (long long)i, (long long)j);
}

/* The cells of each path, by lines and by rows, against the table. */
static void check_lines(const fixture *x) {
  bool found[2][SIZE + 1][SIZE + 1] = {{{false}}};
  for (int p = 0; p < used_pairs_paths(x->used); p++) {
    for (int64_t line = 2; line <= 2 * SIZE; line++) {
      const int64_t row = used_pairs_on_line(x->used, p, line);
      if (row > 0) found[0][row][line - row] = true;
    }
    int64_t first = 0, last = 0, seen_first = 0, seen_last = 0;
    for (int64_t row = 1; row <= SIZE; row++) {
      const int64_t column = used_pairs_in_row(x->used, p, row);
      if (column == 0) continue;
      found[1][row][column] = true;
      if (seen_first == 0) seen_first = row;
      seen_last = row;
    }
    cr_assert_eq(used_pairs_rows(x->used, p, &first, &last), seen_first > 0);
    cr_assert(first == seen_first && last == seen_last, "path %d", p);
  }
  for (int64_t row = 1; row <= SIZE; row++)
    for (int64_t column = 1; column <= SIZE; column++)
      cr_assert_eq(used_pairs_has(x->used, row, column), x->cells[row][column]);
  cr_assert_arr_eq(found[0], x->cells, sizeof x->cells);
  cr_assert_arr_eq(found[1], x->cells, sizeof x->cells);
}

/* Goes on with the pairs as another rank reads them. What is cut short is refused. */
static void send(fixture *x) {
  rank_writer sent = {.bytes = NULL};
  used_pairs *read = NULL;
  assert_ok(used_pairs_write(&sent, x->used, &why));
  for (int64_t length = 0; length < sent.length; length += 5) {
    rank_reader from = {sent.bytes, length};
    assert_error(used_pairs_read(&read, &from, &why), CLA_ERROR_DEVICE, "between ranks is damaged");
    cr_assert_null(read);
  }
  rank_reader from = {sent.bytes, sent.length};
  assert_ok(used_pairs_read(&read, &from, &why));
  cr_assert_eq(from.left, 0);
  cr_assert_eq(used_pairs_paths(read), used_pairs_paths(x->used));
  free(sent.bytes);
  used_pairs_free(x->used);
  x->used = read;
}

Test(used_pairs, of_a_rectangle_are_all_found) {
  for (uint64_t seed = 1; seed <= 100; seed++) {
    random_stream stream;
    fixture x = {.used = NULL};
    random_stream_init(&stream, seed, 1);
    assert_ok(used_pairs_create(&x.used, &why));
    const int paths = (int)random_stream_below(&stream, 5);
    for (int i = 0; i < paths; i++) add_random_path(&x, &stream);
    cr_assert_eq(used_pairs_paths(x.used), paths);
    check_lines(&x);
    send(&x);
    for (int i = 0; i < 30; i++) {
      int64_t edges[4];
      for (int k = 0; k < 4; k++) edges[k] = 1 + (int64_t)random_stream_below(&stream, SIZE);
      check_rectangle(&x, edges); /* some are empty */
    }
    used_pairs_free(x.used);
  }
}

Test(used_pairs, there_may_be_none) {
  used_run run;
  used_walk walk = used_walk_begin(NULL, 1, 10, 1, 10);
  cr_expect_not(used_walk_next(&walk, &run));
  cr_expect_eq(used_pairs_paths(NULL), 0);
  used_pairs_free(NULL);
}
