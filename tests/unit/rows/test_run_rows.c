#include <unistd.h>

#include "rows/row_file.h"
#include "rows/special_rows.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

/* The rows of a run directory: those on disk are those in memory, and no damage passes. */

static const sealed_kind kind = {.name = {'T', 'E', 'S', 'T'}, .key = {1, 2, 3}};

/* A row of two segments with values of its own. */
static void put_row(special_rows *rows, int64_t row, int64_t column, uint64_t seed) {
  enum { COUNT = 10000 };
  static uint16_t h[COUNT], f[COUNT];
  random_stream stream;
  random_stream_init(&stream, seed, 0);
  int64_t value = 1000000 * (int64_t)seed;
  for (int i = 0; i < COUNT; i++) {
    value += (int64_t)random_stream_below(&stream, 9) - 5;
    h[i] = (uint16_t)value;
    f[i] = (uint16_t)(value - 2 - (int64_t)random_stream_below(&stream, 4));
  }
  region_row_part part = {.row = row,
                          .column = column,
                          .count = COUNT / 2,
                          .before = 1000000 * (int64_t)seed,
                          .h = h,
                          .f = {f},
                          .lane_bits = 16};
  assert_ok(special_rows_put(rows, &part, &why));
  part.column += COUNT;
  assert_ok(special_rows_put(rows, &part, &why));
  part = (region_row_part){.row = row, .best_score = row, .best_row = row - 1, .best_column = 5};
  assert_ok(special_rows_put(rows, &part, &why));
}

static int notes;

static void count_note(const char *text, void *user) {
  (void)user;
  cr_assert(strstr(text, "special row"), "%s", text);
  notes++;
}

/* Compares all nodes of a row. */
static void compare_row(const special_rows *a, const special_rows *b, int64_t row, int64_t column,
                        int64_t nodes) {
  int64_t *values = malloc((size_t)(4 * nodes) * sizeof *values);
  special_rows_read(a, row, column, nodes, (row_values){values, {values + nodes}});
  special_rows_read(b, row, column, nodes, (row_values){values + 2 * nodes, {values + 3 * nodes}});
  cr_assert(memcmp(values, values + 2 * nodes, (size_t)(2 * nodes) * sizeof *values) == 0, "row %lld",
            (long long)row);
  free(values);
}

Test(run_rows, rows_on_disk_are_those_in_memory) {
  enum { COLUMN = 50, NODES = 20000, ROWS = 6 };
  char *folder = made_folder(), *path = made_path(folder, "row-000000000300.clr");
  special_rows *in_memory = NULL, *on_disk = NULL, *again = NULL;
  size_t length = 0;
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.column = COLUMN, .nodes = NODES, .largest_score = 1, .scoring = &scoring};
  const row_folder where = {.path = folder, .kind = kind, .note = count_note};
  assert_ok(special_rows_create(&in_memory, &shape, &why));
  assert_ok(special_rows_open(&on_disk, &shape, &where, &why));
  for (int i = 1; i <= ROWS; i++) {
    put_row(in_memory, 100 * i, COLUMN + i, (uint64_t)i);
    put_row(on_disk, 100 * i, COLUMN + i, (uint64_t)i);
  }
  assert_ok(special_rows_flush(on_disk, &why));
  cr_assert_eq(made_folder_entries(folder), ROWS);
  for (int64_t row = 1000; (row = special_rows_above(on_disk, row)) > 0;)
    compare_row(in_memory, on_disk, row, COLUMN, NODES);
  special_rows_free(on_disk);

  char *file = made_read(path, &length);
  file[length / 2] ^= 16;
  made_write(path, file, length);
  notes = 0;
  assert_ok(special_rows_open(&again, &shape, &where, &why));
  cr_assert_eq(notes, 1);
  int64_t seen = 0;
  for (int64_t row = 1000; (row = special_rows_above(again, row)) > 0; seen++) {
    cr_assert_neq(row, 300);
    cr_assert_eq(special_rows_find(again, row)->best_score, row);
    compare_row(in_memory, again, row, COLUMN, NODES);
    special_rows_stow(again, row);
    cr_assert_eq(special_rows_find(again, row)->best_row, row - 1);
  }
  cr_assert_eq(seen, ROWS - 1);
  /* One goes while the run goes on. */
  cr_assert_eq(special_rows_above(again, 1000), 600);
  special_rows_stow(again, 600);
  char *last = made_path(folder, "row-000000000600.clr");
  unlink(last);
  cr_assert_eq(special_rows_above(again, 1000), 500);
  cr_assert_eq(notes, 2);
  special_rows_free(again);
  special_rows_free(in_memory);
  free(last);
  free(file);
  free(path);
  made_folder_remove(folder);
}

