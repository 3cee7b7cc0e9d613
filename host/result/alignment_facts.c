#include <stdlib.h>

#include "base/extremes.h"
#include "result/alignment.h"
#include "result/alignment_codec.h"

/* The keys, with the values stored in files. */
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

/* Returns the value of fact `key`; 0: the alignment does not have this fact. */
static int64_t fact_of(const cla_alignment *alignment, bool with_work, int key) {
  switch (key) {
    case FACT_FREE_ENDS: return alignment->free_ends;
    case FACT_GAP_FIRST2: return alignment->scoring.gap_first2;
    case FACT_GAP_EXT2: return alignment->scoring.gap_ext2;
    case FACT_UNITS: return alignment->scoring.units > 1 ? alignment->scoring.units : 0;
    case FACT_ROTATION:
      return alignment->target.rotation - alignment->query.rotation; /* one of the two rotations is 0 */
    case FACT_GAP_PLACEMENT: return alignment->gap_placement;
    case FACT_BAND: return alignment->has_band ? alignment->band + 1 : 0;
    case FACT_WORK: return with_work && alignment->work ? work_codec_form(alignment->work) : 0;
    case FACT_SPLIT: return alignment->has_split ? alignment->split_drop + 1 : 0;
    default: return 0;
  }
}

/* Sets a fact. Returns false for an unknown key. Most values are checked later, together with the whole
 * alignment. */
