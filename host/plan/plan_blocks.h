#ifndef HOST_PLAN_PLAN_BLOCKS_H
#define HOST_PLAN_PLAN_BLOCKS_H

#include "clalign/status.h"
#include "plan/plan.h"

/* One sweep on several devices: blocks of rows, one below the other, of each device in turn. Block b begins
 * when block b - 1 has come to its first columns in its last row, and goes on behind it. As every block has
 * all columns, all run at the same pace if each has rows in proportion to its device's speed. */

/* What one device can do. */
typedef struct block_device {
  bool idle;          /* it takes no part */
  double rate;        /* cells a second, or anything in proportion; 0: not known */
  bool guessed;       /* the rate is a guess, and so are all others' */
  int64_t unit_rows;  /* its blocks have a multiple of so many rows, but for the last one */
  int64_t least_rows; /* of a block that keeps the device busy: fewer take as long */
  bool by_whole;      /* and so it is with what is left over of a multiple of these */
  int rounds;         /* blocks of the device at most, >= 1 */
} block_device;

typedef struct row_block {
  int device; /* its index */
  int64_t row, rows;
} row_block;

/* Rows that are cut into blocks, one after the other as devices become free. */
typedef struct block_cutter {
  const block_device *devices;
  int device_count;
  double *rates;   /* of those that take part, else 0; owned */
  double *learned; /* the same once they are comparable, 0: not known yet; owned */
  int rounds;
  int64_t first, next, end; /* rows: the first one, those that are cut, the last one's end */
  double wanted;            /* where the last block should have ended */
  int64_t blocks;           /* that were cut */
} block_cutter;

/* Begins with the rows from `row` to `end`. The rates must be known, or guessed. A device with which the
 * sweep would take longer than without it, because its part does not keep it busy, takes none. `devices` must
 * outlive the cutter, which ends with block_cutter_free. CLA_ERROR_MEMORY. */
cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error);
void block_cutter_free(block_cutter *c);

/* The device's next block; false if it takes no part, or nothing is left. */
bool block_cutter_take(row_block *out, block_cutter *c, int device);

/* The device turned out to be so fast, in the measure of the others, or, where rates were guessed, of what
 * the others will turn out to be. */
void block_cutter_learn(block_cutter *c, int device, double rate);

/* No more blocks than so many are ever cut. */
int64_t block_cutter_most(const block_cutter *c);

/* What the plan of one device says of it; its rate is that of a record, or 0 where none is known. */
block_device plan_block_device(const plan *whole, const plan_input *input);

/* The config for a block of so many rows that hands its last row down: with tiles so narrow, if they can be,
 * that it begins to do so soon. */
kernel_config plan_block_config(const kernel_config *config, const plan_input *input, int64_t rows);

/* Text for people: which device takes which part of the sweep, and what they hand to each other, a row of so
 * many bytes each. The caller frees it. */
cla_status plan_blocks_explain(char **out, const block_device *devices, const char *const *names,
                               int device_count, int64_t rows, int64_t row_bytes, cla_error *error);

#endif
