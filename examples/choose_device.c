/* Lists the OpenCL devices, opens the one that is asked for, and aligns on it.
 *
 *   choose_device [INDEX|NAME]      without an argument: the first GPU, else the first device
 *
 * What there is differs from machine to machine, so it goes to stderr; the result is the same on all of them.
 */

#include <inttypes.h>

#include "example_error.h"

static const char *kind_name(cla_device_kind kind) {
  switch (kind) {
    case CLA_DEVICE_CPU: return "CPU";
    case CLA_DEVICE_GPU: return "GPU";
    default: return "other";
  }
}

static cla_status list_devices(cla_error *error) {
  cla_device_info *devices = NULL;
  size_t count = 0;
  cla_status status = cla_devices_list(&devices, &count, error);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, "%d: %s, %s, %d compute units, %" PRId64 " MiB\n", devices[i].index, devices[i].name,
            kind_name(devices[i].kind), devices[i].compute_units, devices[i].memory_bytes >> 20);
  cla_devices_free(devices);
  return status;
}

int main(int count, char **arguments) {
  const cla_device_options wanted = {.select = count > 1 ? arguments[1] : NULL};
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  cla_alignment *alignment = NULL;
  cla_align_options options;
  cla_error error;
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  cla_status status = list_devices(&error);
  if (status == CLA_OK) status = cla_device_open(&device, &wanted, &error);
  if (status == CLA_OK) fprintf(stderr, "using %s\n", cla_device_describe(device)->name);
  if (status == CLA_OK) status = cla_sequence_from_letters(&query, "query", "GATTACA", 7, &error);
  if (status == CLA_OK) status = cla_sequence_from_letters(&target, "target", "GATTTACA", 8, &error);
  if (status == CLA_OK) status = cla_align(&alignment, device, query, target, &options, &error);
  if (status == CLA_OK) printf("score %" PRId64 "\n", alignment->score);
  cla_alignment_free(alignment);
  cla_sequence_free(target);
  cla_sequence_free(query);
  cla_device_close(device);
  return example_end(status, &error);
}
