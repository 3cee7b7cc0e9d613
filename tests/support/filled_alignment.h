#ifndef TESTS_SUPPORT_FILLED_ALIGNMENT_H
#define TESTS_SUPPORT_FILLED_ALIGNMENT_H

#include "clalign/alignment.h"

/* Kinds of alignments, because some values exclude each other. */
typedef enum filled_kind {
  FILLED_PLAIN,         /* DNA on the reverse strand, with a matrix */
  FILLED_AMBIGUOUS,     /* without a matrix, with scores for ambiguous letters */
  FILLED_OWN_LETTERS,   /* another alphabet, on the forward strand */
  FILLED_ROTATED_QUERY, /* a whole record, circular and rotated */
  FILLED_ROTATED_TARGET,
  FILLED_KINDS
} filled_kind;

/* Makes an alignment on the heap in which each field has a different value, including metrics and work. Its
 * initialisers list all fields by position, so that a new field does not compile until it has a value there
 * (-Wextra -Werror). `allocator` and `scoring.by_letters` are left out, because no alignment has them. */
cla_alignment *filled_alignment_make(filled_kind kind);

/* True if two records of the work are equal in everything. */
bool filled_work_same(const cla_work *a, const cla_work *b);

#endif
