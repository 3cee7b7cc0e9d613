/* cla_align and cla_align_several. They take the devices for the call, and copy the results to the caller's
 * memory. */

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "clalign/align.h"
#include "device/device_use.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"

/* A call that waits for its device. */
typedef struct waiting {
  const cla_align_options *options;
  double began;
} waiting;

static bool go_on(void *user) {
  const waiting *call = user;
  const cla_progress progress = {
      .stage = "waiting for the device", .seconds = machine_seconds() - call->began, .seconds_left = -1};
  return call->options->callbacks.progress(&progress, call->options->callbacks.progress_user);
}

static cla_device *device_at(cla_device *own, const cla_align_options *options, size_t index) {
  return index == 0 ? own : options->partners[index - 1].device;
}

/* The call's next device after `last`, by address; NULL: none is left. last is NULL at first. A common order
 * keeps calls that share devices from waiting for each other in a circle. */
static cla_device *next_device(cla_device *own, const cla_align_options *options, const cla_device *last) {
  cla_device *next = NULL;
  for (size_t i = 0; i <= options->partner_count; i++) {
    cla_device *device = device_at(own, options, i);
    if ((uintptr_t)device > (uintptr_t)last && (!next || (uintptr_t)device < (uintptr_t)next)) next = device;
  }
  return next;
}

/* Gives back the devices before `end`; NULL: all. */
static void leave(cla_device *own, const cla_align_options *options, const cla_device *end) {
  for (cla_device *device = NULL; (device = next_device(own, options, device)) && device != end;)
    device_give_back(device);
}

static cla_status check_partners(cla_device *own, const cla_align_options *options, cla_error *error) {
  for (size_t i = 1; i <= options->partner_count; i++)
    for (size_t j = 0; j < i; j++)
      if (device_at(own, options, i) == device_at(own, options, j))
        return error_set(error, CLA_ERROR_OPTION,
                         "%s is named twice; name each device once, or open it twice",
                         cla_device_describe(device_at(own, options, i))->name);
  return CLA_OK;
}

cla_status late_device_open(late_device *late, cla_error *error) {
  const cla_callbacks *calls = &late->options->callbacks;
  waiting call = {.options = late->options, .began = machine_seconds()};
  cla_device *device = NULL;
  if (late->device) return CLA_OK;
  cla_status status = calls->device(&device, &late->tuning, calls->device_user, error);
  if (status == CLA_OK) status = device_take(device, calls->progress ? go_on : NULL, &call, error);
  if (status == CLA_OK) late->device = device;
  return status;
}

/* Settles the job, and takes its devices. */
static cla_status enter(settled_job *out, const align_job *asked, cla_error *error) {
  cla_device *own = asked->device;
  const cla_align_options *options = asked->options;
  waiting call = {.options = options, .began = machine_seconds()};
  cla_status status = options->allocator ? result_memory_check(options->allocator, error) : CLA_OK;
  if (status == CLA_OK) status = check_partners(own, options, error);
  if (status == CLA_OK) status = align_settle(out, asked, error);
  if (status == CLA_OK && !own && !asked->late && settled_needs_device(out))
    status =
        error_set(error, CLA_ERROR_OPTION,
                  "this alignment needs a device (cla_align_needs_device); open one with cla_device_open");
  if (status != CLA_OK) return status;
  for (cla_device *device = NULL; (device = next_device(own, options, device));) {
    status = device_take(device, options->callbacks.progress ? go_on : NULL, &call, error);
    if (status == CLA_OK) continue;
    leave(own, options, device);
    return status;
  }
  return CLA_OK;
}

/* Copies the alignments into the allocator's memory; the result is NULL after an error. */
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

static align_job make_job(cla_device *device, late_device *late, const cla_sequence *query,
                          const cla_sequence *target, const cla_align_options *settled) {
  return (align_job){.device = device,
                     .late = settled->callbacks.device ? late : NULL,
                     .query = query,
                     .target = target,
                     .options = settled};
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
  settled_job settled;
  late_device late = {.options = options};
  const align_job asked = make_job(device, &late, query, target, options);
  cla_status status = enter(&settled, &asked, error);
  if (status != CLA_OK) return status;
  status = pipeline_align_placed(out, &settled.job, error);
  leave(device, options, NULL);
  if (late.device) device_give_back(late.device);
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
  settled_job settled;
  late_device late = {.options = options};
  const align_job asked = make_job(device, &late, query, target, options);
  cla_status status = enter(&settled, &asked, error);
  if (status != CLA_OK) return status;
  status = pipeline_align_several(&found, &count, &settled.job, error);
  leave(device, options, NULL);
  if (late.device) device_give_back(late.device);
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
