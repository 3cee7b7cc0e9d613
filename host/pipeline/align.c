/* cla_align and cla_align_several, with results in the caller's memory. */

#include <string.h>

#include "base/error.h"
#include "clalign/align.h"
#include "pipeline/pipeline_internal.h"
#include "result/alignment.h"

/* A call of cla_align or cla_align_several. The struct must not move. */
typedef struct call {
  settled_job settled;
  late_device late;
} call;

/* Settles the job and takes its devices. */
static cla_status enter(call *out, cla_device *device, const cla_sequence *query, const cla_sequence *target,
                        const cla_align_options *options, cla_error *error) {
  out->late = (late_device){.options = options};
  const align_job asked = {.device = device,
                           .late = options->callbacks.device ? &out->late : NULL,
                           .query = query,
                           .target = target,
                           .options = options};
  cla_status status = options->allocator ? result_memory_check(options->allocator, error) : CLA_OK;
  if (status == CLA_OK) status = call_devices_check(&asked, error);
  if (status == CLA_OK) status = align_settle(&out->settled, &asked, error);
  if (status == CLA_OK && !device && !asked.late && settled_needs_device(&out->settled))
    status =
        error_set(error, CLA_ERROR_OPTION,
                  "this alignment needs a device (cla_align_needs_device); open one with cla_device_open");
  return status == CLA_OK ? call_devices_take(&out->settled.job, error) : status;
}

/* Copies the alignments into the allocator's memory. *out is NULL after an error. */
static cla_status copy_all(cla_alignment ***out, cla_alignment *const *found, size_t count,
                           const cla_allocator *allocator, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = result_memory_allocate(&memory, allocator, (int64_t)count, sizeof **out,
                                             "an array of alignments", error);
  cla_alignment **copies = memory;
  size_t copied = 0;
  while (status == CLA_OK && copied < count) {
    status = cla_alignment_copy(&copies[copied], found[copied], allocator, error);
    if (status == CLA_OK) copied++;
  }
  if (status == CLA_OK) {
    *out = copies;
    return CLA_OK;
  }
  for (size_t i = 0; i < copied; i++) cla_alignment_free(copies[i]);
  result_memory_release(allocator, copies);
  return status;
}

void cla_align_options_init(cla_align_options *options) {
  memset(options, 0, sizeof *options);
  cla_scoring_init(&options->scoring);
  options->scoring.by_letters = true;
  options->mode = CLA_MODE_LOCAL;
  options->budgets.special_rows = -1;
  options->several = (cla_several){.most = 1, .drop = -1};
}

cla_status cla_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                     const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  *out = NULL;
  if (options->several.most != 1)
    return error_set(
        error, CLA_ERROR_OPTION,
        "%lld alignments are asked for, and one is given; ask for them as cla_align_several does",
        (long long)options->several.most);
  if (options->several.split)
    return error_set(error, CLA_ERROR_OPTION,
                     "an alignment in pieces is several; ask for them as cla_align_several does");
  call c;
  cla_status status = enter(&c, device, query, target, options, error);
  if (status != CLA_OK) return status;
  status = pipeline_align_placed(out, &c.settled.job, error);
  call_devices_give_back(&c.settled.job);
  if (status != CLA_OK || !*out || !options->allocator) return status;
  cla_alignment *found = *out;
  status = cla_alignment_copy(out, found, options->allocator, error);
  cla_alignment_free(found);
  return status;
}

cla_status cla_align_several(cla_results *out, cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  cla_alignment **found = NULL, **placed = NULL;
  size_t count = 0;
  *out = (cla_results){.query = query, .target = target};
  call c;
  cla_status status = enter(&c, device, query, target, options, error);
  if (status != CLA_OK) return status;
  status = pipeline_align_several(&found, &count, &c.settled.job, error);
  call_devices_give_back(&c.settled.job);
  if (status == CLA_OK && found && options->allocator) {
    status = copy_all(&placed, found, count, options->allocator, error);
    cla_alignments_free(found, count);
    found = placed;
  }
  if (status != CLA_OK) return status;
  out->alignments = (const cla_alignment *const *)found;
  out->count = count;
  return CLA_OK;
}
