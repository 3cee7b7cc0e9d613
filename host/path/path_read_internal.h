#ifndef HOST_PATH_PATH_READ_INTERNAL_H
#define HOST_PATH_PATH_READ_INTERNAL_H

#include <stdbool.h>

#include "clalign/lower_bound.h"
#include "path/path_operations.h"

/* Exchanges *now and *best if *now has more pairs of letters. */
void path_operations_keep(path_operations *best, path_operations *now);

/* True if the name in the file is the sequence's name. A '_' in the file matches any character, because
 * writers put '_' for characters that a format forbids. */
bool path_name_agrees(const char *in_file, const cla_sequence *sequence);

/* True if alignments on that strand are wanted. */
bool path_strand_wanted(cla_strand wanted, bool reverse);

/* True if the file is SAM or BAM, compressed or not. */
bool path_is_sam(const char *file);

/* A SAM or BAM file that is being read. Zero-initialise. */
typedef struct path_sam_file {
  struct htsFile *file;
  struct sam_hdr_t *header;
  struct bam1_t *record; /* the current record */
} path_sam_file;

/* Opens the file. `shown`: its name in messages. Fails with CLA_ERROR_INPUT or CLA_ERROR_MEMORY. The caller
 * calls path_sam_close, also after an error. */
cla_status path_sam_open(path_sam_file *sam, const char *path, const char *shown, cla_error *error);
void path_sam_close(path_sam_file *sam);

/* Reads the operations of the current record's CIGAR. *fits is set as by path_operations_read. */
cla_status path_sam_operations(path_operations *operations, bool *fits, const path_sam_file *sam,
                               cla_error *error);

/* A request for a path from a file. */
typedef struct path_wanted {
  const char *file, *shown; /* `file`: path of the file; `shown`: its name in messages */
  const cla_sequence *query, *target;
  cla_strand strand;
} path_wanted;

/* Reads the path of the two sequences. Of the paths on a wanted strand, it takes the one with the most pairs.
 * Fails like cla_path_read. */
cla_status path_read_sam(cla_path *out, const path_wanted *wanted, cla_error *error);
cla_status path_read_paf(cla_path *out, const path_wanted *wanted, cla_error *error);

/* Sets the error "FILE holds no alignment ...". `other`: the file contains an alignment of the pair, but on
 * an unwanted strand. */
cla_status path_report_none(const path_wanted *wanted, bool other, cla_error *error);

#endif
