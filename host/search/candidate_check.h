#ifndef HOST_SEARCH_CANDIDATE_CHECK_H
#define HOST_SEARCH_CANDIDATE_CHECK_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "seq/alphabet.h"

/* What pairs of letters score in a tuning, and of which letters its sequences are. */
typedef struct tuned_scheme {
  cla_scoring scoring;
  score_table table;
  const letter_set *letters;
} tuned_scheme;

/* `scoring` NULL: the defaults for DNA. CLA_ERROR_OPTION for scores out of range and for a matrix of letters
 * that are neither DNA nor proteins: no pair of such sequences can be made. */
cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error);

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
