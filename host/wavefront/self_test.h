#ifndef HOST_WAVEFRONT_SELF_TEST_H
#define HOST_WAVEFRONT_SELF_TEST_H

#include "scoring/pair_problem.h"
#include "wavefront/wavefront.h"

/* Solves a small fixed pair with the kernel config and compares the last row, and the best cell if `best`,
 * with the oracle's, so that a compiler or device that gets the kernel wrong is found before hours of work,
 * not after; a run for the score alone would otherwise not notice. It also builds the kernel, which then
 * costs no measured time. Done once for a device that is open: what was right is not tested again for a
 * config that is compiled in the same way, with the same gap costs and extreme scores.
 *
 * CLA_ERROR_DEVICE if the device is wrong. Of the builds of a kernel it is the one for such borders and
 * floor, which finds that best cell. */
cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error);

#endif
