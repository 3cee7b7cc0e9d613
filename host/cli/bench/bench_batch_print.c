/* Prints the results of clalign bench --batch as a table or as JSON. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "clalign/version.h"
#include "cli/bench/bench.h"
#include "cli/report/report.h"

/* The gain over first come, first served in Aji 2008; for printf. */
#define PAPER_GAIN "33.5 %% on the paper's Cell cluster"

static double gain_percent(const bench_schedule *one, const bench_schedule *first) {
  return (bench_median(&first->seconds) / bench_median(&one->seconds) - 1) * 100;
}

/* 0 where nothing was done. */
static double error_percent(const bench_work_samples *samples) {
  const double work = bench_median(&samples->work);
  return work > 0 ? (bench_median(&samples->predicted) / work - 1) * 100 : 0;
}

static void print_head(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs) {
  for (size_t i = 0; i < devices->count; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    char number[32] = "device";
    if (devices->count > 1) snprintf(number, sizeof number, "device %zu", i + 1);
    printf("%-8s %s\n", number, info->name);
    printf("driver   %s, %s; %d compute units\n", info->platform, info->driver, info->compute_units);
  }
  printf("pairs    %" PRId64 " of %s %s, %.4g cells; %s, %s; lengths as in NT (Aji 2008, table 4.2)\n",
         pairs->count, settings->relations[0] ? "related" : "unrelated",
         settings->protein ? "proteins" : "sequences", pairs->cells, cla_mode_name(settings->modes[0]),
         settings->full ? "alignments" : "scores");
}

static void print_work(const bench_work_samples *samples) {
  printf("  %11.3f  %8.3f  %+6.1f%%  %5.1f%%", bench_median(&samples->predicted),
         bench_median(&samples->work), error_percent(samples), bench_median(&samples->off) * 100);
}

void bench_batch_table(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs,
                       const bench_schedule *schedules) {
  print_head(settings, devices, pairs);
  printf("\n%-8s  %11s  %8s  %7s  %6s  %8s  %9s  %7s  %8s\n", "schedule", "predicted s", "work s", "error",
         "each", "all s", "pairs/s", "GCUPS", "gain");
  for (int i = 0; i < BENCH_SCHEDULES; i++) {
    const bench_schedule *one = &schedules[i];
    const double seconds = bench_median(&one->seconds);
    printf("%-8s", one->name);
    print_work(&one->all);
    printf("  %8.3f  %9.1f  %7.2f  %+7.1f%%\n", seconds, (double)pairs->count / seconds,
           pairs->cells / seconds / 1e9, gain_percent(one, &schedules[0]));
    for (size_t d = 0; devices->count > 1 && d < devices->count; d++) {
      const double work = bench_median(&one->devices[d].work);
      printf("  on %-3zu", d + 1);
      print_work(&one->devices[d]);
      printf("  idle %4.1f%%  of the cells %5.1f%%\n", (1 - work / seconds) * 100,
             bench_median(&one->devices[d].share) * 100);
    }
  }
  printf(
      "\nerror: of all predictions together; each: of those of single pieces of work, on the average.\n"
      "gain: on fcfs; that of TOSS was " PAPER_GAIN ".\n");
}

/* A new reference, or NULL. */
static json_t *work_object(const bench_work_samples *samples) {
  return json_pack("{sf sf sf sf}", "predicted_seconds", bench_median(&samples->predicted), "work_seconds",
                   bench_median(&samples->work), "error_percent", error_percent(samples),
                   "piece_error_percent", bench_median(&samples->off) * 100);
}

static json_t *devices_array(const cli_devices *devices, const bench_schedule *one) {
  json_t *array = json_array();
  for (size_t i = 0; i < devices->count; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    json_t *object = work_object(&one->devices[i]);
    json_object_set_new(object, "device", json_driver_text(info->name));
    json_object_set_new(object, "compute_units", json_integer(info->compute_units));
    json_object_set_new(object, "cells_share", json_real(bench_median(&one->devices[i].share)));
    if (json_object_size(object) == 7 && json_array_append_new(array, object) == 0) continue;
    json_decref(array);
    return NULL;
  }
  return array;
}

cla_status bench_batch_json(const bench_settings *settings, const cli_devices *devices,
                            const bench_pairs *pairs, const bench_schedule *one, const bench_schedule *first,
                            cla_error *error) {
  const double seconds = bench_median(&one->seconds);
  json_t *object = json_pack(
      "{ss so ss sI sf sb ss sb sf sf sf sf si}", "version", cla_version(), "devices",
      devices_array(devices, one), "schedule", one->name, "pairs", (json_int_t)pairs->count, "cells",
      pairs->cells, "related", settings->relations[0], "mode", cla_mode_name(settings->modes[0]), "full",
      settings->full, "seconds", seconds, "pairs_per_second", (double)pairs->count / seconds, "gcups",
      pairs->cells / seconds / 1e9, "gain_percent", gain_percent(one, first), "runs", one->seconds.count);
  json_t *work = work_object(&one->all);
  const bool whole = object && work && json_object_update(object, work) == 0;
  json_decref(work);
  if (whole) {
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
  }
  json_decref(object);
  return whole ? CLA_OK
               : cli_error(error, CLA_ERROR_MEMORY, "out of memory for a JSON object; free some memory");
}
