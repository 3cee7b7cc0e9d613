#include "cli/options/devices_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options/tuning_option.h"
#include "cli/report/report.h"

static cla_status out_of_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a list of devices; free some memory");
}

static cla_status open_one(cli_devices *devices, const cla_device_options *options, const char *select,
                           cla_error *error) {
  cla_device_options one = *options;
  one.select = select;
  cla_device **grown = realloc(devices->items, (devices->count + 1) * sizeof *grown);
  if (!grown) return out_of_memory(error);
  devices->items = grown;
  cla_status status = cli_device_open(&devices->items[devices->count], &one, error);
  if (status == CLA_OK) devices->count++;
  return status;
}

static bool is_open(const cli_devices *devices, int index) {
  for (size_t i = 0; i < devices->count; i++)
    if (cla_device_describe(devices->items[i])->index == index) return true;
  return false;
}

/* Those of a kind that are not open yet, or of every kind. */
static cla_status open_kind(cli_devices *devices, const cla_device_options *options, const char *word,
                            cla_error *error) {
  const bool all = strcasecmp(word, "all") == 0;
  const cla_device_kind kind = strcasecmp(word, "cpu") == 0 ? CLA_DEVICE_CPU : CLA_DEVICE_GPU;
  cla_device_info *infos = NULL;
  size_t count = 0, met = 0;
  cla_status status = cli_devices_list(&infos, &count, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    char index[16];
    if (!all && infos[i].kind != kind) continue;
    met++;
    snprintf(index, sizeof index, "%d", infos[i].index);
    if (!is_open(devices, infos[i].index)) status = open_one(devices, options, index, error);
  }
  cla_devices_free(infos);
  if (status == CLA_OK && count == 0) return cli_devices_missing(error);
  if (status == CLA_OK && met == 0)
    return cli_error(error, CLA_ERROR_DEVICE, "--device %s: there is no such device; see `clalign devices`",
                     word);
  return status;
}

static bool is_word(const char *part) {
  return strcasecmp(part, "all") == 0 || strcasecmp(part, "cpu") == 0 || strcasecmp(part, "gpu") == 0;
}

/* Each GPU keeps a thread of the host busy, and strips wait for each other: what a CPU device computes beside
 * one must not wait for a thread that has lost its core. */
static cla_status leave_threads(cli_devices *devices, const cla_device_options *options, cla_error *error) {
  cla_device_options beside = *options;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < devices->count; i++)
    beside.left_threads += cla_device_describe(devices->items[i])->kind == CLA_DEVICE_GPU;
  for (size_t i = 0; i < devices->count && status == CLA_OK && beside.left_threads > 0; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    char index[16];
    if (info->kind != CLA_DEVICE_CPU || options->threads > 0) continue;
    snprintf(index, sizeof index, "%d", info->index);
    beside.select = index;
    cla_device_close(devices->items[i]);
    devices->items[i] = NULL;
    status = cli_device_open(&devices->items[i], &beside, error);
  }
  return status;
}

cla_status cli_devices_open(cli_devices *out, const cla_device_options *options, cla_error *error) {
  *out = (cli_devices){0};
  if (!options->select) return open_one(out, options, NULL, error);
  char *list = strdup(options->select);
  if (!list) return out_of_memory(error);
  cla_status status = CLA_OK;
  char *next = list;
  while (next && status == CLA_OK) {
    const char *part = strsep(&next, ",+");
    if (!*part)
      status = cli_error(error, CLA_ERROR_OPTION,
                         "--device %s names no device between two separators; write 0,2 or cpu+gpu",
                         options->select);
    else
      status = is_word(part) ? open_kind(out, options, part, error) : open_one(out, options, part, error);
  }
  free(list);
  return status == CLA_OK ? leave_threads(out, options, error) : status;
}

cla_status cli_devices_load_tuning(cli_devices *devices, bool quiet, cla_error *error) {
  devices->tunings = calloc(devices->count > 0 ? devices->count : 1, sizeof *devices->tunings);
  if (!devices->tunings) return out_of_memory(error);
  cla_status status = CLA_OK;
  for (size_t i = 0; i < devices->count && status == CLA_OK; i++)
    status = cli_tuning_load(&devices->tunings[i], devices->items[i], quiet, error);
  return status;
}

void cli_devices_close(cli_devices *devices) {
  for (size_t i = 0; i < devices->count; i++) {
    if (devices->tunings) cla_tuning_free(devices->tunings[i]);
    cla_device_close(devices->items[i]);
  }
  free(devices->tunings);
  free(devices->items);
  *devices = (cli_devices){0};
}
