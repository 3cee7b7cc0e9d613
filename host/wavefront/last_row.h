#ifndef HOST_WAVEFRONT_LAST_ROW_H
#define HOST_WAVEFRONT_LAST_ROW_H

#include "wavefront/wavefront_state.h"

/* The last row of a region, which another region waits for, on its way from the device to `below`: each part
 * as soon as it is complete; private to this room. */

typedef struct last_row {
  wavefront *engine;
  const region *what;
  const kernel_config *config;
  const kernel_geometry *g;
  int64_t offset; /* of the row in the engine's kept rows */
  int64_t next;   /* the first node that was not handed over; -1: not begun */
} last_row;

void last_row_begin(last_row *l, wavefront *engine, const region *what, const kernel_config *config,
                    const kernel_geometry *g, int64_t row_slots);

/* Hands over what is complete of the row when all diagonals before `end` have been computed. */
cla_status last_row_hand_over(last_row *l, int64_t end, cla_error *error);

/* Hands over the rest, and the row's end with the region's best cell. */
cla_status last_row_end(last_row *l, const region_result *result, cla_error *error);

#endif
