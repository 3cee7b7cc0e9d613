#ifndef HOST_SEARCH_CANDIDATE_CHECK_H
#define HOST_SEARCH_CANDIDATE_CHECK_H

#include "device/device.h"
#include "kernels/kernel.h"
#include "seq/alphabet.h"

/* The scores of a tuning, and the letters of its sequences. */
typedef struct tuned_scheme {
  cla_scoring scoring;
  score_table table;
  const letter_set *letters;
} tuned_scheme;

/* `scoring` NULL: the defaults for DNA. CLA_ERROR_OPTION for scores out of range and for a matrix of letters
 * that are neither DNA nor proteins: no pair of such sequences can be made. */
cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error);

/* Checks configs against the reference on a small related pair with ambiguous letters. It is large enough for
 * several strips and tiles of every config. The reference's results are computed once for each mode and kept.
 */
typedef struct candidate_check candidate_check;

/* `scheme` must outlive the check. CLA_ERROR_MEMORY. */
cla_status candidate_check_create(candidate_check **out, const tuned_scheme *scheme, cla_error *error);
void candidate_check_free(candidate_check *check);

/* Solves the pair with the config's lanes, rows, tile, launch style and groups. Compares the best cell (local
 * mode) and every value of the last row. CLA_ERROR_VERIFICATION names the difference. Other errors are the
 * device's. */
cla_status candidate_check_run(candidate_check *check, cla_device *device, const kernel_config *config,
                               bool local, cla_error *error);

#endif
