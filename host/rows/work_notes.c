#include "rows/work_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "result/alignment.h"

/* Columns [first, last) in the rows of one band; none if first >= last. */
typedef struct band_columns {
  int64_t first, last;
} band_columns;

/* Notes of one level of the bounds. */
typedef struct level_notes {
  cla_work_level level;
  band_columns bands[CLA_WORK_BANDS_MOST];
} level_notes;

struct work_notes {
  int64_t rows, columns, band_rows;
  int64_t unknown_rows, cells;
  band_columns bands[CLA_WORK_BANDS_MOST]; /* bands of band_rows rows each, from the first row on */
  int64_t rows_kept, row_count;
  int64_t special_rows[CLA_WORK_ROWS_MOST];
  int64_t crosspoints_met, crosspoint_count;
  int64_t crosspoint_step;                               /* every crosspoint_step-th crosspoint is kept */
  cla_crosspoint crosspoints[CLA_WORK_CROSSPOINTS_MOST]; /* descending */
  int64_t level_count;
  level_notes levels[CLA_LEVELS_MOST];
};

cla_status work_notes_create(work_notes **out, int64_t rows, int64_t columns, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "notes of the work", error);
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

void work_notes_level(work_notes *notes, const work_level_part *part) {
  if (!notes) return;
  level_notes *to = &notes->levels[part->number];
  if (part->number == notes->level_count) {
    notes->level_count++;
    to->level = (cla_work_level){
        .size = part->level->size,
        .edits = part->level->edits,
        .cells = (int64_t)(part->level->left * (double)notes->rows * (double)notes->columns)};
    for (int64_t i = 0; i < CLA_WORK_BANDS_MOST; i++) to->bands[i] = (band_columns){.first = INT64_MAX};
  }
  const int64_t end = part->row + part->rows;
  for (int64_t row = part->row, after; row < end; row = after) {
    const int64_t number = row / notes->band_rows;
    band_columns *band = &to->bands[number];
    after = smaller((number + 1) * notes->band_rows, end);
    const int64_t first = larger(row + part->low, 0), last = smaller(after + part->high, notes->columns);
    if (first >= last) continue;
    band->first = smaller(band->first, first);
    band->last = larger(band->last, last);
  }
}

void work_notes_drop_levels(work_notes *notes) {
  if (notes) notes->level_count = 0;
}

/* True if cells were, or may have been, computed in the band of the row. */
static bool is_computed(const work_notes *notes, int64_t row) {
  const band_columns *band = &notes->bands[row / notes->band_rows];
  return row < notes->unknown_rows || band->first < band->last;
}

void work_notes_rows(work_notes *notes, const special_rows *kept) {
  if (!notes || !kept) return;
  const int64_t count = special_rows_count(kept);
  for (int64_t i = 0; i < count; i++) notes->rows_kept += is_computed(notes, special_rows_at(kept, i) - 1);
  /* Every `step`-th row is noted; the first noted row is the middle of the first `step` rows. */
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

/* Writes the bands from `row` on. Equal neighbouring bands are joined, and empty bands at the end are left
 * out. Returns the number of bands. */
static int64_t put_bands(cla_work_band *out, const work_notes *notes, const band_columns *bands,
                         int64_t row) {
  int64_t count = 0, after;
  for (; row < notes->rows; row = after) {
    const band_columns *of = &bands[row / notes->band_rows];
    after = smaller((row / notes->band_rows + 1) * notes->band_rows, notes->rows);
    const bool any = of->first < of->last;
    const cla_work_band band = {.row = row,
                                .rows = after - row,
                                .column = any ? of->first : 0,
                                .columns = any ? of->last - of->first : 0};
    cla_work_band *before = &out[count - 1];
    if (count > 0 && before->column == band.column && before->columns == band.columns)
      before->rows += band.rows;
    else
      out[count++] = band;
  }
  while (count > 0 && out[count - 1].columns == 0) count--;
  return count;
}

static void put_levels(cla_work *work, const work_notes *notes) {
  for (int64_t i = 0; i < notes->level_count; i++) {
    cla_work_level *level = &work->levels[work->level_count++];
    *level = notes->levels[i].level;
    level->band_count =
        put_bands(work->level_bands + work->level_band_count, notes, notes->levels[i].bands, 0);
    work->level_band_count += (size_t)level->band_count;
  }
}

cla_status work_notes_finish(cla_work **out, const work_notes *notes, cla_error *error) {
  *out = NULL;
  if (!notes) return CLA_OK;
  const work_room room = {.bands = CLA_WORK_BANDS_MOST,
                          .special_rows = notes->row_count,
                          .crosspoints = notes->crosspoint_count,
                          .levels = notes->level_count,
                          .level_bands = notes->level_count * CLA_WORK_BANDS_MOST};
  cla_status status = work_record_create(out, &room, error);
  if (status != CLA_OK) return status;
  cla_work *work = *out;
  work->unknown_rows = notes->unknown_rows;
  work->cells = notes->cells;
  work->band_count = (size_t)put_bands(work->bands, notes, notes->bands, notes->unknown_rows);
  put_levels(work, notes);
  work->special_rows_kept = notes->rows_kept;
  work->special_row_count = (size_t)notes->row_count;
  memcpy(work->special_rows, notes->special_rows, work->special_row_count * sizeof *work->special_rows);
  work->crosspoints_met = notes->crosspoints_met;
  work->crosspoint_count = (size_t)notes->crosspoint_count;
  for (size_t i = 0; i < work->crosspoint_count; i++)
    work->crosspoints[i] = notes->crosspoints[work->crosspoint_count - 1 - i];
  return CLA_OK;
}
