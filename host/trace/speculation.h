#ifndef HOST_TRACE_SPECULATION_H
#define HOST_TRACE_SPECULATION_H

#include "path/lower_bound.h"
#include "trace/far_bands.h"

/* Computes the blocks between kept rows before the path reaches them (trace/band_block.h), from the path's
 * end upwards, on threads of the host and of other processes. */
typedef struct speculation speculation;

typedef struct speculation_input {
  band_blocks all;          /* the caller need not set the fields `kept`, `reading` and `cancel` */
  special_rows *kept;       /* the kept rows; each is freed after the path has passed it */
  band_node end;            /* end of the path */
  const lower_bound *bound; /* a bound whose path may be near the traced path, or NULL */
  int64_t upper;       /* blocks are computed up to this row; if it is above 0, the block just below it is not
                          computed */
  int threads;         /* >= 1 */
  int64_t blocks;      /* maximum number of this process' blocks that are started and not yet passed, >= 1 */
  int64_t more_blocks; /* maximum number of other processes' blocks that are started and not yet passed */
  far_bands *far;      /* bands of other processes; NULL: no other processes */
} speculation_input;

/* Starts the threads. Everything that the input points to must outlive the speculation. CLA_ERROR_MEMORY if
 * memory does not suffice or no thread can be started. */
cla_status speculation_create(speculation **out, const speculation_input *input, cla_error *error);

/* Stops the threads and frees the speculation. */
void speculation_free(speculation *ahead);

/* True if no block is left. */
bool speculation_ended(const speculation *ahead);

/* Waits for a short time for the next block. *block is NULL if the block is not ready then; otherwise *block
 * is valid until speculation_pass. Errors: those of band_block_compute, and failures of other processes. */
cla_status speculation_wait(band_block **block, speculation *ahead, cla_error *error);

/* Releases the block that speculation_wait returned, and frees the kept rows below the block's upper row.
 * `at`: the path's current node. `led`: the path to that node was taken from the block. */
void speculation_pass(speculation *ahead, const band_node *at, bool led);

#endif
