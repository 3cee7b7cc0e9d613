#ifndef CLALIGN_AUDIT_H
#define CLALIGN_AUDIT_H

#include <stdio.h>

#include "clalign/aligned_records.h"
#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Comparing another aligner's path with the optimal one of the same region. */

/* A stretch in which a path scores less than the optimal one. Both paths contain the stretch's first pair and
 * its last pair, unless the stretch ends at an end of the region. Between these pairs, they have no pair in
 * common. So the optimal score is that of the best global alignment of the stretch. */
typedef struct cla_loss {
  int64_t begin[2], end[2]; /* letters of query and target, 0-based half-open on the forward strands */
  int64_t score;            /* score of the path, in the scheme's units */
  int64_t optimal_score;    /* score of the optimal path; more than `score` */
  int64_t pairs;            /* number of pairs in the optimal path that are not in the other path */
} cla_loss;

/* The comparison of a path with the optimal one. */
typedef struct cla_audit {
  int64_t score;                      /* score of the path, in the scheme's units */
  int64_t optimal_score;              /* score of the optimal path */
  int64_t pairs;                      /* sum over all stretches */
  cla_statistics statistics, optimal; /* statistics of the path and of the optimal one */
  cla_loss *losses;                   /* sorted by target position; owned */
  int64_t loss_count; /* number of losses; together, they are the whole difference of the scores */
} cla_audit;

/* Compares a path with the optimal alignment of the same region. `optimal` must be global and have a path;
 * its scheme is used. The time is linear in the lengths of the paths. The record must fit the sequences
 * (cla_aligned_record_check). The caller frees *out with cla_audit_free. Errors:
 *
 * - CLA_ERROR_OPTION: the alignment is not global, or is of another region
 * - CLA_ERROR_VERIFICATION: the path does not fit the sequences, or scores more than the alignment
 * - CLA_ERROR_MEMORY */
cla_status cla_audit_make(cla_audit **out, const cla_aligned_record *record, const cla_alignment *optimal,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* Frees an audit, which may be NULL. */
void cla_audit_free(cla_audit *audit);

/* Tables of audited records. */

/* The form of a table. */
typedef enum cla_audit_format {
  CLA_AUDIT_TSV,  /* a line per record, after a line with the names of the columns */
  CLA_AUDIT_JSON, /* a JSON object per record, with its losses, each on its own line */
  CLA_AUDIT_BED,  /* a line per loss, with its target letters */
} cla_audit_format;

/* How to write commands that align a part of a record again. The texts must outlive each use of the
 * struct. */
typedef struct cla_audit_command {
  const char *command;  /* the command with its options, such as "clalign align --mode global" */
  const char *files[2]; /* files of the queries and of the targets */
} cla_audit_command;

/* Makes the command that aligns a part of a record's query with a part of its target, on the record's strand.
 * Words with other than plain letters are quoted. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status cla_audit_command_text(char **out, const cla_audit_command *command,
                                  const cla_aligned_record *record, const int64_t begin[2],
                                  const int64_t end[2], cla_error *error);

/* A record and its audit. */
typedef struct cla_audit_entry {
  const char *file;                 /* the file that contains the record */
  const cla_aligned_record *record; /* the record */
  const cla_audit *audit;           /* NULL: the record is wrong */
  const char *fault;                /* what is wrong with the record, if `audit` is NULL */
} cla_audit_entry;

/* A table that is being written. */
typedef struct cla_audit_table cla_audit_table;

/* Where a table goes, and in which form. */
typedef struct cla_audit_output {
  cla_audit_format format; /* form of the table */
  const char *path;        /* the file, which appears when it is complete; NULL: `file` */
  FILE *file;              /* must outlive the table */
  int32_t units;           /* the scheme's units per point */
} cla_audit_output;

/* Opens a table. `command` is copied, but not its texts. The caller calls cla_audit_table_finish or
 * cla_audit_table_discard. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_audit_table_open(cla_audit_table **out, const cla_audit_output *output,
                                const cla_audit_command *command, cla_error *error);

/* Adds a record. CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status cla_audit_table_put(cla_audit_table *table, const cla_audit_entry *entry, cla_error *error);

/* Completes the table. Frees it also after an error; after CLA_ERROR_OUTPUT, there is no file at the path. */
cla_status cla_audit_table_finish(cla_audit_table *table, cla_error *error);

/* Frees the table, which may be NULL, and removes its unfinished file. */
void cla_audit_table_discard(cla_audit_table *table);

/* Where targets lose points: sums over many records, by windows of the targets. */
typedef struct cla_audit_track cla_audit_track;

/* Makes a track without records. `window_letters`: length of a window, at least 1. The caller frees *out with
 * cla_audit_track_free. CLA_ERROR_OPTION, CLA_ERROR_MEMORY. */
cla_status cla_audit_track_begin(cla_audit_track **out, int64_t window_letters, cla_error *error);

/* Adds the losses of a record. The loss of a stretch is distributed evenly over its target letters. `target`
 * is the name of the whole record, and `length` its number of letters. CLA_ERROR_MEMORY. */
cla_status cla_audit_track_add(cla_audit_track *track, const char *target, int64_t length,
                               const cla_audit *audit, cla_error *error);

/* Writes the lost points of each window as bedGraph, without windows that lose nothing. `units`: the scheme's
 * units per point. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_audit_track_write(const char *path, const cla_audit_track *track, int32_t units,
                                 cla_error *error);

/* A line in a table of the page. */
typedef struct cla_audit_line {
  const char *text, *command; /* what was lost, and a command that shows the loss */
} cla_audit_line;

/* The contents of a page. */
typedef struct cla_audit_page {
  const char *title;             /* heading of the page */
  const cla_audit_line *summary; /* lines about all records together; `command` may be NULL */
  size_t summary_count;          /* number of lines in `summary` */
  const cla_audit_line *worst;   /* the records that lose most */
  size_t worst_count;            /* number of lines in `worst` */
  int32_t units;                 /* the scheme's units per point */
} cla_audit_page;

/* Writes an HTML page: the lost points along each target, a histogram of records by the fraction of the
 * optimal score that they lose, and the tables. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_audit_page_write(const char *path, const cla_audit_track *track, const cla_audit_page *page,
                                cla_error *error);

/* Frees a track, which may be NULL. */
void cla_audit_track_free(cla_audit_track *track);

#ifdef __cplusplus
}
#endif

#endif
