#ifndef HOST_SEARCH_CANDIDATES_H
#define HOST_SEARCH_CANDIDATES_H

#include <stdbool.h>

#include "clalign/status.h"
#include "clalign/tune.h"
#include "kernels/kernel.h"
#include "scoring/pair_problem.h"

/* The kernel configs that tuning may try. They depend only on the device, the scheme and the size. */

/* A size class and mode on a device, for the tuned scheme. */
typedef struct candidate_space {
  const cla_device_info *device;
  path_scheme scheme;       /* scheme for local or for global alignments */
  int64_t length;           /* the size class: number of letters of each side */
  const cla_tuning *tuning; /* records that candidate_default uses; NULL: none */
} candidate_space;

/* The directions in which a config can be changed. */
typedef enum candidate_axis {
  CANDIDATE_LAUNCH, /* launch style, and strips in flight of persistent launches */
  CANDIDATE_ALPHA,
  CANDIDATE_TILE,
  CANDIDATE_LANES,
  CANDIDATE_AXES /* number of axes */
} candidate_axis;

/* Largest number of configs along one axis. */
#define CANDIDATES_MOST 32

/* True if the device and the scheme allow the variant. */
bool candidate_variant_allowed(const candidate_space *space, const kernel_variant *variant);

/* Finds the config that is used with the space's records, usually none: the plan's choice or, if `variant` is
 * not NULL, the plan's choice for that variant. CLA_ERROR_DEVICE or CLA_ERROR_OPTION if there is none;
 * CLA_ERROR_MEMORY if the class does not fit in the device's memory. */
cla_status candidate_default(kernel_config *out, const candidate_space *space, const kernel_variant *variant,
                             cla_error *error);

/* True if the device, the scheme and the variant's lists allow the config. */
bool candidate_legal(const candidate_space *space, const kernel_config *config);

/* Lists the legal configs that differ from `from` along one axis by at most `reach` steps. If other lanes or
 * rows per lane make the tile width illegal, the width changes, too. Returns their number. */
int candidates_along(kernel_config out[CANDIDATES_MOST], const candidate_space *space,
                     const kernel_config *from, candidate_axis axis, int reach);

/* Writes a config as text, such as "vector16 16 x 8, tile 512, diagonals". Returns `out`. */
#define CANDIDATE_TEXT_SIZE 128
const char *candidate_text(char out[CANDIDATE_TEXT_SIZE], const kernel_config *config);

#endif
