#ifndef HOST_CLI_COMPARE_RECORD_PAIRS_H
#define HOST_CLI_COMPARE_RECORD_PAIRS_H

#include "clalign/aligned_records.h"
#include "clalign/sequence_file.h"
#include "cli/options/options.h"
#include "cli/report/progress_bar.h"

/* The records of files of alignments, each with its sequences. */

/* A record on its way. */
typedef struct record_pair {
  int file; /* index of its file */
  cla_aligned_record *record;
  cla_sequence *sides[2]; /* the aligned parts of query and target; NULL after an error */
  cla_status status;      /* CLA_OK, or why the record is wrong */
  cla_error *error;       /* where status is not CLA_OK */
  void *made;             /* what another thread has made of it */
  void (*free_made)(void *made);
  struct record_pair *next, *previous; /* in the list of all */
} record_pair;

/* A sequence that was read whole. */
typedef struct record_whole {
  char *name;
  cla_sequence *sequence;
} record_whole;

/* Files that are read one after the other. Set the first four fields, all else zero. */
typedef struct record_pairs {
  const char *const *files; /* files of alignments */
  int file_count;
  const char *sides[2];     /* files of queries and of targets */
  cla_sequence_options how; /* to read sequences */
  cla_sequence_store *store;
  cla_aligned_records *open; /* the current file; NULL: none */
  int file;                  /* index of the current file */
  int64_t passed;            /* records without a place, of all files */
  record_whole whole[2];     /* sequences of the record before */
  record_pair *pairs;        /* all that are not freed */
} record_pairs;

/* Checks that all files can be read, and opens the store, which keeps letters of so many bytes.
 * CLA_ERROR_INPUT, CLA_ERROR_MEMORY. End with record_pairs_close. */
cla_status record_pairs_open(record_pairs *pairs, int64_t kept_bytes, cla_error *error);

/* The next record; *out is NULL at the end. A wrong record has a status other than CLA_OK. Errors of the call
 * end the reading. */
cla_status record_pairs_next(record_pair **out, record_pairs *pairs, cla_error *error);

/* The whole sequence of a side by its name, which `pairs` keeps until another one is asked for.
 * CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status record_pairs_whole(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                              cla_error *error);

/* The letters [begin, end) of a side's record, with their location. The caller frees *out. Errors as
 * record_pairs_whole. */
cla_status record_pairs_part(cla_sequence **out, record_pairs *pairs, int side, const char *name,
                             const int64_t range[2], cla_error *error);

/* Names a wrong record on stderr, for which `bar` is cleared. */
void record_pair_report(const record_pairs *pairs, const record_pair *pair, cla_status status,
                        const cla_error *why, progress_bar *bar);

/* Whether an output, if it is named, is one of the files that are read. CLA_ERROR_OPTION. */
cla_status record_files_check(const char *output, const cli_arguments *parsed, cla_error *error);

void record_pair_free(record_pairs *pairs, record_pair *pair);

/* Frees all that is left. */
void record_pairs_close(record_pairs *pairs);

#endif
