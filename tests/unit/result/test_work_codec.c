/* The record of the work as bytes: what was put is taken, and nothing that is damaged. */

#include "result/alignment_codec.h"

#include "result/alignment.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

static int64_t below(random_stream *random, int64_t limit) {
  return limit > 0 ? (int64_t)random_stream_below(random, (uint64_t)limit) : 0;
}

/* What one more level leaves. */
static void add_level(random_stream *random, cla_work *work, int64_t rows, int64_t columns, bool full) {
  cla_work_level *level = &work->levels[work->level_count++];
  const int64_t most = full ? CLA_WORK_BANDS_MOST : below(random, 6);
  *level = (cla_work_level){.size = (cla_level_size)below(random, 3),
                            .edits = below(random, 2),
                            .cells = below(random, rows * columns + 1)};
  for (int64_t row = 0; level->band_count < most && row < rows; level->band_count++) {
    cla_work_band *band = &work->level_bands[work->level_band_count++];
    band->row = row;
    band->rows = 1 + below(random, full ? 2 : rows - row);
    band->columns = below(random, columns + 1);
    band->column = band->columns > 0 ? below(random, columns - band->columns + 1) : 0;
    row += band->rows;
  }
}

/* A record of a matrix of so many rows and columns. */
static cla_work *make(random_stream *random, int64_t rows, int64_t columns, bool full) {
  cla_work *work = NULL;
  cr_assert_eq(work_record_create(&work, &work_room_most, NULL), CLA_OK);
  const size_t bands = full ? CLA_WORK_BANDS_MOST : (size_t)below(random, 6);
  const size_t special = full ? CLA_WORK_ROWS_MOST : (size_t)below(random, 6);
  const size_t points = full ? CLA_WORK_CROSSPOINTS_MOST : (size_t)below(random, 6);
  int64_t row = work->unknown_rows = below(random, 3) ? 0 : below(random, rows + 1);
  while (work->band_count < bands && row < rows) {
    cla_work_band *band = &work->bands[work->band_count++];
    band->row = row;
    band->rows = 1 + below(random, full ? 2 : rows - row);
    band->columns = below(random, columns + 1);
    band->column = band->columns > 0 ? below(random, columns - band->columns + 1) : 0;
    row += band->rows;
    work->cells += below(random, band->rows * band->columns + 1);
  }
  for (row = 0; work->special_row_count < special && row < rows;) {
    row += 1 + below(random, full ? 2 : rows - row);
    work->special_rows[work->special_row_count++] = row;
  }
  cla_crosspoint at = {0};
  while (work->crosspoint_count < points) {
    at.row += below(random, full ? 2 : rows - at.row + 1);
    at.column += below(random, full ? 2 : columns - at.column + 1);
    work->crosspoints[work->crosspoint_count++] = at;
  }
  for (int64_t levels = full ? CLA_LEVELS_MOST : below(random, 4); levels > 0; levels--)
    add_level(random, work, rows, columns, full);
  work->special_rows_kept = (int64_t)work->special_row_count + below(random, 1000);
  work->crosspoints_met = (int64_t)work->crosspoint_count + below(random, 1000);
  return work;
}

static void expect_same(const cla_work *a, const cla_work *b) {
  cr_assert_eq(a->unknown_rows, b->unknown_rows);
  cr_assert_eq(a->cells, b->cells);
  cr_assert_eq(a->band_count, b->band_count);
  cr_assert_eq(a->special_rows_kept, b->special_rows_kept);
  cr_assert_eq(a->special_row_count, b->special_row_count);
  cr_assert_eq(a->crosspoints_met, b->crosspoints_met);
  cr_assert_eq(a->crosspoint_count, b->crosspoint_count);
  cr_assert_eq(memcmp(a->bands, b->bands, a->band_count * sizeof *a->bands), 0);
  cr_assert_eq(memcmp(a->special_rows, b->special_rows, a->special_row_count * sizeof *a->special_rows), 0);
  cr_assert_eq(memcmp(a->crosspoints, b->crosspoints, a->crosspoint_count * sizeof *a->crosspoints), 0);
  cr_assert_eq(a->level_count, b->level_count);
  for (size_t i = 0; i < a->level_count; i++)
    cr_assert(a->levels[i].size == b->levels[i].size && a->levels[i].edits == b->levels[i].edits &&
              a->levels[i].cells == b->levels[i].cells && a->levels[i].band_count == b->levels[i].band_count);
  cr_assert_eq(a->level_band_count, b->level_band_count);
  cr_assert_eq(memcmp(a->level_bands, b->level_bands, a->level_band_count * sizeof *a->level_bands), 0);
}

/* Takes a record from bytes of a heap block of just that size. */
static cla_work *take(const uint8_t *bytes, int64_t length, int form, const matrix_size *size,
                      int64_t *left) {
  cla_work *work = NULL;
  uint8_t *copy = malloc((size_t)length + (length == 0));
  if (length > 0) memcpy(copy, bytes, (size_t)length);
  byte_source source = {.at = copy, .end = copy + length};
  cr_assert_eq(work_codec_take(&work, &source, form, size, NULL), CLA_OK);
  *left = byte_source_left(&source);
  free(copy);
  return work;
}

