#ifndef CLALIGN_AUDIT_H
#define CLALIGN_AUDIT_H

#include <stdio.h>

#include "clalign/aligned_records.h"
#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an aligner's result lacks: its path beside the best one of the same region. */

/* A stretch in which a path scores less than the optimal one. Both paths make the stretch's first pair and
 * its last pair; at an end of the region there may be no such pair. Between these pairs they have none in
 * common. So the optimal score is that of the best global alignment of the stretch. */
typedef struct cla_loss {
  int64_t begin[2], end[2]; /* letters of query and target, 0-based half-open on the forward strands */
  int64_t score;            /* of the path, in the scheme's units */
  int64_t optimal_score;    /* above `score` */
  int64_t pairs;            /* pairs of letters of the optimal path that the path does not make */
} cla_loss;

/* A path beside the optimal one. */
typedef struct cla_audit {
  int64_t score;                      /* of the path, in the scheme's units */
  int64_t optimal_score;              /* of the optimal path */
  int64_t pairs;                      /* of all stretches */
  cla_statistics statistics, optimal; /* counts along the path and along the optimal one */
  cla_loss *losses;                   /* in the order of the target; owned */
  int64_t loss_count;                 /* number of losses; their differences add up to that of the scores */
} cla_audit;

/* Compares a path with the optimal alignment of the region that it aligns: global, with a path, of the
 * sequences' ranges, by the alignment's scheme. The paths are compared where they part, in time linear in
 * their lengths. The record must fit the sequences (cla_aligned_record_check). The caller frees *out with
 * cla_audit_free. Errors:
 *
 * - CLA_ERROR_OPTION: an alignment that is not global, or of another region
 * - CLA_ERROR_VERIFICATION: a path that does not fit the sequences, or scores more than the alignment
 * - CLA_ERROR_MEMORY */
cla_status cla_audit_make(cla_audit **out, const cla_aligned_record *record, const cla_alignment *optimal,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* NULL is allowed. */
void cla_audit_free(cla_audit *audit);

/* Tables of audited records. */

/* The form of a table. */
typedef enum cla_audit_format {
  CLA_AUDIT_TSV,  /* a line for each record, and names of the columns in the first line */
  CLA_AUDIT_JSON, /* an object a line for each record, with its losses */
  CLA_AUDIT_BED,  /* a line for each loss, on the target */
} cla_audit_format;

/* How commands are written that align a part again. Texts must outlive their user. */
typedef struct cla_audit_command {
  const char *command;  /* the command with its options, such as "clalign align --mode global" */
  const char *files[2]; /* of the queries and of the targets */
} cla_audit_command;

/* Makes the command that aligns letters of a record's query with letters of its target, on its strand; words
 * with other than plain letters are in quotes. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status cla_audit_command_text(char **out, const cla_audit_command *command,
                                  const cla_aligned_record *record, const int64_t begin[2],
                                  const int64_t end[2], cla_error *error);

/* A record with its result. */
typedef struct cla_audit_entry {
  const char *file;                 /* the file that has the record */
  const cla_aligned_record *record; /* the record */
  const cla_audit *audit;           /* NULL: the record is wrong */
  const char *fault;                /* what is wrong, if audit is NULL */
} cla_audit_entry;

/* A table that is written. */
typedef struct cla_audit_table cla_audit_table;

/* Opens a table to `path`, which appears under its name when it is complete; NULL: to `file`, which must
 * outlive the table. `command` is copied, its texts are not; units: the scheme's units of a point.
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. End with cla_audit_table_finish or cla_audit_table_discard. */
cla_status cla_audit_table_open(cla_audit_table **out, cla_audit_format format, const char *path, FILE *file,
                                const cla_audit_command *command, int32_t units, cla_error *error);

/* Adds a record. CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status cla_audit_table_put(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error);

/* Completes the table and frees it in every case. CLA_ERROR_OUTPUT leaves nothing under the path. */
cla_status cla_audit_table_finish(cla_audit_table *table, cla_error *error);

/* Frees the table, and removes its file under a path. NULL is allowed. */
void cla_audit_table_discard(cla_audit_table *table);

/* Where targets lose points: sums of many records, by windows of the targets. */
typedef struct cla_audit_track cla_audit_track;

/* Begins without sums. window_letters: letters of a window, at least 1. CLA_ERROR_OPTION, CLA_ERROR_MEMORY.
 * End with cla_audit_track_free. */
cla_status cla_audit_track_begin(cla_audit_track **out, int64_t window_letters, cla_error *error);

/* Adds the losses of a record; those of a stretch are shared out evenly among its target letters. `target` is
 * the whole record's name, `length` its letters. CLA_ERROR_MEMORY. */
cla_status cla_audit_track_add(cla_audit_track *track, const char *target, int64_t length,
                               const cla_audit *audit, cla_error *error);

/* Writes lost points by window as bedGraph, without windows that lose nothing; units: the scheme's units of a
 * point. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_audit_track_write(const char *path, const cla_audit_track *track, int32_t units,
                                 cla_error *error);

/* A line of a page's table. */
typedef struct cla_audit_line {
  const char *text, *command; /* what was lost, and the command that shows it */
} cla_audit_line;

/* What stands on a page. */
typedef struct cla_audit_page {
  const char *title;             /* heading of the page */
  const cla_audit_line *summary; /* the whole, a line each; `command` may be NULL */
  size_t summary_count;          /* number of lines */
  const cla_audit_line *worst;   /* records that lose most */
  size_t worst_count;            /* number of these records */
  int32_t units;                 /* the scheme's units of a point */
} cla_audit_page;

/* Writes a page of HTML: lost points along each target, a histogram of the parts of their optimal scores that
 * records lose, and the tables. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_audit_page_write(const char *path, const cla_audit_track *track, const cla_audit_page *page,
                                cla_error *error);

/* NULL is allowed. */
void cla_audit_track_free(cla_audit_track *track);

#ifdef __cplusplus
}
#endif

#endif
