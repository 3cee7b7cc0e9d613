#ifndef HOST_REGION_LAST_ROW_H
#define HOST_REGION_LAST_ROW_H

#include "region/wavefront_internal.h"

/* Brings the last row of a region from the device to region_calls.below, because another region waits for
 * the row. Nodes are handed over as soon as they are complete. Bus words are complete as soon as the last
 * strip has written them. Private to this room. */

typedef struct last_row {
  const region_work *w;
  int64_t offset;  /* offset of the row in the engine's kept rows */
  int64_t next;    /* index of the next node to hand over; -1: the row has not started */
  bool words;      /* bus words of the row are read while launches run */
  double looked;   /* time of the last check for bus words */
  uint16_t *lanes; /* values of bus words, line after line */
} last_row;

/* Starts the row. Must be called after the region's buffers are loaded, because loading removes the bus words
 * of an earlier region. */
cla_status last_row_begin(last_row *l, const region_work *w, cla_error *error);

/* True if more of the row can be read while a launch of the diagonals before `end` runs. */
bool last_row_comes(const last_row *l, int64_t end);

/* Hands over the words that have been written, if enough time has passed since the last check. */
cla_status last_row_look(last_row *l, int64_t end, cla_error *error);

/* Hands over the nodes that are complete once all diagonals before `end` are computed. */
cla_status last_row_hand_over(last_row *l, int64_t end, cla_error *error);

/* Hands over the remaining nodes, then the row's end with the region's best cell. */
cla_status last_row_end(last_row *l, const region_result *result, cla_error *error);

void last_row_free(last_row *l);

#endif
