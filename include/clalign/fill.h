#ifndef CLALIGN_FILL_H
#define CLALIGN_FILL_H

#include "clalign/aligned_records.h"
#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Aligning what lies between another aligner's records. The records form chains; the parts are the records,
 * the intervals between neighbours in a chain, and the letters beyond the ends of a chain. The caller aligns
 * the parts, for instance with cla_batch, and gets joined records. */

/* Options that determine the parts. */
typedef struct cla_fill_options {
  int64_t interval_letters; /* maximum number of query or target letters in an interval between neighbours */
  int64_t end_letters;      /* maximum number of letters to align beyond the end of a chain; 0: none */
  int64_t worth; /* an interval's alignment on the other strand becomes a record if its score is at least this
                    number */
} cla_fill_options;

/* The kinds of parts. */
typedef enum cla_fill_kind {
  CLA_FILL_ANCHORS,   /* the records themselves: global alignments that replace them */
  CLA_FILL_INTERVALS, /* intervals between neighbours: global alignments */
  CLA_FILL_OTHERS,    /* the same intervals: local alignments on the other strand, for DNA */
  CLA_FILL_ENDS,      /* letters beyond the ends of chains: CLA_MODE_EXTEND, from the chain outwards */
} cla_fill_kind;

/* The number of kinds. */
#define CLA_FILL_KINDS 4

/* A part to be aligned. */
typedef struct cla_fill_part {
  const cla_aligned_record *record; /* a record of the part's chain, with the names of query and target */
  cla_mode mode;                    /* mode in which to align the part */
  cla_strand strand;                /* strand of the query */
  int64_t begin[2], end[2]; /* letters of query and target, 0-based half-open on the forward strands */
  /* Whether the part is aligned from its last letters to its first. Query letters (on `strand`) and target
   * letters are then reversed, and the reversed sequences are aligned on their forward strands. */
  bool backwards;
} cla_fill_part;

/* Totals over all parts of a kind. */
typedef struct cla_fill_counts {
  int64_t parts;      /* number of parts with a result */
  int64_t letters[2]; /* number of aligned letters of queries and of targets */
  int64_t score;      /* sum of the parts' scores, in the scheme's units */
} cla_fill_counts;

/* Records, their chains and their parts. Not thread-safe. */
typedef struct cla_fill cla_fill;

/* Makes a fill without records. The caller frees *out with cla_fill_free. CLA_ERROR_OPTION if a number is
 * below 0; CLA_ERROR_MEMORY. */
cla_status cla_fill_begin(cla_fill **out, const cla_fill_options *options, cla_error *error);

/* Frees a fill, which may be NULL. */
void cla_fill_free(cla_fill *fill);

/* Adds a record that fits its sequences (cla_aligned_record_check). Takes the record over, unless it fails
 * with CLA_ERROR_MEMORY. */
cla_status cla_fill_add(cla_fill *fill, cla_aligned_record *record, cla_error *error);

/* Makes chains of all records. Neighbours in a chain have the same query, target and strand, and follow each
 * other on both sequences. If a record overlaps the one before it, the overlap is cut off. Each record is in
 * exactly one chain. Chains are in the order of their first records. CLA_ERROR_MEMORY. */
cla_status cla_fill_chain(cla_fill *fill, cla_error *error);

/* Returns the number of parts of a kind, after cla_fill_chain. */
int64_t cla_fill_parts(const cla_fill *fill, cla_fill_kind kind);

/* Returns the number of chains. */
int64_t cla_fill_chains(const cla_fill *fill);

/* Sets *out to a part of that kind, 0 <= index < cla_fill_parts. */
void cla_fill_part_of(cla_fill_part *out, const cla_fill *fill, cla_fill_kind kind, int64_t index);

/* Returns the start of a record that cla_fill_chain has cut off because the record before it in the chain has
 * these letters, or NULL. The index is that of the record's part in CLA_FILL_ANCHORS. The fill owns the
 * overlap, which has a path of its own. */
const cla_aligned_record *cla_fill_overlap(const cla_fill *fill, int64_t index);

/* Takes the alignment of a part, which must have a path. The alignment's sequences may be the part's
 * sequences, or longer sequences that contain the part. A part for which no alignment is taken does not
 * change; if the part is an interval, its neighbours are not joined. CLA_ERROR_OPTION if the alignment is of
 * other letters or has no path; CLA_ERROR_MEMORY. */
cla_status cla_fill_take(cla_fill *fill, cla_fill_kind kind, int64_t index, const cla_alignment *found,
                         cla_error *error);

/* Makes the joined records of a chain from the alignments taken. An interval that scores more on the other
 * strand splits the chain, and is a record of its own. The caller frees each record and *out.
 * CLA_ERROR_MEMORY. */
cla_status cla_fill_records(cla_aligned_record ***out, int64_t *count, const cla_fill *fill, int64_t chain,
                            cla_error *error);

/* Returns the totals of the alignments of a kind that are part of the joined records. */
cla_fill_counts cla_fill_count(const cla_fill *fill, cla_fill_kind kind);

#ifdef __cplusplus
}
#endif

#endif
