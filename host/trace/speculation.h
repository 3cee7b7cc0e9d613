#ifndef HOST_TRACE_SPECULATION_H
#define HOST_TRACE_SPECULATION_H

#include "path/lower_bound.h"
#include "trace/far_bands.h"

/* Computes the blocks between kept rows ahead of the path (trace/band_block.h), from the path's end upwards,
 * on threads of the host and of other processes. */
typedef struct speculation speculation;

typedef struct speculation_input {
  band_blocks all;          /* without kept, reading and cancel */
  special_rows *kept;       /* rows are freed as the path passes them */
  band_node end;            /* end of the path */
  const lower_bound *bound; /* a bound whose path may be near the sought one, or NULL */
  int64_t upper;  /* row up to which blocks are wanted; above row 0, the block just below is the caller's */
  int threads;    /* >= 1 */
  int64_t blocks; /* most blocks of this process in work or waiting for the path, >= 1 */
  int64_t more_blocks; /* most further blocks at other processes */
  far_bands *far;      /* bands of other processes; NULL: there are none */
} speculation_input;

/* Starts the threads. All that the input refers to must outlive the speculation. CLA_ERROR_MEMORY, also if no
 * thread can be started. */
cla_status speculation_create(speculation **out, const speculation_input *input, cla_error *error);

/* Stops the threads. */
void speculation_free(speculation *ahead);

/* True if no block is left. */
bool speculation_ended(const speculation *ahead);

/* Waits for the next block, for a moment at most. *block is NULL if it is not ready; else it is valid until
 * speculation_pass. Errors: those of band_block_compute, and failures of other processes. */
cla_status speculation_wait(band_block **block, speculation *ahead, cla_error *error);

/* Frees the block of speculation_wait, and the kept rows below its upper row. at: the path's node now. led:
 * the block has led there. */
void speculation_pass(speculation *ahead, const band_node *at, bool led);

#endif
