#ifndef HOST_PATH_PATH_READ_INTERNAL_H
#define HOST_PATH_PATH_READ_INTERNAL_H

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

/* Replaces the operations by those of a CIGAR, as path_operations_add adds them. CLA_ERROR_MEMORY. */
cla_status path_operations_read(path_operations *operations, bool *fits, const char *text, cla_error *error);

/* A column of digits; -1 for anything else. */
int64_t path_number(const char *text);

/* *now becomes *best if it has more pairs. */
void path_operations_keep(path_operations *best, path_operations *now);

/* True if the name in the file is the sequence's. A '_' in the file stands for any letter, because writers
 * put it for letters that a format does not allow. */
bool path_name_agrees(const char *in_file, const cla_sequence *sequence);

/* True if an alignment of the strand is wanted. */
bool path_strand_wanted(cla_strand wanted, bool reverse);

/* True if the file is SAM or BAM, compressed or not. */
bool path_is_sam(const char *file);

/* A SAM or BAM file that is read. Begins as zero. */
typedef struct path_sam_file {
  struct htsFile *file;
  struct sam_hdr_t *header;
  struct bam1_t *record; /* the current record */
} path_sam_file;

/* Opens the file. shown: its name in messages. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. End with path_sam_close,
 * also after an error. */
cla_status path_sam_open(path_sam_file *sam, const char *path, const char *shown, cla_error *error);
void path_sam_close(path_sam_file *sam);

/* The operations of the current record's CIGAR, as path_operations_read. */
cla_status path_sam_operations(path_operations *operations, bool *fits, const path_sam_file *sam,
                               cla_error *error);

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
