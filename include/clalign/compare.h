#ifndef CLALIGN_COMPARE_H
#define CLALIGN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/align.h"
#include "clalign/certain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Comparing two genomes, of one or more records each. Seeds on both strands find collinear blocks. Each block
 * is then aligned exactly from its first pair to its last. So the alignments are proven to be optimal, but
 * the choice of blocks is not (docs/compare.md). */

/* The records of a genome. The struct owns nothing. */
typedef struct cla_genome {
  cla_sequence *const *records; /* DNA; each record's range is the whole record */
  const bool *circular; /* for each record: true if it is circular, that is, its end is joined to its start;
                           NULL: no record is circular */
  size_t count;         /* number of records, >= 1 */
} cla_genome;

/* Whether the letters of a block are also in better blocks. */
typedef enum cla_block_role {
  CLA_BLOCK_PRIMARY = 0, /* most of the block's letters, in both genomes, are not covered by better blocks */
  CLA_BLOCK_QUERY_COPY = 1,  /* the query has a further copy: a better block has the target letters */
  CLA_BLOCK_TARGET_COPY = 2, /* the target has a further copy: a better block has the query letters */
} cla_block_role;

/* Letters of both genomes that are in the same order on one strand. */
typedef struct cla_block {
  size_t query, target;             /* indices of the records */
  cla_strand strand;                /* strand of the query: forward or reverse */
  cla_block_role role;              /* whether the block's letters are also in better blocks */
  int64_t query_begin, query_end;   /* letters of the query record, 0-based half-open, forward strand */
  int64_t target_begin, target_end; /* letters of the target record */
  int64_t matched; /* letters of the exact matches from which the block was found; 0: it goes on with another
                      block beyond the origin of a circle */
  /* The exact alignments of the block, by ascending target position; owned. Positions refer to the whole
   * records. A piece on the other strand than the block is an inversion within it. Pieces of primary blocks
   * have no letters in common with other primary pieces, except in gaps. */
  cla_alignment **pieces;
  size_t piece_count;             /* number of pieces; may be 0 */
  cla_certificate **certificates; /* by piece; NULL: none; owned */
} cla_block;

/* The blocks of two genomes. */
typedef struct cla_comparison {
  cla_genome query, target; /* as given to cla_compare */
  cla_block *blocks;        /* sorted by target record, then by target_begin; owned */
  size_t block_count;       /* number of blocks; may be 0 */
  int word_letters;         /* length of the words from which seeds are made */
  double seconds[3];        /* wall time of finding the blocks, of finding their ends, and of aligning them */
} cla_comparison;

/* The options of a comparison. cla_compare_options_init sets the defaults. */
typedef struct cla_compare_options {
  /* Options of the alignments. Only these are used: scoring, gap_placement, several.drop, budgets, tuning,
   * partners, and callbacks except `explain`. host_cells is ignored. All others must have the values that
   * cla_align_options_init sets. */
  cla_align_options align;
  int64_t least_block; /* minimum number of letters of exact matches in a block; 0: 100 */
  int64_t most_gap;    /* maximum number of letters, in either genome, between two neighbouring blocks that
                        * are joined; 0:
                          100,000 */
} cla_compare_options;

/* Sets the defaults. The costs are those of the preset genome, with two pieces. */
void cla_compare_options_init(cla_compare_options *options);

/* Compares two genomes. `device` may be NULL as for cla_align. Fails like cla_align, and with CLA_ERROR_INPUT
 * if a record is not DNA. The caller frees *out with cla_comparison_free. */
cla_status cla_compare(cla_comparison *out, cla_device *device, const cla_genome *query,
                       const cla_genome *target, const cla_compare_options *options, cla_error *error);

/* Makes the certificates of the pieces of primary blocks, and of all blocks with `copies`. A piece is
 * certified among all alignments of its letters from end to end. options->memory_bytes is shared by all
 * threads. Fails like cla_certify. */
cla_status cla_comparison_certify(cla_comparison *comparison, bool copies, const cla_certify_options *options,
                                  cla_error *error);

/* Frees the blocks, their alignments and certificates. */
void cla_comparison_free(cla_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
