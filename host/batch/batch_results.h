#ifndef HOST_BATCH_BATCH_RESULTS_H
#define HOST_BATCH_BATCH_RESULTS_H

#include "batch/batch_job.h"

/* The best pairs of a group by their scores: a heap with the worst of them on top, which a better pair
 * replaces. The caller owns the jobs. Each job has its score in alignments[0]. */
typedef struct group_best {
  batch_job **jobs;
  int64_t count, capacity;
  int64_t most;
  int64_t letters; /* sum over all jobs in the heap */
  int64_t taken;   /* after group_best_sort: number of jobs that were taken out */
} group_best;

/* Adds a job. *out: the job that does not fit or no longer fits, which may be `job` itself; NULL: none.
 * CLA_ERROR_MEMORY. */
cla_status group_best_add(batch_job **out, group_best *best, batch_job *job, cla_error *error);

/* Sets *least to the least score with which a pair can still be added. Returns false if any score
 * suffices. */
bool group_best_least(const group_best *best, int64_t *least);

/* Sorts the jobs by score, and jobs of equal score by index. After that, the jobs are no heap and no job may
 * be added. */
void group_best_sort(group_best *best);

/* The result of one pair or, if the best of each group are wanted, of one group. */
typedef struct batch_slot {
  struct batch_slot *before, *next; /* neighbours in the order of the results */
  struct batch_slot *next_touched;  /* the next slot in the list of touched slots */
  bool touched;
  int64_t group;
  int64_t outstanding; /* number of pairs that the executor has */
  bool closed;         /* no more pairs will be added */
  bool aligning;       /* for a group: all scores are known, and its best pairs are being aligned */
  score_gate gate;     /* for a group: the least score with which a pair is among the best */
  batch_job *single;   /* without groups: the pair; NULL while the executor has it */
  group_best best;     /* for a group: its best pairs */
  job_list failed;     /* for a group: its pairs that failed, by index */
} batch_slot;

/* Returns true if the slot's whole result can be handed out. */
bool batch_slot_is_complete(const batch_slot *slot);

/* Takes the next job to hand out, or NULL. Failed jobs come first, then the best in order. */
batch_job *batch_slot_take(batch_slot *slot);

void batch_slot_free(batch_slot *slot); /* frees the slot, which must have no jobs */

/* The slots of all results that are not handed out. Touched slots are those that may have become complete
 * since they were last looked at. */
typedef struct slot_list {
  batch_slot *first, *last;
  batch_slot *touched, *last_touched;
} slot_list;

void slot_list_add(slot_list *list, batch_slot *slot);
void slot_list_remove(slot_list *list, batch_slot *slot); /* the slot must not be touched; it is not freed */

/* Marks the slot as touched. */
void slot_list_touch(slot_list *list, batch_slot *slot);
batch_slot *slot_list_take_touched(slot_list *list); /* the slot touched first; NULL: none */

#endif
