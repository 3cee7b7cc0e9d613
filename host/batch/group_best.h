#ifndef HOST_BATCH_GROUP_BEST_H
#define HOST_BATCH_GROUP_BEST_H

#include "batch/batch_job.h"

/* The best pairs of a group by their scores: a heap whose top is the one that the next better one drives out.
 * Jobs are the caller's, and have their score in alignments[0]. */
typedef struct group_best {
  batch_job **jobs;
  int64_t count, capacity;
  int64_t most;
  int64_t letters; /* of all of them */
  int64_t taken;   /* once they are sorted: so many of them are gone */
} group_best;

/* Adds a pair; *out is the one that is driven out, which may be `job` itself, or NULL. CLA_ERROR_MEMORY. */
cla_status group_best_add(batch_job **out, group_best *best, batch_job *job, cla_error *error);

/* What a pair must score to get in, whatever its place among the pairs; false: anything does. */
bool group_best_least(const group_best *best, int64_t *least);

/* Puts the jobs in the order of their results: by score, at equal scores by index. No heap any more. */
void group_best_sort(group_best *best);

/* The next one of the order, or NULL. */
batch_job *group_best_take(group_best *best);

void group_best_free(group_best *best);

#endif
