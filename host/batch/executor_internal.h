#ifndef HOST_BATCH_EXECUTOR_INTERNAL_H
#define HOST_BATCH_EXECUTOR_INTERNAL_H

#include <pthread.h>

#include "base/machine.h"
#include "batch/batch_pack.h"
#include "batch/executor.h"
#include "batch/schedule_internal.h"
#include "device/device_use.h"

/* What executor.c, executor_work.c and executor_events.c share. */

typedef struct executor_device executor_device;
typedef struct executor_rank executor_rank;

/* A thread with a handle of its own. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;    /* the caller's, or a twin of it */
  pack_solver *solver;   /* on the handle; NULL: there is none yet */
  double solver_part;    /* of the device that it had last: so much memory its buffers may take; 0: none */
  bool at_work, packing; /* packing: with a pack */
  bool building;         /* its handle's driver compiles a kernel for that, */
  double built_seconds;  /* and has done so in the present task, if it does not now */
  pthread_t thread;
  bool started;
} executor_worker;

struct executor_device {
  device_state *state;
  cla_device *handle; /* the caller's */
  bool taken;
  bool twins_tried; /* the further threads were started, as far as there are any */
  executor_worker workers[WORKERS_MOST];
};

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
  executor_device *devices;
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

/* A thread's work: `user` is the worker. executor_work.c */
void *executor_work(void *user);

/* Puts a job where it waits; `again` if it was in work before. The lock is held. */
void executor_put(executor *x, batch_job *job, bool again);

/* The device is not used any more. The lock is not held. */
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
