#ifndef HOST_BATCH_TIME_LEFT_H
#define HOST_BATCH_TIME_LEFT_H

#include "clalign/batch.h"

/* How long a batch still takes: pairs that are left, by way and size, times what such pairs have taken so
 * far. A size that has not come yet takes as much a cell as the nearest one that has. */

#define SIZE_CLASSES CLA_BATCH_CLASSES

/* The whole part of the logarithm to base 2 of a pair's cells, as in cla_batch_sizes. */
int size_class_of(double cells);

/* How pairs are aligned. */
typedef enum batch_method {
  METHOD_SINGLE, /* one by the stages of cla_align, on a device */
  METHOD_PACKED, /* many at once, on a device */
  METHOD_LANES,  /* many at once, on a thread of the host */
  METHODS
} batch_method;

/* What pairs have taken. Seconds are those of the whole device, or of one thread of the host. */
typedef struct time_seen {
  double pairs[METHODS][SIZE_CLASSES]; /* how many; a part of a pair counts as a fraction */
  double cells[METHODS][SIZE_CLASSES];
  double seconds[METHODS][SIZE_CLASSES];
  double chosen_seconds; /* seconds of aligning groups' best pairs after scoring */
  double scored;         /* pairs that were only scored; the best ones of chosen_seconds were among them */
} time_seen;

/* What else there is to do: pairs that are still to be read, and of a batch of groups how many are still to
 * be scored, read or not. */
typedef struct batch_rest {
  cla_batch_sizes unread;
  int64_t to_score;
} batch_rest;

struct batch_task;
struct batch_state;

/* Adds what a task took, or the part of it that is done. */
void time_seen_add(time_seen *seen, const struct batch_task *task, double part, double seconds);

/* A task that is in work: for how long, and what part of it is done, if it has said so; else 0. */
typedef struct task_begun {
  const struct batch_task *task;
  double seconds, part;
} task_begun;

/* Seconds until all pairs are done that wait, are in work or are in the rest; negative while nothing was
 * measured. */
double batch_time_left(const struct batch_state *state, const batch_rest *rest, const task_begun *begun,
                       int begun_count);

#endif
