#ifndef HOST_PIPELINE_KEPT_MATRIX_H
#define HOST_PIPELINE_KEPT_MATRIX_H

#include "pipeline/strand_internal.h"
#include "trace/small_block.h"

/* The best cell of a block of rows. */
typedef struct block_best {
  int64_t score, row, column; /* node of the matrix; score 0: not known, or none */
  int64_t most;               /* no cell of the block scores more */
} block_best;

/* A strand's whole matrix as its sweep leaves it, for the alignments that come after: kept rows, and the best
 * cell of each block of rows between some of them. When an alignment has used pairs, only the blocks are
 * swept again whose values that changes (docs/internals/exactness.md, "What is swept again"). */
struct kept_matrix {
  special_rows *rows; /* pinned; those at the blocks' ends among them */
  int64_t block_rows, block_count;
  block_best *bests;
  cla_scoring scoring; /* of the rows */
  bool whole; /* all blocks are those of a matrix without the pairs of the first `used_paths` paths */
  int used_paths;
};

cla_status kept_matrix_create(kept_matrix **out, cla_error *error);
void kept_matrix_free(kept_matrix *matrix);

/* Bytes that it takes, and a block of it; of NULL none. */
int64_t kept_matrix_bytes(const kept_matrix *matrix);
int64_t kept_matrix_block_bytes(const kept_matrix *matrix);

/* Whether the matrix that is there needs so little work that no bound is worth looking for. */
bool kept_matrix_serves(const strand_work *r);

/* Decides whether the run keeps its matrix, if it may, or goes on with the one that is there. Otherwise it
 * passes over what does not matter, where that is less work. `unpruned` is the plan as it was without a
 * bound. */
void kept_matrix_choose(strand_work *r, const plan *unpruned);

/* After whatever else changes the plan: fits it to the blocks that are there. */
void kept_matrix_fit(strand_work *r);

/* In place of the sweep: sweeps the blocks that have changed, or all; *end is the canonical end cell of the
 * matrix. r->sweep.kept becomes the matrix' rows, which are not the run's to free. */
cla_status kept_matrix_sweep(strand_work *r, trace_point *end, cla_metrics *metrics, cla_error *error);

#endif
