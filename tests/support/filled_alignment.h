#ifndef TESTS_SUPPORT_FILLED_ALIGNMENT_H
#define TESTS_SUPPORT_FILLED_ALIGNMENT_H

#include "clalign/alignment.h"

/* Values that no alignment has beside all others. */
typedef enum filled_kind {
  FILLED_PLAIN,         /* DNA on the reverse strand, by a matrix */
  FILLED_AMBIGUOUS,     /* without a matrix, with scores for ambiguous letters */
  FILLED_OWN_LETTERS,   /* of another alphabet, on the forward strand */
  FILLED_ROTATED_QUERY, /* of a whole record, circular and rotated */
  FILLED_ROTATED_TARGET,
  FILLED_KINDS
} filled_kind;

/* An alignment, of the heap, in which each field has a value of its own, metrics and work included. Its
 * initialisers name all fields by position: a field that is new does not compile until it has a value there
 * (-Wextra -Werror). Left out are `allocator` and `scoring.by_letters`, which no alignment has. */
cla_alignment *filled_alignment_make(filled_kind kind);

/* Whether two records of the work agree in everything. */
bool filled_work_same(const cla_work *a, const cla_work *b);

#endif
