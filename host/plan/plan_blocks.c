#include "plan/plan_blocks.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* Blocks of each device at most, and of one that takes whole rounds of strips. */
#define ROUNDS 4
#define WHOLE_ROUNDS 8
/* A device waits at first until those before it have come to the end of their first columns, about such a
 * part of a block's time for each: the more blocks, the less that is of the sweep. */
#define LATE 0.03
/* Strips that are in work at once for each compute unit, where the host launches diagonals. */
#define STRIPS_PER_UNIT_CPU 2
#define STRIPS_PER_UNIT_GPU 4

/* Strips run two tiles behind each other. All those of a block together should be no more than so small a
 * part of the columns behind, because that is what the block below waits, but narrower tiles cost more than
 * it. (vector8, 150,000 letters: tiles of 1024, 512 and 256 columns 0.96, 0.93 and 1.01 s of a core.) */
#define LATE_PART 16
#define TILE_LEAST 512

kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows) {
  kernel_config narrow = *config;
  const kernel_geometry g = kernel_layout(config, kernel_gaps_of(input->scoring), rows, input->columns);
  if (input->settings || g.slant > 0) return narrow;
  while (2 * g.strips * narrow.tile_columns > input->columns / LATE_PART &&
         narrow.tile_columns / 2 >= TILE_LEAST && narrow.tile_columns / 2 % narrow.lanes == 0)
    narrow.tile_columns /= 2;
  return narrow;
}

block_device plan_block_device(const plan *whole, const plan_input *input) {
  const kernel_config *sweep = &whole->sweep;
  const int64_t strip_rows = kernel_strip_rows(sweep);
  const bool gpu = input->device->kind == CLA_DEVICE_GPU;
  const int64_t launched =
      (int64_t)input->device->compute_units * (gpu ? STRIPS_PER_UNIT_GPU : STRIPS_PER_UNIT_CPU);
  /* Its chains take one strip after the other, in rounds: the last one takes as long as the others. */
  const bool rounds = gpu && sweep->launch == KERNEL_PERSISTENT && sweep->variant->cost;
  const int64_t strips = gpu && sweep->launch == KERNEL_PERSISTENT ? sweep->groups : launched;
  const int64_t unit = whole->row_interval > 0 ? whole->row_interval : strip_rows;
  /* Blocks end with a kept row. */
  const bool by_whole = rounds && whole->block_rows <= 0 && strips * strip_rows >= unit;
  const int64_t busy = by_whole ? strips * strip_rows / unit * unit : strips * strip_rows;
  return (block_device){
      .rate = whole->sweep_seconds > 0 ? (double)whole->sweep_cells / whole->sweep_seconds : 0,
      .unit_rows = unit,
      .least_rows = whole->block_rows > 0 ? whole->block_rows : busy,
      .by_whole = by_whole,
      .rounds = whole->block_rounds > 0 ? whole->block_rounds
                : rounds                ? WHOLE_ROUNDS
                                        : ROUNDS};
}

/* Rows whose time a block of so many takes. */
static double rows_of_time(const block_device *device, double rows) {
  const double least = (double)larger(device->least_rows, 1);
  if (rows <= least) return least;
  return device->by_whole ? ceil(rows / least - 0.01) * least : rows;
}

/* What the sweep of so many rows takes with those that have a rate, each with so many blocks. */
static double time_of(const double *rates, const block_device *devices, int count, double rows, int rounds) {
  double sum = 0, longest = 0;
  int sharing = 0;
  for (int i = 0; i < count; i++) {
    sum += rates[i];
    sharing += rates[i] > 0;
  }
  for (int i = 0; i < count; i++) {
    if (rates[i] <= 0) continue;
    const double block = rows * rates[i] / sum / rounds;
    longest = fmax(longest, rounds * rows_of_time(devices + i, sharing > 1 ? block : rows) / rates[i]);
  }
  return longest * (1 + LATE * (sharing - 1) / rounds);
}

/* In how many rounds that takes the least time, and that time. */
static double best_rounds(int *rounds, const double *rates, const block_device *devices, int count,
                          double rows) {
  double least = INFINITY;
  int most = INT_MAX, sharing = 0;
  for (int i = 0; i < count; i++) {
    if (rates[i] <= 0) continue;
    sharing++;
    if (devices[i].rounds < most) most = devices[i].rounds;
  }
  for (int tried = 1; tried <= (sharing > 1 ? most : 1); tried++) {
    const double time = time_of(rates, devices, count, rows, tried);
    if (time >= least) continue;
    least = time;
    *rounds = tried;
  }
  return least;
}

/* Of those that have a rate, whom its part keeps least busy; never the fastest. -1: there is one. */
static int least_busy(const double *rates, const block_device *devices, int count) {
  int fastest = 0, out = -1;
  double fewest = INFINITY;
  for (int i = 1; i < count; i++)
    if (rates[i] > rates[fastest]) fastest = i;
  for (int i = 0; i < count; i++) {
    const double busy = rates[i] / (double)larger(devices[i].least_rows, 1);
    if (rates[i] <= 0 || i == fastest || busy > fewest) continue;
    fewest = busy;
    out = i;
  }
  return out;
}

