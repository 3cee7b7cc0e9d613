#ifndef HOST_WRITE_BLOCK_VIEW_H
#define HOST_WRITE_BLOCK_VIEW_H

#include "clalign/write.h"
#include "write/writer.h"

/* The pairs of a block of arrays, one after the other, as results that every writer takes. */
typedef struct block_view {
  const cla_aligned_block *block;
  bool packed;         /* writers take runs as the block has them */
  bool keyed[2];       /* the query, the target needs its checksum */
  bool summed;         /* writers need checksums and locations */
  bool plain_names[2]; /* as write_job's, of all records */
  cla_alignment alignment;
  const cla_alignment *list[1];
  cla_sequence *sides[2];
  cla_results results; /* of the pair that block_view_set chose */
  char *locations[2];
  cla_run *runs;
  int64_t location_capacities[2], run_capacity;
} block_view;

/* For a format that needs job->runs alone (from_runs), or any. CLA_ERROR_MEMORY, CLA_ERROR_OPTION (no such
 * alphabet). Ends with block_view_close, also after an error. */
cla_status block_view_open(block_view *view, const cla_aligned_block *block, bool from_runs, bool summed,
                           cla_error *error);
void block_view_close(block_view *view);

/* Whether the pair has results, if none: no error is its. */
static inline bool block_view_has(const block_view *view, int64_t pair) {
  return !view->block->status || view->block->status[pair] == CLA_OK;
}

/* Of a pair's query (side 0) or target. */
char *block_view_name(const cla_aligned_block *block, int side, int64_t pair);
int64_t block_view_length(const cla_aligned_block *block, int side, int64_t pair);

/* Makes view->results those of the pair. CLA_ERROR_MEMORY. */
cla_status block_view_set(block_view *view, int64_t pair, cla_error *error);

/* The runs of that pair for write_job; NULL: the alignment has them. */
const uint32_t *block_view_runs(const block_view *view, int64_t pair);

#endif
