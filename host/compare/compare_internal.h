#ifndef HOST_COMPARE_COMPARE_INTERNAL_H
#define HOST_COMPARE_COMPARE_INTERNAL_H

#include "clalign/compare.h"

/* All records of a genome one behind the other, with an ambiguous letter between two records. */
typedef struct joined_genome {
  uint8_t *codes;  /* letter codes (seq/sequence.h); owned */
  int64_t letters; /* number of codes */
  int64_t *begins; /* by record: place of its first letter in `codes`; owned */
  size_t count;    /* number of records */
} joined_genome;

/* Joins the records. The caller ends *out with joined_genome_free, also after an error. CLA_ERROR_MEMORY. */
cla_status joined_genome_make(joined_genome *out, const cla_genome *genome, cla_error *error);
void joined_genome_free(joined_genome *genome);

/* The index of the record to which a place in `codes` belongs. */
size_t joined_genome_record(const joined_genome *genome, int64_t place);

/* Letters of both genomes that exact matches cover without a large gap, in places of joined genomes. */
typedef struct covered_part {
  int64_t query, query_end;   /* on the query's forward strand, half-open */
  int64_t target, target_end; /* half-open */
} covered_part;

/* Collinear matches within one record of each genome. */
typedef struct seed_block {
  cla_block block;
  int64_t first_part; /* index of its first part in seed_blocks.parts */
  int64_t part_count; /* number of its parts */
} seed_block;

/* All collinear blocks that seeds find, before any is chosen. Begins as zero. */
typedef struct seed_blocks {
  seed_block *items; /* owned */
  int64_t count, capacity;
  covered_part *parts; /* owned */
  int64_t part_count, part_capacity;
  int word_letters; /* letters of the words that matches hold */
} seed_blocks;

/* What the steps of a comparison share. */
typedef struct comparing {
  const cla_compare_options *options; /* with defaults filled in */
  cla_device *device;                 /* NULL: options->align.callbacks.device opens one */
  cla_genome query, target;
  joined_genome joined[2]; /* query, target */
  int threads;             /* >= 1 */
  double began;            /* machine_seconds of the call's begin */
} comparing;

/* Reports a stage to the caller's progress. CLA_ERROR_INTERRUPTED if the caller cancels. */
cla_status comparing_report(const comparing *c, const char *stage, double fraction, cla_error *error);

/* Finds chains of exact matches on both strands. CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. The caller ends
 * *out with seed_blocks_free, also after an error. */
cla_status seed_blocks_find(seed_blocks *out, const comparing *c, cla_error *error);
void seed_blocks_free(seed_blocks *blocks);

/* Gives each block its role, drops those without letters of their own, and makes neighbours one block. What
 * is left is sorted by target record and place. CLA_ERROR_MEMORY. */
cla_status seed_blocks_choose(seed_blocks *blocks, const comparing *c, cla_error *error);

/* Extends both ends of each block as far as it pays. Errors as cla_align_arrays. */
cla_status block_ends_extend(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* Aligns the letters of each block, which get its pieces. Errors as cla_align_several. */
cla_status blocks_align(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* Cuts away what two primary blocks have both: the better one keeps the letters. Then sets each block's
 * letters to those of its pieces. CLA_ERROR_MEMORY. */
cla_status blocks_trim(cla_block *blocks, size_t count, const comparing *c, cla_error *error);

/* Disjoint stretches of letters, ascending. Begins as zero, ends with free(items). */
typedef struct stretch_list {
  struct stretch {
    int64_t from, to; /* half-open */
  } * items;
  int64_t count, capacity;
} stretch_list;

/* Adds the letters from .. to - 1, which may be in the list already. CLA_ERROR_MEMORY. */
cla_status stretch_list_add(stretch_list *list, int64_t from, int64_t to, cla_error *error);

/* The number of letters from .. to - 1 that are in the list. */
int64_t stretch_list_count(const stretch_list *list, int64_t from, int64_t to);

/* The first stretch from `at` on that is not in the list, up to `to`; false if there is none. */
bool stretch_list_free(struct stretch *out, const stretch_list *list, int64_t at, int64_t to);

#endif
