#ifndef HOST_BATCH_EXECUTOR_H
#define HOST_BATCH_EXECUTOR_H

#include "batch/batch_job.h"

/* Threads that align jobs: those of the host short ones, many at once, those of devices all others. Jobs come
 * out in any order. Only the thread that began the executor may call its functions. */
typedef struct executor executor;

/* Takes the devices, starts a thread for each. What `devices` and `options` point to must outlive it. Errors:
 * CLA_ERROR_DEVICE, CLA_ERROR_MEMORY. */
cla_status executor_begin(executor **out, cla_device *const *devices, size_t device_count,
                          const cla_batch_options *options, cla_error *error);

/* Stops what is in work, waits for the threads, and gives the devices back. Jobs that were not taken out are
 * left as they are: the caller must know them. NULL is allowed. */
void executor_end(executor *x);

/* The threads know of the job after the next call of another function that may wait or takes what is done. */
void executor_add(executor *x, batch_job *job);

/* All jobs that are done, a list by `next`, or NULL: aligned, or with an error of their own, or abandoned. */
batch_job *executor_take_done(executor *x);

/* Whether the source is being asked for more, so that threads may wait for more jobs. */
void executor_reading(executor *x, bool reading);

/* Rests between two looks for messages: for a moment, or until many pairs are done or a thread has nothing to
 * do. */
void executor_rest(executor *x, const cla_ranks *ranks);

/* Raises the least score of pairs that have the gate. */
void executor_raise(executor *x, score_gate *gate, int64_t least);

/* Returns the last device's error if no device is left. */
cla_status executor_check(executor *x, cla_error *error);

/* Seconds so far in which only kernels were compiled; *building: whether that is so right now. */
double executor_build_seconds(bool *building, executor *x);

/* Waits until a job is done, or with ranks until many are, for a tenth of a second at the most. Returns the
 * last device's error if no device is left. */
cla_status executor_wait(executor *x, cla_error *error);

/* Calls the callbacks of the options, for work that is done and for notes. */
void executor_tell(executor *x);

/* Threads may work from now on. */
void executor_go(executor *x);

/* The plan for what waits, as text; the caller frees it. CLA_ERROR_MEMORY. */
cla_status executor_explain(char **out, executor *x, cla_error *error);

#endif
