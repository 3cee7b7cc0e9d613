#ifndef HOST_CLI_BATCH_BATCH_READER_H
#define HOST_CLI_BATCH_BATCH_READER_H

#include <pthread.h>

#include "clalign/batch.h"
#include "clalign/sequence_file.h"
#include "clalign/write.h"

/* The sources of the pairs of `clalign batch`: a list, regions of a PAF file, or two files, either all pairs
 * of their records or the i-th records of both. */

/* A sequence that several pairs can share. */
typedef struct batch_sequence {
  cla_sequence *sequence;
  int64_t uses;
} batch_sequence;

/* Counts one more use of the sequence, and returns the sequence. */
batch_sequence *batch_sequence_use(batch_sequence *sequence);

/* Ends one use of the sequence. When the last use ends, the sequence is freed. `sequence` may be NULL. */
void batch_sequence_leave(batch_sequence *sequence);

/* Returns the number of letters in the sequence's range. */
double batch_sequence_letters(const batch_sequence *sequence);

/* Takes over a sequence, and returns a shared sequence with one use. After CLA_ERROR_MEMORY the sequence is
 * freed. */
cla_status batch_sequence_make(batch_sequence **out, cla_sequence *sequence, cla_error *error);

/* The name of a pair in messages, also if the pair cannot be read. */
typedef struct batch_pair_name {
  char text[1024]; /* such as "line 7 (a.fa:x, b.fa:y)" */
} batch_pair_name;

/* A pair; both sequences are NULL if it cannot be read. */
typedef struct batch_pair {
  int64_t index;   /* index among all pairs of the batch, from 0, the same in each run */
  int64_t number;  /* number of the pair's line; without a list, index + 1 */
  int64_t group;   /* consecutive pairs with the same query have the same number */
  bool has_strand; /* the line gives the strand, in `strand` */
  cla_strand strand;
  batch_sequence *query, *target;
} batch_pair;

typedef struct batch_reader batch_reader;

/* A reader of pairs. Each kind of reader sets these fields. */
struct batch_reader {
  /* Reads the next pair; *found is false at the end. If *found is true, an error concerns only this pair, and
   * `name` is set. Otherwise, an error ends the reading; after CLA_ERROR_OPTION, nothing may be written
   * either. */
  cla_status (*next)(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                     cla_error *error);
  /* Returns the approximate fraction of the pairs that was read; negative: unknown. NULL: never known. */
  double (*part)(const batch_reader *reader);
  /* Measures all readable targets as one database. NULL: each pair has its own target. */
  void (*database)(cla_database *out, batch_reader *reader);
  void (*close)(batch_reader *reader);
  const char *unit;         /* what `number` counts: "line" or "pair" */
  int64_t total;            /* number of pairs; 0: unknown */
  cla_sequence_options how; /* how to read sequences */
  /* Returns CLA_ERROR_INPUT if a sequence does not have the batch's alphabet. Set before batch_list_lot is
   * called. */
  cla_status (*check)(const cla_sequence *sequence, void *user, cla_error *error);
  void *check_user;
};

/* The lists and files that a reader reads. */
typedef struct batch_inputs {
  const char *list;     /* file name of the list of pairs; NULL: pairs come from files */
  const char *regions;  /* a PAF file whose records are in `queries` and `targets`; NULL: none */
  const char *queries;  /* a file of queries, or one record as FILE:RECORD */
  const char *targets;  /* a file of targets; NULL: all pairs of `queries`, each once */
  bool pairwise;        /* true: the i-th query with the i-th target; false: all queries with all targets */
  int64_t letters_kept; /* maximum number of letters of the sequences that are kept for further pairs */
  const struct cli_outputs *outputs; /* outputs that must not replace a file of a list */
  bool read_again; /* the pairs will be read again in another run, so standard input is not possible */
  bool in_blocks;  /* an earlier run has stored blocks */
  cla_sequence_options how;
} batch_inputs;

/* Returns the size of a plain file of records or of a list; 0 if the file is compressed or not a regular
 * file. */
double batch_file_bytes(const char *path, bool list);

/* Returns true if both are regular files, which can be read twice. Reading other kinds of files may wait
 * and then cannot be interrupted. */
bool batch_are_files(const char *const paths[2]);

/* A pair that cannot be read: its error, and its name. */
typedef struct batch_read_failure {
  int64_t pair; /* index among the pairs of the block */
  batch_pair_name name;
  cla_error error;
} batch_read_failure;

/* Pairs of a list that were read together. Must be zero-initialised. It can be reused for each lot;
 * batch_lot_free frees it. A pair that cannot be read has records whose status is the error's, and an entry
 * in `failures`. */
typedef struct batch_lot {
  int64_t count;
  cla_record_block records[2];  /* filled by cla_record_block_add */
  int64_t *of[2];               /* index of each pair's record */
  int64_t *numbers;             /* line number of each pair */
  uint8_t *strands;             /* a cla_strand per pair, given by its line; NULL: lines give no strands */
  batch_read_failure *failures; /* in the order of the pairs */
  int64_t failure_count;
  int64_t room, failure_room; /* capacities of the arrays, in elements */
  int64_t bytes;              /* size of the lines */
} batch_lot;

void batch_lot_free(batch_lot *lot);

/* Reads the next lines of a list: at most `most_pairs` pairs, and only until one side reaches the maximum
 * number of letters. If `held` is not NULL, it is the first pair. At the end of the list, lot->count is 0.
 * `wanted` is the alphabet of all pairs. The error of a pair is stored in the lot; any other error ends the
 * list after the lot's pairs. */
cla_status batch_list_lot(batch_lot *lot, batch_reader *list, const batch_pair *held, int64_t most_pairs,
                          int64_t most_letters, cla_error *error);

/* Open the different kinds of readers. */
typedef cla_status batch_open(batch_reader **out, const batch_inputs *inputs, cla_error *error);
batch_open batch_list_open, batch_matrix_open, batch_pairwise_open;

/* Starts a thread that blocks all signals; false if it cannot be started. */
bool batch_thread_start(pthread_t *out, void *(*work)(void *), void *user);

/* Sets the name of a pair that was read. */
void batch_pair_describe(batch_pair_name *name, const batch_reader *reader, const batch_pair *pair);

/* Sets the name of a pair from the texts of its sides. `target` may be NULL. */
void batch_pair_describe_as(batch_pair_name *name, const batch_reader *reader, int64_t number,
                            const char *query, const char *target);

#endif
