#ifndef HOST_COMPARE_RECORDS_INTERNAL_H
#define HOST_COMPARE_RECORDS_INTERNAL_H

#include "clalign/aligned_records.h"
#include "clalign/lines.h"
#include "path/path_read_internal.h"

#define RECORD_PATH_SIZE 512

typedef enum records_format {
  RECORDS_PAF,
  RECORDS_SAM,
  RECORDS_CHAIN,
  RECORDS_MAF,
  RECORDS_DELTA
} records_format;

struct cla_aligned_records {
  char shown[RECORD_PATH_SIZE]; /* the file's name in messages */
  records_format format;
  path_sam_file sam; /* reader of SAM and BAM */
  cla_lines *lines;  /* reader of text formats */
  int64_t line;      /* number of the line that was read last */
  char *ahead;       /* the next line, which was already read, owned by `lines`; NULL: none */
  size_t ahead_letters;
  int64_t number;   /* number of the record that was read last */
  int64_t passed;   /* number of records without a place */
  int64_t comments; /* number of comment lines of PAF that were passed over */
  path_operations operations;
  char *delta_name[2]; /* names of query and target in the last head of a delta file; owned */
  int64_t delta_length[2];
};

/* Read the next record that has a place. The record's number and names are set first, for messages. *found
 * is false at the end. Fail like cla_aligned_records_next; if *found is false, the error ends the file. */
cla_status records_next_paf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error);
cla_status records_next_sam(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error);

cla_status records_next_chain(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                              cla_error *error);
cla_status records_next_delta(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                              cla_error *error);
cla_status records_next_maf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error);

/* records_line reads the next line, like cla_lines_next; the other function reads the next line that is
 * neither empty nor a comment. */
cla_status records_line(char **line, size_t *letters, cla_aligned_records *file, cla_error *error);
cla_status records_next_line(char **line, cla_aligned_records *file, cla_error *error);

/* Finds the format of a text file from its first lines. */
cla_status records_find_format(cla_aligned_records *file, cla_error *error);

/* Sets the error that a record is damaged: `what` is wrong, and the file should be made again. */
cla_status records_damaged(const char *what, cla_error *error);

cla_status records_set_names(cla_aligned_record *record, const char *query, const char *target,
                             cla_error *error);

/* Calls path_operations_add if there are letters and *fits is true. */
cla_status records_add(path_operations *operations, bool *fits, char operation, int64_t length,
                       cla_error *error);

/* Sets the record's path to that of file->operations, and its starts and ends. The path starts at
 * path.query_start and path.target_start. record->length[0] must be set. */
cla_status records_take_path(cla_aligned_record *record, cla_aligned_records *file, cla_error *error);

#endif