/* Writes the row and reads it again. */
static cla_status row_again(const char *file_path, const kept_row *row, const row_shape *shape) {
  kept_row got = {.row = row->row};
  assert_ok(row_file_write(file_path, &kind, row, shape, &why));
  const cla_status status = row_file_read(&got, file_path, &kind, shape, true, &why);
  kept_row_free(&got);
  return status;
}

/* Sealed by a program that is wrong, or by hand: no sum of such values is to pass 63 bits, no cell to leave
 * the matrix. */
Test(run_rows, rows_that_cannot_be_are_refused) {
  enum { NODES = 5000, ROW = 9 };
  static uint16_t values[NODES];
  char *folder = made_folder(), *file_path = made_path(folder, "row");
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.nodes = NODES, .largest_score = 1, .scoring = &scoring};
  const region_row_part part = {.row = ROW, .count = NODES, .h = values, .f = {values}, .lane_bits = 16};
  kept_row row = {.row = ROW, .best_score = 7, .best_row = ROW, .best_column = NODES - 1};
  cr_assert_eq(kept_row_append(&row, &shape, &part, NULL), CLA_OK);
  cr_expect_eq(row_again(file_path, &row, &shape), CLA_OK);
  int64_t *const values_of_64_bits[] = {&row.segments[0].h, &row.chunks[0].anchors[1], &row.best_row,
                                        &row.best_column};
  const int64_t wrong[][4] = {{INT64_MIN, INT64_MIN, -1, -1}, {INT64_MAX, INT64_MAX, ROW + 1, NODES}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++) {
      const int64_t right = *values_of_64_bits[i];
      *values_of_64_bits[i] = wrong[j][i];
      cr_expect_eq(row_again(file_path, &row, &shape), CLA_ERROR_INPUT, "value %d, %d", i, j);
      *values_of_64_bits[i] = right;
    }
  row.best_score = INT64_MAX;
  cr_expect_eq(row_again(file_path, &row, &shape), CLA_ERROR_INPUT);
  kept_row_free(&row);
  free(file_path);
  made_folder_remove(folder);
}

Test(run_rows, a_row_that_cannot_be_written_is_an_error) {
  OWNED(free_memory) char *folder = made_folder(), *gone = made_path(folder, "gone");
  special_rows *rows = NULL;
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.nodes = 20000, .largest_score = 1, .scoring = &scoring};
  const row_folder where = {.path = gone, .kind = kind};
  cr_assert_eq(special_rows_open(&rows, &shape, &where, &why), CLA_ERROR_INPUT);
  cr_assert_null(rows);
  const row_folder there = {.path = folder, .kind = kind};
  assert_ok(special_rows_open(&rows, &shape, &there, &why));
  cr_assert_eq(rmdir(folder), 0);
  put_row(rows, 100, 1, 1);
  cr_assert_eq(special_rows_flush(rows, &why), CLA_ERROR_OUTPUT);
  cr_assert_eq(special_rows_put(rows, &(region_row_part){.row = 200}, &why), CLA_ERROR_OUTPUT);
  special_rows_free(rows);
}
