#ifndef HOST_CLI_BATCH_PAIR_BLOCK_H
#define HOST_CLI_BATCH_PAIR_BLOCK_H

#include "clalign/arrays.h"
#include "clalign/record_blocks.h"
#include "cli/batch/batch_run.h"
#include "cli/batch/block_devices.h"

/* If targets of a search have more letters in the mean, pairs are aligned one by one, by all threads and
 * devices. */
#define BLOCK_LETTERS_MOST 4096

/* What a run directory keeps of a block, or has kept of it. */
typedef struct block_keep {
  int64_t first;         /* index of the first pair among all */
  int64_t kept;          /* pairs of an earlier run's block that this one is to be; 0: none */
  bool searched;         /* the pairs' records are kept, too */
  uint64_t *marks;       /* by which the pairs are known again; owned, as the two below */
  uint64_t *kept_marks;  /* of the earlier run's pairs */
  int64_t *offsets_room; /* while pairs are merged */
  int64_t kept_count;    /* pairs of the earlier run's block */
  int64_t replayed;      /* pairs whose results are an earlier run's */
} block_keep;

/* Pairs that are aligned and written together. Zero-initialise it, set records, count and `of`, and use it
 * again and again. */
typedef struct pair_block {
  int64_t number;                     /* among all blocks, from 0 */
  batch_lot lot;                      /* pairs of a list, if lot.numbers is not NULL */
  cla_record_block own[2];            /* the block's own records, if it has some */
  const cla_record_block *records[2]; /* parsed queries and targets: `own`, or shared with other blocks */
  int64_t *of[2];         /* index of each pair's record, owned or the lot's; NULL: that of the pair */
  int64_t count;          /* pairs */
  int64_t room;           /* pairs for which the arrays have room */
  int64_t first_query;    /* index of the first query, if queries > 0 */
  int64_t queries;        /* number of queries, each with all targets; 0: `of` gives the pairs */
  cla_pair_results found; /* arrays are owned */
  uint8_t *none;          /* for each pair: not 0 if no alignment is wanted */
  bool *told;             /* for each pair: an output could not hold it, and that was reported */
  block_keep keep;        /* what a run directory keeps */
  bool scores_alone;      /* no paths were found */
  bool lent;              /* another rank has the block, or has had it */
  bool unsolved;          /* the rank that had the block has died */
  cla_block_text texts[OUTPUT_LIMIT];
  double cells;
  double seconds;    /* of host threads for this block and all behind it, about; set before solving */
  cla_status failed; /* of the block as a whole */
  cla_error error;
  struct pair_block *next; /* in a list */
} pair_block;

void pair_block_clear(pair_block *block); /* frees what the block has */
void pair_block_free(pair_block *block);  /* one from malloc, or NULL */

cla_status pair_block_no_memory(cla_error *error);

/* What blocks are aligned and written with. Zero-initialise it, and set paths, how and targets. */
typedef struct block_means {
  batch_run *run;
  const char *paths[2];
  cla_sequence_options how;
  int64_t targets;         /* for all with all: how many targets there are */
  bool one_file;           /* the targets of a query are those behind it */
  int64_t told;            /* how many pairs at the start have failed and are reported already */
  cla_align_options align; /* options of each block */
  int64_t large_memory;    /* bytes for one block at a time if align's budget is too small; 0: no more */
  cla_alignment common;    /* fields that all alignments share */
  batch_reader reader;     /* says what pairs are called */
  cli_late_device device;  /* for pairs that threads cannot take */
  block_devices beside;    /* devices that take part in large blocks */
  cla_arrays_ranks *ranks; /* score parts of a search; NULL: there are none, or they take whole blocks */
  double began;            /* when the blocks began, by block_seconds */
  cla_batch_directory *directory; /* keeps blocks; NULL: none does */
  batch_reader *list;             /* gives the pairs; NULL: files do */
  bool alike;                     /* blocks are of one kind: they show whether devices pay */
  pthread_mutex_t large;
  bool begun;
} block_means;

/* Begins to open the devices that `device` names, or a GPU if host threads have work for so many seconds at
 * least. CLA_ERROR_MEMORY. */
