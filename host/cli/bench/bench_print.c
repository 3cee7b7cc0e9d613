/* The table of clalign bench, for a terminal of 80 columns. Values that all rows share are printed once above
 * the table. Related and unrelated pairs have separate tables. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/version.h"
#include "cli/bench/bench.h"
#include "cli/report/report.h"

#define TEXT_SIZE 32

/* Widths of the columns that depend on the settings. */
typedef struct table_widths {
  int size, kernel;
} table_widths;

static int wider(int width, const char *text) {
  const int length = (int)strlen(text);
  return length > width ? length : width;
}

static table_widths measure_widths(const bench_settings *settings) {
  table_widths widths = {.size = 4, .kernel = 8};
  for (int i = 0; i < settings->size_count; i++) {
    char text[2 * TEXT_SIZE];
    bench_size_text(text, sizeof text, &settings->sizes[i]);
    widths.size = wider(widths.size, text);
  }
  for (int i = 0; i < settings->kernel_count; i++) widths.kernel = wider(widths.kernel, settings->kernels[i]);
  return widths;
}

/* Prints a number with about four digits. */
static void number_text(char *text, double number) {
  const int digits = number >= 1000 ? 0 : number >= 100 ? 1 : number >= 10 ? 2 : number >= 0.1 ? 3 : 5;
  snprintf(text, TEXT_SIZE, "%.*f", digits, number);
}

/* Prints a number above 0, or else "-". */
static void print_known(int width, double number) {
  char text[TEXT_SIZE] = "-";
  if (number > 0) number_text(text, number);
  printf("  %*s", width, text);
}

static void print_number(int width, double number) {
  char text[TEXT_SIZE];
  number_text(text, number);
  printf("  %*s", width, text);
}

void bench_energy_print(const bench_energy *energy) {
  if (energy->count > 0)
    printf("energy   %s\n", energy->source);
  else
    printf("energy   not read: %s\n", energy->missing);
}

void bench_table_head(const bench_settings *settings, const cla_device_info *device) {
  const cla_scoring *scoring = &settings->scoring;
  printf("device   %s\n", device->name);
  printf("driver   %s, %s; %d compute units\n", device->platform, device->driver, device->compute_units);
  if (scoring->matrix_size > 0)
    printf("scores   %s, matrix %s", settings->protein ? "proteins" : "DNA", scoring->matrix_name);
  else
    printf("scores   match %" PRId32 ", mismatch %" PRId32, scoring->match, scoring->mismatch);
  char first[CLA_SCORE_TEXT_SIZE], ext[CLA_SCORE_TEXT_SIZE];
  for (int k = 0; k < CLA_GAP_PIECES && (k == 0 || scoring->gap[k].first > 0); k++) {
    cla_score_text(first, scoring->gap[k].first, scoring);
    cla_score_text(ext, scoring->gap[k].ext, scoring);
    printf(k == 0 ? ", gap %s, each further letter %s" : "; or %s and %s", first, ext);
  }
  printf("\n");
  if (settings->runs == 1)
    printf("runs     1, clalign %s\n", cla_version());
  else
    printf("runs     %" PRId32 " in turns, medians; clalign %s\n", settings->runs, cla_version());
  if (settings->set.text[0]) printf("set      %s\n", settings->set.text);
  bench_energy_print(settings->energy);
}

void bench_table_title(const bench_settings *settings, bool related) {
  const table_widths widths = measure_widths(settings);
  printf("\n%s sequences\n", related ? "related" : "unrelated");
  printf("%-*s  %-6s  %-*s  %7s", widths.size, "size", "mode", widths.kernel, "kernel", "sweep s");
  if (settings->full)
    printf("  %6s  %7s  %6s  %5s", "raw", "full s", "GCUPS", "ratio");
  else
    printf("  %7s  %6s  %6s", "least s", "raw", "GCUPS");
  printf("  %6s  %7s", "joules", "GCUPS/W");
  putchar('\n');
}

static void print_row(const bench_settings *settings, const bench_case *what, const bench_row *row) {
  const table_widths widths = measure_widths(settings);
  char size[2 * TEXT_SIZE];
  bench_size_text(size, sizeof size, &what->size);
  printf("%-*s  %-6s  %-*s", widths.size, size, what->mode == CLA_MODE_LOCAL ? "local" : "global",
         widths.kernel, row->metrics.kernel);
  print_number(7, bench_median(&row->sweep));
  if (!settings->full) print_number(7, bench_least(&row->sweep));
  print_number(6, bench_raw_gcups(row));
  if (settings->full) print_number(7, bench_median(&row->whole));
  print_number(6, bench_gcups(row));
  if (settings->full) print_number(5, bench_median(&row->whole) / bench_median(&row->sweep));
  print_known(6, bench_median(&row->joules));
  print_known(7, bench_gcups_per_watt(row));
  putchar('\n');
}

void bench_table_print(const bench_settings *settings, const bench_case *what) {
  for (int i = 0; i < what->row_count; i++) print_row(settings, what, &what->rows[i]);
}

