#ifndef HOST_WAVEFRONT_REGION_PARAMS_H
#define HOST_WAVEFRONT_REGION_PARAMS_H

#include "kernels/kernel.h"
#include "scoring/pair_problem.h"
#include "wavefront/region.h"

/* A kernel's parameters as far as they follow from the scheme and the rules of the borders; all others are 0.
 */
region_params region_params_make(const path_scheme *scheme, const border_rule *left, const border_rule *top);

#endif
