/* An alignment in memory of the caller's choice. */

#include <string.h>

#include "clalign/alignment.h"
#include "result/result_memory.h"
#include "result/work_record.h"

static cla_status copy_text(char **out, const char *text, const cla_allocator *allocator, cla_error *error) {
  void *memory = NULL;
  const size_t bytes = strlen(text) + 1;
  cla_status status = result_memory_allocate(&memory, allocator, (int64_t)bytes, 1, "a name", error);
  if (status == CLA_OK) memcpy(memory, text, bytes);
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
  if (status == CLA_OK) memcpy(memory, alignment->runs, alignment->run_count * sizeof *out->runs);
  out->runs = memory;
  return status;
}

static cla_status copy_work(cla_alignment *copy, const cla_alignment *alignment, cla_error *error) {
  void *memory = NULL;
  if (!alignment->work) return CLA_OK;
  cla_status status = result_memory_allocate(&memory, &copy->allocator, work_record_bytes(alignment->work), 1,
                                             "a record of the work", error);
  if (status == CLA_OK) copy->work = work_record_copy(memory, alignment->work);
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
  if (status != CLA_OK) return status;
  cla_alignment *copy = memory;
  *copy = *alignment;
  /* What the copy does not own yet must not be freed with it. */
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
