#ifndef HOST_CLI_COMPARE_RECORD_PAIRS_H
#define HOST_CLI_COMPARE_RECORD_PAIRS_H

#include "clalign/aligned_records.h"
#include "clalign/sequence_file.h"
#include "cli/options/align_options.h"
#include "cli/options/options.h"
#include "cli/report/progress_bar.h"

/* Reads the records of alignment files, each with its sequences. */

/* A record between reading and writing. */
typedef struct record_pair {
  int file; /* index of the record's file */
  cla_aligned_record *record;
  cla_sequence *sides[2]; /* the aligned parts of query and target; NULL after an error */
  cla_status status;      /* CLA_OK, or why the record is wrong */
  cla_error *error;       /* set if status is not CLA_OK */
  void *made;             /* result that another thread has made of the record */
  void (*free_made)(void *made);
  struct record_pair *next, *previous; /* neighbours in the list of all records */
} record_pair;

/* A sequence of a whole record, and its name. */
typedef struct record_whole {
  char *name;
  cla_sequence *sequence;
} record_whole;

/* Alignment files that are read one after another. The caller sets the first four fields; all others must be
 * zero. */
typedef struct record_pairs {
  const char *const *files; /* files of alignments */
  int file_count;
  const char *sides[2];     /* files of queries and of targets */
  cla_sequence_options how; /* how to read sequences */
  cla_sequence_store *store;
  cla_aligned_records *open; /* the file that is being read; NULL: none */
  int file;                  /* index of the current file */
  int64_t passed;            /* number of records without a place, in all files */
  int64_t comments;          /* number of comment lines of PAF, in all files */
  record_whole whole[2];     /* for each side, the whole sequence that was read last */
  record_pair *pairs;        /* list of all records that are not freed */
} record_pairs;

/* Checks that all files can be read, and opens the store, which keeps letters in a share of `memory_bytes`
 * (batch_budget_share). CLA_ERROR_INPUT, CLA_ERROR_MEMORY. The caller calls record_pairs_close. */
cla_status record_pairs_open(record_pairs *pairs, int64_t memory_bytes, cla_error *error);

/* Completes the scoring for an alphabet, and sets *out to all options, with the share of --memory for
 * cla_batch. */
cla_status record_pairs_settle(cla_align_options *out, cli_align_settings *how, cla_alphabet alphabet,
                               cli_option *options, cla_error *error);

/* Reads the next record; *out is NULL at the end. A wrong record has a status other than CLA_OK. An error
 * that the call returns ends the reading. */
cla_status record_pairs_next(record_pair **out, record_pairs *pairs, cla_error *error);

/* Finds a side's sequence by its name and reads the whole of it. `pairs` owns *out, which is valid until
 * another sequence of that side is wanted. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status record_pairs_whole(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                              cla_error *error);

/* Reads the letters [range[0], range[1]) of a side's record. The caller frees *out. Errors are as for
 * record_pairs_whole. */
cla_status record_pairs_part(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                             const int64_t range[2], cla_error *error);

/* Clears `bar`, and reports a wrong record on stderr. */
void record_pair_report(const record_pairs *pairs, const record_pair *pair, cla_status status,
                        const cla_error *why, progress_bar *bar);

/* Prints on stderr, as lines of a summary, how many records and lines were passed over; nothing if none was.
 */
void record_pairs_print_passed(const record_pairs *pairs);

/* Returns CLA_ERROR_OPTION if `output`, which may be NULL, is one of the files that are read. */
cla_status record_files_check(const char *output, const cli_arguments *parsed, cla_error *error);

void record_pair_free(record_pairs *pairs, record_pair *pair);

/* Closes the files, and frees all records that are left. */
void record_pairs_close(record_pairs *pairs);

#endif
