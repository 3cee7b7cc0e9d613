#include "pipeline/pipeline.h"

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "pipeline/run_folder.h"
#include "scoring/lane_width.h"
#include "scoring/score_table.h"
#include "sweep/sweep.h"

/* Returns the disk budget. By default it is half of the free disk: results and other programs also need
 * disk. */
static int64_t disk_budget(const cla_align_options *options) {
  if (!options->run.directory) return 0;
  if (options->budgets.disk_bytes > 0) return options->budgets.disk_bytes;
  const int64_t free_bytes = run_folder_free_bytes(options->run.directory) / 2;
  return free_bytes > 0 ? free_bytes : 1;
}

int64_t align_memory_fixed(const cla_align_options *options) {
  if (options->budgets.memory_bytes > 0) return options->budgets.memory_bytes;
  return options->ranks ? options->ranks->memory_bytes : 0;
}

int64_t align_memory_budget(const cla_align_options *options) {
  const int64_t fixed = align_memory_fixed(options);
  return fixed > 0 ? fixed : machine_memory_available() / 2;
}

const cla_peers *align_peers(const cla_align_options *options) {
  static const cla_peers alone = {.sweep = &sweep_alone};
  return options->ranks && options->ranks->peers ? options->ranks->peers : &alone;
}

int align_processes(const cla_align_options *options, int64_t rows, int64_t columns) {
  const char *why;
  return align_peers(options)->sweep->share(&why, options, rows, columns, NULL);
}

int align_threads(const cla_align_options *options) {
  if (options->budgets.threads > 0) return options->budgets.threads;
  return options->ranks && options->ranks->threads > 0 ? options->ranks->threads : machine_threads();
}

cla_status align_cells_check(const int64_t letters[2], const char *const locations[2], cla_error *error) {
  if (letters[1] == 0 || letters[0] <= INT64_MAX / letters[1]) return CLA_OK;
  return error_set(
      error, CLA_ERROR_INPUT,
      "%.300s with %lld letters and %.300s with %lld make more cells than 2^63 - 1; align parts of them, "
      "as FILE:RECORD:1-1000000000",
      locations[0], (long long)letters[0], locations[1], (long long)letters[1]);
}

cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device,
                            const int64_t letters[2], const cla_align_options *options, cla_error *error) {
  cla_status status = pair_letters_any_table(table, &options->scoring, error);
  if (status != CLA_OK) return status;
  *out = (plan_input){
      .rows = letters[0],
      .columns = letters[1],
      .ends = path_ends_make(options->mode, options->free_ends),
      .mode = cla_mode_name(options->mode),
      .score_only = options->score_only,
      .scoring = &options->scoring,
      .table = table,
      .device = device,
      .alike = device_team_alike(device, device, options),
      .special_rows = options->budgets.special_rows,
      .memory_bytes = align_memory_budget(options),
      .memory_of_bytes = options->budgets.memory_bytes > 0 ? options->budgets.memory_of_bytes : 0,
      .device_memory_bytes = options->budgets.device_memory_bytes > 0 ? options->budgets.device_memory_bytes
                                                                      : device->memory_bytes / 8 * 7,
      .memory_given = options->budgets.memory_bytes > 0,
      .device_memory_given = options->budgets.device_memory_bytes > 0,
      .disk_bytes = disk_budget(options),
      .kernel = options->kernel.name,
      .settings = options->kernel.settings,
      .threads = align_threads(options),
      .tuning = options->tuning,
  };
  out->devices =
      (int)larger((int64_t)options->partner_count + 1, align_processes(options, out->rows, out->columns));
  out->nesting = options->run.resume || out->devices > 1 ? LANE_WIDTH_BELOW_ROW : 0;
  return CLA_OK;
}
