#ifndef HOST_REGION_UPPER_BORDER_H
#define HOST_REGION_UPPER_BORDER_H

#include "region/wavefront_internal.h"

/* Copies a region's upper border to the device, before the first launch or as the border arrives. Private to
 * this room. */

/* Maximum number of parts of an arriving border; with more, launches would be too short. */
#define UPPER_BORDER_PARTS 128

typedef struct upper_border {
  const region_work *w;
  region_arrival there; /* the part of an arriving border that may be used */
  int64_t loaded;       /* number of values of each bus line that are on the device */
  int64_t noted;        /* number of tiles whose notes about the border are on the device */
} upper_border;

/* Prepares the bus, and loads a complete border. If launches compute whole strips, waits for an arriving
 * border. The bus words of a border that follows a rule are computed on the device, by the region's program.
 * The notes for pruning are loaded later, by pruning_load. */
cla_status upper_border_load(const region_work *w, cl_program program, cla_error *error);

void upper_border_begin(upper_border *b, const region_work *w);

/* True if upper_border_await would return without waiting. */
bool upper_border_there(const upper_border *b, int64_t begin, int64_t end);

/* Waits until some diagonals, starting at `begin`, can be computed. *end: on input, the wanted end; on
 * output, the end of the diagonals for which the border has arrived. */
cla_status upper_border_await(upper_border *b, int64_t begin, int64_t *end, cla_error *error);

/* True if more of the border can be copied to the device while a launch runs. */
bool upper_border_arrives(const upper_border *b);

/* Copies to the device the part of the border that has arrived, while a launch runs. */
cla_status upper_border_prepare(upper_border *b, cla_error *error);

#endif
