#ifndef HOST_CLI_COMPARE_AUDIT_RUN_H
#define HOST_CLI_COMPARE_AUDIT_RUN_H

#include "clalign/audit.h"
#include "clalign/batch.h"
#include "cli/compare/record_pairs.h"
#include "cli/report/progress_bar.h"

/* `clalign audit` from records that are read to tables that are written. */

#define AUDIT_TABLES 2 /* of records and of losses */
#define AUDIT_WORST_MOST 1000
#define AUDIT_HELD 256 /* records among which one says what the letters are */

/* A record that loses much. */
typedef struct audit_worst {
  int file;
  int64_t number, lost, optimal_score;
  char *text;    /* where it lies; owned */
  char *command; /* owned */
} audit_worst;

/* Counts of a file. */
typedef struct audit_counts {
  int64_t records, optimal, wrong, stretches, pairs;
  double score, lost; /* of all records' optima, and what they lose, in the scheme's units */
} audit_counts;

typedef struct audit_run {
  record_pairs pairs;
  record_pair *held[AUDIT_HELD]; /* records that were read and are next */
  int held_count, held_taken;
  cla_alphabet alphabet; /* of the first record that is right */
  cla_batch_options how;
  cla_device *const *devices;
  size_t device_count;
  cla_audit_command command;
  cla_audit_table *tables[AUDIT_TABLES]; /* NULL: not asked for */
  cla_audit_track *track;
  audit_counts *counts; /* by file */
  audit_worst *worst;   /* records that lose most, the first one most of all */
  int64_t worst_count, worst_most;
  progress_bar bar;
  bool fail_fast;
  cla_batch_progress done;
  cla_status worst_status; /* of the records that failed */
  cla_status stopped;      /* why results were refused */
  cla_error why;
} audit_run;

/* Makes room for the counts of each file, and for so many records that lose most. CLA_ERROR_MEMORY. */
cla_status audit_run_open(audit_run *run, int64_t worst, cla_error *error);

/* Reads up to the first record that is right, whose letters say the alphabet; DNA if none of the first is. */
cla_status audit_run_begin(audit_run *run, cla_error *error);

/* Audits all records. */
cla_status audit_run_all(audit_run *run, cla_error *error);

/* Writes the page. */
cla_status audit_run_page(const audit_run *run, const char *path, cla_error *error);

/* Prints the summary on stderr. */
void audit_run_summary(const audit_run *run);

/* CLA_OK, or what failed of the records. */
cla_status audit_run_verdict(const audit_run *run, cla_error *error);

/* Frees all but the devices. */
void audit_run_end(audit_run *run);

#endif
