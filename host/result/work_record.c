#include "result/work_record.h"

#include <string.h>

#include "base/allocate.h"

/* Lets the lists begin behind the record, one after the other; all that is in them is of eight bytes. */
static void place_lists(cla_work *work, int64_t bands, int64_t special_rows) {
  work->bands = (cla_work_band *)(work + 1);
  work->special_rows = (int64_t *)(work->bands + bands);
  work->crosspoints = (cla_crosspoint *)(work->special_rows + special_rows);
}

static int64_t bytes_of(int64_t bands, int64_t special_rows, int64_t crosspoints) {
  return (int64_t)sizeof(cla_work) + bands * (int64_t)sizeof(cla_work_band) +
         special_rows * (int64_t)sizeof(int64_t) + crosspoints * (int64_t)sizeof(cla_crosspoint);
}

cla_status work_record_create(cla_work **out, int64_t bands, int64_t special_rows, int64_t crosspoints,
                              cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status =
      allocate_zeros(&memory, bytes_of(bands, special_rows, crosspoints), 1, "a record of the work", error);
  if (status != CLA_OK) return status;
  *out = memory;
  place_lists(*out, bands, special_rows);
  return CLA_OK;
}

int64_t work_record_bytes(const cla_work *work) {
  return bytes_of((int64_t)work->band_count, (int64_t)work->special_row_count,
                  (int64_t)work->crosspoint_count);
}

cla_work *work_record_copy(void *memory, const cla_work *work) {
  cla_work *copy = memory;
  *copy = *work;
  place_lists(copy, (int64_t)work->band_count, (int64_t)work->special_row_count);
  memcpy(copy->bands, work->bands, work->band_count * sizeof *work->bands);
  memcpy(copy->special_rows, work->special_rows, work->special_row_count * sizeof *work->special_rows);
  memcpy(copy->crosspoints, work->crosspoints, work->crosspoint_count * sizeof *work->crosspoints);
  return copy;
}

const cla_work_band *work_record_band(const cla_work *work, int64_t row) {
  size_t first = 0, after = work->band_count;
  while (first < after) {
    const size_t middle = first + (after - first) / 2;
    const cla_work_band *band = &work->bands[middle];
    if (row < band->row)
      after = middle;
    else if (row >= band->row + band->rows)
      first = middle + 1;
    else
      return band->columns > 0 ? band : NULL;
  }
  return NULL;
}
