#ifndef HOST_REGION_UPPER_BORDER_H
#define HOST_REGION_UPPER_BORDER_H

#include "region/wavefront_internal.h"

/* A region's upper border on its way to the device, before the first launch or as it arrives. Private to this
 * room. */

/* Most parts of an arriving border. With more, launches would be too short. */
#define UPPER_BORDER_PARTS 128

typedef struct upper_border {
  const region_work *w;
  region_arrival there; /* the part of an arriving border that is used */
  int64_t loaded;       /* values of the bus' lines that the device has */
  int64_t noted;        /* tiles above which the device has the border's notes */
} upper_border;

/* Prepares the bus, and loads a complete border. An arriving border is awaited here if launches take whole
 * strips. Bus words of a border by rule are computed on the device, by the region's program. pruning_load,
 * which comes later, loads pruning's notes. */
cla_status upper_border_load(const region_work *w, cl_program program, cla_error *error);

void upper_border_begin(upper_border *b, const region_work *w);

/* True if upper_border_await would not wait. */
bool upper_border_there(const upper_border *b, int64_t begin, int64_t end);

/* Waits until some diagonals from `begin` on can be computed. *end: end of the diagonals for which the border
 * is there.
 */
cla_status upper_border_await(upper_border *b, int64_t begin, int64_t *end, cla_error *error);

/* True if more of the border can be brought to the device while a launch runs. */
bool upper_border_arrives(const upper_border *b);

/* Brings the part that has arrived to the device, beside a launch. */
cla_status upper_border_prepare(upper_border *b, cla_error *error);

#endif
