#ifndef HOST_BATCH_EXECUTOR_INTERNAL_H
#define HOST_BATCH_EXECUTOR_INTERNAL_H

#include <pthread.h>

#include "base/machine.h"
#include "batch/executor.h"
#include "batch/lane_lot.h"
#include "device/device_use.h"

/* What executor.c, executor_work.c, executor_lots.c, ranks_deal.c and executor_events.c share. */

/* Threads of one device at the most, and the levels of their shares of it: 1, 1/2, 1/4 and so on. */
#define LEVELS 6
#define WORKERS_MOST (1 << (LEVELS - 1))

typedef struct executor_device executor_device;
typedef struct executor_rank executor_rank;

/* A thread of a device, with a handle of its own. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;   /* the caller's, or a twin of it */
  cla_device *for_lots; /* a twin, which lots take; NULL: none so far */
  lane_lot lot;
  bool at_work;
  bool building; /* the handle's driver compiles a kernel */
  pthread_t thread;
  bool started;
} executor_worker;

/* A device, which may be opened when the first pair needs it. */
struct executor_device {
  int number; /* in the order in which they were given */
  cla_device_info info;
  cla_align_options align; /* the batch's, with the device's tuning records */
  cla_device *handle;      /* the caller's, or that of callbacks.device; NULL: not open */
  bool taken, lost;
  bool twins_tried;    /* the further threads were started, as far as there are any */
  bool lots;           /* lots of short pairs may be its */
  int64_t lot_letters; /* the most of a sequence in such a lot */
  int levels;          /* 2^(levels - 1) threads at the most use it at once */
  double share_taken;  /* share of the device that is in use, 0 .. 1 */
  int done;            /* tasks of its first thread, before the others begin */
  executor_worker workers[WORKERS_MOST];
};

/* A thread of the host for lots of short pairs. */
typedef struct executor_host {
  executor *executor;
  lane_lot lot;
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
  cla_alphabet kind;       /* alphabet of the pairs that lots may have */
  bool may_lots;           /* the options let arrays take pairs */
  bool lanes;              /* threads of the host take short pairs */
  int64_t lane_letters;    /* most letters of a sequence in their lots */
  double began;
  pthread_t caller;     /* the calling thread */
  job_list added;       /* the calling thread's: jobs that the others do not know of yet */
  pthread_mutex_t lock; /* guards all that follows */
  pthread_cond_t work_condition, lanes_condition, done_condition;
  bool has_lock, has_work, has_lanes, has_done; /* the lock and the three conditions exist */
  bool going, stopping;
  bool reading;              /* the source is asked for more right now */
  job_list waiting;          /* pairs for a device, one by one */
  job_list short_of_lanes;   /* short pairs for threads of the host */
  job_list short_of_devices; /* short pairs for lots on devices */
  job_list alone;            /* pairs that need all memory */
  executor_device *devices;
  int device_count;
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

  /* What follows is used by the calling thread alone. */
  const cla_ranks *ranks; /* NULL: this process does all */
  executor_rank *others;  /* one for each rank; the first is this process */
  int32_t batch;          /* number of this batch among the ranks' batches */
  cla_error rank_error;   /* why a rank failed */
};

/* What a thread of a device does: `user` is the worker. executor_work.c */
void *executor_work(void *user);

/* Whether the batch goes on; `user` is the executor. For callbacks: takes the lock. executor.c */
bool executor_goes_on(void *user);

/* What a thread of the host does: `user` is an executor_host. executor_lots.c */
void *executor_lots_work(void *user);

/* Has the device align a lot of short pairs, if enough wait for it; false if not. The lock is held, and given
 * away meanwhile. executor_lots.c */
bool executor_device_lot(executor *x, executor_worker *worker);

/* Wakes threads for the pairs that wait, and starts those that are not there yet. The lock is held. */
void executor_wake(executor *x);

/* The device is opened for the first pair that needs one. The lock is held, and given away meanwhile. */
void executor_open_device(executor *x, executor_device *device);

/* Brings build_seconds up to date; to be called before a thread begins or ends to wait for a compiler. The
 * lock is held. */
void executor_note_building(executor *x, double now);

/* Puts a job where it waits; `again` if it was in work before. The lock is held. */
void executor_put(executor *x, batch_job *job, bool again);

/* A job is done. The lock is held. */
void executor_finish(executor *x, batch_job *job);

/* The device is not used any more. The lock is held. */
void executor_lose(executor *x, executor_device *device, cla_status status, const char *why);

/* Other ranks take pairs that wait, as devices do. Only the calling thread calls these three functions,
 * without the lock. ranks_deal.c */
cla_status executor_ranks_begin(executor *x, cla_error *error);
void executor_ranks_move(executor *x); /* takes results, and deals */
void executor_ranks_end(executor *x);

/* Notes for the caller; the lock is held. Without memory a note is lost. executor_events.c */
void executor_note(executor *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void executor_note_work(executor *x, const cla_batch_work *work);
void executor_free_events(executor *x);

#endif
