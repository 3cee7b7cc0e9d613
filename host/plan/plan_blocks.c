#include "plan/plan_blocks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define ROUNDS 4 /* maximum number of blocks of each device, unless plan_shared sets another */
/* Extra seconds of a block that has a block above or below. Measured on H200s, whose chains compute one
 * strip after the other. */
#define BLOCK_SECONDS 0.012
#define STRIPS_PER_UNIT_CPU 2 /* strips computed at once per compute unit, if tile diagonals are launched */
#define STRIPS_PER_UNIT_GPU 4
/* Each strip is two tiles behind the strip above, and the block below waits for the last strip. So tiles
 * are narrow. Measured with vector8 on 150,000 letters: tiles of 1024, 512 and 256 columns take 0.96, 0.93
 * and 1.01 s on one core. */
#define LATE_PART 16   /* a block's last strip may lag by 1 / LATE_PART of the columns */
#define TILE_LEAST 512 /* narrowest tile used to limit the lag, in columns */

kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows) {
  kernel_config narrow = *config;
  const kernel_geometry g = kernel_layout(config, kernel_gaps_of(input->scoring), rows, input->columns);
  if (input->settings || g.slant > 0) return narrow;
  while (2 * g.strips * narrow.tile_columns > input->columns / LATE_PART &&
         narrow.tile_columns / 2 >= TILE_LEAST && narrow.tile_columns / 2 % narrow.lanes == 0)
    narrow.tile_columns /= 2;
  return narrow;
}

/* True if each group of the sweep computes one strip after the other. */
static bool takes_chains(const plan *whole, const plan_input *input) {
  return input->device->kind == CLA_DEVICE_GPU && whole->sweep.launch == KERNEL_PERSISTENT;
}

double plan_block_late(const plan *whole, const plan_input *input) {
  const kernel_config narrow = plan_block_config(&whole->sweep, input, input->rows);
  return takes_chains(whole, input) ? 0
                                    : 2 * (double)narrow.tile_columns / (double)kernel_strip_rows(&narrow);
}

kernel_config plan_block_way(const kernel_config *sweep, const block_device *device, int way) {
  kernel_config config = *sweep;
  if (way > 0) config.alpha = device->ways[way].alpha;
  return config;
}

/* True if the plan's tiles and memory allow blocks with the config's rows per lane. Each kept row must be
 * the last row of a strip. Larger strips would need memory for more kept rows at once. */
static bool can_be_way(const plan *whole, const plan_input *input, const kernel_config *config) {
  char unused[160];
  const int64_t interval = whole->row_interval;
  const bool ends =
      interval == 0 || (interval % kernel_strip_rows(config) == 0 && config->alpha < whole->sweep.alpha);
  return ends && !whole->prune && !input->settings && !(whole->shared.alphas_refused >> config->alpha & 1) &&
         kernel_runs_on(config, input->device, unused, sizeof unused) &&
         kernel_tile_limit(config, input->scoring, input->table, input->nesting) >= config->tile_columns;
}

/* Adds a way with the config's rows per lane. The variant's cost model gives the ratio of its rounds'
 * duration to that of the sweep's rounds. */
static void add_way(block_device *device, const plan *whole, const plan_input *input,
                    const kernel_config *config) {
  const kernel_config *sweep = &whole->sweep;
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const int64_t interval = whole->row_interval, rows = sweep->groups * kernel_strip_rows(config);
  const int64_t rounds = interval > rows ? (interval + rows - 1) / rows : 1;
  const int64_t own_rows = sweep->groups * kernel_strip_rows(sweep);
  const double cost = config->variant->cost(config, input->device, gaps, rows, input->columns, 1);
  const double own = config->variant->cost(sweep, input->device, gaps, own_rows, input->columns, 1);
  if (cost <= 0 || own <= 0 || device->way_count == BLOCK_WAYS_MOST) return;
  device->ways[device->way_count++] =
      (block_way){.alpha = config->alpha,
                  .round_rows = interval > 0 ? rounds * rows / interval * interval : rows,
                  .round_work = (double)(rounds * own_rows) * cost / own};
}

/* Adds the ways of a device whose chains compute strips in rounds. The last round takes as long as the
 * others, even if it has few strips. Fewer rows per lane make rounds shorter. */
