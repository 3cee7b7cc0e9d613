#ifndef HOST_BOUND_OPEN_SPACE_H
#define HOST_BOUND_OPEN_SPACE_H

#include "bound/bound_path.h"

/* Leads the path from the first corner of `area` (its stop) to the last in linear time and constant memory:
 * pairs along the diagonal of the first corner, gaps, pairs along the diagonal of the last corner, each as
 * far as it scores best. CLA_ERROR_MEMORY. */
cla_status open_space_cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                            cla_error *error);

#endif
