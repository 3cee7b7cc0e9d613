#ifndef HOST_CLI_BATCH_BATCH_RUN_H
#define HOST_CLI_BATCH_BATCH_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/batch.h"
#include "clalign/batch_directory.h"
#include "clalign/plot.h"
#include "cli/batch/batch_certify.h"
#include "cli/batch/batch_reader.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/report/outputs.h"
#include "cli/report/progress_bar.h"

/* The outputs of `clalign batch`, which are written while pairs are being aligned. */
typedef struct batch_outputs {
  const cli_outputs *outputs;
  const char *save; /* folder for one binary alignment file per pair, or NULL */
  cla_writer *writers[OUTPUT_LIMIT];
  cla_records_plot *plot; /* NULL: no plot */
  bool to_stdout;
  int lost;          /* errno of a batch_outputs_flush that failed; 0: none */
  int64_t made_most; /* limit of `made` */
  atomic_llong made; /* bytes of records made in advance, as counted by batch_outputs_made */
} batch_outputs;

/* Starts all outputs, and makes the folder. The caller calls batch_outputs_finish or batch_outputs_discard,
 * also after an error. CLA_ERROR_OUTPUT, CLA_ERROR_OPTION, CLA_ERROR_MEMORY. */
cla_status batch_outputs_open(batch_outputs *out, const cli_outputs *outputs, const char *save,
                              const char *command_line, cla_error *error);

/* The records of a pair for each output, made in advance, one after another in `text`. Some formats cannot
 * make them in advance. */
typedef struct batch_records {
  size_t bytes; /* length of `text` */
  struct {
    bool made;
    size_t begin, end; /* offsets in `text` */
  } of[OUTPUT_LIMIT];
  char text[];
} batch_records;

/* Makes the records of a pair; the caller frees them. May be called on any thread. Returns NULL on an error
 * or if too many bytes are waiting; then batch_outputs_put makes the records and reports the error. */
batch_records *batch_outputs_make(const batch_outputs *out, const cla_results *found);

/* True if `records` has the records of all outputs; it may be NULL. */
bool batch_records_complete(const batch_outputs *out, const batch_records *records);

/* Replaces the *counted bytes of an earlier call by the bytes of a pair's records (NULL: 0). *counted must
 * be 0 at first. May be called on any thread. */
void batch_outputs_made(batch_outputs *out, size_t *counted, const batch_records *records);

/* Saves and draws the alignments of pair `number`, if the options ask for it. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status batch_outputs_keep(batch_outputs *out, int64_t number, const cla_results *found, cla_error *error);

/* Adds the alignments of pair `number` to all outputs. `records` were made by batch_outputs_make, or NULL.
 * Fails like cla_writer_put: after CLA_ERROR_OUTPUT or CLA_ERROR_MEMORY the caller discards the outputs;
 * other errors concern only this pair. */
cla_status batch_outputs_put(batch_outputs *out, int64_t number, const batch_records *records,
                             const cla_results *found, cla_error *error);

/* Flushes standard output. The next call of batch_outputs_put or batch_outputs_finish reports an error. */
void batch_outputs_flush(batch_outputs *out);

/* Completes all outputs, files before standard output. Frees the outputs also after an error. If the reader
 * of standard output has ended, the process ends. */
cla_status batch_outputs_finish(batch_outputs *out, cla_error *error);

/* Frees all outputs and removes incomplete files. */
void batch_outputs_discard(batch_outputs *out);

/* The messages of `clalign batch` on stderr: its progress, failed pairs and a summary. */
typedef struct batch_report {
  progress_bar bar;      /* the progress line */
  int64_t total;         /* number of pairs in the batch; -1: unknown */
  int64_t written;       /* pairs whose results were written, also if they have no alignment */
  int64_t without;       /* written pairs without an alignment that scores enough */
  int64_t replayed;      /* written pairs whose results an earlier run found */
  int64_t failed;        /* pairs that failed */
  cla_status worst;      /* worst status of a failed pair */
  double cells, seconds; /* sums over finished calls of cla_batch */
  double build_seconds;  /* seconds of those calls in which only kernels were compiled */
  int64_t done_before;   /* pairs done in finished calls */
} batch_report;

