#ifndef HOST_WRITE_CALLABLE_PARTS_H
#define HOST_WRITE_CALLABLE_PARTS_H

#include "write/writer.h"

/* Target letters of which the differences are known, and from which alignment. */
typedef struct callable_part {
  int64_t from, to; /* 0-based, half-open */
  size_t alignment; /* its number */
} callable_part;

/* The parts in the order of the target, of which none share a letter: of the strand whose alignments score
 * more together, what each covers and no earlier one does. The only alignment has its part also where that
 * has no letter. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status callable_parts_list(callable_part **out, size_t *count, const write_job *job, cla_error *error);

#endif
