#ifndef HOST_PATH_PATH_READ_INTERNAL_H
#define HOST_PATH_PATH_READ_INTERNAL_H

#include <stdbool.h>

#include "clalign/lower_bound.h"
#include "path/path_operations.h"

/* *now becomes *best if it has more pairs. */
void path_operations_keep(path_operations *best, path_operations *now);

/* True if the name in the file is the sequence's. A '_' in the file stands for any letter, because writers
 * put it for letters that a format does not allow. */
bool path_name_agrees(const char *in_file, const cla_sequence *sequence);

/* True if an alignment of the strand is wanted. */
bool path_strand_wanted(cla_strand wanted, bool reverse);

/* True if the file is SAM or BAM, compressed or not. */
bool path_is_sam(const char *file);

/* A request for a path in a file. */
typedef struct path_wanted {
  const char *file, *shown; /* shown: the file's name in messages */
  const cla_sequence *query, *target;
  cla_strand strand;
} path_wanted;

/* Reads the longest path of the two sequences on a wanted strand. Errors as cla_path_read. */
cla_status path_read_sam(cla_path *out, const path_wanted *wanted, cla_error *error);
cla_status path_read_paf(cla_path *out, const path_wanted *wanted, cla_error *error);

/* Sets the error "FILE holds no alignment ...". other: there was one, but on an unwanted strand. */
cla_status path_report_none(const path_wanted *wanted, bool other, cla_error *error);

#endif
