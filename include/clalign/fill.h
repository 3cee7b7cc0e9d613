#ifndef CLALIGN_FILL_H
#define CLALIGN_FILL_H

#include "clalign/aligned_records.h"
#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What lies between another aligner's records: neighbours in chains, the intervals between them, and the
 * letters beyond a chain's ends. The caller aligns these parts, by cla_batch for instance, and gets joined
 * records. */

/* What is filled. */
typedef struct cla_fill_options {
  int64_t interval_letters; /* most letters of an interval between neighbours, of query or target */
  int64_t end_letters;      /* most letters beyond a chain's end that are looked at; 0: none */
  int64_t worth;            /* least score of an interval's other strand that is a record */
} cla_fill_options;

/* A kind of parts. */
typedef enum cla_fill_kind {
  CLA_FILL_ANCHORS,   /* the records themselves: global alignments that replace theirs */
  CLA_FILL_INTERVALS, /* between neighbours: global alignments */
  CLA_FILL_OTHERS,    /* between neighbours, too: local alignments on the other strand, for DNA */
  CLA_FILL_ENDS,      /* beyond chains: CLA_MODE_EXTEND, from the chain on */
} cla_fill_kind;

/* The number of kinds. */
#define CLA_FILL_KINDS 4

/* A part that is to be aligned. */
typedef struct cla_fill_part {
  const cla_aligned_record *record; /* has the names of query and target */
  cla_mode mode;                    /* of the part's kind */
  cla_strand strand;                /* of the query */
  int64_t begin[2], end[2]; /* letters of query and target, 0-based half-open on the forward strands */
  bool backwards; /* the letters of both are taken from the last to the first, as they are on `strand`; the
                     alignment is then of such sequences on their forward strands */
} cla_fill_part;

/* What became of all parts of a kind. */
typedef struct cla_fill_counts {
  int64_t parts;      /* parts with a result */
  int64_t letters[2]; /* aligned letters of queries and targets */
  int64_t score;      /* sum of their scores, in the scheme's units */
} cla_fill_counts;

/* Records, their chains and parts. Not for several threads at once. */
typedef struct cla_fill cla_fill;

/* Begins without records. CLA_ERROR_OPTION (a number below 0), CLA_ERROR_MEMORY. End with cla_fill_free. */
cla_status cla_fill_begin(cla_fill **out, const cla_fill_options *options, cla_error *error);

/* NULL is allowed. */
void cla_fill_free(cla_fill *fill);

/* Adds a record that fits its sequences (cla_aligned_record_check), and takes it over unless there is an
 * error: CLA_ERROR_MEMORY. */
cla_status cla_fill_add(cla_fill *fill, cla_aligned_record *record, cla_error *error);

/* Makes chains of all records: neighbours have one query, target and strand, and follow each other on both.
 * Of a record that overlaps the one before, the overlap is cut off. Each record is in one chain; chains are
 * in the order of their first records. CLA_ERROR_MEMORY. */
cla_status cla_fill_chain(cla_fill *fill, cla_error *error);

/* The number of parts of a kind, after cla_fill_chain. */
int64_t cla_fill_parts(const cla_fill *fill, cla_fill_kind kind);

/* The number of chains. */
int64_t cla_fill_chains(const cla_fill *fill);

/* The part of that kind, 0 <= index < cla_fill_parts. */
void cla_fill_part_of(cla_fill_part *out, const cla_fill *fill, cla_fill_kind kind, int64_t index);

/* Takes the alignment of a part: by path, on the part's own sequences or on longer ones that have them. Parts
 * without one stay as they are: intervals are not joined. CLA_ERROR_OPTION (an alignment of other letters, or
 * without a path), CLA_ERROR_MEMORY. */
cla_status cla_fill_take(cla_fill *fill, cla_fill_kind kind, int64_t index, const cla_alignment *found,
                         cla_error *error);

/* Makes the records of a chain with what was taken; an interval that is better on the other strand cuts it,
 * and has a record of its own. The caller frees each record and *out. CLA_ERROR_MEMORY. */
cla_status cla_fill_records(cla_aligned_record ***out, int64_t *count, const cla_fill *fill, int64_t chain,
                            cla_error *error);

/* What was taken of a kind and is part of the records. */
cla_fill_counts cla_fill_count(const cla_fill *fill, cla_fill_kind kind);

#ifdef __cplusplus
}
#endif

#endif
