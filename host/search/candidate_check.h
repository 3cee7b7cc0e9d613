#ifndef HOST_SEARCH_CANDIDATE_CHECK_H
#define HOST_SEARCH_CANDIDATE_CHECK_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "seq/alphabet.h"

/* The scores that are tuned for, and the alphabet of the sequences. */
typedef struct tuned_scheme {
  cla_scoring scoring;
  score_table table;
  const letter_set *letters;
} tuned_scheme;

/* Makes a scheme from `scoring`, or from the defaults for DNA if `scoring` is NULL. CLA_ERROR_OPTION if
 * scores are out of range, or if the matrix is neither for DNA nor for proteins: no pair can be simulated for
 * such a matrix. */
cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error);

/* Checks configs against the reference on a small related pair with ambiguous letters. The pair is large
 * enough for several strips and tiles of every config. The reference's results are computed once for each
 * mode and kept. */
typedef struct candidate_check candidate_check;

/* Makes a check. `scheme` must outlive it. CLA_ERROR_MEMORY. */
cla_status candidate_check_create(candidate_check **out, const tuned_scheme *scheme, cla_error *error);
void candidate_check_free(candidate_check *check);

/* Solves the pair with the config. Compares every value of the last row and, in local mode, the best cell.
 * CLA_ERROR_VERIFICATION if they differ; the message names the difference. Other errors come from the
 * device. */
cla_status candidate_check_run(candidate_check *check, cla_device *device, const kernel_config *config,
                               bool local, cla_error *error);

#endif
