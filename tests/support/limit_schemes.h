#ifndef TESTS_SUPPORT_LIMIT_SCHEMES_H
#define TESTS_SUPPORT_LIMIT_SCHEMES_H

#include "kernels/kernel.h"

/* Makes a scheme of linear, affine or two-piece gap costs with the largest match score that the config's
 * lanes allow in a region of that nesting (scoring/lane_width.h). Often the first piece has no opening cost,
 * and the second piece hardly grows. Returns false if the costs leave no room for a match. The result
 * depends on the arguments only. */
bool limit_scheme_make(cla_scoring *out, const kernel_config *config, int nesting, uint64_t seed);

#endif
