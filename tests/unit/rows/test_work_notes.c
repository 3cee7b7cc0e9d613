/* Notes of the work: bounded, and true, whatever the matrix. */

#include "rows/work_notes.h"

#include "result/alignment.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

static cla_work *finished(work_notes *notes) {
  cla_work *work = NULL;
  cr_assert_eq(work_notes_finish(&work, notes, NULL), CLA_OK);
  cr_assert_leq(work->band_count, CLA_WORK_BANDS_MOST);
  cr_assert_leq(work->special_row_count, CLA_WORK_ROWS_MOST);
  cr_assert_leq(work->crosspoint_count, CLA_WORK_CROSSPOINTS_MOST);
  work_notes_free(notes);
  return work;
}

static int64_t below(random_stream *random, int64_t limit) {
  return (int64_t)random_stream_below(random, (uint64_t)limit);
}

/* Every row of a strip lies in a band with its columns. A band has no more than the strips of its rows, and
 * of adjacent rows that a matrix of that size cannot tell apart. */
Test(work_notes, bands_hold_the_strips_and_no_more) {
  random_stream random;
  random_stream_init(&random, 21, 0);
  for (int i = 0; i < 200; i++) {
    const int64_t rows = 1 + below(&random, i % 2 ? 900 : 20000), columns = 1 + below(&random, 5000);
    const int64_t strip_rows = 1 + below(&random, 300);
    const int64_t together = (rows + CLA_WORK_BANDS_MOST - 1) / CLA_WORK_BANDS_MOST;
    const int64_t begin = below(&random, 2) ? 0 : below(&random, rows);
    OWNED(free_memory)
    int64_t *first = calloc((size_t)rows, sizeof *first), *last = calloc((size_t)rows, sizeof *last);
    int64_t cells = 0;
    work_notes *notes = NULL;
    cr_assert_eq(work_notes_create(&notes, rows, columns, NULL), CLA_OK);
    work_notes_begin(notes, begin);
    const int64_t end = begin + below(&random, rows - begin + 1);
    for (int64_t row = begin; row < end; row += strip_rows) {
      region_strip strip = {.row = row, .column = below(&random, columns)};
      strip.rows = row + strip_rows < rows ? strip_rows : rows - row;
      strip.columns = 1 + below(&random, columns - strip.column);
      work_notes_strip(notes, &strip, 0);
      cells += strip.rows * strip.columns;
      for (int64_t at = row; at < row + strip.rows; at++) {
        first[at] = strip.column;
        last[at] = strip.column + strip.columns;
      }
    }
    OWNED(free_memory) cla_work *work = finished(notes);
    cr_assert_eq(work->cells, cells);
    cr_assert_eq(work->unknown_rows, begin);
    for (int64_t row = begin; row < rows; row++) {
      const cla_work_band *band = work_record_band(work, row);
      const int64_t from = row / together * together, to = from + together < rows ? from + together : rows;
      int64_t hull_first = INT64_MAX, hull_last = 0;
      for (int64_t at = from; at < to; at++) {
        if (first[at] >= last[at]) continue;
        hull_first = first[at] < hull_first ? first[at] : hull_first;
        hull_last = last[at] > hull_last ? last[at] : hull_last;
      }
      cr_assert_eq(band != NULL, hull_first < hull_last, "row %lld", (long long)row);
      if (!band) continue;
      cr_assert_eq(band->column, hull_first);
      cr_assert_eq(band->column + band->columns, hull_last);
    }
  }
}

Test(work_notes, a_band_of_diagonals_has_its_cells) {
  random_stream random;
  random_stream_init(&random, 22, 0);
  for (int i = 0; i < 100; i++) {
    const int64_t rows = 1 + below(&random, 400), columns = 1 + below(&random, 400);
    const int64_t low = below(&random, 500) - 450, high = low + below(&random, 700);
    int64_t cells = 0;
    work_notes *notes = NULL;
    cr_assert_eq(work_notes_create(&notes, rows, columns, NULL), CLA_OK);
    work_notes_begin(notes, 0);
    work_notes_diagonals(notes, low, high);
    OWNED(free_memory) cla_work *work = finished(notes);
    for (int64_t row = 0; row < rows; row++)
      for (int64_t column = 0; column < columns; column++) {
        const cla_work_band *band = work_record_band(work, row);
        const bool inside = low <= column - row && column - row <= high;
        cells += inside;
        cr_assert_eq(inside, band && column >= band->column && column < band->column + band->columns);
      }
    cr_assert_eq(work->cells, cells);
  }
}

