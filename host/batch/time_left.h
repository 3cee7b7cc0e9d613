#ifndef HOST_BATCH_TIME_LEFT_H
#define HOST_BATCH_TIME_LEFT_H

#include "batch/pair_times.h"

/* How long a batch still takes: what is left, by size, at what pairs of each size have cost so far. A cost is
 * measured seconds over those of the model (pair_times_model). So pairs that prune well count for less than
 * their cells, and sizes that have not come yet cost what their neighbours do. */

struct batch_task;
struct batch_state;

/* Of all pairs that a device has done, by the way and by size. */
typedef struct time_sums {
  double seconds[METHODS][SIZE_CLASSES];       /* in which the device did nothing else */
  double model_seconds[METHODS][SIZE_CLASSES]; /* by the model; 0: there were none */
} time_sums;

/* Adds a task that is done, with its jobs, and took so many seconds of the device. */
void time_sums_add(time_sums *sums, pair_times *times, const struct batch_task *task, double seconds);

/* Seconds until all is done that waits or is in work, and what is still to be read; negative while nothing
 * was measured. The devices' busy_seconds are up to `now`. */
double batch_time_left(struct batch_state *state, const cla_batch_sizes *unread, double now);

#endif