cla_status block_means_open(block_means *means, const cla_device_options *device, double seconds,
                            cla_error *error);

/* Call it after block_means_open, once the run knows its alphabet and options. Waits for the devices that are
 * named. Errors of cli_devices_open. End with block_means_end, which is allowed before both. */
cla_status block_means_begin(block_means *means, batch_run *run, cla_error *error);
void block_means_end(block_means *means);

/* Aligns the pairs, on means->align.budgets.threads. Each then has a status, and `none` says which have too
 * low a score. Errors of the whole block: CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status pair_block_solve(pair_block *block, block_means *means, bool scores_alone, cla_error *error);

/* Sends the pairs to another rank, which solves them; false: none takes them. Once they are back,
 * pair_block_returned has the results of pair_block_solve, with its errors. */
bool pair_block_lend(pair_block *block, const block_means *means, cla_arrays_ranks *ranks, cla_error *error);
cla_status pair_block_returned(pair_block *block, block_means *means, cla_error *error);

/* Scores pairs of a search on all ranks; all of a query follow each other (search_ranks.c). Errors as
 * cla_align_arrays. After an error pairs may be with other ranks. */
cla_status search_on_ranks(const cla_pair_results *wanted, const cla_pair_arrays *pairs,
                           cla_arrays_ranks *ranks, const cla_align_options *align, cla_error *error);

/* Begins the search on all ranks, if there are others, and gives them all targets. */
cla_status search_ranks_begin(block_means *means, const cla_record_block *targets, cla_error *error);

/* Puts pairs without a wanted alignment among those that were solved, whose order stays: `none` says which of
 * the `count` pairs these are. The caller sets `of` afterwards. CLA_ERROR_MEMORY. */
cla_status pair_block_spread(pair_block *block, const bool *none, int64_t count, cla_error *error);

/* Makes the text of all outputs. CLA_ERROR_MEMORY, and what a format cannot hold. */
cla_status pair_block_make_texts(pair_block *block, const block_means *means, cla_error *error);

/* Adds the pairs to those of the report that are written or have failed, and the text to the outputs. */
cla_status pair_block_write(pair_block *block, block_means *means, cla_error *error);

/* Bytes for a run directory, which grow. Zero-initialise it; `at` is to be freed. */
typedef struct block_bytes {
  uint8_t *at;
  int64_t count, room, read; /* bytes that are there, for which there is room, that were unpacked */
} block_bytes;

/* Room for what is found of so many pairs, with so many runs; negative: without paths. CLA_ERROR_MEMORY. */
cla_status pair_block_room(pair_block *block, int64_t count, int64_t runs, cla_error *error);

/* The number of a pair among all, from 1, or of its line. */
int64_t pair_block_number(const block_means *means, const pair_block *block, int64_t pair);

/* Sets block->marks once the records are there (batch_kept.c). CLA_ERROR_MEMORY. */
cla_status pair_block_mark(pair_block *block, cla_error *error);

/* Adds what was found of the pairs, with their marks, to the bytes. CLA_ERROR_MEMORY. */
cla_status pair_block_pack(block_bytes *out, const pair_block *block, cla_error *error);

/* Gives the block what pair_block_pack has kept; block->searched says whether with records. CLA_ERROR_INPUT,
 * CLA_ERROR_MEMORY. */
cla_status pair_block_unpack(pair_block *block, block_bytes *from, cla_error *error);

/* CLA_ERROR_INPUT unless the pairs are those that were kept. */
cla_status pair_block_same(const pair_block *block, const block_means *means, cla_error *error);

/* Aligns those of the kept pairs that had failed; *any: there are some. Errors as pair_block_solve. */
cla_status pair_block_again(pair_block *block, block_means *means, bool *any, cla_error *error);

/* Whether the block's pairs have the errors of their records, and which score too little. Of a search's pairs
 * those are left that may be by chance. */
void pair_block_settle(const block_means *means, pair_block *block);

/* Seconds of a clock that never goes back. */
double block_seconds(void);

#endif
