#ifndef HOST_CLI_BATCH_BATCH_READER_H
#define HOST_CLI_BATCH_BATCH_READER_H

#include "clalign/alignment.h"
#include "clalign/sequence_file.h"

/* Where the pairs of `clalign batch` come from: a list, regions of a PAF file, or all or the i-th records of
 * files. */

/* A sequence that several pairs may use at once. */
typedef struct batch_sequence {
  cla_sequence *sequence;
  int64_t uses;
} batch_sequence;

/* One more use of it; returns it. */
batch_sequence *batch_sequence_use(batch_sequence *sequence);

/* One use less; the last one frees it. NULL is allowed. */
void batch_sequence_leave(batch_sequence *sequence);

/* Takes a sequence over, which has one use then. CLA_ERROR_MEMORY frees it. */
cla_status batch_sequence_make(batch_sequence **out, cla_sequence *sequence, cla_error *error);

/* A pair's name in messages, also of a pair that cannot be read. */
typedef struct batch_pair_name {
  char text[1024]; /* such as "line 7 (a.fa:x, b.fa:y)" */
} batch_pair_name;

/* A pair; both sequences are NULL if it cannot be read. */
typedef struct batch_pair {
  int64_t index;   /* among all pairs of the batch, from 0, the same in each run */
  int64_t number;  /* of its line, or the index + 1 */
  int64_t group;   /* the same for pairs with the same query that follow each other */
  bool has_strand; /* the line says which: */
  cla_strand strand;
  batch_sequence *query, *target;
} batch_pair;

typedef struct batch_reader batch_reader;

/* The kinds of readers set this. */
struct batch_reader {
  /* Reads the next pair; *found is false at the end. With *found, an error is the pair's alone, and `name` is
   * set; else nothing more can be read, and after CLA_ERROR_OPTION nothing may be written. */
  cla_status (*next)(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                     cla_error *error);
  void (*close)(batch_reader *reader);
  const char *unit;         /* what `number` counts: "line" or "pair" */
  int64_t total;            /* pairs in all; -1: not known */
  double total_cells;       /* of all pairs, as far as their lengths are known by now; 0: not known */
  cla_sequence_options how; /* to read sequences */
};

/* The lists and files that a reader reads. */
typedef struct batch_inputs {
  const char *list;                  /* PAIRS.tsv; NULL: files */
  const char *regions;               /* a PAF file, of records of `queries` and `targets`; NULL: none */
  const char *queries;               /* all records of this file, or one as FILE:RECORD, */
  const char *targets;               /* with all of this one; NULL: all pairs of `queries`, each once */
  bool pairwise;                     /* the i-th with the i-th instead */
  int64_t letters_kept;              /* the most letters that are kept in memory to be used again */
  int64_t letters_ahead;             /* likewise of either file of `pairwise` that are read ahead */
  const struct cli_outputs *outputs; /* none of which may be a file that a list names */
  bool read_again;                   /* the pairs will be read again in another run: no standard input */
  cla_sequence_options how;
} batch_inputs;

/* The kinds. */
cla_status batch_list_open(batch_reader **out, const batch_inputs *inputs, cla_error *error);
cla_status batch_matrix_open(batch_reader **out, const batch_inputs *inputs, cla_error *error);
cla_status batch_pairwise_open(batch_reader **out, const batch_inputs *inputs, cla_error *error);

/* The name of a pair that was read. */
void batch_pair_describe(batch_pair_name *name, const batch_reader *reader, const batch_pair *pair);

/* The name of a pair from its sides' texts; `target` may be NULL. */
void batch_pair_describe_as(batch_pair_name *name, const batch_reader *reader, int64_t number,
                            const char *query, const char *target);

#endif
