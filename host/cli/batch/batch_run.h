#ifndef HOST_CLI_BATCH_BATCH_RUN_H
#define HOST_CLI_BATCH_BATCH_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/batch.h"
#include "clalign/batch_directory.h"
#include "clalign/plot.h"
#include "cli/batch/batch_reader.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/report/outputs.h"
#include "cli/report/progress_bar.h"

/* The outputs of `clalign batch`, which are written while pairs are aligned. */
typedef struct batch_outputs {
  const cli_outputs *outputs;
  const char *save; /* folder for a binary alignment of each pair, or NULL */
  cla_writer *writers[OUTPUT_LIMIT];
  cla_records_plot *plot; /* NULL: none is asked for */
  bool to_stdout;
  int lost;          /* errno of a batch_outputs_flush that failed */
  int64_t made_most; /* limit of `made` */
  atomic_llong made; /* bytes of records made ahead, as batch_outputs_made counts them */
} batch_outputs;

/* Begins all outputs, and makes the folder. CLA_ERROR_OUTPUT, CLA_ERROR_OPTION, CLA_ERROR_MEMORY. End with
 * batch_outputs_finish or batch_outputs_discard. */
cla_status batch_outputs_open(batch_outputs *out, const cli_outputs *outputs, const char *save,
                              const char *command_line, cla_error *error);

/* What outputs get of a pair, made ahead: one after the other, as far as they can be. */
typedef struct batch_records {
  size_t bytes; /* of `text` */
  struct {
    bool made;
    size_t begin, end; /* in `text` */
  } of[OUTPUT_LIMIT];
  char text[];
} batch_records;

/* Makes the records of a pair, on any thread; the caller frees them. NULL if one fails or too many wait: then
 * batch_outputs_put makes them and tells the error. */
batch_records *batch_outputs_make(const batch_outputs *out, const cla_results *found);

/* Counts a pair's records (NULL: none) in place of its *counted bytes, which an earlier call has set or which
 * begin as 0. On any thread. */
void batch_outputs_made(batch_outputs *out, size_t *counted, const batch_records *records);

/* Saves and draws the alignments of a pair, the `number`-th, as far as that is asked for. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status batch_outputs_keep(batch_outputs *out, int64_t number, const cla_results *found, cla_error *error);

/* Adds the alignments of a pair, the `number`-th, to all outputs; `records`, which may be NULL, are those of
 * the pair. Errors as cla_writer_put: after CLA_ERROR_OUTPUT the outputs are to be discarded, others are the
 * pair's. */
cla_status batch_outputs_put(batch_outputs *out, int64_t number, const batch_records *records,
                             const cla_results *found, cla_error *error);

/* Flushes standard output; the next call of another function tells an error. */
void batch_outputs_flush(batch_outputs *out);

/* Completes all outputs, files before standard output, and frees them in every case. Ends the process if the
 * reader of standard output has gone. */
cla_status batch_outputs_finish(batch_outputs *out, cla_error *error);

/* Removes what is not complete. */
void batch_outputs_discard(batch_outputs *out);

/* The messages of `clalign batch` on stderr: its progress, failed pairs and a summary. */
typedef struct batch_report {
  progress_bar bar;      /* how and when the line of progress is drawn */
  int64_t total;         /* pairs of the batch; -1: not known */
  int64_t written;       /* pairs whose results were written, with alignments or without */
  int64_t without;       /* written pairs of which no alignment scores enough */
  int64_t replayed;      /* written pairs that an earlier run finished */
  int64_t failed;        /* pairs that failed */
  cla_status worst;      /* worst status of a failed pair */
  double cells, seconds; /* totals of finished calls of cla_batch */
  double build_seconds;  /* seconds of those calls for kernels alone */
  int64_t done_before;   /* pairs of finished calls */
} batch_report;

void batch_report_init(batch_report *report, bool quiet);

/* The worse of a status and the failed pairs' worst. */
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

/* The batch's status if only pairs failed: CLA_OK, or the worst of their errors. */
cla_status batch_report_verdict(const batch_report *report, cla_error *error);

/* What a run directory keeps as a whole: a pair, or with --top a query's pairs. Units begin in the order in
 * which their pairs are read. */
typedef struct batch_unit {
  int64_t first, past; /* the unit has the pairs of these indices, `past` excluded */
  int64_t group;
  cla_pairs_mark mark;
  bool failed; /* one of the unit's pairs failed: the unit is not kept, so that another run tries again */
  struct batch_unit *next, *previous;
} batch_unit;

/* The units that are not finished. Zero-initialise, and set the first three fields. */
typedef struct batch_units {
  cla_batch_directory *directory; /* NULL: nothing is kept */
  bool of_groups;                 /* units are groups (--top), not pairs */
  bool in_any_order;              /* groups come as they are finished; nothing is kept then */
  batch_unit *oldest, *newest;
  batch_unit *receiving; /* with of_groups: the group whose results are coming */
} batch_units;

/* The unit of a pair that was read, which is new or that of the pair before. CLA_ERROR_MEMORY. */
cla_status batch_units_add(batch_unit **out, batch_units *units, const batch_pair *pair, cla_error *error);

/* Takes a pair's result before it is written. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status batch_units_take(batch_units *units, batch_unit *unit, int64_t index,
                            const cla_alignment *const *alignments, size_t count, cla_error *error);

/* A pair of the unit failed. */
void batch_units_fail(batch_units *units, batch_unit *unit);

