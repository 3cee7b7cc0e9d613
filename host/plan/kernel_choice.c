#include "plan/kernel_choice.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scoring/lane_width.h"

/* Tiles that a strip should have, so that a diagonal, which holds half as many, has work for every core and a
 * wave drains fast: on a CPU, and for each compute unit of a GPU (1 Mbp on 132 units: 1.06 TCUPS with
 * 30 tiles a unit, 0.91 with 15, 0.66 with 7). */
#define TILES_PER_STRIP 64
#define TILES_PER_UNIT 16

static int64_t largest_tile(const kernel_config *config, const plan_input *input) {
  int64_t limit = lane_width_tile_columns(config->variant->value_limit, input->table->maximum, input->scoring,
                                          kernel_strip_rows(config), config->lanes);
  if (limit > KERNEL_TILE_LIMIT) limit = KERNEL_TILE_LIMIT;
  return limit / config->lanes * config->lanes;
}

int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns) {
  const cla_device_info *device = input->device;
  const int64_t limit = largest_tile(config, input);
  const int64_t tiles =
      device->kind == CLA_DEVICE_CPU ? TILES_PER_STRIP : TILES_PER_UNIT * (int64_t)device->compute_units;
  int64_t tile = config->lanes;
  while (tile * 2 <= limit && tile * 2 * tiles <= columns) tile *= 2;
  return tile;
}

/* The legal value before `value`. */
static int next_smaller(const int *values, int value) {
  while (values[1] && values[1] < value) values++;
  return *values;
}

/* Fits `config->variant` to the input; false, with the reason, if scheme or device do not allow it. */
static bool fit_variant(kernel_config *config, const plan_input *input, char *reason, size_t size) {
  const kernel_variant *variant = config->variant;
  if (!kernel_takes_scheme(variant, input->scoring, input->table, reason, (int64_t)size)) return false;
  variant->choose(config, input->device, input->rows, input->columns);
  if (!kernel_runs_on(config, input->device, reason, (int64_t)size)) return false;
  int64_t limit = largest_tile(config, input);
  while (limit < config->lanes && config->alpha > variant->alphas[0]) {
    config->alpha = next_smaller(variant->alphas, config->alpha);
    limit = largest_tile(config, input);
  }
  if (limit < config->lanes) {
    snprintf(reason, size, "the scores are too large for %s's %d-bit lanes", variant->name,
             variant->lane_bits);
    return false;
  }
  if (config->tile_columns == 0)
    config->tile_columns = kernel_choice_tile(config, input, input->columns);
  else if (config->tile_columns > limit)
    config->tile_columns = limit;
  return true;
}

cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *input,
                         cla_error *error) {
  char refused[160] = "";
  if (input->kernel) {
    out->variant = kernel_find(input->kernel);
    if (!out->variant) {
      char names[128] = "";
      for (int i = 0; i < kernel_variant_count; i++) {
        strncat(names, i ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, kernel_variants[i]->name, sizeof names - strlen(names) - 1);
      }
      return error_set(error, CLA_ERROR_OPTION, "no kernel is called '%s'; there are: %s", input->kernel,
                       names);
    }
    if (!fit_variant(out, input, refused, sizeof refused))
      return error_set(error, CLA_ERROR_OPTION, "kernel %s cannot be used: %s; leave --kernel out",
                       input->kernel, refused);
    snprintf(reason, size, "asked for");
    return CLA_OK;
  }
  for (int i = 0; i < kernel_variant_count; i++) {
    out->variant = kernel_variants[i];
    if (kernel_variants[i]->for_cpus && input->device->kind != CLA_DEVICE_CPU) continue;
    if (kernel_variants[i]->packed_pairs && !input->device->packed_pairs) continue;
    if (kernel_variants[i]->short_vectors && input->device->native_short_lanes < 2) continue;
    if (!fit_variant(out, input, refused, sizeof refused)) continue;
    snprintf(reason, size, "%s", refused[0] ? refused : "the fastest for this device");
    return CLA_OK;
  }
  return error_set(error, CLA_ERROR_DEVICE, "no kernel runs on %s: %s; try another --device",
                   input->device->name, refused);
}
