#ifndef HOST_PIPELINE_KEPT_MATRIX_H
#define HOST_PIPELINE_KEPT_MATRIX_H

#include "dp/path.h"
#include "pipeline/strand_internal.h"

/* The best cell of a block of rows. */
typedef struct block_best {
  int64_t score, row, column; /* score 0: the block has no positive cell, or its best cell is not known */
  int64_t most;               /* upper limit on the block's scores */
} block_best;

/* A strand's whole matrix, kept for the strand's further alignments: some rows, and the best cell of each
 * block of rows between them. After an alignment, its pairs count as used. Only the blocks whose values
 * this changes are swept again (docs/internals/exactness.md, "What is swept again"). */
struct kept_matrix {
  special_rows *rows; /* kept rows, pinned, including the last row of each block */
  int64_t block_rows, block_count;
  block_best *bests;
  cla_scoring scoring; /* scoring for the rows */
  /* All blocks belong to the same matrix, which excludes the pairs of the first `used_paths` paths. */
  bool whole;
  int used_paths;
};

cla_status kept_matrix_create(kept_matrix **out, cla_error *error);
void kept_matrix_free(kept_matrix *matrix);

/* Return the bytes of the matrix and of one of its blocks; 0 if `matrix` is NULL. */
int64_t kept_matrix_bytes(const kept_matrix *matrix);
int64_t kept_matrix_block_bytes(const kept_matrix *matrix);

/* True if so little of the kept matrix must be swept again that a search for a bound saves no time. */
bool kept_matrix_serves(const strand_work *r);

/* Decides between pruning and keeping or reusing a matrix, whichever needs less work. `unpruned`: the plan
 * without a bound. */
void kept_matrix_choose(strand_work *r, const plan *unpruned);

/* Adapts the plan to the matrix' blocks. Must be called after any change of the plan. */
void kept_matrix_fit(strand_work *r);

/* Sweeps the changed blocks, or all blocks, in place of the whole sweep. Sets *end to the matrix' canonical
 * end cell, and r->sweep.kept to the matrix' rows. The run does not own these rows. */
cla_status kept_matrix_sweep(strand_work *r, trace_point *end, cla_metrics *metrics, cla_error *error);

#endif
