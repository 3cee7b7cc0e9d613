#ifndef HOST_WRITE_BLOCK_VIEW_H
#define HOST_WRITE_BLOCK_VIEW_H

#include "clalign/write.h"
#include "write/writer.h"

/* A view of a block of arrays, which presents one pair at a time as results that every writer accepts. */
typedef struct block_view {
  const cla_aligned_block *block;
  bool packed;         /* writers read runs in the block's form */
  bool keyed[2];       /* [0] the query, [1] the target needs a checksum */
  bool summed;         /* writers need checksums and locations */
  bool plain_names[2]; /* write_job.plain_names, for all records */
  cla_alignment alignment;
  const cla_alignment *list[1];
  cla_sequence *sides[2];
  cla_results results; /* results of the pair set by block_view_set */
  char *locations[2];
  cla_run *runs;
  int64_t location_capacities[2], run_capacity;
} block_view;

/* Opens a view; `from_runs` is true for a format whose writer can take job->runs. The caller calls
 * block_view_close, even after an error. CLA_ERROR_MEMORY; CLA_ERROR_OPTION if there is no such alphabet. */
cla_status block_view_open(block_view *view, const cla_aligned_block *block, bool from_runs, bool summed,
                           cla_error *error);
void block_view_close(block_view *view);

/* True if the pair's status is not an error. The pair then has results, possibly without an alignment. */
static inline bool block_view_has(const block_view *view, int64_t pair) {
  return !view->block->status || view->block->status[pair] == CLA_OK;
}

/* These functions return the name and the length of a pair's query (side 0) or target (side 1). */
char *block_view_name(const cla_aligned_block *block, int side, int64_t pair);
int64_t block_view_length(const cla_aligned_block *block, int side, int64_t pair);

/* Sets view->results to the results of the pair. CLA_ERROR_MEMORY. */
cla_status block_view_set(block_view *view, int64_t pair, cla_error *error);

/* Returns the runs of the pair for write_job.runs; NULL: use the runs of the alignment. */
const uint32_t *block_view_runs(const block_view *view, int64_t pair);

#endif
