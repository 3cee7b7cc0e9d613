#ifndef HOST_CLI_BATCH_BATCH_REPORT_H
#define HOST_CLI_BATCH_BATCH_REPORT_H

#include "clalign/batch.h"
#include "cli/batch/batch_reader.h"
#include "cli/report/progress_bar.h"

/* What `clalign batch` says on stderr: how far it is, which pairs failed, and what was done. */
typedef struct batch_report {
  progress_bar bar;      /* how and when the line of progress is drawn */
  int64_t total;         /* pairs of the batch; -1: not known */
  int64_t written;       /* pairs whose alignments were written, or that have none; */
  int64_t without;       /* of these: none scores enough */
  int64_t replayed;      /* of these: finished in an earlier run */
  int64_t failed;        /* pairs */
  cla_status worst;      /* of theirs */
  double cells, seconds; /* of finished calls of cla_batch */
  int64_t done_before;   /* pairs of these */
} batch_report;

void batch_report_init(batch_report *report, bool quiet, int64_t total);

/* The worse of a status and what pairs failed with. */
cla_status batch_report_worse(const batch_report *report, cla_status status);

/* Prints why a pair failed, also when quiet. */
void batch_report_failure(batch_report *report, const batch_pair_name *name, cla_status status,
                          const cla_error *error);

/* Prints a line that is no error: a note or the plan. */
void batch_report_warn(batch_report *report, const char *text);
void batch_report_plan(batch_report *report, const char *text);

/* Draws the progress now and then. */
void batch_report_progress(batch_report *report, const cla_batch_progress *progress);

/* Adds up what a call of cla_batch did. */
void batch_report_add(batch_report *report, const cla_batch_progress *done);

/* The closing lines, unless quiet; `results` says that pairs of groups compete, so that not all are written.
 */
void batch_report_summary(batch_report *report, bool of_groups, cla_device *const *devices,
                          size_t device_count);

/* What the batch ends with when nothing but pairs failed: CLA_OK, or the worst of their errors. */
cla_status batch_report_verdict(const batch_report *report, cla_error *error);

#endif