void batch_report_init(batch_report *report, bool quiet);

/* Returns `status` or report->worst, whichever is worse. */
cla_status batch_report_worse(const batch_report *report, cla_status status);

/* Prints the error of a failed pair, even if quiet. */
void batch_report_failure(batch_report *report, const batch_pair_name *name, cla_status status,
                          const cla_error *error);

/* Prints a note or the plan. */
void batch_report_warn(batch_report *report, const char *text);
void batch_report_plan(batch_report *report, const char *text);

/* Draws the progress line if it is time. */
void batch_report_progress(batch_report *report, const cla_batch_progress *progress);

/* Adds the totals of a finished call of cla_batch. */
void batch_report_add(batch_report *report, const cla_batch_progress *done);

/* Returns the status of a batch that reached its end: CLA_OK, or the worst error of its pairs. */
cla_status batch_report_verdict(const batch_report *report, cla_error *error);

/* The unit that a run directory stores: a pair or, with --top, all pairs of a query. Units are listed in the
 * order of reading. */
typedef struct batch_unit {
  int64_t first, past; /* range of the pairs' indices, without `past` */
  int64_t group;
  cla_pairs_mark mark;
  bool failed; /* a pair failed, so the unit is not stored and another run tries it again */
  struct batch_unit *next, *previous;
} batch_unit;

/* The unfinished units. Must be zero-initialised; then the caller sets the first three fields. */
typedef struct batch_units {
  cla_batch_directory *directory; /* NULL: nothing is stored */
  bool of_groups;                 /* units are groups (--top), not pairs */
  bool in_any_order;              /* groups are handed out as they are finished, so nothing is stored */
  batch_unit *oldest, *newest;
  batch_unit *receiving; /* with of_groups: the group whose results are being handed out */
} batch_units;

/* Finds the unit of a pair that was read: a new one, or that of the previous pair. CLA_ERROR_MEMORY. */
cla_status batch_units_add(batch_unit **out, batch_units *units, const batch_pair *pair, cla_error *error);

/* Takes a pair's result before it is written, and stores it if the unit is a group. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status batch_units_take(batch_units *units, batch_unit *unit, int64_t index,
                            const cla_alignment *const *alignments, size_t count, cla_error *error);

/* Marks the unit as failed, because one of its pairs failed. */
void batch_units_fail(batch_units *units, batch_unit *unit);

/* Finishes all units before `unit`, or all units if `unit` is NULL. The results of the finished units must be
 * complete. CLA_ERROR_OUTPUT. */
cla_status batch_units_finish_before(batch_units *units, const batch_unit *unit, cla_error *error);

/* Removes a unit without storing it. */
void batch_units_remove(batch_units *units, batch_unit *unit);

void batch_units_clear(batch_units *units);

/* How --memory of `clalign batch` is divided. */
typedef struct batch_budget {
  int64_t kept_bytes;    /* for sequences that are kept for further pairs */
  int64_t text_bytes;    /* for records that wait to be written */
  int64_t certify_bytes; /* for certificates; 0: --memory is not given, or there are none */
  int64_t memory_bytes;  /* for cla_batch; 0: cla_batch chooses */
} batch_budget;

/* Divides --memory; 0: not given. `pairwise`: no sequences are kept. `certified`: there are certificates. */
batch_budget batch_budget_share(int64_t memory_bytes, bool pairwise, bool certified);

/* The largest E-value with which an alignment is reported. */
typedef struct batch_cutoff {
  bool on;
  double most;                  /* largest E-value of a reported alignment */
  const cla_database *database; /* E-values refer to all targets of this database; NULL: to each pair alone */
} batch_cutoff;

/* Sets *expect to the E-value for --max-evalue. This is BLAST's E-value if it is known. Otherwise, for DNA,
 * it is the E-value of an exact match with the same score. Returns false if neither is known. */
bool batch_expect(double *expect, const cla_alignment *alignment, const cla_database *database);

/* Returns true if batch_expect can compute E-values for this mode, scheme and alphabet. */
bool batch_cutoff_applies(cla_mode mode, const cla_scoring *scoring, cla_alphabet alphabet);

