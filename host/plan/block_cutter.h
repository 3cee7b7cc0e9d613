#ifndef HOST_PLAN_BLOCK_CUTTER_H
#define HOST_PLAN_BLOCK_CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Rows that are cut into blocks for several devices, one below the other. Block b begins when block b - 1 has
 * come to its first columns in its last row, and goes on behind it. As every block has all columns, all run
 * at the same pace if each takes its device as long as the others take theirs. */

/* A way to compute a block: rows a lane, with which the device computes so many rows at once, a round. */
typedef struct block_way {
  int alpha;          /* rows a lane */
  int64_t round_rows; /* a multiple of what the way's blocks have, but for the last one */
  double round_work;  /* what a round takes, however full: as so many rows of the device's rate */
} block_way;

#define BLOCK_WAYS_MOST 12

/* A device waits at first until those before it have come to the end of their first columns, about such a
 * part of a block's time for each: the more blocks, the less that is of the sweep. */
#define BLOCK_LATE 0.016

/* What one device can do. */
typedef struct block_device {
  const char *name;   /* for people; NULL: not told */
  bool idle;          /* it takes no part */
  double rate;        /* cells a second, or anything in proportion; 0: not known */
  bool guessed;       /* the rate is a guess, and so are all others' */
  int64_t unit_rows;  /* its blocks have a multiple of so many rows, but for the last one, and where there are
                       * ways: these have their own */
  int64_t least_rows; /* of a block that keeps the device busy: fewer take as long */
  int rounds;         /* blocks of the device at most, >= 1, where it has no ways */
  double block_work;  /* what each block takes besides its rows where blocks follow: as so many rows */
  int alpha;          /* rows a lane of the sweep, for people; 0: not told */
  int way_count;      /* 0: the time of a block grows with its rows */
  double
      round_late; /* with ways: the part of a block's time for each round of it until its last row begins */
  block_way ways[BLOCK_WAYS_MOST]; /* the sweep's own first */
} block_device;

typedef struct row_block {
  int device; /* its index */
  int way;    /* of the device's, 0 where it has none */
  int64_t row, rows;
} row_block;

/* What a cutter has of a device. */
typedef struct block_share {
  double rate;    /* 0: it takes no part, or no further one */
  double learned; /* the same once rates are comparable, 0: not known yet */
  double free_at; /* while the cutter looks ahead: when its blocks so far are done */
  int further;    /* the way besides its first that it may take, 0: none */
  int64_t rows;   /* of its block of this turn, at most; 0: it has none; -1: it has had it */
  int way;        /* in which that one is computed */
} block_share;

/* Devices take blocks in turns: in each turn every one that takes part has a block, and all of these take
 * about the same time. How long is chosen at the begin. */
typedef struct block_cutter {
  const block_device *devices;
  block_share *shares; /* owned */
  int device_count;
  int leader;        /* whose rounds a turn lasts; negative: a turn has so many rows of all */
  double turn_work;  /* what the leader, or all, do in a turn, in rows */
  double last_turn;  /* may take so many times as long as the others, >= 1 */
  bool begun;        /* some turn has */
  double turn_time;  /* of the turn that is on, in rows by rate */
  double time;       /* that all takes by what is known at the begin, likewise */
  int64_t next, end; /* rows: those that are cut, the last one's end */
  int64_t blocks, most;
} block_cutter;

/* Begins with the rows from `row` to `end`. The rates must be known, or guessed. A device takes part where
 * that is predicted to save time. `devices` must outlive the cutter, which ends with block_cutter_free.
 * CLA_ERROR_MEMORY. */
cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error);
void block_cutter_free(block_cutter *c);

/* The device whose block is best the first one, because the others are cut by its time. */
int block_cutter_first(const block_cutter *c);

/* The device's next block; false if it takes no part, or no further one. */
bool block_cutter_take(row_block *out, block_cutter *c, int device);

/* Deals blocks that are all like `first`, whose device is said: out[b] is who has block b. Devices have as
 * many as they are fast; those that only hold the others up have none. CLA_ERROR_MEMORY. */
cla_status block_cutter_deal(int *out, int64_t count, const row_block *first, const block_device *devices,
                             int device_count, cla_error *error);

/* The block was computed at so many cells a second, or, where rates were guessed, in what is the measure of
 * what the others will turn out to be. */
void block_cutter_learn(block_cutter *c, const row_block *block, double rate);

/* No more blocks than so many are ever cut. */
int64_t block_cutter_most(const block_cutter *c);

/* The way besides its first in which the device's blocks may be computed; 0: none. */
int block_cutter_further_way(const block_cutter *c, int device);

#endif
