#ifndef HOST_PLAN_PLAN_BLOCKS_H
#define HOST_PLAN_PLAN_BLOCKS_H

#include <stdio.h>

#include "clalign/status.h"
#include "plan/block_cutter.h"
#include "plan/plan.h"

/* One sweep on several devices, in blocks of rows (plan/block_cutter.h): what the plans of these say of how
 * they are cut. */

/* What one device has of a sweep. */
typedef struct block_part {
  int64_t blocks, rows;
  int64_t others; /* of the blocks, those with other rows a lane than the sweep's */
  int alpha;      /* which these have */
} block_part;

void block_part_add(block_part *part, const block_device *device, const row_block *block);

/* As text for people, a part of a line, with the share of so many rows. */
void block_part_print(FILE *text, const block_part *part, int alpha, int64_t rows);

/* What the plan of one device says of it; its rate is that of a record, or 0 where none is known. */
block_device plan_block_device(const plan *whole, const plan_input *input);

/* Sets the rate, in cells a second of full rounds. */
void plan_block_rate(block_device *device, const plan_input *input, double rate);

/* The sweep's config for a sample of few columns. */
kernel_config plan_block_sample(const plan *whole, const plan_input *input);

/* What a sample of so many rows and columns is of work, in cells of full rounds, or of full use of a CPU's
 * cores: divided by its seconds, that rate. */
double plan_block_sampled(const plan *whole, const plan_input *input, int64_t rows, int64_t columns);

/* The sweep's config in one of the device's ways. */
kernel_config plan_block_way(const kernel_config *sweep, const block_device *device, int way);

/* The config for a block of so many rows that hands its last row down: with tiles so narrow, if they can be,
 * that it begins to do so soon. */
kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows);

/* Columns, for each row of a block, that its last row begins behind its first one; 0: few (chains of a GPU).
 */
double plan_block_late(const plan *whole, const plan_input *input);

/* What the sweep takes on devices whose rates are known, or made up. CLA_ERROR_MEMORY. */
cla_status plan_blocks_seconds(double *out, const block_device *devices, int device_count,
                               const plan_input *input, cla_error *error);

/* Text for people: which device, by its name, takes which part of the sweep, with how many rows a lane, and
 * what they hand to each other, a row of so many bytes each. The caller frees it. */
cla_status plan_blocks_explain(char **out, const block_device *devices, int device_count, int64_t rows,
                               int64_t row_bytes, cla_error *error);

#endif
