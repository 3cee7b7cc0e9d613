/* clalign devices: lists the OpenCL devices. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/device.h"
#include "cli/commands/command.h"
#include "cli/commands/device_report.h"
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

/* Sets *out to a line for each tuning record that serves the device; empty if rules choose. A device that
 * cannot be opened has its error instead, and *opened is false. */
static cla_status find_records(char **out, bool *opened, const cla_device_info *device, cla_error *error) {
  cla_device *open = NULL;
  cla_tuning *tuning = NULL;
  cla_error why = {.status = CLA_OK};
  char index[16];
  snprintf(index, sizeof index, "%d", device->index);
  const cla_device_options one = {.select = index};
  cla_status status = cli_device_open(&open, &one, &why);
  *opened = status == CLA_OK;
  if (*opened) {
    status = cli_tuning_load(&tuning, open, false, error);
    if (status == CLA_OK) status = cla_tuning_describe(out, tuning, error);
  } else {
    *out = strdup(why.message);
    status = *out ? CLA_OK : cli_error(error, CLA_ERROR_MEMORY, "out of memory; free some memory");
  }
  cla_tuning_free(tuning);
  cla_device_close(open);
  return status;
}

static cla_status print_text(const cla_device_info *device, cla_error *error) {
  char *records = NULL;
  bool opened = false;
  cla_status status = find_records(&records, &opened, device, error);
  if (status != CLA_OK) return status;
  printf("%d  %s\n", device->index, device->name);
  printf("   %s, %s, %s, driver %s\n", device_kind_name(device->kind), device->platform, device->version,
         device->driver);
  printf("   %d compute units, %.1f GiB memory, largest buffer %.1f GiB, local memory %" PRId64
         " KiB, 16-bit lanes %d\n",
         device->compute_units, (double)device->memory_bytes / (1 << 30),
         (double)device->max_allocation_bytes / (1 << 30), device->local_memory_bytes >> 10,
         device->native_short_lanes);
  printf("   tuning: %s", opened ? "" : "the device cannot be opened: ");
  if (!*records) printf("default rules; 'clalign tune' measures");
  for (const char *line = records; *line; line += strspn(line, "\n")) {
    const int length = (int)strcspn(line, "\n");
    printf("%s%.*s", line == records ? "" : ", then ", length, line);
    line += length;
  }
  printf("\n");
  free(records);
  return CLA_OK;
}

/* Returns the lines of `text` as a JSON array; NULL if memory is short. */
static json_t *lines_array(const char *text) {
  json_t *array = json_array();
  for (const char *line = text; array && *line; line += strspn(line, "\n")) {
    const size_t length = strcspn(line, "\n");
    if (json_array_append_new(array, json_stringn(line, length)) != 0) {
      json_decref(array);
      return NULL;
    }
    line += length;
  }
  return array;
}

static cla_status print_json(const cla_device_info *device, cla_error *error) {
  char *records = NULL;
  bool opened = false;
  cla_status status = find_records(&records, &opened, device, error);
  if (status != CLA_OK) return status;
  json_t *object = device_object(device);
  if (object && json_object_set_new(object, "tuning", opened ? lines_array(records) : json_null()) != 0) {
    json_decref(object);
    object = NULL;
  }
  char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (line) puts(line);
  free(line);
  free(records);
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
      status = print_text(&devices[i], error);
  }
  cla_devices_free(devices);
  return status == CLA_OK ? cli_flush_stdout(error) : status;
}

const command devices_command = {
    .syntax = &devices_syntax, .purpose = "list the OpenCL devices", .run = list_devices};