/* What levels leave: every cell of it, and little more. */
Test(work_notes, levels_have_the_diagonals_that_they_leave) {
  random_stream random;
  random_stream_init(&random, 23, 0);
  const cla_bound_level said[] = {{.left = 0.5}, {.size = CLA_LEVEL_FINE, .edits = true, .left = 0.25}};
  for (int i = 0; i < 100; i++) {
    const int64_t rows = 1 + below(&random, i % 2 ? 900 : 5000), columns = 1 + below(&random, 400);
    const int64_t chunk = 1 + below(&random, 200);
    const int64_t together = (rows + CLA_WORK_BANDS_MOST - 1) / CLA_WORK_BANDS_MOST;
    work_notes *notes = NULL;
    OWNED(free_memory) int64_t *diagonals = calloc(4 * (size_t)rows, sizeof *diagonals);
    cr_assert_eq(work_notes_create(&notes, rows, columns, NULL), CLA_OK);
    work_notes_begin(notes, 0);
    for (int number = 0; number < 2; number++)
      for (int64_t row = 0; row < rows; row += chunk) {
        work_level_part part = {
            .level = &said[number], .number = number, .row = row, .low = below(&random, 40)};
        part.rows = row + chunk < rows ? chunk : rows - row;
        part.high = part.low + below(&random, 60);
        part.low -= row;
        part.high -= row;
        work_notes_level(notes, &part);
        for (int64_t at = row; at < row + part.rows; at++) {
          diagonals[4 * at + 2 * number] = part.low;
          diagonals[4 * at + 2 * number + 1] = part.high;
        }
      }
    OWNED(free_memory) cla_work *work = finished(notes);
    cr_assert_eq(work->level_count, 2);
    cr_assert_eq(work->levels[1].size, CLA_LEVEL_FINE);
    cr_assert(work->levels[1].edits && !work->levels[0].edits);
    cr_assert_eq(work->levels[1].cells, (int64_t)(0.25 * (double)rows * (double)columns));
    expect_sound_work(work, rows, columns);
    const cla_work_band *bands = work->level_bands;
    for (int number = 0; number < 2; number++) {
      for (int64_t k = 0; k < work->levels[number].band_count; k++)
        for (int64_t row = bands[k].row; row < bands[k].row + bands[k].rows; row++) {
          const int64_t low = row + diagonals[4 * row + 2 * number],
                        high = row + diagonals[4 * row + 2 * number + 1] + 1;
          if (low >= columns) continue;
          cr_assert_leq(bands[k].column, low > 0 ? low : 0);
          cr_assert_geq(bands[k].column + bands[k].columns, high < columns ? high : columns);
          if (together == 1) cr_assert_eq(bands[k].column, low > 0 ? low : 0);
        }
      bands += work->levels[number].band_count;
    }
  }
}

Test(work_notes, levels_that_are_dropped_are_not_there) {
  const cla_bound_level said = {.left = 1};
  work_notes *notes = NULL;
  cr_assert_eq(work_notes_create(&notes, 10, 10, NULL), CLA_OK);
  work_notes_level(notes, &(work_level_part){.level = &said, .rows = 10, .high = 5});
  work_notes_drop_levels(notes);
  OWNED(free_memory) cla_work *work = finished(notes);
  cr_expect_eq(work->level_count, 0);
  cr_expect_eq(work->level_band_count, 0);
}

/* Of more crosspoints than there is room for, every n-th is kept, n a power of two. */
Test(work_notes, crosspoints_are_thinned_out_evenly) {
  static const int64_t counts[] = {0,    1,     CLA_WORK_CROSSPOINTS_MOST, CLA_WORK_CROSSPOINTS_MOST + 1,
                                   9999, 100000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    work_notes *notes = NULL;
    cr_assert_eq(work_notes_create(&notes, 200000, 400000, NULL), CLA_OK);
    for (int64_t point = counts[i]; point > 0; point--) work_notes_crosspoint(notes, point, 2 * point);
    OWNED(free_memory) cla_work *work = finished(notes);
    cr_assert_eq(work->crosspoints_met, counts[i]);
    int64_t step = 1;
    while ((counts[i] + step - 1) / step > CLA_WORK_CROSSPOINTS_MOST) step *= 2;
    cr_assert_eq(work->crosspoint_count, (size_t)((counts[i] + step - 1) / step));
    for (size_t k = 0; k < work->crosspoint_count; k++) {
      cr_assert_eq(work->crosspoints[k].column, 2 * work->crosspoints[k].row);
      if (k > 0) cr_assert_eq(work->crosspoints[k].row - work->crosspoints[k - 1].row, step);
    }
  }
}

Test(work_notes, special_rows_are_those_with_something_in_them) {
  cla_scoring scoring = default_scoring();
  const row_shape shape = {.nodes = 11, .largest_score = 1, .scoring = &scoring};
  for (int64_t count = 1; count < 6000; count = count * 5 / 2 + 1) {
    special_rows *kept = NULL;
    work_notes *notes = NULL;
    cr_assert_eq(special_rows_create(&kept, &shape, NULL), CLA_OK);
    for (int64_t i = 1; i <= count; i++) {
      const region_row_part end = {.row = 3 * i};
      cr_assert_eq(special_rows_put(kept, &end, NULL), CLA_OK);
    }
    cr_assert_eq(special_rows_count(kept), count);
    /* The last third of the matrix was passed over. */
    cr_assert_eq(work_notes_create(&notes, 3 * count, 10, NULL), CLA_OK);
    work_notes_begin(notes, 0);
    const int64_t computed = (2 * count + 2) / 3;
    work_notes_strip(notes, &(region_strip){.rows = 3 * computed, .columns = 10}, 0);
    work_notes_rows(notes, kept);
    OWNED(free_memory) cla_work *work = finished(notes);
    /* Rows in the band in which the strip ends count, too. */
    cr_assert(work->special_rows_kept >= computed && work->special_rows_kept <= computed + 6);
    if (work->special_rows_kept <= CLA_WORK_ROWS_MOST)
      cr_assert_eq((int64_t)work->special_row_count, work->special_rows_kept);
    cr_assert_geq((int64_t)work->special_row_count * 2,
                  computed < CLA_WORK_ROWS_MOST ? computed : CLA_WORK_ROWS_MOST);
    for (size_t i = 0; i < work->special_row_count; i++) {
      cr_assert_eq(work->special_rows[i] % 3, 0);
      if (i > 0) cr_assert_gt(work->special_rows[i], work->special_rows[i - 1]);
    }
    special_rows_free(kept);
  }
}
