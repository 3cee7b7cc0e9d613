#ifndef HOST_PATH_PATH_OPERATIONS_H
#define HOST_PATH_PATH_OPERATIONS_H

#include <stdbool.h>

#include "clalign/lower_bound.h"

/* A path that is being read from CIGAR operations. Zero-initialise; the caller frees path.runs. */
typedef struct path_operations {
  cla_path path;
  int64_t capacity;
  int64_t query_letters, target_letters; /* number of letters that the runs consume */
  int64_t pairs;                         /* number of pairs in the runs */
  int64_t clipped_before, clipped_after; /* query letters of S and H operations */
} path_operations;

void path_operations_clear(path_operations *operations);

/* Adds an operation of SAM's alphabet. Sets *fits to false, and adds nothing, if the operation is not in the
 * alphabet, if the length is below 1 or too large, or if letters follow a closing clip. Fails with
 * CLA_ERROR_MEMORY. */
cla_status path_operations_add(path_operations *operations, bool *fits, char operation, int64_t length,
                               cla_error *error);

/* Replaces the operations by those of a CIGAR without clips. *fits is set as by path_operations_add. Fails
 * with CLA_ERROR_MEMORY. */
cla_status path_operations_read(path_operations *operations, bool *fits, const char *text, cla_error *error);

#endif
