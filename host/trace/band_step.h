#ifndef HOST_TRACE_BAND_STEP_H
#define HOST_TRACE_BAND_STEP_H

#include "trace/band_goals.h"
#include "trace/path.h"

/* Where a path that is followed through direction bytes (trace/band_line.h) has come to. */
typedef struct band_place {
  int64_t row, column;
  band_state state;
  bool started; /* a path's start, behind which there is nothing */
} band_place;

/* Goes one step of the canonical path back from a cell with this direction: to another cell, another state of
 * the same one, or the path's start. CLA_ERROR_MEMORY. */
cla_status band_step(band_place *at, uint8_t direction, path *into, cla_error *error);

#endif
