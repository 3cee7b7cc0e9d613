/* Prints the results of clalign bench --batch as a table or as JSON. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "clalign/version.h"
#include "cli/bench/bench.h"
#include "cli/report/report.h"

static void print_head(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs) {
  for (size_t i = 0; i < devices->count; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    char number[32] = "device";
    if (devices->count > 1) snprintf(number, sizeof number, "device %zu", i + 1);
    printf("%-8s %s\n", number, info->name);
    printf("driver   %s, %s; %d compute units\n", info->platform, info->driver, info->compute_units);
  }
  bench_energy_print(settings->energy);
  printf("pairs    %" PRId64 " of %s %s, %.4g cells; %s, %s; lengths as in NT (Aji 2008, table 4.2)\n",
         pairs->count, settings->relations[0] ? "related" : "unrelated",
         settings->protein ? "proteins" : "sequences", pairs->cells, cla_mode_name(settings->modes[0]),
         settings->full ? "alignments" : "scores");
}

void bench_batch_table(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs,
                       const bench_batch *found) {
  const double seconds = bench_median(&found->seconds);
  print_head(settings, devices, pairs);
  printf("time     %.3f s, %.1f pairs/s, %.2f GCUPS\n", seconds, (double)pairs->count / seconds,
         pairs->cells / seconds / 1e9);
  if (found->joules.count > 0)
    printf("joules   %.4g, %.4g GCUPS/W\n", bench_median(&found->joules),
           pairs->cells / bench_median(&found->joules) / 1e9);
  else
    printf("joules   -\n");
  for (size_t d = 0; devices->count > 1 && d < devices->count; d++)
    printf("  on %-3zu busy %4.1f%%, %5.1f%% of the cells\n", d + 1,
           bench_median(&found->devices[d].seconds) / seconds * 100,
           bench_median(&found->devices[d].share) * 100);
}

/* Returns a new reference to the JSON array of all devices, or NULL. */
static json_t *devices_array(const cli_devices *devices, const bench_batch *found) {
  json_t *array = json_array();
  for (size_t i = 0; i < devices->count; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    json_t *object = json_pack("{so si sf sf}", "device", json_driver_text(info->name), "compute_units",
                               info->compute_units, "work_seconds", bench_median(&found->devices[i].seconds),
                               "cells_share", bench_median(&found->devices[i].share));
    if (object && json_array_append_new(array, object) == 0) continue;
    json_decref(array);
    return NULL;
  }
  return array;
}

cla_status bench_batch_json(const bench_settings *settings, const cli_devices *devices,
                            const bench_pairs *pairs, const bench_batch *found, cla_error *error) {
  const double seconds = bench_median(&found->seconds);
  json_t *object =
      json_pack("{ss so sI sf sb ss sb sf sf sf si}", "version", cla_version(), "devices",
                devices_array(devices, found), "pairs", (json_int_t)pairs->count, "cells", pairs->cells,
                "related", settings->relations[0], "mode", cla_mode_name(settings->modes[0]), "full",
                settings->full, "seconds", seconds, "pairs_per_second", (double)pairs->count / seconds,
                "gcups", pairs->cells / seconds / 1e9, "runs", found->seconds.count);
  const double joules = bench_median(&found->joules);
  json_t *energy =
      bench_energy_object(settings->energy, joules, joules > 0 ? pairs->cells / joules / 1e9 : 0);
  if (object && (!energy || json_object_update(object, energy) != 0)) {
    json_decref(object);
    object = NULL;
  }
  json_decref(energy);
  if (!object) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a JSON object; free some memory");
  json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(object);
  return CLA_OK;
}