Test(work_codec, gives_back_what_was_put) {
  random_stream random;
  random_stream_init(&random, 11, 0);
  for (int i = 0; i < 500; i++) {
    const bool full = i % 50 == 0;
    const int64_t rows = full ? 100000 : 1 + below(&random, 1000),
                  columns = full ? 100000 : 1 + below(&random, 1000);
    OWNED(free_memory) cla_work *work = make(&random, rows, columns, full);
    const matrix_size size = {rows, columns};
    const int form = work_codec_form(work);
    byte_sink sink = {0};
    int64_t left = 0;
    cr_assert_eq(form, work->level_count > 0 ? 2 : 1);
    work_codec_put(&sink, work);
    cr_assert_eq(sink.status, CLA_OK);
    cla_work *taken = take(sink.bytes, sink.length, form, &size, &left);
    cr_assert_not_null(taken);
    cr_assert_eq(left, 0);
    expect_same(work, taken);
    free(taken);
    /* No part of it is a record, and none of a smaller matrix that it leaves. */
    for (int64_t length = full ? sink.length - 5 : 0; length < sink.length; length++)
      cr_assert_null(take(sink.bytes, length, form, &size, &left));
    free(sink.bytes);
  }
}

Test(work_codec, takes_nothing_that_is_not_sound) {
  random_stream random;
  random_stream_init(&random, 12, 0);
  int taken_count = 0, refused = 0;
  for (int i = 0; i < 20000; i++) {
    OWNED(free_memory) cla_work *work = make(&random, 200, 300, false);
    byte_sink sink = {0};
    int64_t left = 0;
    work_codec_put(&sink, work);
    for (int64_t changes = 1 + below(&random, 3); changes > 0; changes--)
      sink.bytes[below(&random, sink.length)] = (uint8_t)below(&random, below(&random, 2) ? 8 : 256);
    cla_work *taken = take(sink.bytes, sink.length, work_codec_form(work), &(matrix_size){200, 300}, &left);
    if (taken) expect_sound_work(taken, 200, 300);
    taken_count += taken != NULL;
    refused += taken == NULL;
    free(taken);
    free(sink.bytes);
  }
  cr_expect_gt(taken_count, 100);
  cr_expect_gt(refused, 100);
}

Test(work_codec, counts_cannot_ask_for_memory) {
  static const int64_t counts[] = {CLA_WORK_BANDS_MOST + 1, INT64_MAX, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int which = 0; which < 5; which++) {
      byte_sink sink = {0};
      int64_t left = 0;
      byte_sink_put_unsigned(&sink, 0); /* unknown rows, then cells */
      byte_sink_put_unsigned(&sink, 0);
      byte_sink_put_unsigned(&sink, which == 0 ? (uint64_t)counts[i] : 0);
      byte_sink_put_unsigned(&sink, which == 1 ? (uint64_t)counts[i] : 0);
      byte_sink_put_unsigned(&sink, which == 1 ? (uint64_t)counts[i] : 0);
      byte_sink_put_unsigned(&sink, which == 2 ? (uint64_t)counts[i] : 0);
      byte_sink_put_unsigned(&sink, which == 2 ? (uint64_t)counts[i] : 0);
      byte_sink_put_unsigned(&sink, which == 3 ? (uint64_t)counts[i] : which == 4); /* levels, their bands */
      byte_sink_put_unsigned(&sink, which == 4 ? (uint64_t)counts[i] : 0);
      const matrix_size size = {INT64_MAX, INT64_MAX};
      for (int form = WORK_CODEC_FORM; form <= WORK_CODEC_LEVELS; form++)
        if (which < 3 || form == WORK_CODEC_LEVELS)
          cr_expect_null(take(sink.bytes, sink.length, form, &size, &left));
      free(sink.bytes);
    }
}

Test(work_record, finds_the_band_of_a_row) {
  random_stream random;
  random_stream_init(&random, 13, 0);
  for (int i = 0; i < 500; i++) {
    OWNED(free_memory) cla_work *work = make(&random, 60, 50, false);
    for (int64_t row = 0; row < 60; row++) {
      const cla_work_band *want = NULL;
      for (size_t k = 0; k < work->band_count; k++)
        if (row >= work->bands[k].row && row < work->bands[k].row + work->bands[k].rows &&
            work->bands[k].columns > 0)
          want = &work->bands[k];
      cr_assert_eq(work_record_band(work, row), want);
    }
  }
}

Test(work_record, copies_are_the_same_in_just_so_many_bytes) {
  random_stream random;
  random_stream_init(&random, 14, 0);
  for (int i = 0; i < 200; i++) {
    cla_work *work = make(&random, 500, 400, false);
    OWNED(free_memory) void *memory = malloc((size_t)work_record_bytes(work));
    cla_work *copy = work_record_copy(memory, work);
    expect_same(copy, work);
    cr_assert_neq(copy->bands, work->bands);
    free(work);
    expect_sound_work(copy, 500, 400);
  }
}
