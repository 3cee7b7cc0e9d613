#ifndef HOST_CLI_COMPARE_FILL_RUN_H
#define HOST_CLI_COMPARE_FILL_RUN_H

#include "clalign/batch.h"
#include "clalign/fill.h"
#include "cli/batch/batch_run.h"
#include "cli/compare/record_pairs.h"

/* `clalign fill` from records that are read to records that are written. */

typedef struct fill_run {
  record_pairs pairs;
  cla_fill *fill;
  cla_batch_options how; /* mode and strand are those of each kind of parts */
  cli_late_device *devices;
  bool realign, one_strand, fail_fast;
  cla_fill_kind kind; /* of the parts in work */
  int64_t next;       /* the next part */
  int64_t read, wrong, failed;
  bool is_sam;          /* the file that was read is SAM or BAM */
  int64_t score_before; /* of all records that were read, in the scheme's units */
  int64_t score_after;  /* of all that were written */
  int64_t written;      /* records */
  cla_status worst;     /* of records and parts that failed */
  progress_bar bar;
  double seconds, cells;
  cla_status stopped; /* why results were refused */
  cla_error why;
} fill_run;

/* Reads all records. Wrong ones are reported. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status fill_run_read(fill_run *run, cla_error *error);

/* Chains the records, and aligns what lies between and beyond them. */
cla_status fill_run_align(fill_run *run, cla_error *error);

/* Writes the joined records. */
cla_status fill_run_write(fill_run *run, batch_outputs *outputs, cla_error *error);

/* Prints the summary on stderr. */
void fill_run_summary(const fill_run *run);

/* CLA_OK, or what failed of records and parts. */
cla_status fill_run_verdict(const fill_run *run, cla_error *error);

void fill_run_end(fill_run *run);

#endif
