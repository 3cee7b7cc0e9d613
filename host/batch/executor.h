#ifndef HOST_BATCH_EXECUTOR_H
#define HOST_BATCH_EXECUTOR_H

#include "batch/batch_job.h"

/* Threads that align jobs. Host threads align short pairs, many together; device threads align the others.
 * Jobs are done in any order. Only the thread that created the executor may call its functions. */
typedef struct executor executor;

/* Takes the devices and creates the executor. `devices` and `options`, and all that they point to, must
 * outlive it. Errors: CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status executor_begin(executor **out, cla_device *const *devices, size_t device_count,
                          const cla_batch_options *options, cla_error *error);

/* Stops the work, waits for the threads, and gives the devices back. Jobs that were not taken out are not
 * freed, so the caller must keep track of them. `x` may be NULL. */
void executor_end(executor *x);

/* Adds a job. The threads get it with the next call of executor_take_done, executor_reading, executor_wait or
 * executor_explain. */
void executor_add(executor *x, batch_job *job);

/* Takes all jobs that are done, as a list linked by `next`; NULL: none. Each has been aligned or has
 * failed. */
batch_job *executor_take_done(executor *x);

/* Tells the executor whether the source is being read, so that threads may wait for more jobs. */
void executor_reading(executor *x, bool reading);

/* Waits before the next look for messages: for a moment, or until many pairs are done or a thread is idle. */
void executor_rest(executor *x, const cla_ranks *ranks);

/* Raises the least score of the pairs that have this gate. */
void executor_raise(executor *x, score_gate *gate, int64_t least);

/* Fails if no device is left, with the last device's error, or if a rank has failed. */
cla_status executor_check(executor *x, cla_error *error);

/* Returns the seconds so far in which all busy threads waited for a compiler. *building: true if all are
 * waiting now. */
double executor_build_seconds(bool *building, executor *x);

/* Waits at most a tenth of a second until a job is done. With ranks, the wait may go on until many jobs are
 * done. Fails like executor_check. */
cla_status executor_wait(executor *x, cla_error *error);

/* Calls the caller's callbacks for notes and for work that is done. */
void executor_tell(executor *x);

/* Lets the threads start to work. */
void executor_go(executor *x);

/* Returns the plan for the waiting pairs as text, which the caller frees. CLA_ERROR_MEMORY. */
cla_status executor_explain(char **out, executor *x, cla_error *error);

#endif
