#ifndef HOST_BATCH_TIME_LEFT_H
#define HOST_BATCH_TIME_LEFT_H

#include "batch/pair_times.h"

/* How long a batch still takes: what is left, by size, times what pairs of that size have taken so far, as a
 * multiple of the model's seconds (pair_times_model). So pairs that prune well count for less than their
 * cells, and a size that has not come yet has its neighbours' ratio. */

struct batch_task;
struct batch_state;

/* Of all pairs that a device has done, by the way and by size, without a group's chosen ones. */
typedef struct time_sums {
  double seconds[METHODS][SIZE_CLASSES];       /* in which the device did nothing else */
  double model_seconds[METHODS][SIZE_CLASSES]; /* by the model; 0: there were none */
  double chosen_seconds;                       /* of those chosen among so many scored ones */
  int64_t scored;
} time_sums;

/* Adds a task that is done, with its jobs, and took so many seconds of the device. */
void time_sums_add(time_sums *sums, pair_times *times, const struct batch_task *task, double seconds);

/* What else there is to do: pairs that are still to be read, and of a batch of groups how many are still to
 * be scored, read or not. */
typedef struct batch_rest {
  cla_batch_sizes unread;
  int64_t to_score;
} batch_rest;

/* Seconds until all is done, that waits, is in work, or is of the rest; negative while nothing was measured.
 */
double batch_time_left(struct batch_state *state, const batch_rest *rest, double now);

#endif
