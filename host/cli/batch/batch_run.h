#ifndef HOST_CLI_BATCH_BATCH_RUN_H
#define HOST_CLI_BATCH_BATCH_RUN_H

#include "cli/batch/batch_outputs.h"
#include "cli/batch/batch_report.h"
#include "cli/batch/batch_units.h"
#include "cli/options/align_options.h"
#include "cli/options/devices_option.h"

/* A batch as a whole: from pairs that are read to outputs that are written. */
typedef struct batch_run {
  batch_reader *reader;
  cla_batch_options how;
  const cli_devices *devices;
  batch_outputs outputs;
  batch_report report;
  batch_units units;           /* with the run directory, if there is one */
  cla_finished_unit *finished; /* by an earlier run: that of the pair that is held; NULL: none */
  struct batch_item *held;     /* a pair that was read and is next; NULL: none */
  struct batch_item *items;    /* that are on their way, linked */
  bool ended;                  /* nothing is left to read; */
  cla_status read_status;      /* why, if that is an error */
  cla_error read_error;
  cla_status stopped; /* why the results were refused */
  cla_error why;
  bool alphabet_known;
  cla_alphabet alphabet; /* of the first pair */
} batch_run;

/* Reads up to the first pair that can be read, which says what alphabet all have, where that is not known.
 * Pairs before it that cannot be read are reported. *found is false if there is no pair that can be read. */
cla_status batch_run_begin(batch_run *run, bool *found, cla_error *error);

/* Aligns all pairs and writes what is found, once `how`, `devices` and `outputs` are complete. The status is
 * CLA_OK also when pairs failed, or when nothing can be read after some of them. */
cla_status batch_run_all(batch_run *run, cla_error *error);

/* What the batch ends with when it came to its end: CLA_OK, or what failed of its pairs. */
cla_status batch_run_verdict(const batch_run *run, cla_error *error);

/* Frees what is on its way. */
void batch_run_end(batch_run *run);

#endif