/* The rates of those that take part, and in how many rounds: of all, all but one, and so on. */
static int choose_rounds(double *rates, double *tried, const block_device *devices, int count, double rows) {
  int rounds = 1, best = 1;
  double least = INFINITY;
  for (int i = 0; i < count; i++) tried[i] = devices[i].idle ? 0 : devices[i].rate;
  for (int out = -1;;) {
    if (out >= 0) tried[out] = 0;
    const double time = best_rounds(&rounds, tried, devices, count, rows);
    if (time < least) {
      least = time;
      best = rounds;
      for (int i = 0; i < count; i++) rates[i] = tried[i];
    }
    out = least_busy(tried, devices, count);
    if (out < 0) return best;
  }
}

cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error) {
  *out = (block_cutter){.devices = devices,
                        .device_count = device_count,
                        .first = row,
                        .next = row,
                        .end = end,
                        .wanted = (double)row};
  cla_status status =
      allocate_array((void **)&out->rates, 2 * device_count, sizeof *out->rates, "the blocks", error);
  if (status != CLA_OK) return status;
  out->learned = out->rates + device_count;
  out->rounds = choose_rounds(out->rates, out->learned, devices, device_count, (double)(end - row));
  for (int i = 0; i < device_count; i++) out->learned[i] = devices[i].guessed ? 0 : out->rates[i];
  return CLA_OK;
}

void block_cutter_free(block_cutter *c) {
  free(c->rates);
}

int64_t block_cutter_most(const block_cutter *c) {
  return 2 * (int64_t)c->rounds * c->device_count;
}

bool block_cutter_take(row_block *out, block_cutter *c, int device) {
  const block_device *facts = c->devices + device;
  const int64_t unit = facts->by_whole ? facts->least_rows : facts->unit_rows, left = c->end - c->next;
  double sum = 0;
  if (c->rates[device] <= 0 || left <= 0) return false;
  for (int i = 0; i < c->device_count; i++) sum += c->rates[i];
  c->wanted += (double)(c->end - c->first) * c->rates[device] / sum / c->rounds;
  const double units = (c->wanted - (double)c->next) / (double)unit;
  int64_t rows = units < 1.5 ? unit : (int64_t)(units + 0.5) * unit;
  const bool alone = c->rates[device] >= sum;
  if (alone || left - rows < facts->unit_rows || ++c->blocks == block_cutter_most(c)) rows = left;
  *out = (row_block){.device = device, .row = c->next, .rows = rows};
  c->next += rows;
  return true;
}

void block_cutter_learn(block_cutter *c, int device, double rate) {
  bool all = true;
  if (c->rates[device] <= 0 || rate <= 0) return;
  c->learned[device] = rate;
  for (int i = 0; i < c->device_count; i++) all = all && (c->learned[i] > 0 || c->rates[i] <= 0);
  for (int i = 0; all && i < c->device_count; i++) c->rates[i] = c->learned[i];
}

static bool all_known(const block_device *devices, int count) {
  for (int i = 0; i < count; i++)
    if (!devices[i].idle && devices[i].rate <= 0) return false;
  return true;
}

/* What the devices take of so many rows, if all are as fast as they are known to be. */
typedef struct block_part {
  int64_t blocks, rows;
} block_part;

static cla_status cut_all(block_part *parts, const block_device *devices, int device_count, int64_t rows,
                          cla_error *error) {
  block_cutter cutter;
  row_block block;
  cla_status status = block_cutter_begin(&cutter, devices, device_count, 0, rows, error);
  for (int i = 0; status == CLA_OK && cutter.next < rows; i = (i + 1) % device_count) {
    if (!block_cutter_take(&block, &cutter, i)) continue;
    parts[i].blocks++;
    parts[i].rows += block.rows;
  }
  block_cutter_free(&cutter);
  return status;
}

cla_status plan_blocks_explain(char **out, const block_device *devices, const char *const *names,
                               int device_count, int64_t rows, int64_t row_bytes, cla_error *error) {
  size_t size = 0;
  int sharing = 0;
  char *buffer = NULL;
  block_part *parts = NULL;
  *out = NULL;
  const bool known = all_known(devices, device_count);
  cla_status status = allocate_array((void **)&parts, device_count, sizeof *parts, "the blocks", error);
  if (status == CLA_OK && known) status = cut_all(parts, devices, device_count, rows, error);
  FILE *text = status == CLA_OK ? open_memstream(&buffer, &size) : NULL;
  for (int i = 0; text && i < device_count; i++) {
    sharing += !devices[i].idle;
    fprintf(text, "%s %s", i == 0 ? "devices   " : "          ", names[i]);
    if (devices[i].idle)
      fprintf(text, ": no part of the sweep\n");
    else if (known)
      fprintf(text, ": about %" PRId64 " blocks, %" PRId64 " rows, %.3g %%\n", parts[i].blocks, parts[i].rows,
              100.0 * (double)parts[i].rows / (double)rows);
    else
      fprintf(text, ": rows in multiples of %" PRId64 "\n", devices[i].unit_rows);
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
