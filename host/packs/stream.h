#ifndef HOST_PACKS_STREAM_H
#define HOST_PACKS_STREAM_H

#include "clalign/device.h"
#include "scoring/pair_problem.h"

/* Scores of a search on a device, without ends. The targets lie there as one stream of letters, and each
 * query goes along it (search16.cl). That takes far less of the host and of the device than pack_solve. */

/* Sequences of a search: the caller's, and the same for all searches of an engine. Codes are below 32. */
typedef struct stream_targets {
  const uint8_t *codes;
  const int64_t *offsets; /* where each sequence begins, in codes, and where the last one ends */
  int64_t count;
} stream_targets;

/* A query with targets that lie one behind the other. */
typedef struct stream_row {
  const uint8_t *query;
  int64_t query_letters;
  int64_t first, past; /* range of the targets, `past` excluded; none is empty */
  int32_t *score;      /* out: one for each pair; the caller's memory */
} stream_row;

typedef struct stream_rows {
  const stream_targets *targets;
  const stream_row *rows;
  int64_t count;
} stream_rows;

/* The most letters of a sequence in a search; 0: there is no kernel for the device and the scheme. There is
 * one for local alignments with gaps of one piece, on NVIDIA GPUs. */
int64_t stream_letters_most(const cla_device_info *device, const path_scheme *scheme);

typedef struct stream_engine stream_engine;

/* `device` is the calling thread's while the engine is used (device_take), and what `scheme` points to must
 * outlive it. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status stream_create(stream_engine **out, cla_device *device, const path_scheme *scheme,
                         cla_error *error);
void stream_free(stream_engine *engine);

/* As pack_solver_limit. */
void stream_limit(stream_engine *engine, int64_t device_bytes);

/* Targets that stream_prepare has put on a device, for engines of twins of it, in other threads. Ends with
 * stream_loan_free. CLA_ERROR_MEMORY. */
typedef struct stream_loan stream_loan;
cla_status stream_lend(stream_loan **out, const stream_engine *engine, cla_error *error);
void stream_loan_free(stream_loan *loan);

/* Makes the loan's targets the engine's. */
void stream_borrow(stream_engine *engine, const stream_loan *loan);

/* Builds and tests the kernels for the rows, and puts the targets on the device. Errors as stream_search. */
cla_status stream_prepare(stream_engine *engine, const stream_rows *rows, cla_error *error);

/* Finds all scores. CLA_ERROR_DEVICE: the driver fails, or the device computes wrongly. CLA_ERROR_MEMORY:
 * also where the device has no room for all targets. CLA_ERROR_INTERRUPTED. */
cla_status stream_search(stream_engine *engine, const stream_rows *rows, cla_error *error);

#endif
