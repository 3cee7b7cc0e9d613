#ifndef HOST_BATCH_EXECUTOR_INTERNAL_H
#define HOST_BATCH_EXECUTOR_INTERNAL_H

#include <pthread.h>

#include "base/machine.h"
#include "batch/batch_pack.h"
#include "batch/batch_state.h"
#include "batch/executor.h"
#include "batch/lane_lot.h"
#include "device/device_use.h"

/* What executor.c, executor_work.c, executor_lanes.c, executor_ranks.c and executor_events.c share. */

typedef struct executor_device executor_device;
typedef struct executor_rank executor_rank;

/* A task in work. */
typedef struct work_begun {
  const batch_task *task; /* NULL: none */
  double at;              /* when the task began */
  double built_seconds;   /* seconds in which the task's kernels were compiled */
  double part;            /* part that is done, 0 .. 1, as far as the task has told */
} work_begun;

/* A thread of a device, with a handle of its own. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;  /* the caller's, or a twin of it */
  pack_solver *solver; /* on the handle; NULL: there is none yet */
  double solver_part;  /* part of the device's memory that the solver's buffers may hold; 0: none */
  bool at_work;        /* a task is in work */
  bool packing;        /* the task is a pack */
  bool building;       /* the handle's driver compiles a kernel */
  work_begun begun;
  pthread_t thread;
  bool started;
} executor_worker;

struct executor_device {
  device_state *state;
  cla_device *handle; /* the caller's, or that of callbacks.device; NULL: not open */
  bool taken;
  bool twins_tried; /* the further threads were started, as far as there are any */
  executor_worker workers[WORKERS_MOST];
};

/* A thread of the host for lanes. */
typedef struct executor_host {
  executor *executor;
  work_begun begun;
  pthread_t thread;
} executor_host;

/* Something to be told by the calling thread: a note, or else a piece of work. */
typedef struct executor_event {
  struct executor_event *next;
  bool is_note;
  cla_batch_work work;
  char note[1024];
} executor_event;

struct executor {
  const cla_batch_options *options;
  cla_align_options align; /* the options' with budgets and threads filled in */
  pack_scheme packs;
  bool lanes;           /* threads of the host take short pairs */
  int64_t lane_letters; /* most letters of a sequence in lanes */
  tracers *tracers;
  double began;
  pthread_t caller;     /* the calling thread */
  job_list added;       /* the calling thread's: jobs that the others do not know of yet */
  pthread_mutex_t lock; /* guards all that follows */
  pthread_cond_t work_condition, lanes_condition, done_condition;
  bool has_lock, has_work, has_lanes, has_done; /* the lock and the three conditions exist */
  bool going, stopping;
  batch_state state;
  executor_device *devices;
  executor_host *hosts;
  int host_count;       /* host threads that were started */
  int hosts_waiting;    /* host threads with nothing to do */
  int running;          /* threads at work, of devices and of the host */
  int building;         /* threads at work that wait for a compiler */
  double build_seconds; /* seconds, up to build_at, in which all threads at work waited for a compiler */
  double build_at;      /* when build_seconds was brought up to date */
  bool runs_alone;      /* one task has the whole memory budget, and no other may begin */
  job_list done;
  int64_t done_wanted; /* so many jobs done wake the calling thread */
  executor_event *events, *last_event;
  cla_error lost_error; /* error of the device that was lost last */
  double own_cells;     /* of pairs that this process has aligned */

  /* What follows is used by the calling thread alone. */
  const cla_ranks *ranks; /* NULL: this process does all */
  executor_rank *others;  /* one for each rank; the first is this process */
  int32_t batch;          /* number of this batch among the ranks' batches */
  cla_error rank_error;   /* why a rank failed */
};

/* What a thread of a device does: `user` is the worker. executor_work.c */
void *executor_work(void *user);

/* What a thread of the host does: `user` is an executor_host. executor_lanes.c */
void *executor_lanes_work(void *user);

/* Wakes threads for the pairs that wait, and starts those that are not there yet. The lock is held. */
void executor_wake(executor *x);

/* The device is opened for the first pair that needs one. Pairs that it packs wait for that afterwards. The
 * lock is held, and given away meanwhile. */
void executor_open_device(executor *x, executor_device *device);

/* Threads of the host take no pairs any more: devices get all. The lock is held. */
void executor_leave_lanes(executor *x, const char *why);

/* Brings build_seconds up to date; to be called before a thread begins or ends to wait for a compiler. The
 * lock is held. */
void executor_note_building(executor *x, double now);

/* Puts a job where it waits; `again` if it was in work before. The lock is held. */
void executor_put(executor *x, batch_job *job, bool again);

/* Which devices pack the job, and whether lanes take it. The lock is held. */
void executor_classify(executor *x, batch_job *job);

/* A job is done. The lock is held. */
void executor_finish(executor *x, batch_job *job);

/* A task has ended: notes its work for the caller, and its seconds for the time left. The lock is held. */
void executor_note_task(executor *x, const batch_task *task, cla_batch_work *work, const work_begun *begun);

/* The device is not used any more. The lock is held. */
void executor_lose(executor *x, executor_device *device, cla_status status, const char *why);

/* Other ranks take pairs that wait, as devices do. Only the calling thread calls these three functions,
 * without the lock. executor_ranks.c */
cla_status executor_ranks_begin(executor *x, cla_error *error);
void executor_ranks_move(executor *x); /* takes results, and deals */
void executor_ranks_end(executor *x);

/* This process' part of all work, by the ranks' speeds, 0 .. 1. Adds to *rest the pairs that other ranks
 * have. */
double executor_ranks_share(executor *x, batch_rest *rest, double now);

/* Notes for the caller; the lock is held. Without memory a note is lost. executor_events.c */
void executor_note(executor *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void executor_note_work(executor *x, const cla_batch_work *work);
void executor_free_events(executor *x);

#endif
