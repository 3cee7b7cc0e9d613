#ifndef HOST_PATH_PATH_OPERATIONS_H
#define HOST_PATH_PATH_OPERATIONS_H

#include <stdbool.h>

#include "clalign/lower_bound.h"

/* A path that is being read from CIGAR operations. Begins as zero, ends with free(path.runs). */
typedef struct path_operations {
  cla_path path;
  int64_t capacity;
  int64_t query_letters, target_letters; /* letters that the runs consume */
  int64_t pairs;                         /* pairs of the runs */
  int64_t clipped_before, clipped_after; /* query letters of S and H operations */
} path_operations;

void path_operations_clear(path_operations *operations);

/* Adds an operation of SAM's alphabet. *fits is false, and nothing is added, for other operations, for a
 * length below 1 or too large, and for letters after a closing clip. CLA_ERROR_MEMORY. */
cla_status path_operations_add(path_operations *operations, bool *fits, char operation, int64_t length,
                               cla_error *error);

/* Replaces the operations by those of a CIGAR without clips. *fits: as path_operations_add says.
 * CLA_ERROR_MEMORY. */
cla_status path_operations_read(path_operations *operations, bool *fits, const char *text, cla_error *error);

#endif
