#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scoring/lane_width.h"

/* More rows cost memory and save little: with 48, traceback computes about 3 % of a square again. */
#define SPECIAL_ROWS_ENOUGH 48
/* Rows kept inside a block; the next block's rows are that much closer to each other. */
#define BLOCK_ROWS_ENOUGH 64
/* Small blocks cost the host about 2 ns a cell and a byte each of direction bits. */
#define SMALL_BLOCK_ROWS 512
#define SMALL_BLOCK_CELLS (INT64_C(1) << 22)
#define SEARCH_ROWS 2048
/* Tiles that a strip should have, so that a diagonal, which holds half as many, has work for every core and a
 * wave drains fast: on a CPU, and for each compute unit of a GPU (1 Mbp on 132 units: 1.06 TCUPS with
 * 30 tiles a unit, 0.91 with 15, 0.66 with 7). */
#define TILES_PER_STRIP 64
#define TILES_PER_UNIT 16
/* Host memory that does not grow with the sequences: direction bits, parts of rows, the driver's share. */
#define HOST_BASE_BYTES (INT64_C(8) << 20)
/* Device memory likewise: parameters, scores. */
#define DEVICE_BASE_BYTES (INT64_C(1) << 16)

static int64_t largest_tile(const kernel_config *config, const plan_input *input) {
  int64_t limit = lane_width_tile_columns(config->variant->value_limit, input->table->maximum, input->scoring,
                                          kernel_strip_rows(config), config->lanes);
  if (limit > KERNEL_TILE_LIMIT) limit = KERNEL_TILE_LIMIT;
  return limit / config->lanes * config->lanes;
}

/* Tiles of a power of two times `lanes` columns, as many as keep the cores busy and no wider than allowed. */
static int64_t choose_tile(const kernel_config *config, const cla_device_info *device, int64_t limit,
                           int64_t columns) {
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
  config->tile_columns = choose_tile(config, input->device, limit, input->columns);
  return true;
}

static cla_status choose_kernel(plan *out, const plan_input *input, cla_error *error) {
  char refused[160] = "";
  if (input->kernel) {
    out->sweep.variant = kernel_find(input->kernel);
    if (!out->sweep.variant) {
      char names[128] = "";
      for (int i = 0; i < kernel_variant_count; i++) {
        strncat(names, i ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, kernel_variants[i]->name, sizeof names - strlen(names) - 1);
      }
      return error_set(error, CLA_ERROR_OPTION, "no kernel is called '%s'; there are: %s", input->kernel,
                       names);
    }
    if (!fit_variant(&out->sweep, input, refused, sizeof refused))
      return error_set(error, CLA_ERROR_OPTION, "kernel %s cannot be used: %s; leave --kernel out",
                       input->kernel, refused);
    snprintf(out->reason, sizeof out->reason, "asked for");
    return CLA_OK;
  }
  for (int i = 0; i < kernel_variant_count; i++) {
    out->sweep.variant = kernel_variants[i];
    if (kernel_variants[i]->for_cpus && input->device->kind != CLA_DEVICE_CPU) {
      snprintf(refused, sizeof refused, "%s is for CPUs", kernel_variants[i]->name);
      continue;
    }
    if (!fit_variant(&out->sweep, input, refused, sizeof refused)) continue;
    snprintf(out->reason, sizeof out->reason, "%s", refused[0] ? refused : "the fastest there is");
    return CLA_OK;
  }
  return error_set(error, CLA_ERROR_DEVICE, "no kernel runs on %s: %s; try another --device",
                   input->device->name, refused);
}

/* Device memory while a region of so many rows, of the whole target's width, keeps rows every `interval`. */
static int64_t device_need(const plan *p, const plan_input *input, int64_t rows, int64_t interval) {
  const kernel_geometry g = kernel_layout(&p->sweep, rows, input->columns);
  const int64_t kept = kernel_row_slots(&g, &p->sweep, rows, interval) * g.row_bytes;
  return input->rows + input->columns + g.bus_bytes + g.state_bytes + g.base_bytes + g.best_bytes +
         g.bottom_bytes + kept + DEVICE_BASE_BYTES;
}

/* The interval that gives at most `count` rows, whole strips; 0 for none. */
static int64_t interval_for(const plan *p, int64_t rows, int64_t count) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep);
  if (count <= 0) return 0;
  const int64_t even = rows / (count + 1) + 1;
  return (even + strip_rows - 1) / strip_rows * strip_rows;
}

static int64_t rows_at(const plan_input *input, int64_t interval) {
  return interval > 0 ? (input->rows - 1) / interval : 0;
}

/* Host memory besides special rows: the sequences, one bus line and a kept row in full width. */
static int64_t host_need(const plan *p, const plan_input *input) {
  const kernel_geometry g = kernel_layout(&p->sweep, input->rows, input->columns);
  int64_t bytes = HOST_BASE_BYTES + input->rows + input->columns + g.row_bytes;
  if (!input->score_only) bytes += 2 * (input->columns + 1) * (int64_t)sizeof(int64_t);
  return bytes;
}

