#ifndef HOST_WAVEFRONT_UPPER_BORDER_H
#define HOST_WAVEFRONT_UPPER_BORDER_H

#include "wavefront/wavefront_internal.h"

/* A region's upper border on its way to the device: before the first launch, or as it arrives; private to
 * this room. */

/* Parts of a border that are waited for, at most: with more of them launches would be too short. */
#define UPPER_BORDER_PARTS 128

typedef struct upper_border {
  const region_work *w;
  region_arrival there; /* of a border that arrives */
  int64_t loaded;       /* values of the bus' lines, and */
  int64_t noted;        /* tiles above which the border is noted, that the device has */
} upper_border;

/* Readies the bus, and loads all of a border that does not arrive, or of one that has to be there before
 * strips are launched: then this waits for it. Bus words of one that follows a rule are computed on the
 * device, by the region's program. Pruning's notes are pruning_load's matter, which comes after this. */
cla_status upper_border_load(const region_work *w, cl_program program, cla_error *error);

void upper_border_begin(upper_border *b, const region_work *w);

/* Whether what it would wait for is there. */
bool upper_border_there(const upper_border *b, int64_t begin, int64_t end);

/* Waits for what some diagonals from `begin` on need of the border, and makes *end those that can be computed
 * with what is there. */
cla_status upper_border_await(upper_border *b, int64_t begin, int64_t *end, cla_error *error);

/* Whether more of it can be brought to the device while a launch runs. */
bool upper_border_arrives(const upper_border *b);

/* Does so with what has arrived by now. */
cla_status upper_border_prepare(upper_border *b, cla_error *error);

#endif
