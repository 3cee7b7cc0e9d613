#ifndef HOST_SEARCH_VARIANT_SEARCH_H
#define HOST_SEARCH_VARIANT_SEARCH_H

#include "search/search.h"

/* The search for one variant's best config in one size class and mode; private to this room.
 *
 * The full product of lanes, rows per lane, tile widths, launch styles and groups has hundreds to thousands
 * of members, each of which must be compiled, checked and timed. What they do to the time is nearly
 * independent along two of the axes (tile and launch) and has one hump along each, so the search walks: from
 * the best of the known starts along one axis after the other, each time to the best member, until a round
 * changes nothing. Every look is short, on a part of the problem; the few best of all that were seen are then
 * measured on more of it, and the best of those is taken. The default is always among the starts and the
 * finalists, so that a walk can get stuck but not lose.
 *
 * Large classes take hours on a CPU. They are measured on a slab: all columns, fewer rows, but enough for
 * several strips on every compute unit. A slab has the true number of tiles, length of the bus and share of
 * tiles that meet the alignment's diagonal, and so the true memory traffic of a strip. It has fewer strips on
 * a diagonal than the whole matrix, which makes launches and the start and the end of the sweep weigh more,
 * and a smaller working set between two uses of a line of the bus. */

/* A size class and mode in which variants are searched. */
typedef struct class_scope {
  search *s;
  candidate_space space;
  double deadline_seconds; /* for walks; machine_seconds */
} class_scope;

/* A request for `config` on a part of the class's problem that takes about `seconds`. The variant's rate must
 * be known. */
measurement_request scope_request(const class_scope *scope, const kernel_config *config, double seconds);

/* Finds out the variant's rate in this class with growing problems, from what its rate in the class before
 * suggests on; *works is false if the config does not. */
cla_status scope_calibrate(bool *works, const class_scope *scope, const kernel_config *config,
                           double try_seconds, cla_error *error);

#define VARIANT_STARTS_MOST 8

/* The best config from `starts`, of one calibrated variant, on; *rate is its cells a second, 0 if none
 * works. */
cla_status variant_search(kernel_config *out, double *rate, const class_scope *scope,
                          const kernel_config *starts, int start_count, cla_error *error);

#endif
