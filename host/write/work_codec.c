#include "write/work_codec.h"

#include <stdlib.h>

#include "base/extremes.h"
#include "result/alignment.h"

void work_codec_put(byte_sink *sink, const cla_work *work) {
  byte_sink_put_unsigned(sink, (uint64_t)work->unknown_rows);
  byte_sink_put_unsigned(sink, (uint64_t)work->cells);
  byte_sink_put_unsigned(sink, work->band_count);
  byte_sink_put_unsigned(sink, (uint64_t)work->special_rows_kept);
  byte_sink_put_unsigned(sink, work->special_row_count);
  byte_sink_put_unsigned(sink, (uint64_t)work->crosspoints_met);
  byte_sink_put_unsigned(sink, work->crosspoint_count);
  for (size_t i = 0; i < work->band_count; i++) {
    byte_sink_put_unsigned(sink, (uint64_t)work->bands[i].rows);
    byte_sink_put_unsigned(sink, (uint64_t)work->bands[i].column);
    byte_sink_put_unsigned(sink, (uint64_t)work->bands[i].columns);
  }
  int64_t before = 0;
  for (size_t i = 0; i < work->special_row_count; i++) {
    byte_sink_put_unsigned(sink, (uint64_t)(work->special_rows[i] - before));
    before = work->special_rows[i];
  }
  cla_crosspoint last = {0};
  for (size_t i = 0; i < work->crosspoint_count; i++) {
    const cla_crosspoint *point = &work->crosspoints[i];
    byte_sink_put_unsigned(sink, (uint64_t)(point->row - last.row));
    byte_sink_put_unsigned(sink, (uint64_t)(point->column - last.column));
    last = *point;
  }
}

/* Moves *position on by `step` >= 0, up to `limit`; false if it would pass it. */
static bool advance(int64_t *position, int64_t step, int64_t limit) {
  if (step > limit - *position) return false;
  *position += step;
  return true;
}

static bool take_bands(cla_work *work, size_t count, byte_source *source, int64_t rows, int64_t columns) {
  int64_t row = work->unknown_rows, left = work->cells;
  for (; work->band_count < count; work->band_count++) {
    cla_work_band *band = &work->bands[work->band_count];
    band->row = row;
    band->rows = byte_source_take_size(source);
    band->column = byte_source_take_size(source);
    band->columns = byte_source_take_size(source);
    if (source->failed || band->rows == 0 || !advance(&row, band->rows, rows) || band->column > columns ||
        band->columns > columns - band->column || (band->columns == 0 && band->column > 0))
      return false;
    int64_t cells = 0;
    if (__builtin_mul_overflow(band->rows, band->columns, &cells)) cells = INT64_MAX;
    left -= smaller(left, cells);
  }
  return left == 0;
}

static bool take_points(cla_work *work, size_t rows_count, size_t points_count, byte_source *source,
                        int64_t rows, int64_t columns) {
  int64_t row = 0;
  cla_crosspoint at = {0};
  for (; work->special_row_count < rows_count; work->special_row_count++) {
    const int64_t step = byte_source_take_size(source);
    if (source->failed || step == 0 || !advance(&row, step, rows)) return false;
    work->special_rows[work->special_row_count] = row;
  }
  for (; work->crosspoint_count < points_count; work->crosspoint_count++) {
    const int64_t down = byte_source_take_size(source), across = byte_source_take_size(source);
    if (source->failed || !advance(&at.row, down, rows) || !advance(&at.column, across, columns))
      return false;
    work->crosspoints[work->crosspoint_count] = at;
  }
  return true;
}

cla_status work_codec_take(cla_work **out, byte_source *source, int64_t rows, int64_t columns,
                           cla_error *error) {
  *out = NULL;
  const int64_t unknown_rows = byte_source_take_size(source), cells = byte_source_take_size(source);
  const int64_t bands = byte_source_take_size(source);
  const int64_t rows_kept = byte_source_take_size(source), special_rows = byte_source_take_size(source);
  const int64_t points_met = byte_source_take_size(source), points = byte_source_take_size(source);
  if (source->failed || unknown_rows > rows || bands > CLA_WORK_BANDS_MOST ||
      special_rows > CLA_WORK_ROWS_MOST || points > CLA_WORK_CROSSPOINTS_MOST || special_rows > rows_kept ||
      points > points_met || 3 * bands + special_rows + 2 * points > byte_source_left(source))
    return CLA_OK;
  cla_status status = work_record_create(out, bands, special_rows, points, error);
  if (status != CLA_OK) return status;
  cla_work *work = *out;
  work->unknown_rows = unknown_rows;
  work->cells = cells;
  work->special_rows_kept = rows_kept;
  work->crosspoints_met = points_met;
  if (take_bands(work, (size_t)bands, source, rows, columns) &&
      take_points(work, (size_t)special_rows, (size_t)points, source, rows, columns))
    return CLA_OK;
  free(work);
  *out = NULL;
  return CLA_OK;
}
