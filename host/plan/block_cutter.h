#ifndef HOST_PLAN_BLOCK_CUTTER_H
#define HOST_PLAN_BLOCK_CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Cuts the rows of a sweep into blocks for several devices. Every block has all columns. Block b starts
 * when the first columns of the last row of block b - 1 are computed. Blocks keep pace if all devices take
 * the same time for a block. */

/* A way to compute a block. It is defined by the rows per lane, which determine the rows of a round. */
typedef struct block_way {
  int alpha;          /* rows per lane */
  int64_t round_rows; /* rows of a round */
  double round_work;  /* duration of a round, full or not, in rows at the device's rate */
} block_way;

#define BLOCK_WAYS_MOST 12

/* Time from the start of a block to the start of the next one, as a fraction of a block's duration. */
#define BLOCK_LATE 0.016

/* Properties of a device. */
typedef struct block_device {
  const char *name;  /* for messages; NULL: none */
  bool idle;         /* the device takes no part */
  double rate;       /* cells per second, or another unit common to all devices; 0: not known */
  bool guessed;      /* the rates of all devices are guesses */
  int64_t unit_rows; /* without ways: the rows of every block except the last are a multiple of this */
  /* Minimum number of rows that keep the device busy; a block with fewer rows takes as long. */
  int64_t least_rows;
  int rounds;        /* without ways: maximum number of the device's blocks, >= 1 */
  double block_work; /* extra duration of a block with a block above or below, in rows */
  int alpha;         /* rows per lane of the sweep, for messages; 0: none */
  int way_count;     /* number of ways; 0: a block's duration is proportional to its rows */
  /* With ways: time until a block's last row starts, per round, as a fraction of the block's duration. */
  double round_late;
  block_way ways[BLOCK_WAYS_MOST]; /* ways[0] is the way of the sweep */
} block_device;

typedef struct row_block {
  int device; /* index of the device */
  int way;    /* index of the device's way; 0 without ways */
  int64_t row, rows;
} row_block;

/* The cutter's state of a device. */
typedef struct block_share {
  double rate;    /* rate of the device; 0: it gets no further block */
  double learned; /* rate measured on blocks; 0: not yet known */
  double free_at; /* in a look-ahead: time at which the device has finished its blocks so far */
  int further;    /* index of the way that the device may use besides way 0; 0: none */
  int64_t rows;   /* maximum rows of the device's block in this turn; 0: no block; -1: already taken */
  int way;        /* way of that block */
} block_share;

/* Devices take blocks in turns. In each turn, every device gets one block, and all blocks take about the
 * same time. This time is chosen at the start. */
typedef struct block_cutter {
  const block_device *devices;
  block_share *shares; /* owned */
  int device_count;
  /* Index of the device whose rounds fill a turn; negative: turn_work is the work of all devices. */
  int leader;
  double turn_work;  /* rows that the leader, or all devices together, compute in a turn */
  double last_turn;  /* longest duration of the last turn, in turns, >= 1 */
  bool begun;        /* a turn has started */
  double turn_time;  /* time of the current turn, in rows divided by rate */
  double time;       /* predicted time of the whole sweep, in the same unit */
  int64_t next, end; /* first row not cut yet; end of the rows */
  int64_t blocks, most;
} block_cutter;

/* Starts to cut the rows [row, end). Rates must be known or guessed. A device takes part if this is predicted
 * to save time. `devices` must outlive the cutter. The caller calls block_cutter_free. Fails with
 * CLA_ERROR_MEMORY. */
cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error);
void block_cutter_free(block_cutter *c);

/* Returns the device that should take the first block. The other blocks are cut to take as long as this
 * one. */
int block_cutter_first(const block_cutter *c);

/* Cuts the device's next block. Returns false if the device gets no further block. */
bool block_cutter_take(row_block *out, block_cutter *c, int device);

/* Deals `count` blocks, all as large as `first`, which is block 0 and already has a device. out[b] receives
 * the device of block b. Devices get blocks in proportion to their rates. A device that would delay the
 * others gets none. Fails with CLA_ERROR_MEMORY. */
cla_status block_cutter_deal(int *out, int64_t count, const row_block *first, const block_device *devices,
                             int device_count, cla_error *error);

/* Records the rate at which the block was computed. If the rates were guessed, measured rates replace all
 * guesses once every device has a measured rate. */
void block_cutter_learn(block_cutter *c, const row_block *block, double rate);

/* Returns an upper limit on the number of blocks. */
int64_t block_cutter_most(const block_cutter *c);

/* Returns the way that the device's blocks may use besides way 0; 0: none. */
int block_cutter_further_way(const block_cutter *c, int device);

#endif
