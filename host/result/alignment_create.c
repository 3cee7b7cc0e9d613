#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/alignment.h"
#include "result/alignment.h"

static cla_status fill_side(cla_side *side, const cla_sequence *sequence, cla_error *error) {
  const char *name = cla_sequence_name(sequence), *location = cla_sequence_location(sequence);
  cla_status status = allocate_text(&side->name, name ? name : "", error);
  if (status == CLA_OK) status = allocate_text(&side->location, location ? location : "", error);
  side->length = cla_sequence_length(sequence);
  side->begin = cla_sequence_begin(sequence);
  side->end = cla_sequence_end(sequence);
  side->start = -1;
  cla_sequence_checksum(sequence, side->checksum);
  return status;
}

cla_status alignment_create(cla_alignment **out, const cla_sequence *query, const cla_sequence *target,
                            cla_mode mode, const cla_scoring *scoring, cla_error *error) {
  cla_alignment *alignment = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&alignment, 1, "an alignment", error);
  if (status != CLA_OK) return status;
  alignment->mode = mode;
  alignment->alphabet = cla_sequence_alphabet(query);
  alignment->scoring = *scoring;
  alignment->scoring.by_letters = false;
  status = fill_side(&alignment->query, query, error);
  if (status == CLA_OK) status = fill_side(&alignment->target, target, error);
  if (status == CLA_OK)
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}

void cla_alignment_free(cla_alignment *alignment) {
  if (!alignment) return;
  const cla_allocator allocator = alignment->allocator;
  result_memory_release(&allocator, alignment->query.name);
  result_memory_release(&allocator, alignment->query.location);
  result_memory_release(&allocator, alignment->target.name);
  result_memory_release(&allocator, alignment->target.location);
  result_memory_release(&allocator, alignment->runs);
  result_memory_release(&allocator, alignment->work);
  result_memory_release(&allocator, alignment);
}

void cla_alignments_free(cla_alignment **alignments, size_t count) {
  if (!alignments) return;
  /* If a file could not be read, the array is on the heap. Any of its elements may then be NULL, even the
   * first. */
  const cla_allocator allocator = count > 0 && alignments[0] ? alignments[0]->allocator : (cla_allocator){0};
  for (size_t index = 0; index < count; index++) cla_alignment_free(alignments[index]);
  result_memory_release(&allocator, alignments);
}

/* The functions below copy an alignment into memory from the caller's allocator. */

static cla_status copy_text(char **out, const char *text, const cla_allocator *allocator, cla_error *error) {
  void *memory = NULL;
  const size_t bytes = strlen(text) + 1;
  cla_status status = result_memory_allocate(&memory, allocator, (int64_t)bytes, 1, "a name", error);
  if (memory) memcpy(memory, text, bytes);
  *out = memory;
  return status;
}

static cla_status copy_side(cla_side *out, const cla_side *side, const cla_allocator *allocator,
                            cla_error *error) {
  cla_status status = copy_text(&out->name, side->name, allocator, error);
  return status == CLA_OK ? copy_text(&out->location, side->location, allocator, error) : status;
}

static cla_status copy_runs(cla_alignment *out, const cla_alignment *alignment, cla_error *error) {
  void *memory = NULL;
  if (alignment->run_count == 0) return CLA_OK;
  cla_status status = result_memory_allocate(&memory, &out->allocator, (int64_t)alignment->run_count,
                                             sizeof *out->runs, "an alignment's runs", error);
  if (memory) memcpy(memory, alignment->runs, alignment->run_count * sizeof *out->runs);
  out->runs = memory;
  return status;
}

static cla_status copy_work(cla_alignment *copy, const cla_alignment *alignment, cla_error *error) {
  void *memory = NULL;
  if (!alignment->work) return CLA_OK;
  cla_status status = result_memory_allocate(&memory, &copy->allocator, work_record_bytes(alignment->work), 1,
                                             "a record of the work", error);
  if (memory) copy->work = work_record_copy(memory, alignment->work);
  return status;
}

cla_status cla_alignment_copy(cla_alignment **out, const cla_alignment *alignment,
                              const cla_allocator *allocator, cla_error *error) {
  const cla_allocator heap = {0};
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocator ? result_memory_check(allocator, error) : CLA_OK;
  if (status != CLA_OK) return status;
  if (!allocator) allocator = &heap;
  status = result_memory_allocate(&memory, allocator, 1, sizeof **out, "an alignment", error);
  if (!memory) return status;
  cla_alignment *copy = memory;
  *copy = *alignment;
  /* Pointers that the copy does not own yet must not be freed together with the copy. */
  copy->allocator = *allocator;
  copy->runs = NULL;
  copy->work = NULL;
  copy->query.name = copy->query.location = copy->target.name = copy->target.location = NULL;
  status = copy_side(&copy->query, &alignment->query, allocator, error);
  if (status == CLA_OK) status = copy_side(&copy->target, &alignment->target, allocator, error);
  if (status == CLA_OK) status = copy_runs(copy, alignment, error);
  if (status == CLA_OK) status = copy_work(copy, alignment, error);
  if (status == CLA_OK)
    *out = copy;
  else
    cla_alignment_free(copy);
  return status;
}

