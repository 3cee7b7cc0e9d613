#include "store/work_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "result/alignment.h"

/* Columns [first, last) of the rows of one band; none if first >= last. */
typedef struct band_columns {
  int64_t first, last;
} band_columns;

struct work_notes {
  int64_t rows, columns, band_rows;
  int64_t unknown_rows, cells;
  band_columns
      bands[CLA_WORK_BANDS_MOST]; /* of band_rows rows each, the first from the matrix' first row on */
  int64_t rows_kept, row_count;
  int64_t special_rows[CLA_WORK_ROWS_MOST];
  int64_t crosspoints_met, crosspoint_count;
  int64_t crosspoint_step;                               /* one of so many is kept */
  cla_crosspoint crosspoints[CLA_WORK_CROSSPOINTS_MOST]; /* descending */
};

cla_status work_notes_create(work_notes **out, int64_t rows, int64_t columns, cla_error *error) {
  cla_status status = allocate_zeros((void **)out, 1, sizeof **out, "notes of the work", error);
  if (status != CLA_OK) return status;
  work_notes *notes = *out;
  notes->rows = notes->unknown_rows = rows;
  notes->columns = columns;
  notes->band_rows = (rows + CLA_WORK_BANDS_MOST - 1) / CLA_WORK_BANDS_MOST;
  if (notes->band_rows == 0) notes->band_rows = 1;
  notes->crosspoint_step = 1;
  for (int64_t i = 0; i < CLA_WORK_BANDS_MOST; i++) notes->bands[i].first = INT64_MAX;
  return CLA_OK;
}

void work_notes_free(work_notes *notes) {
  free(notes);
}

void work_notes_begin(work_notes *notes, int64_t row) {
  if (notes) notes->unknown_rows = row;
}

static void cover(work_notes *notes, const region_strip *strip) {
  if (strip->rows <= 0 || strip->columns <= 0) return;
  const int64_t last = (strip->row + strip->rows - 1) / notes->band_rows;
  for (int64_t i = strip->row / notes->band_rows; i <= last; i++) {
    band_columns *band = &notes->bands[i];
    band->first = smaller(band->first, strip->column);
    band->last = larger(band->last, strip->column + strip->columns);
  }
}

void work_notes_strip(work_notes *notes, const region_strip *strip, int64_t above) {
  region_strip moved = *strip;
  if (!notes) return;
  moved.row += above;
  cover(notes, &moved);
  notes->cells += strip->rows * strip->columns;
}

void work_notes_diagonals(work_notes *notes, int64_t low, int64_t high) {
  if (!notes) return;
  for (int64_t row = 0; row < notes->rows; row++) {
    const int64_t first = larger(row + low, 0), last = smaller(row + high + 1, notes->columns);
    if (first >= last) continue;
    cover(notes, &(region_strip){.row = row, .rows = 1, .column = first, .columns = last - first});
    notes->cells += last - first;
  }
}

/* Whether something was computed in the band of this row of cells, or may have been. */
static bool is_computed(const work_notes *notes, int64_t row) {
  const band_columns *band = &notes->bands[row / notes->band_rows];
  return row < notes->unknown_rows || band->first < band->last;
}

void work_notes_rows(work_notes *notes, const special_rows *kept) {
  if (!notes || !kept) return;
  const int64_t count = special_rows_count(kept);
  for (int64_t i = 0; i < count; i++) notes->rows_kept += is_computed(notes, special_rows_at(kept, i) - 1);
  /* One of so many, the first of them in the middle. */
  const int64_t step = (notes->rows_kept + CLA_WORK_ROWS_MOST - 1) / CLA_WORK_ROWS_MOST;
  int64_t number = 0;
  for (int64_t i = 0; i < count; i++) {
    const int64_t row = special_rows_at(kept, i);
    if (is_computed(notes, row - 1) && number++ % step == step / 2)
      notes->special_rows[notes->row_count++] = row;
  }
}

void work_notes_crosspoint(work_notes *notes, int64_t row, int64_t column) {
  if (!notes) return;
  if (notes->crosspoints_met++ % notes->crosspoint_step > 0) return;
  if (notes->crosspoint_count == CLA_WORK_CROSSPOINTS_MOST) {
    for (int64_t i = 0; i < CLA_WORK_CROSSPOINTS_MOST / 2; i++)
      notes->crosspoints[i] = notes->crosspoints[2 * i];
    notes->crosspoint_count /= 2;
    notes->crosspoint_step *= 2;
  }
  notes->crosspoints[notes->crosspoint_count++] = (cla_crosspoint){.row = row, .column = column};
}

/* The band of rows [row, row + rows), joined to the one before where they are the same. */
static void add_band(cla_work *work, int64_t row, int64_t rows, const band_columns *columns) {
  const bool any = columns->first < columns->last;
  const int64_t column = any ? columns->first : 0, count = any ? columns->last - columns->first : 0;
  if (work->band_count > 0) {
    cla_work_band *before = &work->bands[work->band_count - 1];
    if (before->column == column && before->columns == count) {
      before->rows += rows;
      return;
    }
  }
  work->bands[work->band_count++] =
      (cla_work_band){.row = row, .rows = rows, .column = column, .columns = count};
}

cla_status work_notes_finish(cla_work **out, const work_notes *notes, cla_error *error) {
  *out = NULL;
  if (!notes) return CLA_OK;
  cla_status status =
      work_record_create(out, CLA_WORK_BANDS_MOST, notes->row_count, notes->crosspoint_count, error);
  if (status != CLA_OK) return status;
  cla_work *work = *out;
  work->unknown_rows = notes->unknown_rows;
  work->cells = notes->cells;
  for (int64_t row = notes->unknown_rows; row < notes->rows;) {
    const int64_t band = row / notes->band_rows;
    const int64_t after = smaller((band + 1) * notes->band_rows, notes->rows);
    add_band(work, row, after - row, &notes->bands[band]);
    row = after;
  }
  while (work->band_count > 0 && work->bands[work->band_count - 1].columns == 0) work->band_count--;
  work->special_rows_kept = notes->rows_kept;
  work->special_row_count = (size_t)notes->row_count;
  memcpy(work->special_rows, notes->special_rows, work->special_row_count * sizeof *work->special_rows);
  work->crosspoints_met = notes->crosspoints_met;
  work->crosspoint_count = (size_t)notes->crosspoint_count;
  for (size_t i = 0; i < work->crosspoint_count; i++)
    work->crosspoints[i] = notes->crosspoints[work->crosspoint_count - 1 - i];
  return CLA_OK;
}
