/* clalign devices: lists the OpenCL devices. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/device.h"
#include "cli/commands/command.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

static bool as_json;

static cli_option options[] = {
    CLI_JSON_OPTION(as_json),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"clalign devices", "name, driver and memory of each"},
    {"clalign devices --format json", "the same for programs"},
    {NULL, NULL},
};

static const cli_syntax devices_syntax = {
    .command = "devices",
    .positionals = "",
    .purpose = "Lists the OpenCL devices. --device of 'clalign align' takes an index or a part of a name.",
    .examples = examples,
    .options = options,
};

static const char *kind_name(cla_device_kind kind) {
  return kind == CLA_DEVICE_CPU ? "cpu" : kind == CLA_DEVICE_GPU ? "gpu" : "other";
}

static void print_text(const cla_device_info *device) {
  printf("%d  %s\n", device->index, device->name);
  printf("   %s, %s, %s, driver %s\n", kind_name(device->kind), device->platform, device->version,
         device->driver);
  printf("   %d compute units, %.1f GiB memory, largest buffer %.1f GiB, local memory %" PRId64
         " KiB, 16-bit lanes %d\n",
         device->compute_units, (double)device->memory_bytes / (1 << 30),
         (double)device->max_allocation_bytes / (1 << 30), device->local_memory_bytes >> 10,
         device->native_short_lanes);
}

static cla_status print_json(const cla_device_info *device, cla_error *error) {
  json_t *object = json_pack(
      "{si ss so so so so so si si sI sI sI sI}", "index", device->index, "kind", kind_name(device->kind),
      "name", json_driver_text(device->name), "platform", json_driver_text(device->platform), "vendor",
      json_driver_text(device->vendor), "version", json_driver_text(device->version), "driver",
      json_driver_text(device->driver), "compute_units", device->compute_units, "native_short_lanes",
      device->native_short_lanes, "memory_bytes", (json_int_t)device->memory_bytes, "max_allocation_bytes",
      (json_int_t)device->max_allocation_bytes, "local_memory_bytes", (json_int_t)device->local_memory_bytes,
      "max_group_size", (json_int_t)device->max_group_size);
  char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (line) puts(line);
  free(line);
  json_decref(object);
  return line ? CLA_OK
              : cli_error(error, CLA_ERROR_MEMORY, "out of memory for the list of devices; free some memory");
}

static cla_status list_devices(command_call *call, cla_error *error) {
  cla_device_info *devices = NULL;
  size_t count = 0;
  (void)call;
  cla_status status = cli_devices_list(&devices, &count, error);
  if (status == CLA_OK && count == 0)
    cli_finish(cli_devices_missing(error), error); /* prints the reason; an empty list is no error */
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    if (as_json)
      status = print_json(&devices[i], error);
    else
      print_text(&devices[i]);
  }
  cla_devices_free(devices);
  return status == CLA_OK ? cli_flush_stdout(error) : status;
}

const command devices_command = {
    .syntax = &devices_syntax, .purpose = "list the OpenCL devices", .run = list_devices};
