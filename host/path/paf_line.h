#ifndef HOST_PATH_PAF_LINE_H
#define HOST_PATH_PAF_LINE_H

#include "path/path_operations.h"

/* Lines of PAF: twelve columns, and then tags. */

#define PAF_COLUMNS 12

/* The columns of a line, and some of its tags. The texts point into the line. */
typedef struct paf_line {
  char *column[PAF_COLUMNS];
  const char *query, *target;     /* names of the records; an unaligned query has the target "*" */
  const char *cigar, *difference; /* values of the tags cg:Z and cs:Z; NULL: no such tag */
  bool secondary;                 /* the line has the tag tp:A:S */
} paf_line;

/* Splits a line at tabs. Returns false if it has fewer than PAF_COLUMNS columns. */
bool paf_line_split(paf_line *out, char *text);

/* Returns true if a line is passed over: an empty one, or a comment. PAF has no comments by its
 * specification, but some programs write them. A line that starts with # and has all columns is a record. */
bool paf_line_is_comment(const char *text);

/* Replaces the operations by those of the line's CIGAR, or of its differences if it has no CIGAR, and sets
 * the path's strand and starts. `length`: numbers of letters of both records, by the line. Checks that
 * columns and path agree. The message of CLA_ERROR_INPUT is about "it", without file and line.
 * CLA_ERROR_MEMORY. */
cla_status paf_line_read_path(path_operations *operations, int64_t length[2], const paf_line *line,
                              cla_error *error);

/* Replaces the operations by those in the text of a cs tag, short or long. *fits is set as by
 * path_operations_add. */
cla_status paf_difference_read(path_operations *operations, bool *fits, const char *text, cla_error *error);

#endif
