#ifndef HOST_BATCH_SCHEDULE_INTERNAL_H
#define HOST_BATCH_SCHEDULE_INTERNAL_H

#include "batch/batch_job.h"
#include "batch/pair_times.h"
#include "batch/time_left.h"

/* What a schedule decides by: pairs that wait, and devices. All of it is under the executor's lock. */

/* A piece of work for one thread: pairs, and how they are aligned. It takes 1 / 2^level of a device. */
typedef struct batch_task {
  job_list jobs; /* of a single one: one */
  batch_method method;
  int level;
  int at_once; /* the level that its time is predicted for, and tells of: fewer may be left than have room */
  pack_load load;   /* of a pack */
  double predicted; /* seconds */
} batch_task;

/* Pairs in work on one device at once, at the most. */
#define WORKERS_MOST (1 << (LEVELS - 1))

/* A task in work. */
typedef struct work_begun {
  const batch_task *task;
  double at;                       /* when */
  double busy_seconds;             /* the device's, then */
  double idle_seconds;             /* in which the device had nothing to do before it */
  double told_at, fraction;        /* when it said last how much of it is done; told_at 0: it has not said */
  double first_at, first_fraction; /* likewise, the first time */
} work_begun;

/* A task of one pair says what part of it is done. */
void work_begun_tell(work_begun *begun, double fraction, double now);

/* Pairs that a schedule starts together. */
typedef struct device_lot {
  int left, size, level, at_once;
} device_lot;

/* A device. */
typedef struct device_state {
  int number;              /* in the order in which they were given */
  int levels;              /* 2^(levels - 1) threads at the most use it at once */
  int running;             /* threads at work on it */
  double taken;            /* the share of it that they have, 0 .. 1 */
  bool lost;               /* it failed */
  bool packs;              /* it takes packs, */
  int packs_class;         /* of pairs up to this class, about, */
  int64_t pack_pairs_most; /* of so many pairs, as larger ones had too little memory; 0: no such limit */
  bool packs_halved;       /* there was such a limit */
  int packs_tried;         /* packs that came before long pairs */
  int packs_left;          /* pairs that were taken out of packs for it since one was done */
  pair_times times;
  int tried;           /* pairs that were aligned by themselves before all threads began */
  double busy_seconds; /* in which n threads were at work count 1 / n, for one of them, up to `busy_at` */
  double busy_at;
  double idle_at;                  /* when it had nothing to do any more; 0: not so far */
  work_begun *begun[WORKERS_MOST]; /* by thread; NULL: none */
  time_sums sums;
  time_sums told; /* with what those in work say; batch_time_left's own */
  device_lot lot;
} device_state;

typedef struct batch_state {
  device_state *devices;
  int device_count;
  job_list pending[SIZE_CLASSES]; /* by size: pairs that are aligned one by one, */
  job_list packs[SIZE_CLASSES];   /* and those that can be packed */
  job_list alone;                 /* pairs that need all memory */
  int64_t pending_count, packs_count;
  bool reading; /* the source is asked for more right now */
  bool full;    /* no more can be read until results are handed out */
} batch_state;

/* Adds up the device's seconds, shared out evenly among those at work. */
void device_note_busy(device_state *device, double now);

/* Whether a share of 1 / 2^level of the device is free. */
bool device_has_share(const device_state *device, int level);

/* A schedule: takes jobs from the waiting ones for the device and says how they are to be done; false if it
 * has nothing for it now. */
typedef bool (*schedule_pick)(batch_task *out, batch_state *state, device_state *device);

schedule_pick schedule_of(cla_schedule schedule);

/* Sets the task's seconds, those of one pair by itself at the task's at_once. */
void schedule_predict_single(batch_task *task, device_state *device, const batch_job *job);

/* The first pair of a class of those that are aligned one by one. */
bool schedule_take_one(batch_task *out, batch_state *state, device_state *device, int size, int level);

/* For a device whose other threads have not begun: of pairs that wait one of the smallest, by itself, and the
 * next time one that shows how fast the device is, in some milliseconds. */
bool schedule_small(batch_task *out, batch_state *state, device_state *device);

/* Pairs of so many cells a second, at the device's best. */
double schedule_throughput(device_state *device, double cells);

/* The level at which `count` pairs are all in work at once, each with as much of the device as there is: not
 * above `most`. */
int schedule_level_for(int64_t count, int most);

/* The class of packs that is looked at first, or -1. */
int schedule_first_packs(const batch_state *state, const device_state *device);

/* Takes a pack. Where packs do not pay: nothing if it only tries, else one pair by itself. */
bool schedule_pick_pack(batch_task *out, batch_state *state, device_state *device, bool tries);

/* The first pair of a class of packs is to be aligned by itself. */
void schedule_unpack(batch_state *state, int size);

/* Takes a pair out of the packs that had too little memory in small ones, too: packs after it may be large
 * again. False where that has not helped often enough. */
bool schedule_take_from_packs(device_state *device);

/* Takes pairs for one of so many ranks: of about `wanted` cells, but a rest is left for all to share. */
void schedule_take_lot(job_list *out, batch_state *state, double wanted, int ranks);

/* The plan for the pairs that wait, as text of several lines: devices, pairs by size, how they are done, and
 * how long that takes. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status batch_plan_text(char **out, batch_state *state, const cla_batch_options *options,
                           cla_error *error);

#endif
