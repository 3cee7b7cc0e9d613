#ifndef HOST_BOUND_PATH_READ_INTERNAL_H
#define HOST_BOUND_PATH_READ_INTERNAL_H

#include <stdbool.h>

#include "clalign/lower_bound.h"

/* A path that is being read from CIGAR operations. Begins as zero, ends with free(path.runs). */
typedef struct path_operations {
  cla_path path;
  int64_t capacity;
  int64_t query_letters, target_letters, pairs; /* that the runs consume; pairs of them */
  int64_t clipped_before, clipped_after;        /* query letters, of S and H */
} path_operations;

/* Makes it empty. */
void path_operations_clear(path_operations *operations);

/* Adds an operation of SAM's alphabet. False, and nothing is added, for another one, a length that is not 1
 * or more or too large, and letters after a closing clip. CLA_ERROR_MEMORY. */
cla_status path_operations_add(path_operations *operations, bool *fits, char operation, int64_t length,
                               cla_error *error);

/* What both readers ask of a line or record: the names and lengths are those of the sequences. A '_' in the
 * file stands for any letter, because writers put it for those that a format does not allow. */
bool path_name_agrees(const char *in_file, const cla_sequence *sequence);

/* Whether an alignment of that strand is wanted. */
bool path_strand_wanted(cla_strand wanted, bool reverse);

/* Whether the file is SAM or BAM, compressed or not. */
bool path_is_sam(const char *file);

/* A path that is to be read from a file. */
typedef struct path_wanted {
  const char *file, *shown; /* shown: its name in messages */
  const cla_sequence *query, *target;
  cla_strand strand;
} path_wanted;

/* Reads the longest path on a wanted strand that aligns these sequences. Errors as cla_path_read. */
cla_status path_read_sam(cla_path *out, const path_wanted *wanted, cla_error *error);
cla_status path_read_paf(cla_path *out, const path_wanted *wanted, cla_error *error);

/* "FILE holds no alignment ..." for either; `other`: there was one, but not on the strand that is wanted. */
cla_status path_report_none(const path_wanted *wanted, bool other, cla_error *error);

#endif