/* Returns how many of a pair's alignments are reported. They must be sorted, best first. */
size_t batch_cutoff_count(const batch_cutoff *cutoff, const cla_alignment *const *alignments, size_t count);

typedef struct batch_blocks batch_blocks;
typedef struct batch_search batch_search;

/* A whole batch, from reading pairs to writing outputs. */
typedef struct batch_run {
  batch_reader *reader;
  batch_blocks *blocks; /* used instead of `reader` and `devices`; NULL: not used */
  batch_search *search; /* used instead of `devices`; NULL: not used */
  cla_batch_options how;
  const cli_devices *devices;
  batch_cutoff cutoff;
  batch_certify certify;
  batch_outputs outputs;
  batch_report report;
  batch_units units;           /* used with a run directory */
  cla_finished_unit *finished; /* an earlier run's result of the held pair's unit; NULL: none */
  struct batch_item *held;     /* the next pair, which was already read; NULL: none */
  struct batch_item *items;    /* list of all pairs between reading and writing */
  bool ended;                  /* no more pairs can be read */
  cla_status read_status;      /* CLA_OK, or the error by which reading ended */
  cla_error read_error;
  cla_status stopped; /* CLA_OK, or the error for which results were refused */
  cla_error why;
  bool alphabet_known;
  cla_alphabet alphabet; /* alphabet of the first pair */
} batch_run;

/* Returns CLA_ERROR_INPUT if a sequence has another alphabet than `wanted`, unless the sequence is empty. */
cla_status batch_run_check_alphabet(const batch_run *run, const cla_sequence *sequence, cla_alphabet wanted,
                                    cla_error *error);

/* Reads pairs up to the first readable pair. This pair determines the batch's alphabet, unless the alphabet
 * is known. Unreadable pairs before it are reported. *found is false if no pair is readable. */
cla_status batch_run_begin(batch_run *run, bool *found, cla_error *error);

/* Returns the held pair, which the run owns; NULL: none. */
batch_pair *batch_run_held(const batch_run *run);

/* Aligns all pairs and writes the results. `how`, `devices` and `outputs` must be complete. Returns CLA_OK
 * even if pairs failed, or if reading ended early by an error. */
cla_status batch_run_all(batch_run *run, cla_error *error);

/* Returns the status of a batch that reached its end: CLA_OK, or the worst error of its pairs or of
 * reading. */
cla_status batch_run_verdict(const batch_run *run, cla_error *error);

/* Prints the summary, unless quiet. */
void batch_report_summary(const batch_run *run);

/* Frees all pairs that are not written. */
void batch_run_end(batch_run *run);

/* Aligning the pairs of two files in blocks on host threads (batch_blocks.c). */

/* Opens the files of --pairwise for reading in blocks, and finds the pairs' alphabet. Returns NULL if blocks
 * do not suit the files, or on an error; then the caller opens a batch_reader, which reports errors. */
batch_blocks *batch_blocks_open(cla_alphabet *alphabet, const batch_inputs *inputs, batch_run *run);

/* Makes blocks from the list that the run's reader reads, from the held pair on. NULL: out of memory. */
batch_blocks *batch_blocks_of_list(const batch_inputs *inputs, batch_run *run);

/* Aligns all pairs and writes the results, like batch_run_all. `device` selects the devices for pairs that
 * host threads cannot take. */
cla_status batch_blocks_all(batch_blocks *blocks, const cla_device_options *device, cla_error *error);

void batch_blocks_close(batch_blocks *blocks); /* accepts NULL */

/* Aligning all queries with all targets in blocks, on host threads and devices (batch_search.c). Reads the
 * targets while devices are being opened: those that `device` names, or a GPU if a GPU saves time. The run's
 * alphabet must be known. Returns NULL if blocks do not suit the files, or on an error, which the reader then
 * reports. */
batch_search *batch_search_open(const batch_inputs *inputs, const cla_device_options *device, batch_run *run);

/* Returns the size of all targets together. */
cla_database batch_search_database(const batch_search *search);

/* Aligns all pairs like batch_blocks_all, on the devices that batch_search_open opened. */
cla_status batch_search_all(batch_search *search, cla_error *error);

void batch_search_close(batch_search *search); /* accepts NULL */

#endif
