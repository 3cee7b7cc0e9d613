#ifndef HOST_BATCH_LANE_LOT_H
#define HOST_BATCH_LANE_LOT_H

#include "batch/batch_job.h"

/* Short pairs that a thread aligns together, as arrays. */

/* Whether options let arrays take pairs at all. */
bool lane_lot_allowed(const cla_align_options *align);

/* Whether a plain pair (batch_job_is_plain) is short enough. */
bool lane_lot_takes(const batch_job *job, int64_t letters);

/* Memory of a thread, for lot after lot. Zero-initialise it. */
typedef struct lane_lot {
  int64_t pairs;          /* room for so many */
  uint8_t *letters[2];    /* codes of all ranges of a side */
  int64_t letter_room[2]; /* room in `letters`, in codes */
  int64_t *offsets[2], *start[2], *end[2], *score, *run_offsets;
  uint8_t *strand, *status;
  uint8_t *wanted; /* the strand of each pair that is to be aligned */
  uint32_t *runs;
  int64_t run_room;
} lane_lot;

void lane_lot_free(lane_lot *lot);

/* Whether a lot may have both pairs: both have one strand each, or both strands, and both want paths, or
 * neither does. */
bool lane_lot_agrees(const batch_job *one, const batch_job *other, const cla_align_options *align);

/* Aligns jobs, a list by `next`, and gives each its result, as batch_job_align does. All must agree
 * (lane_lot_agrees). A pair that lanes cannot align stays as it is, with no_lanes set.
 * align's progress function is asked whether to go on. With a device, of which nobody else has the handle,
 * the device scores them, and align's threads find the paths. After an error no job has a result.
 * CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED, CLA_ERROR_DEVICE (the device fails). */
cla_status lane_lot_align(lane_lot *lot, batch_job *first, int64_t count, const cla_align_options *align,
                          cla_device *device, cla_error *error);

#endif
