#ifndef HOST_WAVEFRONT_LAST_ROW_H
#define HOST_WAVEFRONT_LAST_ROW_H

#include "wavefront/wavefront_internal.h"

/* The last row of a region, which another region waits for, on its way from the device to `below`: each part
 * as soon as it is complete, or, as words that the last strip leaves on the bus, as soon as they are there;
 * private to this room. */

typedef struct last_row {
  const region_work *w;
  int64_t offset;  /* of the row in the engine's kept rows */
  int64_t next;    /* the first node that was not handed over; -1: not begun */
  bool words;      /* it comes as bus words, beside launches, too */
  double looked;   /* when it was last looked for these */
  uint16_t *lanes; /* of such words, line behind line */
} last_row;

/* When the region's buffers are loaded: words of an earlier region are gone then. */
cla_status last_row_begin(last_row *l, const region_work *w, cla_error *error);

/* Whether more of it can be read while a launch of the diagonals before `end` runs. */
bool last_row_comes(const last_row *l, int64_t end);

/* Does so, now and then, with what is there by now. */
cla_status last_row_look(last_row *l, int64_t end, cla_error *error);

/* Hands over what is complete of the row when all diagonals before `end` have been computed. */
cla_status last_row_hand_over(last_row *l, int64_t end, cla_error *error);

/* Hands over the rest, and the row's end with the region's best cell. */
cla_status last_row_end(last_row *l, const region_result *result, cla_error *error);

void last_row_free(last_row *l);

#endif
