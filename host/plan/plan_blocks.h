#ifndef HOST_PLAN_PLAN_BLOCKS_H
#define HOST_PLAN_PLAN_BLOCKS_H

#include <stdio.h>

#include "clalign/status.h"
#include "plan/block_cutter.h"
#include "plan/plan.h"

/* One sweep on several devices, in blocks of rows (plan/block_cutter.h). The functions turn a device's plan
 * into the description by which blocks are cut. */

/* A device's share of a sweep. */
typedef struct block_part {
  int64_t blocks, rows;
  int64_t others; /* number of blocks whose rows per lane differ from those of the sweep */
  int alpha;      /* rows per lane of these other blocks */
} block_part;

void block_part_add(block_part *part, const block_device *device, const row_block *block);

/* Prints the share as part of a line. `rows`: number of rows in the sweep. */
void block_part_print(FILE *text, const block_part *part, int alpha, int64_t rows);

/* Returns the description of a device by its plan. The rate comes from a record; 0: no record has a rate. */
block_device plan_block_device(const plan *whole, const plan_input *input);

/* Sets the device's rate, given in cells per second of full rounds. */
void plan_block_rate(block_device *device, const plan_input *input, double rate);

/* Returns the sweep's config for a sample of few columns. */
kernel_config plan_block_sample(const plan *whole, const plan_input *input);

/* Returns the work of a sample of rows x columns: the number of cells that full rounds, or a fully used
 * CPU, would compute in the same time. The work divided by the sample's seconds is the rate. */
double plan_block_sampled(const plan *whole, const plan_input *input, int64_t rows, int64_t columns);

/* Returns the sweep's config for one of the device's ways. */
kernel_config plan_block_way(const kernel_config *sweep, const block_device *device, int way);

/* Returns the config for a block of `rows` rows that hands down its last row. If the kernel allows it, tiles
 * are narrow, so that the last row starts early. */
kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows);

/* Returns the lag of a block's last row behind its first row, in columns, divided by the block's number of
 * rows. Returns 0 if the lag is only a few columns, as with chains on a GPU. */
double plan_block_late(const plan *whole, const plan_input *input);

/* Predicts the seconds of the sweep on devices with known or assumed rates. Fails with CLA_ERROR_MEMORY. */
cla_status plan_blocks_seconds(double *out, const block_device *devices, int device_count,
                               const plan_input *input, cla_error *error);

/* Describes each device's share of the sweep, its rows per lane, and the memory for the rows that devices
 * hand to each other (`row_bytes` bytes per row). The caller frees *out. */
cla_status plan_blocks_explain(char **out, const block_device *devices, int device_count, int64_t rows,
                               int64_t row_bytes, cla_error *error);

#endif
