#include "pipeline/align_input.h"

#include "base/error.h"
#include "base/machine.h"
#include "seq/sequence.h"

cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device, int64_t rows,
                            int64_t columns, const cla_align_options *options, cla_error *error) {
  cla_status status = cla_scoring_check(&options->scoring, error);
  if (status != CLA_OK) return status;
  if (options->mode != CLA_MODE_LOCAL && options->mode != CLA_MODE_GLOBAL)
    return error_set(error, CLA_ERROR_OPTION, "mode %d does not exist; use local or global",
                     (int)options->mode);
  score_table_build(table, &options->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  *out = (plan_input){
      .rows = rows,
      .columns = columns,
      .local = options->mode == CLA_MODE_LOCAL,
      .score_only = options->score_only,
      .scoring = &options->scoring,
      .table = table,
      .device = device,
      .special_rows = options->special_rows,
      .memory_bytes = options->memory_bytes > 0 ? options->memory_bytes : machine_memory_available() / 2,
      .device_memory_bytes =
          options->device_memory_bytes > 0 ? options->device_memory_bytes : device->memory_bytes / 8 * 7,
      .kernel = options->kernel,
      .settings = options->settings,
      .tuning = options->tuning,
  };
  return CLA_OK;
}
