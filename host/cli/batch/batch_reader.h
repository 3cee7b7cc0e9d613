#ifndef HOST_CLI_BATCH_BATCH_READER_H
#define HOST_CLI_BATCH_BATCH_READER_H

#include <pthread.h>

#include "clalign/batch.h"
#include "clalign/sequence_file.h"
#include "clalign/write.h"

/* Where the pairs of `clalign batch` come from: a list, regions of a PAF file, or all or the i-th records of
 * files. */

/* A sequence that several pairs may use at once. */
typedef struct batch_sequence {
  cla_sequence *sequence;
  int64_t uses;
} batch_sequence;

/* Counts one more use of the sequence, and returns the sequence. */
batch_sequence *batch_sequence_use(batch_sequence *sequence);

/* One use less; the last one frees it. NULL is allowed. */
void batch_sequence_leave(batch_sequence *sequence);

/* Letters of the sequence's range. */
double batch_sequence_letters(const batch_sequence *sequence);

/* Takes a sequence over, which has one use then. CLA_ERROR_MEMORY frees it. */
cla_status batch_sequence_make(batch_sequence **out, cla_sequence *sequence, cla_error *error);

/* A pair's name in messages, also of a pair that cannot be read. */
typedef struct batch_pair_name {
  char text[1024]; /* such as "line 7 (a.fa:x, b.fa:y)" */
} batch_pair_name;

/* A pair; both sequences are NULL if it cannot be read. */
typedef struct batch_pair {
  int64_t index;   /* among all pairs of the batch, from 0, the same in each run */
  int64_t number;  /* of the pair's line, or the index + 1 */
  int64_t group;   /* consecutive pairs with the same query have the same number */
  bool has_strand; /* the line gives the strand, in `strand` */
  cla_strand strand;
  batch_sequence *query, *target;
} batch_pair;

typedef struct batch_reader batch_reader;

/* A reader of pairs; each kind of reader fills it in. */
struct batch_reader {
  /* Reads the next pair; *found is false at the end. With *found, an error is the pair's alone, and `name` is
   * set; else nothing more can be read, and after CLA_ERROR_OPTION nothing may be written. */
  cla_status (*next)(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                     cla_error *error);
  /* What part of the pairs was read, about; negative: not known. NULL: never known. */
  double (*part)(const batch_reader *reader);
  /* Measures all targets that can be read, as one database. NULL: pairs have targets of their own. */
  void (*database)(cla_database *out, batch_reader *reader);
  void (*close)(batch_reader *reader);
  const char *unit;         /* what `number` counts: "line" or "pair" */
  int64_t total;            /* pairs; 0: not known */
  cla_sequence_options how; /* to read sequences */
  /* Whether a sequence is of the batch's alphabet: CLA_ERROR_INPUT. Set before batch_list_lot. */
  cla_status (*check)(const cla_sequence *sequence, void *user, cla_error *error);
  void *check_user;
};

/* The lists and files that a reader reads. */
typedef struct batch_inputs {
  const char *list;                  /* PAIRS.tsv; NULL: files */
  const char *regions;               /* a PAF file, of records of `queries` and `targets`; NULL: none */
  const char *queries;               /* a file of queries, or one record as FILE:RECORD */
  const char *targets;               /* a file of targets; NULL: all pairs of `queries`, each once */
  bool pairwise;                     /* the i-th query with the i-th target; else all with all */
  int64_t letters_kept;              /* the most letters that are kept in memory to be used again */
  const struct cli_outputs *outputs; /* no output may be a file that a list names */
  bool read_again;                   /* the pairs will be read again in another run: no standard input */
  bool in_blocks;                    /* an earlier run has kept blocks */
  cla_sequence_options how;
} batch_inputs;

/* Bytes of a plain file of records or of a list; 0 if the file is compressed or is no file on a disk. */
double batch_file_bytes(const char *path, bool list);

/* Whether both are files on a disk, so that they can be read twice. Another file may keep its reader waiting
 * without a chance to interrupt it. */
bool batch_are_files(const char *const paths[2]);

/* A pair that cannot be read: why, and what it is called. */
typedef struct batch_read_failure {
  int64_t pair; /* among those of a block */
  batch_pair_name name;
  cla_error error;
} batch_read_failure;

/* Pairs of a list that were read together. Zero-initialise it, use it for lot after lot, and end with
 * batch_lot_free. A pair that cannot be read has records whose status says so, and a failure. */
typedef struct batch_lot {
  int64_t count;
  cla_record_block records[2];  /* as cla_record_block_add fills them */
  int64_t *of[2];               /* index of each pair's record */
  int64_t *numbers;             /* of each pair's line */
  uint8_t *strands;             /* a cla_strand each that the line gives; NULL: lines give none */
  batch_read_failure *failures; /* in the pairs' order */
  int64_t failure_count;
  int64_t room, failure_room; /* of the arrays, in elements */
  int64_t bytes;              /* of the lines */
} batch_lot;

void batch_lot_free(batch_lot *lot);

/* Reads the next lines of a list: at most so many pairs, and no more once a side has so many letters. The
 * first pair is `held`, if that is not NULL. lot->count is 0 at the end of the list. `wanted` is the alphabet
 * of all pairs. An error of a pair is in the lot; another one ends the list behind the lot's pairs. */
cla_status batch_list_lot(batch_lot *lot, batch_reader *list, const batch_pair *held, int64_t most_pairs,
                          int64_t most_letters, cla_error *error);

/* The kinds of readers. */
typedef cla_status batch_open(batch_reader **out, const batch_inputs *inputs, cla_error *error);
batch_open batch_list_open, batch_matrix_open, batch_pairwise_open;

/* Starts a thread that blocks all signals; false if it cannot be started. */
bool batch_thread_start(pthread_t *out, void *(*work)(void *), void *user);

/* The name of a pair that was read. */
void batch_pair_describe(batch_pair_name *name, const batch_reader *reader, const batch_pair *pair);

/* The name of a pair from its sides' texts; `target` may be NULL. */
void batch_pair_describe_as(batch_pair_name *name, const batch_reader *reader, int64_t number,
                            const char *query, const char *target);

#endif
