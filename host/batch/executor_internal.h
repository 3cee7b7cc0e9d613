#ifndef HOST_BATCH_EXECUTOR_INTERNAL_H
#define HOST_BATCH_EXECUTOR_INTERNAL_H

#include <pthread.h>

#include "base/machine.h"
#include "batch/executor.h"
#include "batch/lane_lot.h"
#include "device/device_use.h"

/* Shared by the files executor*.c and ranks/ranks_deal.c. */

/* Number of levels of a device's shares: 1, 1/2, 1/4 and so on. The levels limit the number of threads of a
 * device. */
#define LEVELS 6
#define WORKERS_MOST (1 << (LEVELS - 1))

typedef struct executor_device executor_device;
typedef struct executor_rank executor_rank;

/* A thread of a device, with its own handle. */
typedef struct executor_worker {
  executor *executor;
  executor_device *device;
  int number;
  cla_device *handle;   /* the caller's handle, or a twin of it */
  cla_device *for_lots; /* a twin of the handle for lots; NULL: not opened yet */
  lane_lot lot;
  bool at_work;
  bool building; /* the handle's driver is compiling a kernel */
  pthread_t thread;
  bool started;
} executor_worker;

/* A device. It may be opened only when the first pair needs it. */
struct executor_device {
  int number; /* index in the order in which the devices were given */
  cla_device_info info;
  cla_align_options align; /* the batch's options, with the device's tuning records */
  cla_device *handle;      /* the caller's handle, or the handle from callbacks.device; NULL: not open */
  bool taken, lost;
  bool twins_tried;    /* start_others has tried to start the other threads */
  bool lots;           /* the device may align lots of short pairs */
  int64_t lot_letters; /* maximum number of letters of a sequence in such a lot */
  int levels;          /* at most 2^(levels - 1) threads use the device simultaneously */
  double share_taken;  /* fraction of the device that is in use, 0 .. 1 */
  int done;            /* tasks that the first thread has started before the other threads */
  executor_worker workers[WORKERS_MOST];
};

/* A host thread, which aligns lots of short pairs. */
typedef struct executor_host {
  executor *executor;
  lane_lot lot;
  pthread_t thread;
} executor_host;

/* An event for the calling thread: a note, or a finished piece of work. */
typedef struct executor_event {
  struct executor_event *next;
  bool is_note;
  cla_batch_work work;
  char note[1024];
} executor_event;

/* How pairs are dealt to other ranks, as to devices. Only the calling thread calls these functions, without
 * the lock. */
typedef struct batch_peers {
  cla_status (*begin)(executor *x, cla_error *error);
  void (*move)(executor *x); /* takes results from the ranks and deals pairs to them */
  void (*end)(executor *x);
} batch_peers;

struct executor {
  const cla_batch_options *options;
  cla_align_options align; /* the caller's options, with budgets and threads filled in */
  cla_alphabet kind;       /* alphabet of the pairs that may be in lots */
  bool may_lots;           /* the options allow lots of pairs as arrays */
  bool lanes;              /* host threads align short pairs */
  int64_t lane_letters;    /* maximum number of letters of a sequence in a lot of a host thread */
  double began;
  pthread_t caller;     /* the calling thread */
  job_list added;       /* jobs that the threads do not have yet; only for the calling thread */
  pthread_mutex_t lock; /* guards the fields from here to lost_error */
  pthread_cond_t work_condition, lanes_condition, done_condition;
  bool has_lock, has_work, has_lanes, has_done; /* true if the lock and each of the three conditions exist */
  bool going, stopping;
  bool reading;              /* the source is being read */
  job_list waiting;          /* pairs that devices align one by one */
  job_list short_of_lanes;   /* short pairs for host threads */
  job_list short_of_devices; /* short pairs for lots on devices */
  job_list alone;            /* pairs that need the whole memory budget */
  executor_device *devices;
  int device_count;
  executor_host *hosts;
  int host_count;       /* number of host threads that were started */
  int hosts_waiting;    /* number of idle host threads */
  int running;          /* number of busy threads, of devices and of the host */
  int building;         /* number of busy threads that wait for a compiler */
  double build_seconds; /* seconds, up to build_at, in which all busy threads waited for a compiler */
  double build_at;      /* time at which build_seconds was last updated */
  bool runs_alone;      /* one task has the whole memory budget, so no other may start */
  job_list done;
  int64_t done_wanted; /* number of done jobs that wakes the calling thread */
  executor_event *events, *last_event;
  cla_error lost_error; /* error of the last device that was lost */

  /* The fields below are for the calling thread only. */
  const cla_ranks *ranks; /* NULL: this process aligns all pairs */
  const struct batch_peers *peers;
  executor_rank *others; /* by rank; the entry of rank 0, which is this process, is unused */
  int32_t batch;         /* number of this batch, by which messages of the ranks refer to it */
  cla_error rank_error;  /* CLA_OK, or the error of a rank that failed */
};

/* The functions below need the lock, unless their comments say otherwise. */

/* Wakes the threads for the waiting pairs, and starts the threads that do not run yet. executor_threads.c */
void executor_wake(executor *x);

/* Returns true if pairs are waiting for devices. */
bool executor_wants_devices(const executor *x);

/* Sets the device's fields from `handle`, which this batch has taken. */
void executor_begin_device(executor *x, executor_device *device, cla_device *handle,
                           const cla_tuning *tuning);

/* Aligns a lot of short pairs on the host thread, or on the device. Return false if too few are waiting. The
 * lock is released during the work and taken again. executor_lots.c */
bool executor_host_lot(executor *x, executor_host *host);
bool executor_device_lot(executor *x, executor_worker *worker);

/* Aligns one pair on the device. Returns false if no pair may start. The lock is released during the work and
 * taken again. executor_work.c */
bool executor_device_task(executor *x, executor_worker *worker);

/* Returns true if the device's other threads have not been started yet. */
bool executor_device_is_alone(const executor_device *device);

/* Returns false once the batch stops. A callback with `user` an executor; takes the lock. executor_jobs.c */
bool executor_goes_on(void *user);

/* Records whether a kernel is being compiled for the worker. */
void executor_set_building(executor_worker *worker, bool building);

/* Count a thread as busy, from the start of a piece of work to its end. They set work->begin and work->end.
 * Work that succeeds is reported to the caller. */
void executor_begin_work(executor *x, cla_batch_work *work);
void executor_end_work(executor *x, cla_batch_work *work, cla_status status);

/* Adds a job to the list in which it has to wait. `again`: the job was taken from a list before. */
void executor_put(executor *x, batch_job *job, bool again);

/* Adds a job to those that are done. */
void executor_finish(executor *x, batch_job *job);

/* Fails the pair: the only device that might have had enough memory for it has failed. */
void executor_fail_job(executor *x, batch_job *job);

/* Has a pair that ran out of memory tried again with the whole budget, on one device after another. */
void executor_want_memory(executor *x, executor_device *device, batch_job *job, const cla_error *why);

/* Returns true if a device is left whose memory may be large enough. */
bool executor_may_do(const executor *x, const batch_job *job);

static inline bool executor_has_failed(const batch_job *job, const executor_device *device) {
  return job->failed_on >> device->number & 1;
}

/* Stops the use of a device that has failed. The caller then calls executor_wake. */
void executor_lose(executor *x, executor_device *device, cla_status status, const char *why);

/* Adds a note for the caller. Without memory, the note is lost. The caller holds the lock.
 * executor_events.c */
void executor_note(executor *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void executor_note_work(executor *x, const cla_batch_work *work);
void executor_free_events(executor *x);

#endif