/* The results of clalign bench as JSON: one object per row, each on its own line.
 * docs/measurements/performance.md lists the keys. */

static json_t *samples_array(const bench_samples *samples) {
  json_t *array = json_array();
  for (int i = 0; i < samples->count; i++)
    if (json_array_append_new(array, json_real(samples->seconds[i])) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

/* The rate as JSON; null if the time was too short to measure. */
static json_t *rate_value(double rate) {
  return rate > 0 ? json_real(rate) : json_null();
}

static json_t *where_object(const cla_device_info *device) {
  return json_pack("{ss so so so si}", "version", cla_version(), "device", json_driver_text(device->name),
                   "platform", json_driver_text(device->platform), "driver", json_driver_text(device->driver),
                   "compute_units", device->compute_units);
}

/* The scheme as JSON. With a matrix, match and mismatch are null; otherwise, the name of the matrix is null.
 * Costs are in 1/units of a point. */
static json_t *scoring_object(const cla_scoring *scoring) {
  const bool matrix = scoring->matrix_size > 0;
  const bool two = scoring->gap_first2 > 0;
  return json_pack(
      "{so so so si si so so si}", "match", matrix ? json_null() : json_integer(scoring->match), "mismatch",
      matrix ? json_null() : json_integer(scoring->mismatch), "matrix",
      matrix ? json_string(scoring->matrix_name) : json_null(), "gap_first", scoring->gap_first, "gap_ext",
      scoring->gap_ext, "gap_first2", two ? json_integer(scoring->gap_first2) : json_null(), "gap_ext2",
      two ? json_integer(scoring->gap_ext2) : json_null(), "units", scoring->units > 0 ? scoring->units : 1);
}

static json_t *what_object(const bench_settings *settings, const bench_case *what, const bench_row *row) {
  return json_pack("{sI sI ss si ss ss so ss ss si si sI sI}", "query_length", (json_int_t)what->size.query,
                   "target_length", (json_int_t)what->size.target, "relation",
                   what->related ? "related" : "unrelated", "seed", BENCH_SEED, "mode",
                   what->mode == CLA_MODE_LOCAL ? "local" : "global", "type",
                   settings->protein ? "protein" : "dna", "scoring", scoring_object(&settings->scoring),
                   "kernel_asked", row->asked, "kernel", row->metrics.kernel, "lanes", row->metrics.lanes,
                   "lane_rows", row->metrics.lane_rows, "tile_columns", (json_int_t)row->metrics.tile_columns,
                   "score", (json_int_t)row->score);
}

static json_t *times_object(const bench_settings *settings, const bench_row *row) {
  const double sweep = bench_median(&row->sweep), whole = bench_median(&row->whole);
  const bool share = settings->full && sweep > 0 && whole > 0;
  return json_pack("{si sb sI sI sf sf so sf sf so so so so so}", "runs", settings->runs, "full",
                   settings->full, "cells", (json_int_t)row->metrics.cells, "cells_computed",
                   (json_int_t)row->metrics.cells_computed, "sweep_seconds", sweep, "sweep_seconds_least",
                   bench_least(&row->sweep), "sweep_seconds_all", samples_array(&row->sweep), "seconds",
                   whole, "seconds_least", bench_least(&row->whole), "seconds_all",
                   samples_array(&row->whole), "gcups_raw", rate_value(bench_raw_gcups(row)), "gcups",
                   rate_value(bench_gcups(row)), "full_ratio", share ? json_real(whole / sweep) : json_null(),
                   "sweep_share", share ? json_real(bench_median(&row->whole_sweep) / whole) : json_null());
}

json_t *bench_energy_object(const bench_energy *energy, double joules, double gcups_per_watt) {
  return json_pack("{so so so so}", "joules", rate_value(joules), "gcups_per_watt",
                   rate_value(gcups_per_watt), "energy_source",
                   energy->count > 0 ? json_string(energy->source) : json_null(), "energy_missing",
                   energy->count > 0 ? json_null() : json_string(energy->missing));
}

/* Moves every key of `part` into `object`; false if either is missing. */
static bool add_part(json_t *object, json_t *part) {
  const bool added = object && part && json_object_update(object, part) == 0;
  json_decref(part);
  return added;
}

cla_status bench_json_print(const bench_settings *settings, const cla_device_info *device,
                            const bench_case *what, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < what->row_count && status == CLA_OK; i++) {
    const bench_row *row = &what->rows[i];
    json_t *object = where_object(device);
    const bool complete = add_part(object, what_object(settings, what, row)) &&
                          add_part(object, times_object(settings, row)) &&
                          add_part(object, bench_energy_object(settings->energy, bench_median(&row->joules),
                                                               bench_gcups_per_watt(row)));
    char *line = complete ? json_dumps(object, JSON_COMPACT) : NULL;
    if (line)
      puts(line);
    else
      status = cli_error(error, CLA_ERROR_MEMORY, "out of memory for the results; free some memory");
    free(line);
    json_decref(object);
  }
  return status;
}
