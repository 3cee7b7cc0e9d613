#ifndef HOST_CLI_BATCH_PAIR_BLOCK_H
#define HOST_CLI_BATCH_PAIR_BLOCK_H

#include "clalign/arrays.h"
#include "clalign/record_blocks.h"
#include "cli/batch/batch_run.h"
#include "cli/batch/block_devices.h"

/* Maximum mean letters of a search's targets for blocks. With longer targets, pairs are aligned one by one,
 * each by all threads and devices. */
#define BLOCK_LETTERS_MOST 4096

/* What a run directory stores of a block, now or from an earlier run. */
typedef struct block_keep {
  int64_t first;         /* index of the block's first pair among all pairs */
  int64_t kept;          /* number of pairs of the earlier run's block that this block repeats; 0: none */
  bool searched;         /* the pairs' record indices are stored, too */
  uint64_t *marks;       /* marks by which the pairs are recognised; owned, like the next two fields */
  uint64_t *kept_marks;  /* marks of the earlier run's pairs */
  int64_t *offsets_room; /* memory used while pairs are merged */
  int64_t kept_count;    /* number of pairs in the earlier run's block */
  int64_t replayed;      /* number of pairs whose results are from an earlier run */
} block_keep;

/* Pairs that are aligned and written together. Must be zero-initialised; then the caller sets records, count
 * and `of`. It can be reused. */
typedef struct pair_block {
  int64_t number;                     /* number among all blocks, from 0 */
  batch_lot lot;                      /* pairs of a list, if lot.numbers is not NULL */
  cla_record_block own[2];            /* the block's own records, if it has any */
  const cla_record_block *records[2]; /* parsed queries and targets: `own`, or shared with other blocks */
  int64_t *of[2]; /* index of each pair's record, owned by the block or by the lot; NULL: equal to the pair's
                     index */
  int64_t count;  /* number of pairs */
  int64_t room;   /* pairs for which the arrays have room */
  int64_t first_query;    /* index of the first query, if queries > 0 */
  int64_t queries;        /* number of queries, each paired with all targets; 0: `of` gives the pairs */
  cla_pair_results found; /* results; the arrays are owned */
  uint8_t *none;          /* for each pair: 1 if no alignment is wanted */
  bool *told;             /* for each pair: the error of an output was already reported */
  block_keep keep;        /* what a run directory keeps */
  bool scores_alone;      /* paths are not wanted */
  bool lent;              /* the block was sent to another rank */
  bool unsolved;          /* the rank that had the block has died, so the block must be solved here */
  cla_certificate **certificates; /* by pair: its certificate, or NULL; NULL: none are wanted */
  cla_error **refused;            /* by pair: why it has no certificate, or NULL */
  int64_t certified;              /* number of pairs in these arrays */
  cla_block_text texts[OUTPUT_LIMIT];
  double cells;
  double seconds;    /* estimated seconds that host threads need for this block and all later ones; set before
                        solving */
  cla_status failed; /* error of the block as a whole */
  cla_error error;
  struct pair_block *next; /* next block in a list */
} pair_block;

/* Returns the index of a pair's record on a side. */
static inline int64_t pair_block_record(const pair_block *block, int side, int64_t pair) {
  return block->of[side] ? block->of[side][pair] : pair;
}

/* Returns the number of letters on a side of a pair. */
static inline int64_t pair_block_letters(const pair_block *block, int side, int64_t pair) {
  const int64_t *offset = block->records[side]->offsets + pair_block_record(block, side, pair);
  return offset[1] - offset[0];
}

void pair_block_clear(pair_block *block); /* frees the contents of the block */
void pair_block_free(pair_block *block);  /* frees a block from malloc; accepts NULL */

cla_status pair_block_no_memory(cla_error *error);

/* What is needed to align and write blocks. Must be zero-initialised; then the caller sets paths, how and
 * targets. */
typedef struct block_means {
  batch_run *run;
  const char *paths[2];
  cla_sequence_options how;
  int64_t targets;         /* in a search: number of targets */
  bool one_file;           /* the targets of a query are the records after it */
  int64_t told;            /* number of first pairs that have failed and are already reported */
  cla_align_options align; /* options for each block */
  int64_t large_memory;    /* bytes for a second try of a pair, one block at a time; 0: no second try */
  cla_alignment common;    /* fields that all alignments share */
  batch_reader reader;     /* provides the unit for pairs' names */
  cli_late_device device;  /* device for pairs that host threads cannot take */
  block_devices beside;    /* devices that also align large blocks */
  cla_arrays_ranks *ranks; /* ranks that score parts of a search; NULL: none, or they take whole blocks */
  double began;            /* time at which the work started, by cli_seconds */
  cla_batch_directory *directory; /* directory that stores blocks; NULL: none */
  batch_reader *list;             /* list with the pairs; NULL: pairs come from files */
  bool alike;                     /* all blocks are of one kind, so some can show whether devices save time */
  pthread_mutex_t large;
  bool begun;
} block_means;

