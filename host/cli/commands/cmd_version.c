/* clalign version. */

#include "clalign/version.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "clalign/device.h"
#include "cli/commands/command.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

static struct { bool json; } settings;

static cli_option options[] = {
    {.name = "json", CLI_FLAG(settings.json), .description = "print one JSON object, for programs"},
    {.name = NULL},
};

static const cli_example examples[] = {
    {"clalign --version --json | jq -r .version", "the version alone"},
    {NULL, NULL},
};

static const cli_syntax version_syntax = {
    .command = "version",
    .positionals = "",
    .purpose = "Prints the versions of the program and of the libraries that it runs with, and the devices.",
    .notes = "'clalign --version' does the same.",
    .options = options,
    .examples = examples,
};

/* CMakeLists.txt sets CLALIGN_COMMIT, which is empty where nobody said it. */

#ifdef __clang__
#define TEXT_OF(number) #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)
#define COMPILER "clang " DOTTED(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define COMPILER "GCC " __VERSION__
#endif

/* What `clalign version` tells. */
typedef struct versions {
  char loader[96]; /* empty: not known */
  cla_device_info *devices;
  size_t device_count;
  cla_error no_device; /* why the devices cannot be listed; CLA_OK if they can */
} versions;

static void print_text(const versions *v) {
  cla_component components[CLI_COMPONENTS_MOST];
  const int all = cla_components(components, CLI_COMPONENTS_MOST);
  printf("clalign %s\n", cla_version());
  for (int i = 0; i < all && i < CLI_COMPONENTS_MOST; i++)
    printf("%s%s %s", i == 0 ? "with " : ", ", components[i].name, components[i].version);
  printf("%s%s\n", *v->loader ? ", " : "", v->loader);
  if (v->no_device.status != CLA_OK)
    printf("no device: %s\n", v->no_device.message);
  else if (v->device_count == 0)
    puts("no OpenCL device; 'clalign devices' says what to do");
  for (size_t i = 0; i < v->device_count; i++)
    printf("device %d: %s (%s, driver %s)\n", v->devices[i].index, v->devices[i].name, v->devices[i].version,
           v->devices[i].driver);
}

static cla_status print_json(const versions *v, cla_error *error) {
  json_t *devices = json_array();
  for (size_t i = 0; i < v->device_count; i++)
    json_array_append_new(devices, json_pack("{si so so so}", "index", v->devices[i].index, "name",
                                             json_driver_text(v->devices[i].name), "version",
                                             json_driver_text(v->devices[i].version), "driver",
                                             json_driver_text(v->devices[i].driver)));
  json_t *object =
      json_pack("{ss ss? ss so ss? so}", "version", cla_version(), "commit",
                *CLALIGN_COMMIT ? CLALIGN_COMMIT : NULL, "compiler", COMPILER, "libraries", json_components(),
                "opencl_loader", *v->loader ? v->loader : NULL, "devices", devices);
  char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (line) puts(line);
  free(line);
  json_decref(object);
  return line ? CLA_OK : cli_error(error, CLA_ERROR_MEMORY, "out of memory for versions; free some memory");
}

static cla_status version(command_call *call, cla_error *error) {
  (void)call;
  static versions v;
  v.no_device.status = cli_devices_list(&v.devices, &v.device_count, &v.no_device);
  /* The loader loads drivers when it is asked, and some end the process. */
  if (v.no_device.status == CLA_OK) cla_opencl_loader(v.loader, sizeof v.loader);
  cla_status status = CLA_OK;
  if (settings.json)
    status = print_json(&v, error);
  else
    print_text(&v);
  cla_devices_free(v.devices);
  return status == CLA_OK ? cli_flush_stdout(error) : status;
}

const command version_command = {
    .syntax = &version_syntax, .purpose = "print versions and devices", .run = version};
