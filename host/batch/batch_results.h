#ifndef HOST_BATCH_BATCH_RESULTS_H
#define HOST_BATCH_BATCH_RESULTS_H

#include "batch/batch_job.h"

/* The best pairs of a group by their scores: a heap whose top is the one that the next better one drives out.
 * Jobs are the caller's, and have their score in alignments[0]. */
typedef struct group_best {
  batch_job **jobs;
  int64_t count, capacity;
  int64_t most;
  int64_t letters; /* of all jobs in the heap */
  int64_t taken;   /* after group_best_sort: how many were taken out */
} group_best;

/* Adds a pair; *out is the one that is driven out, which may be `job` itself, or NULL. CLA_ERROR_MEMORY. */
cla_status group_best_add(batch_job **out, group_best *best, batch_job *job, cla_error *error);

/* What a pair must score to get in, whatever its place among the pairs; false: anything does. */
bool group_best_least(const group_best *best, int64_t *least);

/* Sorts the jobs by score, at equal scores by index. The heap ends: no job may be added afterwards. */
void group_best_sort(group_best *best);

/* The next one of the order, or NULL. */
batch_job *group_best_take(group_best *best);

void group_best_free(group_best *best);

/* The place of a result among the results: of one pair, or of a group whose best are wanted. */
typedef struct batch_slot {
  struct batch_slot *before, *next; /* in the results' order */
  struct batch_slot *next_touched;  /* in the list of slots that have changed */
  bool touched;
  int64_t group;
  int64_t outstanding; /* pairs that are in work */
  bool closed;         /* no more pairs will come */
  bool aligning;       /* of a group: scores are known, its best are being aligned */
  score_gate gate;     /* of a group: what a pair must score to be among them */
  batch_job *single;   /* without groups: the pair; NULL while it is in work */
  group_best best;     /* of a group */
  job_list failed;     /* of a group: its pairs with an error, by index */
} batch_slot;

/* Whether all that is to be handed out is there. */
bool batch_slot_is_complete(const batch_slot *slot);

/* The next job to hand out, or NULL: errors first, then the best. */
batch_job *batch_slot_take(batch_slot *slot);

void batch_slot_free(batch_slot *slot); /* the slot must have no jobs */

/* The places of all results that are not handed out, and those that may have become complete since they were
 * looked at. */
typedef struct slot_list {
  batch_slot *first, *last;
  batch_slot *touched, *last_touched;
} slot_list;

void slot_list_add(slot_list *list, batch_slot *slot);
void slot_list_remove(slot_list *list, batch_slot *slot); /* one that is not touched; it is not freed */

/* Something happened to the slot. */
void slot_list_touch(slot_list *list, batch_slot *slot);
batch_slot *slot_list_take_touched(slot_list *list); /* the one that was touched first; NULL: none is left */

#endif
