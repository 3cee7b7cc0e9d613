#ifndef HOST_COMPARE_RECORDS_INTERNAL_H
#define HOST_COMPARE_RECORDS_INTERNAL_H

#include "clalign/aligned_records.h"
#include "clalign/lines.h"
#include "path/path_read_internal.h"

#define RECORD_PATH_SIZE 512

struct cla_aligned_records {
  char shown[RECORD_PATH_SIZE]; /* the file's name in messages */
  bool is_sam;
  path_sam_file sam; /* if is_sam */
  cla_lines *lines;  /* else */
  int64_t number;    /* of the record that was read last */
  int64_t passed;    /* records without a place */
  path_operations operations;
};

/* Each reads the next record that has a place into `record`, whose number and names it sets first. *found is
 * false at the end. Errors as cla_aligned_records_next; without *found they end the file. */
cla_status records_next_paf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error);
cla_status records_next_sam(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error);

/* Gives the record the path of file->operations, and sets starts and ends of a path that begins at
 * path.query_start and path.target_start. record->length[0] must be known. */
cla_status records_take_path(cla_aligned_record *record, cla_aligned_records *file, cla_error *error);

/* Adds the operations of a text of the tag cs, short or long. *fits as path_operations_add. */
cla_status records_read_difference(path_operations *operations, bool *fits, const char *text,
                                   cla_error *error);

#endif
