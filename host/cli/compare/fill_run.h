#ifndef HOST_CLI_COMPARE_FILL_RUN_H
#define HOST_CLI_COMPARE_FILL_RUN_H

#include "clalign/batch.h"
#include "clalign/batch_directory.h"
#include "clalign/fill.h"
#include "cli/batch/batch_run.h"
#include "cli/compare/record_pairs.h"

/* The work of `clalign fill`, from reading records to writing joined records. */

typedef struct fill_run {
  record_pairs pairs;
  cla_fill *fill;
  cla_batch_options how; /* mode and strand are set for each kind of parts */
  cli_late_device late;  /* the devices, which are opened when a part needs one */
  bool realign, one_strand, fail_fast;
  cla_fill_kind kind;             /* kind of the parts that are being aligned */
  int64_t next;                   /* index of the next part */
  cla_batch_directory *directory; /* keeps aligned parts; NULL: none */
  int64_t first_kept;             /* index in `directory` of the first part of `kind` */
  int64_t replayed;               /* number of parts that an earlier run has aligned */
  int64_t read, wrong, failed;
  bool is_sam;          /* the input is SAM or BAM */
  int64_t score_before; /* total score of the records that were read, in the scheme's units */
  int64_t score_after;  /* total score of the records that were written, in the scheme's units */
  int64_t written;      /* number of records that were written */
  int64_t overlaps;     /* number of records whose starts were cut off */
  int64_t over_letters[2], score_over; /* letters and total score of these starts */
  int64_t score_replaced;              /* total score of the records that have been aligned again */
  cla_status worst;                    /* worst status of a failed record or part */
  progress_bar bar;
  double seconds, cells;
  cla_status stopped; /* CLA_OK, or the error for which results were refused */
  cla_error why;
} fill_run;

/* Reads all records, and reports wrong ones. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status fill_run_read(fill_run *run, cla_error *error);

/* Makes chains of the records, and aligns the letters between the records and beyond the chains' ends. */
cla_status fill_run_align(fill_run *run, cla_error *error);

/* Writes the joined records. */
cla_status fill_run_write(fill_run *run, batch_outputs *outputs, cla_error *error);

/* Prints the summary on stderr. */
void fill_run_summary(const fill_run *run);

/* Returns CLA_OK, or the worst error of a record or part. */
cla_status fill_run_verdict(const fill_run *run, cla_error *error);

/* Closes the devices and frees everything. */
void fill_run_end(fill_run *run);

#endif
