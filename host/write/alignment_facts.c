#include <stdlib.h>

#include "base/extremes.h"
#include "result/alignment.h"
#include "write/alignment_codec.h"

/* The keys, as stored. */
enum {
  FACT_FREE_ENDS = 1,
  FACT_GAP_FIRST2 = 2,
  FACT_GAP_EXT2 = 3,
  FACT_UNITS = 4,
  FACT_ROTATION = 5,
  FACT_GAP_PLACEMENT = 6,
  FACT_BAND = 7,
  FACT_WORK = 8,
  FACT_SPLIT = 9,
  FACT_KEYS = 10
};

/* The value of a key; 0: nothing to say. */
static int64_t fact_of(const cla_alignment *alignment, bool with_work, int key) {
  switch (key) {
    case FACT_FREE_ENDS: return alignment->free_ends;
    case FACT_GAP_FIRST2: return alignment->scoring.gap_first2;
    case FACT_GAP_EXT2: return alignment->scoring.gap_ext2;
    case FACT_UNITS: return alignment->scoring.units > 1 ? alignment->scoring.units : 0;
    case FACT_ROTATION: return alignment->target.rotation - alignment->query.rotation; /* one of them is 0 */
    case FACT_GAP_PLACEMENT: return alignment->gap_placement;
    case FACT_BAND: return alignment->has_band ? alignment->band + 1 : 0;
    case FACT_WORK: return with_work && alignment->work ? WORK_CODEC_FORM : 0;
    case FACT_SPLIT: return alignment->has_split ? alignment->split_drop + 1 : 0;
    default: return 0;
  }
}

/* False for a key that is unknown. Whether the value makes sense is asked later, of the whole alignment. */
static bool set_fact(cla_alignment *alignment, uint64_t key, int64_t value) {
  switch (key) {
    case FACT_FREE_ENDS:
      alignment->free_ends = (int)value; /* the caller compares */
      return true;
    case FACT_GAP_FIRST2: alignment->scoring.gap_first2 = (int32_t)value; return true;
    case FACT_GAP_EXT2: alignment->scoring.gap_ext2 = (int32_t)value; return true;
    case FACT_UNITS:
      alignment->scoring.units = (int32_t)value; /* the caller compares */
      return true;
    case FACT_ROTATION:
      alignment->target.rotation = value > 0 ? value : 0;
      alignment->query.rotation = value < 0 && value > INT64_MIN ? -value : 0;
      return true;
    case FACT_GAP_PLACEMENT:
      alignment->gap_placement = (cla_gap_placement)value;
      return value == CLA_GAPS_LEFT || value == CLA_GAPS_RIGHT;
    case FACT_BAND:
      if (value < 1) return false;
      alignment->has_band = true;
      alignment->band = value - 1;
      return true;
    case FACT_SPLIT:
      if (value < 1) return false;
      alignment->has_split = true;
      alignment->split_drop = value - 1;
      return true;
    default: return false;
  }
}

static int count_facts(const cla_alignment *alignment, bool with_work) {
  int count = 0;
  for (int key = 0; key < FACT_KEYS; key++) count += fact_of(alignment, with_work, key) != 0;
  return count;
}

bool alignment_facts_any(const cla_alignment *alignment, bool with_work) {
  return count_facts(alignment, with_work) > 0;
}

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work) {
  byte_sink_put_unsigned(sink, (uint64_t)count_facts(alignment, with_work));
  for (int key = 0; key < FACT_KEYS; key++) {
    const int64_t value = fact_of(alignment, with_work, key);
    if (value == 0) continue;
    byte_sink_put_unsigned(sink, (uint64_t)key);
    byte_sink_put_signed(sink, value);
  }
}

bool alignment_facts_take(cla_alignment *alignment, bool *has_work, byte_source *source, uint64_t *key) {
  const uint64_t count = byte_source_take_unsigned(source);
  int64_t before = -1;
  *has_work = false;
  for (uint64_t i = 0; i < count && !source->failed; i++) {
    *key = byte_source_take_unsigned(source);
    const int64_t value = byte_source_take_signed(source);
    if (source->failed || *key >= FACT_KEYS || (int64_t)*key <= before) return false;
    if (*key == FACT_WORK)
      *has_work = value == WORK_CODEC_FORM;
    else if (value == 0 || !set_fact(alignment, *key, value) || fact_of(alignment, false, (int)*key) != value)
      return false;
    if (*key == FACT_WORK && !*has_work) return false;
    before = (int64_t)*key;
  }
  return !source->failed;
}

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