/* Starts to open the devices that `device` names, or a GPU if host threads need at least `seconds` for all
 * pairs. CLA_ERROR_MEMORY. */
cla_status block_means_open(block_means *means, const cla_device_options *device, double seconds,
                            cla_error *error);

/* Must be called after block_means_open, once the run has its alphabet and options. Waits for the devices
 * that the user named. Fails like cli_devices_open. The caller calls block_means_end, which also accepts a
 * zeroed struct. */
cla_status block_means_begin(block_means *means, batch_run *run, cla_error *error);
void block_means_end(block_means *means);

/* Aligns the pairs on means->align.budgets.threads threads. Afterwards, each pair has a status, and `none`
 * marks the pairs that score too little. Fails for the whole block with CLA_ERROR_MEMORY or
 * CLA_ERROR_INTERRUPTED. */
cla_status pair_block_solve(pair_block *block, block_means *means, bool scores_alone, cla_error *error);

/* Sends the pairs to another rank, which solves them. Returns false if no rank takes them. */
bool pair_block_lend(pair_block *block, const block_means *means, cla_arrays_ranks *ranks, cla_error *error);

/* Scores pairs of a search on all ranks (search_ranks.c). The pairs of a query must be consecutive. Fails
 * like cla_align_arrays. After an error, other ranks may still have some of the pairs. */
cla_status search_on_ranks(const cla_pair_results *wanted, const cla_pair_arrays *pairs,
                           cla_arrays_ranks *ranks, const cla_align_options *align, cla_error *error);

/* Starts the search on all ranks, if there are others, and sends them all targets. */
cla_status search_ranks_begin(block_means *means, const cla_record_block *targets, cla_error *error);

/* Inserts pairs without an alignment among the solved pairs, which keep their order. `count`: number of
 * pairs afterwards; none[i]: pair i of them is an inserted one. The caller sets `of` afterwards.
 * CLA_ERROR_MEMORY. */
cla_status pair_block_spread(pair_block *block, const bool *none, int64_t count, cla_error *error);

/* Makes the certificates of the pairs, if they are wanted. A pair without one that should have one fails
 * (block_certify.c). CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status pair_block_certify(pair_block *block, const block_means *means, cla_error *error);
void pair_block_uncertify(pair_block *block); /* frees the certificates */

/* Returns the block for writers. */
cla_aligned_block pair_block_aligned(const block_means *means, const pair_block *block);

/* Makes the certificates, and the text for all outputs. CLA_ERROR_MEMORY, or the error of a format that
 * cannot contain a record. */
cla_status pair_block_make_texts(pair_block *block, const block_means *means, cla_error *error);

/* Writes the block's text to the outputs, and counts its pairs in the report as written or failed. */
cla_status pair_block_write(pair_block *block, block_means *means, cla_error *error);

/* A growing buffer of bytes for a run directory. Must be zero-initialised. The caller frees `at`. */
typedef struct block_bytes {
  uint8_t *at;
  int64_t count, room, read; /* number of bytes in use, allocated, and already unpacked */
} block_bytes;

/* Makes room for the results of `count` pairs with `runs` runs in total; negative: without paths.
 * CLA_ERROR_MEMORY. */
cla_status pair_block_room(pair_block *block, int64_t count, int64_t runs, cla_error *error);

/* Returns the block's pairs as arrays, which the block and its records own. */
cla_pair_arrays pair_block_arrays(const block_means *means, const pair_block *block);

/* Returns the number of a pair among all pairs, from 1, or the number of its line. */
int64_t pair_block_number(const block_means *means, const pair_block *block, int64_t pair);

/* Sets block->keep.marks from the records (batch_kept.c). CLA_ERROR_MEMORY. */
cla_status pair_block_mark(pair_block *block, cla_error *error);

/* Appends the results of the pairs, with their marks, to the bytes. CLA_ERROR_MEMORY. */
cla_status pair_block_pack(block_bytes *out, const pair_block *block, cla_error *error);

/* Restores what pair_block_pack has stored. block->keep.searched must be the same as then. CLA_ERROR_INPUT,
 * CLA_ERROR_MEMORY. */
cla_status pair_block_unpack(pair_block *block, block_bytes *from, cla_error *error);

/* Returns CLA_ERROR_INPUT unless the pairs are the same as those that were stored. */
cla_status pair_block_same(const pair_block *block, const block_means *means, cla_error *error);

/* Aligns the stored pairs again that had failed. *any: true if there were such pairs. Fails like
 * pair_block_solve. */
cla_status pair_block_again(pair_block *block, block_means *means, bool *any, cla_error *error);

/* Sets the status of pairs whose records could not be read, and `none` of pairs that score too little. In a
 * search, pairs that are likely by chance are not marked. */
void pair_block_settle(const block_means *means, pair_block *block);

#endif
