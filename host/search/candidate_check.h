#ifndef HOST_SEARCH_CANDIDATE_CHECK_H
#define HOST_SEARCH_CANDIDATE_CHECK_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "search/tuned_scheme.h"

/* Whether a config computes what the reference computes: one small related pair with ambiguous letters, large
 * enough for several strips and tiles of every config there is. The reference's answer is computed once for
 * each mode and kept. */
typedef struct candidate_check candidate_check;

/* `scheme` must outlive the check. CLA_ERROR_MEMORY. */
cla_status candidate_check_create(candidate_check **out, const tuned_scheme *scheme, cla_error *error);
void candidate_check_free(candidate_check *check);

/* Solves the pair with the config, its own lanes, rows, tile, launch style and groups, and compares the best
 * cell (local mode) and every value of the last row. CLA_ERROR_VERIFICATION says what differs; other errors
 * are the device's. */
cla_status candidate_check_run(candidate_check *check, cla_device *device, const kernel_config *config,
                               bool local, cla_error *error);

#endif