static void add_ways(block_device *device, const plan *whole, const plan_input *input) {
  const kernel_config *sweep = &whole->sweep;
  add_way(device, whole, input, sweep);
  for (const int *alpha = sweep->variant->alphas; device->way_count > 0 && *alpha; alpha++) {
    kernel_config other = *sweep;
    other.alpha = *alpha;
    if (other.alpha != sweep->alpha && can_be_way(whole, input, &other))
      add_way(device, whole, input, &other);
  }
}

void plan_block_rate(block_device *device, const plan_input *input, double rate) {
  device->rate = rate;
  device->block_work = device->way_count > 0 ? BLOCK_SECONDS * rate / (double)input->columns : 0;
}

block_device plan_block_device(const plan *whole, const plan_input *input) {
  const kernel_config *sweep = &whole->sweep;
  const int64_t strip_rows = kernel_strip_rows(sweep);
  const bool gpu = input->device->kind == CLA_DEVICE_GPU;
  const bool chains = takes_chains(whole, input);
  const int64_t launched =
      (int64_t)input->device->compute_units * (gpu ? STRIPS_PER_UNIT_GPU : STRIPS_PER_UNIT_CPU);
  const int64_t busy = (chains ? sweep->groups : launched) * strip_rows;
  /* Each tile diagonal is a launch, and takes as long as the core with the most tiles. */
  const bool even = !gpu && whole->shared.rows <= 0;
  const int64_t unit = even ? larger(input->device->compute_units, 1) * strip_rows : strip_rows;
  const int64_t rows = whole->matrix_block_rows > 0 ? whole->matrix_block_rows : whole->row_interval;
  block_device device = {.unit_rows = rows > 0 ? rows : unit,
                         .least_rows = whole->shared.rows > 0 ? whole->shared.rows : busy,
                         .alpha = sweep->alpha,
                         .rounds = whole->shared.rounds > 0 ? whole->shared.rounds : ROUNDS};
  if (chains && sweep->variant->cost && whole->shared.rows <= 0) add_ways(&device, whole, input);
  if (device.way_count > 0)
    device.round_late =
        (double)sweep->groups * (double)kernel_slant(sweep, input->columns) / (double)input->columns;
  double rate = whole->predicted.sweep_seconds > 0
                    ? (double)whole->predicted.sweep_cells / whole->predicted.sweep_seconds
                    : 0;
  if (device.way_count > 0) /* the predicted seconds include a last round that is not full */
    rate *= ceil((double)input->rows / (double)busy) * (double)busy / (double)input->rows;
  plan_block_rate(&device, input, rate);
  return device;
}

/* Returns the fraction of the device's compute units that are busy, averaged over a region. The region's
 * first and last diagonals have few tiles. */
static double busy_part(const kernel_config *config, const plan_input *input, int64_t rows, int64_t columns) {
  const kernel_geometry g = kernel_layout(config, kernel_gaps_of(input->scoring), rows, columns);
  const int64_t units = larger(input->device->compute_units, 1), diagonals = kernel_diagonals(&g);
  int64_t turns = 0, tiles = 0;
  for (int64_t diagonal = 0; diagonal < diagonals; diagonal++) {
    int64_t first = 0, last = 0;
    kernel_diagonal(&g, diagonal, &first, &last);
    tiles += last - first + 1;
    turns += (last - first + units) / units;
  }
  return (double)tiles / (double)(turns * units);
}

/* Makes a CPU's tiles narrow for a sample. Each strip starts two tiles after the strip above. With wide
 * tiles, this delay takes most of the sample's time. Measured with 31 threads and tiles of 2048 columns:
 * 0.8 s for all samples. */
kernel_config plan_block_sample(const plan *whole, const plan_input *input) {
  kernel_config config = whole->sweep;
  if (input->device->kind == CLA_DEVICE_CPU && config.tile_columns > TILE_LEAST &&
      TILE_LEAST % config.lanes == 0)
    config.tile_columns = TILE_LEAST;
  return config;
}