const char *work_level_size_name(cla_level_size size) {
  static const char *const names[] = {
      [CLA_LEVEL_COARSE] = "coarse", [CLA_LEVEL_MIDDLE] = "middle", [CLA_LEVEL_FINE] = "fine"};
  return names[size];
}

/* Places the lists behind the record, one after the other; elements of all lists are aligned to eight
 * bytes. */
static void place_lists(cla_work *work, const work_room *room) {
  work->bands = (cla_work_band *)(work + 1);
  work->special_rows = (int64_t *)(work->bands + room->bands);
  work->crosspoints = (cla_crosspoint *)(work->special_rows + room->special_rows);
  work->levels = (cla_work_level *)(work->crosspoints + room->crosspoints);
  work->level_bands = (cla_work_band *)(work->levels + room->levels);
}

static int64_t bytes_of(const work_room *room) {
  return (int64_t)sizeof(cla_work) + (room->bands + room->level_bands) * (int64_t)sizeof(cla_work_band) +
         room->special_rows * (int64_t)sizeof(int64_t) + room->crosspoints * (int64_t)sizeof(cla_crosspoint) +
         room->levels * (int64_t)sizeof(cla_work_level);
}

static work_room room_taken(const cla_work *work) {
  return (work_room){.bands = (int64_t)work->band_count,
                     .special_rows = (int64_t)work->special_row_count,
                     .crosspoints = (int64_t)work->crosspoint_count,
                     .levels = (int64_t)work->level_count,
                     .level_bands = (int64_t)work->level_band_count};
}

cla_status work_record_create(cla_work **out, const work_room *room, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_zeros(&memory, bytes_of(room), 1, "a record of the work", error);
  if (status != CLA_OK) return status;
  *out = memory;
  place_lists(*out, room);
  return CLA_OK;
}

int64_t work_record_bytes(const cla_work *work) {
  const work_room room = room_taken(work);
  return bytes_of(&room);
}

cla_work *work_record_copy(void *memory, const cla_work *work) {
  cla_work *copy = memory;
  const work_room room = room_taken(work);
  *copy = *work;
  place_lists(copy, &room);
  memcpy(copy->bands, work->bands, work->band_count * sizeof *work->bands);
  memcpy(copy->special_rows, work->special_rows, work->special_row_count * sizeof *work->special_rows);
  memcpy(copy->crosspoints, work->crosspoints, work->crosspoint_count * sizeof *work->crosspoints);
  memcpy(copy->levels, work->levels, work->level_count * sizeof *work->levels);
  memcpy(copy->level_bands, work->level_bands, work->level_band_count * sizeof *work->level_bands);
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

cla_status result_memory_check(const cla_allocator *allocator, cla_error *error) {
  if (allocator->allocate && allocator->release) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "an allocator has two functions, one that allocates and one that releases; give both");
}

cla_status result_memory_allocate(void **out, const cla_allocator *allocator, int64_t count, int64_t size,
                                  const char *what, cla_error *error) {
  int64_t bytes = 0;
  *out = NULL;
  if (!allocator->allocate) return allocate_zeros(out, count, size, what, error);
  if (__builtin_mul_overflow(count, size, &bytes) || (uint64_t)bytes > SIZE_MAX) {
    error_set(error, CLA_ERROR_MEMORY, "%s of %lld x %lld bytes cannot be addressed", what, (long long)count,
              (long long)size);
    return CLA_ERROR_MEMORY;
  }
  if (bytes < 1) bytes = 1;
  *out = allocator->allocate((size_t)bytes, allocator->user);
  if (!*out) {
    error_set(error, CLA_ERROR_MEMORY, "the caller's allocator has no %lld bytes for %s", (long long)bytes,
              what);
    return CLA_ERROR_MEMORY;
  }
  memset(*out, 0, (size_t)bytes);
  return CLA_OK;
}

void result_memory_release(const cla_allocator *allocator, void *memory) {
  if (!memory) return;
  if (allocator->release)
    allocator->release(memory, allocator->user);
  else
    free(memory);
}

void cla_results_free(cla_results *results) {
  cla_alignments_free((cla_alignment **)results->alignments, results->count);
  results->alignments = NULL;
  results->count = 0;
}
