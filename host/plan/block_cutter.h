#ifndef HOST_PLAN_BLOCK_CUTTER_H
#define HOST_PLAN_BLOCK_CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Cuts the rows of a sweep into blocks for several devices. Block b begins when block b - 1 has passed the
 * first columns of its last row, and follows it. Every block has all columns, so blocks keep pace if each
 * takes its device the same time. */

/* A way to compute a block: the rows a lane, which decide the rows of a round. */
typedef struct block_way {
  int alpha;          /* rows a lane */
  int64_t round_rows; /* rows of a round */
  double round_work;  /* duration of a round, however full, in rows at the device's rate */
} block_way;

#define BLOCK_WAYS_MOST 12

/* Time from a block's begin to the next block's begin, as a part of a block's time. */
#define BLOCK_LATE 0.016

/* The facts of a device. */
typedef struct block_device {
  const char *name;   /* for messages; NULL: none */
  bool idle;          /* the device takes no part */
  double rate;        /* cells per second, or any other common unit; 0: not known */
  bool guessed;       /* the rates of all devices are guesses */
  int64_t unit_rows;  /* without ways: rows of a block are a multiple of this, except in the last block */
  int64_t least_rows; /* least rows of a block that keeps the device busy; fewer take as long */
  int rounds;         /* without ways: most blocks of the device, >= 1 */
  double block_work;  /* duration of a block beside its rows, if others are above or below it, in rows */
  int alpha;          /* rows a lane of the sweep, for messages; 0: none */
  int way_count;      /* 0: the time of a block grows with its rows */
  /* With ways: time until a block's last row begins, per round, as a part of the block's. */
  double round_late;
  block_way ways[BLOCK_WAYS_MOST]; /* the sweep's own way comes first */
} block_device;

typedef struct row_block {
  int device; /* index of the device */
  int way;    /* index of the device's way; 0 without ways */
  int64_t row, rows;
} row_block;

/* The cutter's state of a device. */
typedef struct block_share {
  double rate;    /* rate of the device; 0: it takes no further block */
  double learned; /* rate measured on blocks; 0: not known yet */
  double free_at; /* time at which the device's blocks so far are done, in a look ahead */
  int further;    /* the way that the device may take besides its first; 0: none */
  int64_t rows;   /* most rows of the device's block of this turn; 0: it has none; -1: it is taken */
  int way;        /* the way of that block */
} block_share;

/* Devices take blocks in turns. In a turn each device has one block, and all blocks take about the same time,
 * which is chosen at the begin. */
typedef struct block_cutter {
  const block_device *devices;
  block_share *shares; /* owned */
  int device_count;
  int leader;        /* index of the device whose rounds a turn lasts; negative: turn_work is that of all */
  double turn_work;  /* rows that the leader, or all devices together, compute in a turn */
  double last_turn;  /* longest last turn, in turns, >= 1 */
  bool begun;        /* a turn has begun */
  double turn_time;  /* time of the current turn, in rows divided by rate */
  double time;       /* predicted time of the whole sweep, in the same unit */
  int64_t next, end; /* first row that is not cut yet, and end of the rows */
  int64_t blocks, most;
} block_cutter;

/* Begins to cut the rows [row, end). Rates must be known or guessed. A device takes part if that is predicted
 * to save time. `devices` must outlive the cutter, which ends with block_cutter_free. CLA_ERROR_MEMORY. */
cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error);
void block_cutter_free(block_cutter *c);

/* The device that should take the first block, because the other blocks are cut by its time. */
int block_cutter_first(const block_cutter *c);

/* Cuts the device's next block. False if the device takes no further one. */
bool block_cutter_take(row_block *out, block_cutter *c, int device);

/* Deals `count` blocks of the size of `first`, whose device is given: out[b] is the device of block b.
 * Devices get blocks in proportion to their rates; devices that would delay the others get none.
 * CLA_ERROR_MEMORY. */
cla_status block_cutter_deal(int *out, int64_t count, const row_block *first, const block_device *devices,
                             int device_count, cla_error *error);

/* Notes the rate at which the block was computed. If the rates were guessed, its unit becomes that of all
 * rates. */
void block_cutter_learn(block_cutter *c, const row_block *block, double rate);

/* Upper limit of the number of blocks. */
int64_t block_cutter_most(const block_cutter *c);

/* The way that the device's blocks may take besides its first; 0: none. */
int block_cutter_further_way(const block_cutter *c, int device);

#endif
