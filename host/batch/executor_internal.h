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
  double at;              /* when */
  double built_seconds;   /* in which its kernels were compiled */
  double told_at, part;   /* when it said last what part of it is done; told_at 0: it has not said */
} work_begun;

/* A thread of a device, with a handle of its own. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;    /* the caller's, or a twin of it */
  pack_solver *solver;   /* on the handle; NULL: there is none yet */
  double solver_part;    /* of the device that it had last: so much memory its buffers may take; 0: none */
  bool at_work, packing; /* packing: with a pack */
  bool building;         /* its handle's driver compiles a kernel */
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
  bool lanes; /* threads of the host take short pairs */
  tracers *tracers;
  double began;
  pthread_t caller;     /* the calling thread */
  job_list added;       /* the calling thread's: jobs that the others do not know of yet */
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t work_condition, lanes_condition, done_condition;
  bool has_lock, has_work, has_lanes, has_done; /* these exist */
  bool going, stopping;
  batch_state state;
  executor_device *devices;
  executor_host *hosts;
  int host_count;                 /* threads that were started; */
  int hosts_waiting;              /* of these: with nothing to do */
  int running;                    /* threads at work; */
  int building;                   /* of these: those whose kernels are compiled */
  double build_seconds, build_at; /* in which that was all of them, up to `build_at` */
  bool runs_alone;                /* one of them has everything */
  job_list done;
  int64_t done_wanted; /* so many wake who waits for them */
  executor_event *events, *last_event;
  cla_error lost_error; /* of the device that was lost last */
  double own_cells;     /* of pairs that this process has aligned */
  /* The calling thread's: */
  const cla_ranks *ranks; /* NULL: this process does all */
  executor_rank *others;  /* of each rank; the first is this one */
  int32_t batch;          /* this one among those of the ranks */
  cla_error rank_error;   /* with which a rank failed */
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

/* Adds up the seconds in which all that are at work wait for a compiler, before one begins or ends. The lock
 * is held. */
void executor_note_building(executor *x, double now);

/* Puts a job where it waits; `again` if it was in work before. The lock is held. */
void executor_put(executor *x, batch_job *job, bool again);

/* Which devices pack the job, and whether lanes take it. The lock is held. */
void executor_classify(executor *x, batch_job *job);

/* A job is done. The lock is held. */
void executor_finish(executor *x, batch_job *job);

/* A task ends that took so many seconds: its work is noted, and what such pairs take. The lock is held. */
void executor_note_task(executor *x, const batch_task *task, cla_batch_work *work, const work_begun *begun);

/* The device is not used any more. The lock is held. */
void executor_lose(executor *x, executor_device *device, cla_status status, const char *why);

/* Other ranks take pairs that wait, as a device does: a rank is one more consumer. All of it is for the
 * calling thread; the lock is not held. executor_ranks.c */
cla_status executor_ranks_begin(executor *x, cla_error *error);
void executor_ranks_move(executor *x); /* takes results, and deals */
void executor_ranks_end(executor *x);

/* The part of all work that is this process' own by what ranks do in a second. Pairs that others have are
 * added to the rest. */
double executor_ranks_share(executor *x, batch_rest *rest, double now);

/* Notes for the caller; the lock is held. What there is no memory for is not told. executor_events.c */
void executor_note(executor *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void executor_note_work(executor *x, const cla_batch_work *work);
void executor_free_events(executor *x);

#endif
