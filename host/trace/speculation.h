#ifndef HOST_TRACE_SPECULATION_H
#define HOST_TRACE_SPECULATION_H

#include "bound/lower_bound.h"
#include "trace/band_block.h"
#include "trace/ranks_trace.h"

/* Computes the blocks between kept rows on several host threads, and on those of other ranks, from the end of
 * the path upwards, while the path is put together (trace/band_block.h). */
typedef struct speculation speculation;

typedef struct speculation_input {
  band_blocks all;          /* but for kept, reading and cancel */
  special_rows *kept;       /* rows are freed as they are passed */
  band_node end;            /* of the path */
  const lower_bound *bound; /* whose path the sought one is near, it may be; NULL: none is known */
  int64_t upper;  /* the matrix row up to which blocks are wanted; unless it is row 0, the block just below it
                     is  left to the caller, because it is not among the rows */
  int threads;    /* >= 1 */
  int64_t blocks; /* in work or waiting to be passed at once, >= 1, */
  int64_t more_blocks; /* and so many more at most that are other ranks' */
  rank_traces *traces; /* NULL: no other ranks */
} speculation_input;

/* What the input refers to must outlive the speculation. CLA_ERROR_MEMORY, also where no thread can be
 * started. */
cla_status speculation_create(speculation **out, const speculation_input *input, cla_error *error);

/* Stops the threads. */
void speculation_free(speculation *ahead);

/* Whether there are no more blocks. */
bool speculation_ended(const speculation *ahead);

/* Waits, at most for a moment, for the next block: *block is NULL while it is not ready. It stays valid until
 * speculation_pass. Errors are those of band_block_compute, and what fails at another rank. */
cla_status speculation_wait(band_block **block, speculation *ahead, cla_error *error);

/* Frees the block that speculation_wait gave, and the kept rows below its upper row. The path is now known to
 * be `at`; `led` there by the block, or not. */
void speculation_pass(speculation *ahead, const band_node *at, bool led);

#endif
