#ifndef HOST_BATCH_LANE_LOT_H
#define HOST_BATCH_LANE_LOT_H

#include "batch/batch_job.h"

/* A lot: short pairs that a thread aligns together, as arrays. */

/* Returns true if the options allow lots. */
bool lane_lot_allowed(const cla_align_options *align);

/* Returns true if a plain pair (batch_job_is_plain) has at most `letters` letters per side. */
bool lane_lot_takes(const batch_job *job, int64_t letters);

/* Memory of a thread, reused for each lot. Must be zero-initialised. */
typedef struct lane_lot {
  int64_t pairs;          /* capacity, in pairs */
  uint8_t *letters[2];    /* codes of all ranges on a side, one after another */
  int64_t letter_room[2]; /* capacity of `letters`, in codes */
  int64_t *offsets[2], *start[2], *end[2], *score, *run_offsets;
  uint8_t *strand, *status;
  uint8_t *wanted; /* the requested strand of each pair */
  uint32_t *runs;
  int64_t run_room;
} lane_lot;

void lane_lot_free(lane_lot *lot);

/* Returns true if both jobs can be in one lot: both want a single strand or both want both strands, and
 * both want a path or neither does. */
bool lane_lot_agrees(const batch_job *one, const batch_job *other, const cla_align_options *align);

/* Aligns a list of jobs, linked by `next`, and gives each its result like batch_job_align. All jobs must
 * agree (lane_lot_agrees). A pair that lanes cannot align is left unchanged, with no_lanes set. The progress
 * function of `align` is asked whether to go on. If `device` is not NULL, the device computes the scores and
 * the threads of `align` find the paths; no other thread may use that handle. After an error, no job has a
 * result. Errors: CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED, and CLA_ERROR_DEVICE if the device fails. */
cla_status lane_lot_align(lane_lot *lot, batch_job *first, int64_t count, const cla_align_options *align,
                          cla_device *device, cla_error *error);

#endif
