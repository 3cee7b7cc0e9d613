#ifndef HOST_COMPARE_COMPARE_INTERNAL_H
#define HOST_COMPARE_COMPARE_INTERNAL_H

#include "clalign/compare.h"

/* All records of a genome, one after another, with an ambiguous letter between two records. */
typedef struct joined_genome {
  uint8_t *codes;  /* letter codes (seq/sequence.h); owned */
  int64_t letters; /* number of codes */
  int64_t *begins; /* for each record: index of its first letter in `codes`; owned */
  size_t count;    /* number of records */
} joined_genome;

/* Joins the records. The caller frees *out with joined_genome_free, also after an error. CLA_ERROR_MEMORY. */
cla_status joined_genome_make(joined_genome *out, const cla_genome *genome, cla_error *error);
void joined_genome_free(joined_genome *genome);

/* Returns the index of the record that contains a place in `codes`. */
size_t joined_genome_record(const joined_genome *genome, int64_t place);

/* Letters of both genomes that exact matches cover without a large gap, by places in the joined genomes. */
typedef struct covered_part {
  int64_t query, query_end;   /* half-open, on the query's forward strand */
  int64_t target, target_end; /* half-open */
} covered_part;

/* Collinear matches within a single record of each genome. */
typedef struct seed_block {
  cla_block block;
  int64_t first_part; /* index of its first part in seed_blocks.parts */
  int64_t part_count; /* number of its parts */
} seed_block;

/* All collinear blocks that the seeds find, before the choice. Must be zero-initialised. */
typedef struct seed_blocks {
  seed_block *items; /* owned */
  int64_t count, capacity;
  covered_part *parts; /* owned */
  int64_t part_count, part_capacity;
  int word_letters; /* letters of the words from which matches are made */
} seed_blocks;

/* What the steps of a comparison share. */
typedef struct comparing {
  const cla_compare_options *options; /* options with defaults filled in */
  cla_device *device;                 /* NULL: options->align.callbacks.device opens one */
  cla_genome query, target;
  joined_genome joined[2]; /* [0]: query; [1]: target */
  int threads;             /* >= 1 */
  double began;            /* time at which the call started, by machine_seconds */
} comparing;

/* Reports a stage to the caller's progress function. CLA_ERROR_INTERRUPTED if the caller cancels. */
cla_status comparing_report(const comparing *c, const char *stage, double fraction, cla_error *error);

/* Finds chains of exact matches on both strands. The caller frees *out with seed_blocks_free, also after an
 * error. CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status seed_blocks_find(seed_blocks *out, const comparing *c, cla_error *error);
void seed_blocks_free(seed_blocks *blocks);

/* Sets the role of each block, drops blocks without letters of their own, and joins neighbours. The remaining
 * blocks are sorted by target record and position. CLA_ERROR_MEMORY. */
cla_status seed_blocks_choose(seed_blocks *blocks, const comparing *c, cla_error *error);

/* Extends both ends of each block as long as the score increases. Fails like cla_align_arrays. */
cla_status block_ends_extend(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* Adds blocks that go on with primary blocks beyond the origin of a circle, where no other block has the
 * letters. Fails like block_ends_extend. */
cla_status blocks_cross_origins(cla_comparison *out, const comparing *c, cla_error *error);

/* Aligns the letters of each block and sets its pieces. Fails like cla_align_several. */
cla_status blocks_align(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* If two primary blocks have letters in common, cuts them from the worse block. Then sets each block's
 * interval to that of its pieces. CLA_ERROR_MEMORY. */
cla_status blocks_trim(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* Disjoint stretches of letters, ascending. Must be zero-initialised. The caller frees `items`. */
typedef struct stretch_list {
  struct stretch {
    int64_t from, to; /* half-open */
  } * items;
  int64_t count, capacity;
} stretch_list;

/* Adds the letters from `from` to `to` - 1. Some of them may already be in the list. CLA_ERROR_MEMORY. */
cla_status stretch_list_add(stretch_list *list, int64_t from, int64_t to, cla_error *error);

/* Returns how many of the letters from `from` to `to` - 1 are in the list. */
int64_t stretch_list_count(const stretch_list *list, int64_t from, int64_t to);

/* Finds the first stretch between `at` and `to` that is not in the list. Returns false if there is none. */
bool stretch_list_free(struct stretch *out, const stretch_list *list, int64_t at, int64_t to);

#endif