/* All units before this one have their results, or all units where it is NULL. CLA_ERROR_OUTPUT. */
cla_status batch_units_finish_before(batch_units *units, const batch_unit *unit, cla_error *error);

/* Removes a unit without keeping it. */
void batch_units_remove(batch_units *units, batch_unit *unit);

void batch_units_clear(batch_units *units);

/* What --memory of `clalign batch` is for. */
typedef struct batch_budget {
  int64_t kept_bytes;   /* for sequences that are kept to be used again */
  int64_t text_bytes;   /* for records that wait for their turn */
  int64_t memory_bytes; /* what is left for cla_batch; 0: it chooses */
} batch_budget;

/* Shares --memory out; 0: none is given. `pairwise`: nothing is kept. */
batch_budget batch_budget_share(int64_t memory_bytes, bool pairwise);

/* Which alignments are not by chance. */
typedef struct batch_cutoff {
  bool on;
  double most;                  /* the expected number of an alignment that is reported, at most */
  const cla_database *database; /* E-values are for all its targets; NULL: for each pair alone */
} batch_cutoff;

/* The expected number that --max-evalue is about: BLAST's, or else for DNA that of exact matches with the
 * score. False where neither is known. */
bool batch_expect(double *expect, const cla_alignment *alignment, const cla_database *database);

/* Whether batch_expect knows the expected number for alignments of that mode and scheme. */
bool batch_cutoff_applies(cla_mode mode, const cla_scoring *scoring, cla_alphabet alphabet);

/* How many of a pair's alignments are reported; they are sorted, the best first. */
size_t batch_cutoff_count(const batch_cutoff *cutoff, const cla_alignment *const *alignments, size_t count);

typedef struct batch_blocks batch_blocks;
typedef struct batch_search batch_search;

/* A batch as a whole: from pairs that are read to outputs that are written. */
typedef struct batch_run {
  batch_reader *reader;
  batch_blocks *blocks; /* replaces `reader` and `devices`; NULL: they are used */
  batch_search *search; /* replaces `devices`; NULL: they are used */
  cla_batch_options how;
  const cli_devices *devices;
  batch_cutoff cutoff;
  batch_outputs outputs;
  batch_report report;
  batch_units units;           /* with the run directory, if there is one */
  cla_finished_unit *finished; /* result of an earlier run for the held pair's unit; NULL: none */
  struct batch_item *held;     /* a pair that was read and is next; NULL: none */
  struct batch_item *items;    /* list of the pairs on their way */
  bool ended;                  /* nothing is left to read */
  cla_status read_status;      /* if `ended` by an error: the error; else CLA_OK */
  cla_error read_error;
  cla_status stopped; /* why results were refused; CLA_OK: they were not */
  cla_error why;
  bool alphabet_known;
  cla_alphabet alphabet; /* of the first pair */
} batch_run;

/* CLA_ERROR_INPUT for a sequence of another alphabet than is wanted, unless it has no letters. */
cla_status batch_run_check_alphabet(const batch_run *run, const cla_sequence *sequence, cla_alphabet wanted,
                                    cla_error *error);

/* Reads up to the first pair that can be read, which says what alphabet all have, where that is not known.
 * Pairs before it that cannot be read are reported. *found is false if there is no pair that can be read. */
cla_status batch_run_begin(batch_run *run, bool *found, cla_error *error);

/* The pair that is held, which is the run's; NULL: none. */
batch_pair *batch_run_held(const batch_run *run);

/* Aligns all pairs and writes what is found, once `how`, `devices` and `outputs` are complete. The status is
 * CLA_OK also when pairs failed, or when nothing can be read after some of them. */
cla_status batch_run_all(batch_run *run, cla_error *error);

/* What the batch ends with when it came to its end: CLA_OK, or what failed of its pairs. */
cla_status batch_run_verdict(const batch_run *run, cla_error *error);

/* The closing lines, unless quiet. */
void batch_report_summary(const batch_run *run);

/* Frees what is on its way. */
void batch_run_end(batch_run *run);

/* Pairs of two files in blocks, on the threads of the host (batch_blocks.c). */

/* Opens the files of --pairwise to be read in blocks, and finds out the pairs' alphabet. NULL where blocks
 * are not the way, or something is wrong with the files: a batch_reader is to be opened then. */
batch_blocks *batch_blocks_open(cla_alphabet *alphabet, const batch_inputs *inputs, batch_run *run);

/* Blocks of the list that the run's reader reads, from the pair on that the run holds. NULL where memory is
 * out. */
batch_blocks *batch_blocks_of_list(const batch_inputs *inputs, batch_run *run);

/* Aligns all pairs and writes what is found, as batch_run_all; `device` names those for pairs that threads
 * cannot take. */
cla_status batch_blocks_all(batch_blocks *blocks, const cla_device_options *device, cla_error *error);

void batch_blocks_close(batch_blocks *blocks); /* NULL is allowed */

/* All with all in blocks, on the threads of the host and on devices (batch_search.c). Reads the targets, once
 * the run knows its alphabet, while devices are opened: those that `device` names, or a GPU that pays. NULL
 * where blocks are not the way, or something is wrong with the files, which the reader then tells. */
batch_search *batch_search_open(const batch_inputs *inputs, const cla_device_options *device, batch_run *run);

/* All targets together. */
cla_database batch_search_database(const batch_search *search);

/* As batch_blocks_all, with the devices of batch_search_open. */
cla_status batch_search_all(batch_search *search, cla_error *error);

void batch_search_close(batch_search *search); /* NULL is allowed */

#endif