double plan_block_sampled(const plan *whole, const plan_input *input, int64_t rows, int64_t columns) {
  const block_device device = plan_block_device(whole, input);
  const kernel_config *sweep = &whole->sweep, sampled = plan_block_sample(whole, input);
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const double cells = (double)rows * (double)columns;
  if (device.way_count == 0 &&
      input->device->kind ==
          CLA_DEVICE_CPU) /* a block has far more columns than a sample, and keeps all units busy */
    return cells / busy_part(&sampled, input, rows, columns);
  if (device.way_count == 0) return cells;
  /* Compare with a round of all columns, where start and end take a smaller fraction of the time. */
  const double sample = sweep->variant->cost(sweep, input->device, gaps, rows, columns, 1);
  const double all = sweep->variant->cost(sweep, input->device, gaps, device.least_rows, input->columns, 1);
  return (double)device.least_rows * (double)input->columns * sample / all;
}

cla_status plan_blocks_seconds(double *out, const block_device *devices, int device_count,
                               const plan_input *input, cla_error *error) {
  block_cutter cutter;
  cla_status status = block_cutter_begin(&cutter, devices, device_count, 0, input->rows, error);
  *out = cutter.time * (double)input->columns;
  block_cutter_free(&cutter);
  return status;
}

static bool all_known(const block_device *devices, int count) {
  for (int i = 0; i < count; i++)
    if (!devices[i].idle && devices[i].rate <= 0) return false;
  return true;
}

void block_part_add(block_part *part, const block_device *device, const row_block *block) {
  part->blocks++;
  part->rows += block->rows;
  part->others += block->way > 0;
  if (block->way > 0) part->alpha = device->ways[block->way].alpha;
}

void block_part_print(FILE *text, const block_part *part, int alpha, int64_t rows) {
  fprintf(text, "%" PRId64 " blocks, %" PRId64 " rows, %.3g %%", part->blocks, part->rows,
          100.0 * (double)part->rows / (double)rows);
  if (alpha > 0 && part->blocks > part->others) fprintf(text, ", %d rows a lane", alpha);
  if (part->others > 0) fprintf(text, ", %" PRId64 " of them with %d rows a lane", part->others, part->alpha);
}

/* Cuts all rows according to the known rates. parts[i] receives the share of device i. */
static cla_status cut_all(block_part *parts, const block_device *devices, int device_count, int64_t rows,
                          cla_error *error) {
  block_cutter cutter;
  row_block block;
  cla_status status = block_cutter_begin(&cutter, devices, device_count, 0, rows, error);
  int i = status == CLA_OK ? block_cutter_first(&cutter) : 0;
  for (; status == CLA_OK && cutter.next < rows; i = (i + 1) % device_count) {
    if (block_cutter_take(&block, &cutter, i)) block_part_add(parts + i, devices + i, &block);
  }
  block_cutter_free(&cutter);
  return status;
}

cla_status plan_blocks_explain(char **out, const block_device *devices, int device_count, int64_t rows,
                               int64_t row_bytes, cla_error *error) {
  size_t size = 0;
  int sharing = 0;
  char *buffer = NULL;
  block_part *parts = NULL;
  *out = NULL;
  const bool known = all_known(devices, device_count);
  cla_status status = ALLOCATE_ZEROS(&parts, device_count, "the blocks", error);
  if (status == CLA_OK && known) status = cut_all(parts, devices, device_count, rows, error);
  FILE *text = status == CLA_OK ? open_memstream(&buffer, &size) : NULL;
  for (int i = 0; text && i < device_count; i++) {
    sharing += !devices[i].idle;
    fprintf(text, "%s %s", i == 0 ? "devices   " : "          ", devices[i].name);
    if (devices[i].idle) {
      fprintf(text, ": no part of the sweep\n");
    } else if (known) {
      fprintf(text, ": about ");
      block_part_print(text, parts + i, devices[i].alpha, rows);
      fprintf(text, "\n");
    } else {
      fprintf(text, ": rows in multiples of %" PRId64 "\n", devices[i].unit_rows);
    }
  }
  if (text && !known)
    fprintf(text, "           as many rows as its speed says, which is measured when the sweep begins\n");
  if (text && sharing > 1)
    fprintf(text, "           up to %.1f MiB of host memory for what they hand to each other\n",
            (double)((sharing + 1) * row_bytes) / (1 << 20));
  free(parts);
  if (text && fclose(text) == 0) {
    *out = buffer;
    return CLA_OK;
  }
  free(buffer);
  return status == CLA_OK ? allocate_text(out, "", error) : status;
}
