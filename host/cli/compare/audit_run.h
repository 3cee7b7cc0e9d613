#ifndef HOST_CLI_COMPARE_AUDIT_RUN_H
#define HOST_CLI_COMPARE_AUDIT_RUN_H

#include "clalign/audit.h"
#include "clalign/batch.h"
#include "cli/compare/record_pairs.h"
#include "cli/options/device_options.h"
#include "cli/report/progress_bar.h"

/* The work of `clalign audit`, from reading records to writing tables. */

#define AUDIT_TABLES 2 /* table of records, and table of losses */
#define AUDIT_WORST_MOST 1000
#define AUDIT_HELD 256 /* maximum number of records that are read to find the alphabet */

/* One of the records that lose most. */
typedef struct audit_worst {
  int file;
  int64_t number, lost, optimal_score;
  char *text;    /* location of the record; owned */
  char *command; /* `clalign align` command line for the record; owned */
} audit_worst;

/* Counts of the records of a file. */
typedef struct audit_counts {
  int64_t records, optimal, wrong, stretches, pairs;
  double score, lost; /* sums over all records, in the scheme's units: optimal scores, and lost scores */
} audit_counts;

typedef struct audit_run {
  record_pairs pairs;
  record_pair *held[AUDIT_HELD]; /* records that were read in advance and are audited next */
  int held_count, held_taken;
  cla_alphabet alphabet; /* alphabet of the first sound record */
  cla_batch_options how;
  cli_late_device late; /* the devices, which are opened when a record needs one */
  cla_audit_command command;
  cla_audit_table *tables[AUDIT_TABLES]; /* NULL: not wanted */
  cla_audit_track *track;
  audit_counts *counts; /* one entry per file */
  audit_worst *worst;   /* the records that lose most, sorted by their losses, largest first */
  int64_t worst_count, worst_most;
  progress_bar bar;
  bool fail_fast;
  cla_batch_progress done;
  cla_status worst_status; /* worst status of a failed record */
  cla_status stopped;      /* CLA_OK, or the error for which results were refused */
  cla_error why;
} audit_run;

/* Makes room for the counts of each file and for the `worst` records that lose most. CLA_ERROR_MEMORY. */
cla_status audit_run_open(audit_run *run, int64_t worst, cla_error *error);

/* Reads records up to the first sound one, whose letters determine the alphabet. If none of the first
 * AUDIT_HELD records is sound, the alphabet is DNA. */
cla_status audit_run_begin(audit_run *run, cla_error *error);

/* Audits all records. */
cla_status audit_run_all(audit_run *run, cla_error *error);

/* Writes the page of the audit to `path`. */
cla_status audit_run_page(const audit_run *run, const char *path, cla_error *error);

/* Prints the summary on stderr. */
void audit_run_summary(const audit_run *run);

/* Returns CLA_OK, or the worst error of a record. */
cla_status audit_run_verdict(const audit_run *run, cla_error *error);

/* Closes the devices and frees everything. */
void audit_run_end(audit_run *run);

#endif
