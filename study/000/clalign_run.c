/* clalign itself as a system of the study. */

#include "clalign_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clalign/align.h"
#include "clalign/kernel.h"

/* The fastest kernel of so many bits that is made for this kind of device. */
static cla_status choose_kernel(const char **out, const cla_device *device, int lane_bits, cla_error *error) {
  cla_kernel_info *kernels = NULL;
  size_t count = 0;
  *out = NULL;
  const cla_status status = cla_kernels_list(&kernels, &count, error);
  if (status != CLA_OK) return status;
  const bool is_cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
  for (size_t k = count; k-- > 0;)
    if (kernels[k].lane_bits == lane_bits && kernels[k].for_cpus == is_cpu) *out = kernels[k].name;
  cla_kernels_free(kernels);
  if (*out) return CLA_OK;
  return error_set(error, CLA_ERROR_DEVICE, "clalign has no kernel with lanes of %d bits for %s", lane_bits,
                   cla_device_describe(device)->name);
}

static cla_status take_path(study_result *out, const cla_alignment *found, cla_error *error) {
  out->query_start = found->query.start;
  out->target_start = found->target.start;
  if (found->run_count == 0) return CLA_OK;
  const cla_status status =
      allocate_array((void **)&out->runs, (int64_t)found->run_count, sizeof *out->runs, "the path", error);
  if (status != CLA_OK) return status;
  memcpy(out->runs, found->runs, found->run_count * sizeof *found->runs);
  out->run_count = found->run_count;
  return CLA_OK;
}

static void take_times(study_result *out, const cla_metrics *metrics, clalign_part part) {
  const cla_stage *const traced[] = {&metrics->search, &metrics->blocks, &metrics->bands};
  int64_t cells = 0;
  double seconds = 0;
  for (size_t k = 0; k < sizeof traced / sizeof *traced; k++) {
    cells += traced[k]->cells;
    seconds += traced[k]->seconds;
  }
  if (part != CLALIGN_TRACE) {
    out->prepare = metrics->bounds.seconds;
    out->compute = metrics->sweep_seconds;
    out->cells_computed = metrics->cells_computed - cells;
  }
  if (part == CLALIGN_SWEEP) return;
  out->trace = seconds;
  out->cells_computed += cells;
  if (out->cells_computed == 0) out->cells_computed = STUDY_NO_CELLS;
}

cla_status clalign_run(study_result *out, const study_task *task, const clalign_choice *choice,
                       cla_error *error) {
  char *const study_kernels = task->device->kernel_path;
  cla_align_options options;
  cla_alignment *found = NULL;
  cla_status status = CLA_OK;
  cla_align_options_init(&options);
  options.scoring = task->problem->scoring;
  options.score_only = choice->score_only;
  options.lower_bound.kind = choice->bound ? CLA_LOWER_BOUND_AUTO : CLA_LOWER_BOUND_OFF;
  if (!choice->bound) options.kernel.settings = "bounds=off";
  if (choice->lane_bits > 0)
    status = choose_kernel(&options.kernel.name, task->device, choice->lane_bits, error);
  if (status != CLA_OK) return status;
  task->device->kernel_path = NULL; /* clalign's kernels are its own */
  status = cla_align(&found, task->device, task->problem->query, task->problem->target, &options, error);
  task->device->kernel_path = study_kernels;
  if (status != CLA_OK) return status;
  out->score = found->score;
  out->query_end = found->query.stop;
  out->target_end = found->target.stop;
  take_times(out, &found->metrics, choice->part);
  if (found->has_path) status = take_path(out, found, error);
  cla_alignment_free(found);
  return status;
}
