#ifndef HOST_BATCH_BATCH_STATE_H
#define HOST_BATCH_BATCH_STATE_H

#include "batch/batch_job.h"
#include "batch/time_left.h"
#include "packs/packs.h"

/* Pairs that wait, who may take them, and who takes what. The executor's lock guards all of it.
 *
 * Whoever is free takes what is next. A device takes the largest pairs first, one by one or as a pack. A
 * thread of the host takes some short pairs for the lanes of its vectors. */

/* A piece of work for one thread. */
typedef struct batch_task {
  job_list jobs;
  batch_method method; /* METHOD_SINGLE: of one job */
  int level;           /* the task takes 1 / 2^level of a device */
} batch_task;

/* While pairs are read, threads of the host wait until there are so many for each. */
#define LANES_PAIRS_LEAST 128

#define LEVELS 6
/* Threads of one device at the most. */
#define WORKERS_MOST (1 << (LEVELS - 1))

/* A device, which may be opened when the first pair needs it. */
typedef struct device_state {
  int number; /* in the order in which they were given */
  cla_device_info info;
  cla_align_options align; /* the batch's, with the device's tuning records */
  bool open;               /* the device is open; before, only its number is known */
  bool lost;               /* the device failed and takes nothing more */
  int levels;              /* 2^(levels - 1) threads at the most use it at once */
  int running;             /* threads at work on it */
  double taken;            /* share of the device that is in use, 0 .. 1 */
  int tried;               /* tasks of its first thread, before the others begin */
  pack_way way;            /* how it packs pairs */
  bool packs;              /* the device takes packs */
  int packs_class;         /* the largest class of pairs in its packs, about */
  int64_t pack_pairs_most; /* most pairs of a pack, because larger packs lacked memory; 0: no limit */
  bool packs_halved;       /* pack_pairs_most has been set once */
  int packs_left;   /* pairs taken out of packs for lack of memory since the last pack that succeeded */
  double pack_rate; /* cells a second of the last pack; 0: none was done */
} device_state;

typedef struct batch_state {
  device_state *devices;
  int device_count;
  int threads;                    /* of the host, for lanes */
  int lanes_class;                /* the largest class of pairs for lanes, about; -1: none */
  job_list pending[SIZE_CLASSES]; /* pairs to be aligned one by one, by size */
  job_list packs[SIZE_CLASSES];   /* pairs that can be packed, by size */
  job_list lanes;                 /* short pairs for the host's lanes */
  job_list alone;                 /* pairs that need all memory */
  int64_t pending_count, packs_count;
  bool reading; /* the source is asked for more right now */
  bool full;    /* no more can be read until results are handed out */
  time_seen seen;
} batch_state;

/* Takes what is next for the device; false if it has nothing for it now. */
bool batch_pick(batch_task *out, batch_state *state, device_state *device);

/* For a device whose other threads have not begun: one of the smallest pairs, by itself. */
bool batch_pick_small(batch_task *out, batch_state *state, device_state *device);

/* Takes short pairs for a thread of the host, all with one strand, and all with paths or none. */
bool batch_pick_lanes(batch_task *out, batch_state *state, const cla_align_options *align);

/* Takes a pair out of the device's packs because memory was too little even for a small pack. Later packs may
 * be large again. False if taking pairs out has not helped several times. */
bool batch_take_from_packs(device_state *device);

/* Takes about `wanted` cells of pairs for one of `ranks` ranks, but leaves a rest for all to share. */
void batch_take_lot(job_list *out, batch_state *state, double wanted, int ranks);

/* The plan for the pairs that wait, as text of several lines: devices, and pairs by the way in which they are
 * aligned. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status batch_plan_text(char **out, const batch_state *state, cla_error *error);

#endif
