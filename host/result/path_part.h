#ifndef HOST_RESULT_PATH_PART_H
#define HOST_RESULT_PATH_PART_H

#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"

/* A part of a path that begins and ends with a pair: its runs, and where it lies on the strand that was
 * aligned. */
typedef struct path_part {
  size_t first, last;
  int64_t first_length, last_length; /* pairs of these two runs that belong to it; alike if they are one */
  int64_t query, target, query_end, target_end;
} path_part;

/* A global alignment of just the letters that the part aligns, without a score. The caller frees it.
 * CLA_ERROR_MEMORY. */
cla_status path_part_copy(cla_alignment **out, const cla_alignment *alignment, const path_part *part,
                          cla_error *error);

#endif
