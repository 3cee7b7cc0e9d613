#ifndef HOST_PACKS_STREAM_H
#define HOST_PACKS_STREAM_H

#include "clalign/device.h"
#include "scoring/pair_problem.h"

/* Scores of a search on a device, without ends. On the device the targets form one stream of letters, and
 * each query is run along that stream (search16.cl). Host and device have far less work than with pack_solve.
 */

/* Sequences of a search, owned by the caller, and the same for all searches of an engine. Codes are below 32.
 */
typedef struct stream_targets {
  const uint8_t *codes;
  const int64_t *offsets; /* start of each sequence in `codes`, and end of the last sequence */
  int64_t count;
} stream_targets;

/* A query, and the consecutive targets that it is compared with. */
typedef struct stream_row {
  const uint8_t *query;
  int64_t query_letters;
  int64_t first, past; /* range of the targets, `past` excluded; no target is empty */
  int32_t *score;      /* out: score of each pair; the caller's memory */
} stream_row;

typedef struct stream_rows {
  const stream_targets *targets;
  const stream_row *rows;
  int64_t count;
} stream_rows;

/* Returns the largest length of a sequence in a search; 0: no kernel fits the device and the scheme. The only
 * kernel is for local alignments with gaps of one piece, on NVIDIA GPUs. */
int64_t stream_letters_most(const cla_device_info *device, const path_scheme *scheme);

typedef struct stream_engine stream_engine;

/* Makes an engine. While the engine is used, the calling thread must own `device` (device_take). Everything
 * that `scheme` points to must outlive the engine. Fails with CLA_ERROR_MEMORY or CLA_ERROR_DEVICE. */
cla_status stream_create(stream_engine **out, cla_device *device, const path_scheme *scheme,
                         cla_error *error);
void stream_free(stream_engine *engine);

/* Limits the device memory, as pack_solver_limit does. */
void stream_limit(stream_engine *engine, int64_t device_bytes);

/* Targets that stream_prepare has put on a device. Engines of other threads on twins of that device can use
 * them. The caller frees *out with stream_loan_free. Fails with CLA_ERROR_MEMORY. */
typedef struct stream_loan stream_loan;
cla_status stream_lend(stream_loan **out, const stream_engine *engine, cla_error *error);
void stream_loan_free(stream_loan *loan);

/* Gives the loan's targets to the engine. */
void stream_borrow(stream_engine *engine, const stream_loan *loan);

/* Builds and tests the kernels for the rows, and puts the targets on the device. Errors as stream_search. */
cla_status stream_prepare(stream_engine *engine, const stream_rows *rows, cla_error *error);

/* Finds all scores. Fails with CLA_ERROR_DEVICE (the driver fails, or the device computes wrongly),
 * CLA_ERROR_MEMORY (also if the device has no room for all targets) or CLA_ERROR_INTERRUPTED. */
cla_status stream_search(stream_engine *engine, const stream_rows *rows, cla_error *error);

#endif