static cla_status too_small(const char *option, int64_t budget, int64_t least, cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "%s %lld is too small: %lld bytes would do", option,
                   (long long)budget, (long long)least);
}

/* Host memory of one special row in full width: two differences a node, and little else. */
static int64_t special_row_bytes(const plan_input *input) {
  const int64_t nodes = input->columns + 1;
  return 2 * nodes * lane_width_difference_bytes(input->table->maximum, input->scoring) + nodes / 512 + 64;
}

/* Rows that a block keeps within itself: `left` fit in host memory, the device's budget may allow fewer. */
static void choose_block_rows(plan *out, const plan_input *input, int64_t left) {
  const int64_t rows = out->row_interval > 0 ? out->row_interval : input->rows;
  int64_t kept = left < BLOCK_ROWS_ENOUGH ? left : BLOCK_ROWS_ENOUGH;
  while (kept > 1 &&
         device_need(out, input, rows, interval_for(out, rows, kept)) > input->device_memory_bytes)
    kept--;
  const int64_t device = device_need(out, input, rows, interval_for(out, rows, kept));
  if (device > out->device_bytes) out->device_bytes = device;
  out->block_rows_kept = kept;
}

/* Special rows from the budgets: as many as help, fewer where memory is short. */
static cla_status choose_rows(plan *out, const plan_input *input, cla_error *error) {
  const int64_t row_bytes = special_row_bytes(input);
  const int64_t least_host = host_need(out, input) + (input->score_only ? 0 : row_bytes);
  const int64_t strip_rows = kernel_strip_rows(&out->sweep);
  if (input->memory_bytes < least_host) return too_small("--memory", input->memory_bytes, least_host, error);
  /* A traceback that starts from no kept row keeps one inside its first block. */
  const int64_t least_interval = input->score_only ? 0 : interval_for(out, input->rows, 1);
  const int64_t least_device = device_need(out, input, input->rows, least_interval);
  if (input->device_memory_bytes < least_device)
    return too_small("--device-memory", input->device_memory_bytes, least_device, error);

  int64_t wanted = input->special_rows;
  const int64_t left = (input->memory_bytes - least_host) / row_bytes;
  if (input->score_only) wanted = 0;
  if (wanted < 0) {
    wanted = SPECIAL_ROWS_ENOUGH;
    const int64_t useful = input->rows / SMALL_BLOCK_ROWS;
    if (wanted > useful) wanted = useful;
    if (wanted > left / 2) wanted = left / 2;
    while (wanted > 0 && device_need(out, input, input->rows, interval_for(out, input->rows, wanted)) >
                             input->device_memory_bytes)
      wanted--;
  }
  const int64_t most = (input->rows - 1) / strip_rows;
  if (wanted > most) wanted = most;
  out->row_interval = interval_for(out, input->rows, wanted);
  out->special_rows = rows_at(input, out->row_interval);
  if (out->special_rows > left)
    return error_set(error, CLA_ERROR_MEMORY,
                     "--special-rows %lld needs %lld bytes, --memory leaves %lld; keep at most %lld rows",
                     (long long)input->special_rows, (long long)(out->special_rows * row_bytes),
                     (long long)(left * row_bytes), (long long)left);
  const int64_t device = device_need(out, input, input->rows, out->row_interval);
  if (device > input->device_memory_bytes)
    return too_small("--device-memory", input->device_memory_bytes, device, error);
  out->device_bytes = device > least_device ? device : least_device;
  if (!input->score_only) choose_block_rows(out, input, left - out->special_rows + 1);
  out->host_bytes = least_host + out->special_rows * row_bytes;
  if (!input->score_only && out->special_rows == 0) out->host_bytes += (out->block_rows_kept - 1) * row_bytes;
  return CLA_OK;
}

cla_status plan_make(plan *out, const plan_input *input, cla_error *error) {
  memset(out, 0, sizeof *out);
  out->small_block_rows = SMALL_BLOCK_ROWS;
  out->small_block_cells = SMALL_BLOCK_CELLS;
  out->search_rows = SEARCH_ROWS;
  cla_status status = choose_kernel(out, input, error);
  if (status == CLA_OK) status = choose_rows(out, input, error);
  if (status != CLA_OK) return status;
  out->sweep_cells = input->rows * input->columns;
  if (!input->score_only) {
    const double block = out->row_interval ? (double)out->row_interval : (double)input->rows;
    const double width = 1.5 * block < (double)input->columns ? 1.5 * block : (double)input->columns;
    out->traceback_cells = (double)input->rows * (width + 1.5 * SMALL_BLOCK_ROWS);
  }
  return CLA_OK;
}

kernel_config plan_region(const plan *whole, const plan_input *input, int64_t columns) {
  kernel_config config = whole->sweep;
  config.tile_columns = choose_tile(&config, input->device, largest_tile(&config, input), columns);
  return config;
}
