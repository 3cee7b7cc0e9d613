#ifndef HOST_PLAN_PLAN_BLOCKS_H
#define HOST_PLAN_PLAN_BLOCKS_H

#include <stdio.h>

#include "clalign/status.h"
#include "plan/block_cutter.h"
#include "plan/plan.h"

/* One sweep on several devices, in blocks of rows (plan/block_cutter.h): from the devices' plans to the facts
 * by which blocks are cut. */

/* A device's share of a sweep. */
typedef struct block_part {
  int64_t blocks, rows;
  int64_t others; /* blocks with other rows a lane than the sweep's */
  int alpha;      /* rows a lane of these other blocks */
} block_part;

void block_part_add(block_part *part, const block_device *device, const row_block *block);

/* Prints the share as a part of a line; rows: all rows of the sweep. */
void block_part_print(FILE *text, const block_part *part, int alpha, int64_t rows);

/* The facts of a device by its plan. The rate is that of a record, or 0. */
block_device plan_block_device(const plan *whole, const plan_input *input);

/* Sets the rate, in cells per second of full rounds. */
void plan_block_rate(block_device *device, const plan_input *input, double rate);

/* The sweep's config for a sample of few columns. */
kernel_config plan_block_sample(const plan *whole, const plan_input *input);

/* The work of a sample of rows x columns, in cells of full rounds, or of a fully used CPU. Divided by the
 * sample's seconds, it gives the rate. */
double plan_block_sampled(const plan *whole, const plan_input *input, int64_t rows, int64_t columns);

/* The sweep's config in one of the device's ways. */
kernel_config plan_block_way(const kernel_config *sweep, const block_device *device, int way);

/* The config for a block of `rows` rows that hands its last row down. Its tiles are narrow, if the kernel
 * allows it, so that the row begins soon. */
kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows);

/* Columns by which a block's last row is behind its first one, per row of the block; 0: few, as in chains of
 * a GPU. */
double plan_block_late(const plan *whole, const plan_input *input);

/* Predicts the seconds of the sweep on devices with known or assumed rates. CLA_ERROR_MEMORY. */
cla_status plan_blocks_seconds(double *out, const block_device *devices, int device_count,
                               const plan_input *input, cla_error *error);

/* Describes each device's share of the sweep, its rows a lane, and the bytes that devices hand to each other,
 * which are `row_bytes` a row. The caller frees *out. */
cla_status plan_blocks_explain(char **out, const block_device *devices, int device_count, int64_t rows,
                               int64_t row_bytes, cla_error *error);

#endif
