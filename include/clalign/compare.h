#ifndef CLALIGN_COMPARE_H
#define CLALIGN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/align.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two genomes, of one or many records each. Seeds on both strands find collinear blocks. Each block is then
 * aligned exactly from its first pair to its last, so the alignments are proven and the choice of blocks is
 * not (docs/compare.md). */

/* The records of a genome. Owns nothing. */
typedef struct cla_genome {
  cla_sequence *const *records; /* DNA; each record's range is the whole record */
  const bool *circular;         /* by record: its end is joined to its begin; NULL: no record is */
  size_t count;                 /* number of records, >= 1 */
} cla_genome;

/* Whether better blocks have the letters of a block. */
typedef enum cla_block_role {
  CLA_BLOCK_PRIMARY = 0,     /* most of its letters of either genome are in no better block */
  CLA_BLOCK_QUERY_COPY = 1,  /* a better block has its target letters: the query has a further copy */
  CLA_BLOCK_TARGET_COPY = 2, /* a better block has its query letters: the target has a further copy */
} cla_block_role;

/* Letters of both genomes that lie in the same order on one strand. */
typedef struct cla_block {
  size_t query, target;             /* indices of the records */
  cla_strand strand;                /* strand of the query: forward or reverse */
  cla_block_role role;              /* whether better blocks have its letters */
  int64_t query_begin, query_end;   /* letters of the query record, 0-based half-open, forward strand */
  int64_t target_begin, target_end; /* letters of the target record */
  int64_t matched;                  /* letters of the exact matches that have found the block */
  /* The exact alignments of the block by rising target position; owned. Positions are those of the whole
   * records. A piece on the other strand than the block's is an inversion within it. Pieces of primary blocks
   * share no letter of either genome with another primary piece, but in gaps. */
  cla_alignment **pieces;
  size_t piece_count; /* 0: no piece of the block is worth having */
} cla_block;

/* The blocks of two genomes. */
typedef struct cla_comparison {
  cla_genome query, target; /* as given to cla_compare */
  cla_block *blocks;        /* by target record, then target_begin; owned */
  size_t block_count;       /* number of blocks; may be 0 */
  int word_letters;         /* letters of the words that seeds are made of */
  double seconds[3];        /* wall time of finding blocks, of finding their ends, of aligning them */
} cla_comparison;

/* The options of a comparison, which cla_compare_options_init sets. */
typedef struct cla_compare_options {
  /* Of align, these hold: scoring, gap_placement, several.drop, budgets, tuning, partners, and callbacks but
   * `explain`. The others must be as cla_align_options_init leaves them. */
  cla_align_options align;
  int64_t least_block; /* letters of exact matches that a block has at least; 0: 100 */
  int64_t
      most_gap; /* most letters of either genome between two neighbours that become one block; 0: 100,000 */
} cla_compare_options;

/* The default costs of DNA with two pieces, as the preset genome has them. */
void cla_compare_options_init(cla_compare_options *options);

/* Compares two genomes. `device` may be NULL as for cla_align. Errors as cla_align and, for a record that is
 * no DNA, CLA_ERROR_INPUT. The caller ends *out with cla_comparison_free. */
cla_status cla_compare(cla_comparison *out, cla_device *device, const cla_genome *query,
                       const cla_genome *target, const cla_compare_options *options, cla_error *error);

/* Frees the blocks and their alignments. */
void cla_comparison_free(cla_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