static bool set_fact(cla_alignment *alignment, uint64_t key, int64_t value) {
  switch (key) {
    case FACT_FREE_ENDS:
      alignment->free_ends = (int)value; /* the caller checks that the value fits */
      return true;
    case FACT_GAP_FIRST2: alignment->scoring.gap_first2 = (int32_t)value; return true;
    case FACT_GAP_EXT2: alignment->scoring.gap_ext2 = (int32_t)value; return true;
    case FACT_UNITS:
      alignment->scoring.units = (int32_t)value; /* the caller checks that the value fits */
      return true;
    case FACT_ROTATION:
      alignment->target.rotation = value > 0 ? value : 0;
      alignment->query.rotation = value < 0 && value > INT64_MIN ? -value : 0;
      return true;
    case FACT_GAP_PLACEMENT:
      alignment->gap_placement = (cla_gap_placement)value;
      return value > CLA_GAPS_CANONICAL && value <= CLA_GAPS_OTHER;
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

bool alignment_facts_take(cla_alignment *alignment, int *work_form, byte_source *source, uint64_t *key) {
  const uint64_t count = byte_source_take_unsigned(source);
  int64_t before = -1;
  *work_form = 0;
  for (uint64_t i = 0; i < count && !source->failed; i++) {
    *key = byte_source_take_unsigned(source);
    const int64_t value = byte_source_take_signed(source);
    if (source->failed || *key >= FACT_KEYS || (int64_t)*key <= before) return false;
    if (*key == FACT_WORK)
      *work_form = value == WORK_CODEC_FORM || value == WORK_CODEC_LEVELS ? (int)value : 0;
    else if (value == 0 || !set_fact(alignment, *key, value) || fact_of(alignment, false, (int)*key) != value)
      return false;
    if (*key == FACT_WORK && *work_form == 0) return false;
    before = (int64_t)*key;
  }
  return !source->failed;
}

int work_codec_form(const cla_work *work) {
  return work->level_count > 0 ? WORK_CODEC_LEVELS : WORK_CODEC_FORM;
}

static void put_bands(byte_sink *sink, const cla_work_band *bands, size_t count) {
  for (size_t i = 0; i < count; i++) {
    byte_sink_put_unsigned(sink, (uint64_t)bands[i].rows);
    byte_sink_put_unsigned(sink, (uint64_t)bands[i].column);
    byte_sink_put_unsigned(sink, (uint64_t)bands[i].columns);
  }
}

static void put_levels(byte_sink *sink, const cla_work *work) {
  const cla_work_band *bands = work->level_bands;
  for (size_t i = 0; i < work->level_count; i++) {
    const cla_work_level *level = &work->levels[i];
    byte_sink_put_unsigned(sink, 2 * (uint64_t)level->size + level->edits);
    byte_sink_put_unsigned(sink, (uint64_t)level->cells);
    byte_sink_put_unsigned(sink, (uint64_t)level->band_count);
    put_bands(sink, bands, (size_t)level->band_count);
    bands += level->band_count;
  }
}

void work_codec_put(byte_sink *sink, const cla_work *work) {
  byte_sink_put_unsigned(sink, (uint64_t)work->unknown_rows);
  byte_sink_put_unsigned(sink, (uint64_t)work->cells);
  byte_sink_put_unsigned(sink, work->band_count);
  byte_sink_put_unsigned(sink, (uint64_t)work->special_rows_kept);
  byte_sink_put_unsigned(sink, work->special_row_count);
  byte_sink_put_unsigned(sink, (uint64_t)work->crosspoints_met);
  byte_sink_put_unsigned(sink, work->crosspoint_count);
  if (work->level_count > 0) {
    byte_sink_put_unsigned(sink, work->level_count);
    byte_sink_put_unsigned(sink, work->level_band_count);
  }
  put_bands(sink, work->bands, work->band_count);
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
  put_levels(sink, work);
}

/* Adds `step` >= 0 to *position; returns false if the sum would exceed `limit`. */
static bool advance(int64_t *position, int64_t step, int64_t limit) {
  if (step > limit - *position) return false;
  *position += step;
  return true;
}

/* Reads the bands of a matrix, one below the other, starting at row `row`. Returns false if the bands are not
 * valid. */
static bool take_bands(cla_work_band *bands, int64_t count, int64_t row, byte_source *source,
                       const matrix_size *size) {
  for (int64_t i = 0; i < count; i++) {
    cla_work_band *band = &bands[i];
    band->row = row;
    band->rows = byte_source_take_size(source);
    band->column = byte_source_take_size(source);
    band->columns = byte_source_take_size(source);
    if (source->failed || band->rows == 0 || !advance(&row, band->rows, size->rows) ||
        band->column > size->columns || band->columns > size->columns - band->column ||
        (band->columns == 0 && band->column > 0))
      return false;
  }
  return true;
}

/* True if the bands have at least as many cells as the record says were computed. */
static bool bands_suffice(const cla_work *work) {
  int64_t left = work->cells;
  for (size_t i = 0; i < work->band_count; i++) {
    int64_t cells = 0;
    if (__builtin_mul_overflow(work->bands[i].rows, work->bands[i].columns, &cells)) cells = INT64_MAX;
    left -= smaller(left, cells);
  }
  return left == 0;
}

static bool take_levels(cla_work *work, const work_room *room, byte_source *source, const matrix_size *size) {
  int64_t cells = 0;
  if (__builtin_mul_overflow(size->rows, size->columns, &cells)) cells = INT64_MAX;
  for (; (int64_t)work->level_count < room->levels; work->level_count++) {
    cla_work_level *level = &work->levels[work->level_count];
    const int64_t kind = byte_source_take_size(source);
    *level = (cla_work_level){.size = (cla_level_size)(kind / 2), .edits = kind & 1};
    level->cells = byte_source_take_size(source);
    level->band_count = byte_source_take_size(source);
    if (source->failed || kind / 2 > CLA_LEVEL_FINE || level->cells > cells ||
        level->band_count >
            smaller(room->level_bands - (int64_t)work->level_band_count, CLA_WORK_BANDS_MOST) ||
        !take_bands(work->level_bands + work->level_band_count, level->band_count, 0, source, size))
      return false;
    work->level_band_count += (size_t)level->band_count;
  }
  return (int64_t)work->level_band_count == room->level_bands;
}

static bool take_points(cla_work *work, const work_room *room, byte_source *source, const matrix_size *size) {
  int64_t row = 0;
  cla_crosspoint at = {0};
  for (; (int64_t)work->special_row_count < room->special_rows; work->special_row_count++) {
    const int64_t step = byte_source_take_size(source);
    if (source->failed || step == 0 || !advance(&row, step, size->rows)) return false;
    work->special_rows[work->special_row_count] = row;
  }
  for (; (int64_t)work->crosspoint_count < room->crosspoints; work->crosspoint_count++) {
    const int64_t down = byte_source_take_size(source), across = byte_source_take_size(source);
    if (source->failed || !advance(&at.row, down, size->rows) || !advance(&at.column, across, size->columns))
      return false;
    work->crosspoints[work->crosspoint_count] = at;
  }
  return true;
}

/* True if the sizes in `room` are within the limits of a record, and the remaining bytes suffice for lists of
 * these sizes. */
static bool room_is_sound(const work_room *room, const byte_source *source) {
  return room->bands <= CLA_WORK_BANDS_MOST && room->special_rows <= CLA_WORK_ROWS_MOST &&
         room->crosspoints <= CLA_WORK_CROSSPOINTS_MOST && room->levels <= CLA_LEVELS_MOST &&
         room->level_bands <= CLA_LEVELS_MOST * CLA_WORK_BANDS_MOST &&
         3 * (room->bands + room->levels + room->level_bands) + room->special_rows + 2 * room->crosspoints <=
             byte_source_left(source);
}

cla_status work_codec_take(cla_work **out, byte_source *source, int form, const matrix_size *size,
                           cla_error *error) {
  work_room room = {0};
  *out = NULL;
  const int64_t unknown_rows = byte_source_take_size(source), cells = byte_source_take_size(source);
  room.bands = byte_source_take_size(source);
  const int64_t rows_kept = byte_source_take_size(source);
  room.special_rows = byte_source_take_size(source);
  const int64_t points_met = byte_source_take_size(source);
  room.crosspoints = byte_source_take_size(source);
  if (form == WORK_CODEC_LEVELS) {
    room.levels = byte_source_take_size(source);
    room.level_bands = byte_source_take_size(source);
  }
  if (source->failed || unknown_rows > size->rows || room.special_rows > rows_kept ||
      room.crosspoints > points_met || !room_is_sound(&room, source) ||
      (form == WORK_CODEC_LEVELS && room.levels == 0))
    return CLA_OK;
  cla_status status = work_record_create(out, &room, error);
  if (status != CLA_OK) return status;
  cla_work *work = *out;
  work->unknown_rows = unknown_rows;
  work->cells = cells;
  work->special_rows_kept = rows_kept;
  work->crosspoints_met = points_met;
  work->band_count = (size_t)room.bands;
  if (take_bands(work->bands, room.bands, unknown_rows, source, size) && bands_suffice(work) &&
      take_points(work, &room, source, size) && take_levels(work, &room, source, size))
    return CLA_OK;
  free(work);
  *out = NULL;
  return CLA_OK;
}
