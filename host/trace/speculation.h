#ifndef HOST_TRACE_SPECULATION_H
#define HOST_TRACE_SPECULATION_H

#include "path/lower_bound.h"
#include "trace/far_bands.h"

/* Computes the blocks between kept rows before the path reaches them (trace/band_block.h), from the path's
 * end upwards, on threads of the host and of other processes. */
typedef struct speculation speculation;

typedef struct speculation_input {
  band_blocks all;          /* fields `kept`, `reading` and `cancel` need not be set */
  special_rows *kept;       /* rows are freed as the path passes them */
  band_node end;            /* end of the path */
  const lower_bound *bound; /* a bound whose path may be near the traced path, or NULL */
  int64_t upper;  /* row up to which blocks are computed; if above 0, the block just below this row is not
                     computed */
  int threads;    /* >= 1 */
  int64_t blocks; /* largest number of this process' blocks begun and not yet passed, >= 1 */
  int64_t more_blocks; /* largest number of further blocks, at other processes */
  far_bands *far;      /* bands of other processes; NULL: no other processes */
} speculation_input;

/* Starts the threads. Everything that the input points to must outlive the speculation. CLA_ERROR_MEMORY,
 * also if no thread can be started. */
cla_status speculation_create(speculation **out, const speculation_input *input, cla_error *error);

/* Stops the threads and frees the speculation. */
void speculation_free(speculation *ahead);

/* True if no block is left. */
bool speculation_ended(const speculation *ahead);

/* Waits a moment for the next block. *block is NULL if the block is not ready; else *block is valid until
 * speculation_pass. Errors: those of band_block_compute, and failures of other processes. */
cla_status speculation_wait(band_block **block, speculation *ahead, cla_error *error);

/* Releases the block of speculation_wait, and frees the kept rows below the block's upper row. `at` is the
 * path's current node; `led` is true if the path to that node was taken from the block. */
void speculation_pass(speculation *ahead, const band_node *at, bool led);

#endif
