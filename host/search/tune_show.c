/* Prints the configs that are used on a device, and the records that they come from. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "clalign/tuner.h"
#include "plan/plan.h"
#include "search/candidate_check.h"

static const int64_t usual_lengths[] = {10000, 30000, 100000, 300000, 1000000, 3000000, 10000000};
#define USUAL_LENGTHS ((int)(sizeof usual_lengths / sizeof usual_lengths[0]))

/* Returns the plan's reason for the config, without the words for a kernel that the user asked for. */
static const char *origin(const plan *found) {
  static const char asked[] = "asked for";
  const size_t length = sizeof asked - 1;
  if (strncmp(found->reason, asked, length) != 0) return found->reason;
  return found->reason[length] == ';' ? found->reason + length + 2 : "default";
}

static void print_row(FILE *text, const plan *found, const plan_input *input) {
  const kernel_config *config = &found->sweep;
  char groups[16] = "-", rate[32] = "-";
  if (config->launch == KERNEL_PERSISTENT) snprintf(groups, sizeof groups, "%d", config->groups);
  if (found->predicted.sweep_seconds > 0)
    snprintf(rate, sizeof rate, "%.2f",
             (double)found->predicted.sweep_cells / found->predicted.sweep_seconds / 1e9);
  fprintf(text, "%-6s %10lld %-10s %5d %5d %5lld %-10s %6s %9s  %s\n", input->mode, (long long)input->rows,
          config->variant->name, config->lanes, config->alpha, (long long)config->tile_columns,
          config->launch == KERNEL_PERSISTENT ? "persistent" : "diagonals", groups, rate, origin(found));
}

/* Prints the config that is used for a size, and then the configs of the other variants. */
static cla_status print_size(FILE *text, plan_input *input, cla_error *error) {
  plan first, other;
  input->kernel = NULL;
  const cla_status status = plan_make(&first, input, error);
  if (status != CLA_OK) return status;
  print_row(text, &first, input);
  for (int i = 0; i < kernel_variant_count; i++) {
    input->kernel = kernel_variants[i]->name;
    const bool fits = !kernel_variants[i]->for_cpus || input->device->kind == CLA_DEVICE_CPU;
    if (kernel_variants[i] != first.sweep.variant && fits && plan_make(&other, input, NULL) == CLA_OK)
      print_row(text, &other, input);
  }
  return CLA_OK;
}

cla_status cla_tune_show(char **out, const cla_device_info *device, const cla_tuning *tuning,
                         const cla_tune_options *options, cla_error *error) {
  const bool usual = options->length_count <= 0;
  const int64_t *lengths = usual ? usual_lengths : options->lengths;
  const int length_count = usual ? USUAL_LENGTHS : options->length_count;
  size_t size = 0;
  char *buffer = NULL, from[1280];
  tuning_rates rates;
  tuned_scheme scheme;
  cla_status status = tuned_scheme_make(&scheme, options->scoring, error);
  *out = NULL;
  if (status != CLA_OK) return status;
  FILE *text = open_memstream(&buffer, &size);
  if (!text) return allocate_text(out, "", error);
  fprintf(text, "device %s, %s, driver %s, %d compute units\n", device->name, device->platform,
          device->driver, device->compute_units);
  fprintf(text, "%-6s %10s %-10s %5s %5s %5s %-10s %6s %9s  %s\n", "mode", "length", "kernel", "lanes",
          "alpha", "tile", "launch", "groups", "GCUPS", "from");
  for (int local = 1; local >= 0; local--)
    for (int i = 0; status == CLA_OK && i < length_count; i++) {
      plan_input input = {.rows = lengths[i],
                          .columns = lengths[i],
                          .ends = path_ends_make(local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, 0),
                          .mode = cla_mode_name(local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL),
                          .score_only = true,
                          .scoring = &scheme.scoring,
                          .table = &scheme.table,
                          .device = device,
                          .memory_bytes = INT64_MAX / 4,
                          .device_memory_bytes = INT64_MAX / 4,
                          .tuning = tuning};
      status = print_size(text, &input, error);
    }
  tuning_rates_find(&rates, from, sizeof from, tuning, device->kind);
  fprintf(text, "rates: %s\n", from);
  for (int i = 0; i < RATE_COUNT; i++)
    fprintf(text, "%-20s %9.3g %s\n", tuning_rate_rows[i].name, rates.of[i], tuning_rate_rows[i].unit);
  const bool written = fclose(text) == 0;
  if (status == CLA_OK && written) {
    *out = buffer;
    return CLA_OK;
  }
  free(buffer);
  return status == CLA_OK ? allocate_text(out, "", error) : status;
}
