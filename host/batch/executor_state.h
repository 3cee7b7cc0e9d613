#ifndef HOST_BATCH_EXECUTOR_STATE_H
#define HOST_BATCH_EXECUTOR_STATE_H

#include <pthread.h>

#include "base/thread.h"
#include "batch/batch_pack.h"
#include "batch/batch_state.h"
#include "batch/executor.h"
#include "device/device_use.h"

/* What executor.c, executor_work.c and executor_events.c share; private to them. */

typedef struct executor_device executor_device;

/* A thread with a handle of its own. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;    /* the caller's, or a twin of it */
  packed *packer;        /* on the handle; NULL: there is none yet */
  double packer_part;    /* of the device that it had last: so much memory its buffers may take; 0: none */
  bool at_work, packing; /* packing: with a pack */
  pthread_t thread;
  bool started;
} executor_worker;

struct executor_device {
  device_state *state;
  cla_device *handle; /* the caller's */
  bool taken;
  bool twins_tried; /* the further threads were started, as far as there are any */
  int worker_count;
  executor_worker workers[1 << (LEVELS - 1)];
};

/* Something to be told by the thread that called: a piece of work, or a note. */
typedef struct executor_event {
  struct executor_event *next;
  cla_batch_work work;
  char *note; /* owned; NULL: it is work */
} executor_event;

struct executor {
  const cla_batch_options *options;
  cla_align_options align; /* the options' with budgets and threads filled in */
  schedule_pick pick;
  pack_scheme packs;
  tracers *tracers;
  double began;
  job_list added;       /* the calling thread's: jobs that the others do not know of yet */
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t work_condition, done_condition;
  bool has_lock, has_work, has_done; /* these exist */
  bool going, stopping;
  batch_state state;
  device_state *states;
  executor_device *devices;
  int running;     /* threads at work */
  bool runs_alone; /* one of them has everything */
  job_list done;
  executor_event *events, *last_event;
  cla_status lost_status; /* of the device that was lost last */
  cla_error lost_error;
};

/* A thread's work: `user` is the worker. executor_work.c */
void *executor_work(void *user);

/* Puts a job where it waits; `again` if it was in work before. The lock is held. */
void executor_put(executor *x, batch_job *job, bool again);

/* The device is not used any more. The lock is not held. */
void executor_lose(executor *x, executor_device *device, cla_status status, const char *why);

/* What packers may take of a device's memory, by the options of a pack; 0: all. executor_packers.c */
int64_t packers_bytes(const cla_device_info *device, const cla_align_options *align);

/* The worker begins a pack, with that part of the device. If it has no packer, it takes that of one who has
 * nothing to do, with its handle: buffers take long to make. The lock is held. */
void packers_take(executor_worker *worker, double part);

/* Where the device's memory is bounded, packers without work give back what those at work may take. The lock
 * is held. */
void packers_share(executor_device *device);

/* A pair that needs all memory has that of the packs, too: nobody is at work. The lock is held. */
void packers_free(executor *x);

/* Notes for the caller; the lock is held. What there is no memory for is not told. executor_events.c */
void executor_note(executor *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void executor_note_work(executor *x, const cla_batch_work *work);
void executor_free_events(executor *x);

#endif
