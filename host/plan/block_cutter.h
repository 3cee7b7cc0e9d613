#ifndef HOST_PLAN_BLOCK_CUTTER_H
#define HOST_PLAN_BLOCK_CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Cuts the rows of a sweep into blocks for several devices. Every block has all columns. Block b follows
 * block b - 1: it begins when the first columns of that block's last row are computed. Blocks keep pace if
 * each takes its device the same time. */

/* A way to compute a block, defined by the rows per lane, which determine the rows of a round. */
typedef struct block_way {
  int alpha;          /* rows per lane */
  int64_t round_rows; /* rows of a round */
  double round_work;  /* duration of a round, full or not, in rows at the device's rate */
} block_way;

#define BLOCK_WAYS_MOST 12

/* Time from the begin of a block to the begin of the next, as a part of a block's duration. */
#define BLOCK_LATE 0.016

/* The facts of a device. */
typedef struct block_device {
  const char *name;   /* for messages; NULL: none */
  bool idle;          /* the device takes no part */
  double rate;        /* cells per second, or another unit common to all devices; 0: not known */
  bool guessed;       /* the rates of all devices are guesses */
  int64_t unit_rows;  /* without ways: the rows of every block but the last are a multiple of this */
  int64_t least_rows; /* least rows of a block that keep the device busy; fewer rows take as long */
  int rounds;         /* without ways: most blocks of the device, >= 1 */
  double block_work;  /* extra duration of a block with a block above or below, in rows */
  int alpha;          /* rows per lane of the sweep, for messages; 0: none */
  int way_count;      /* number of ways; 0: a block's duration is proportional to its rows */
  /* With ways: time until a block's last row begins, per round, as a part of the block's duration. */
  double round_late;
  block_way ways[BLOCK_WAYS_MOST]; /* the first is the sweep's own way */
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
  double free_at; /* in a look ahead: time at which the device has finished its blocks so far */
  int further;    /* index of the way that the device may take besides way 0; 0: none */
  int64_t rows;   /* most rows of the device's block in this turn; 0: no block; -1: already taken */
  int way;        /* way of that block */
} block_share;

/* Devices take blocks in turns. In each turn every device gets one block, and all blocks take about the same
 * time. That time is chosen at the start. */
typedef struct block_cutter {
  const block_device *devices;
  block_share *shares; /* owned */
  int device_count;
  int leader;        /* index of the device whose rounds fill a turn; negative: turn_work is that of all */
  double turn_work;  /* rows that the leader computes in a turn, or all devices together */
  double last_turn;  /* longest duration of the last turn, in turns, >= 1 */
  bool begun;        /* a turn has begun */
  double turn_time;  /* time of the current turn, in rows divided by rate */
  double time;       /* predicted time of the whole sweep, in the same unit */
  int64_t next, end; /* first row not cut yet; end of the rows */
  int64_t blocks, most;
} block_cutter;

/* Begins to cut the rows [row, end). Rates must be known or guessed. A device takes part if it is predicted
 * to save time. `devices` must outlive the cutter. The caller calls block_cutter_free. CLA_ERROR_MEMORY. */
cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error);
void block_cutter_free(block_cutter *c);

/* Returns the device that should take the first block, because the other blocks are cut to the duration of
 * its block. */
int block_cutter_first(const block_cutter *c);

/* Cuts the device's next block. Returns false if the device gets no further block. */
bool block_cutter_take(row_block *out, block_cutter *c, int device);

/* Deals `count` blocks, all as large as block 0, which is `first` and has a device already. out[b] receives
 * the device of block b. Devices get blocks in proportion to their rates; devices that would delay the others
 * get none. CLA_ERROR_MEMORY. */
cla_status block_cutter_deal(int *out, int64_t count, const row_block *first, const block_device *devices,
                             int device_count, cla_error *error);

/* Notes the rate at which the block was computed. If the rates were guessed, measured rates replace all
 * guesses once every device has one. */
void block_cutter_learn(block_cutter *c, const row_block *block, double rate);

/* Returns an upper limit of the number of blocks. */
int64_t block_cutter_most(const block_cutter *c);

/* Returns the way that the device's blocks may take besides way 0; 0: none. */
int block_cutter_further_way(const block_cutter *c, int device);

#endif
