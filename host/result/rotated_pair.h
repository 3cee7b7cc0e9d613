#ifndef HOST_RESULT_ROTATED_PAIR_H
#define HOST_RESULT_ROTATED_PAIR_H

#include "clalign/alignment.h"

/* The sequences as an alignment's positions have them: rotated, where it is of a circular one. */
typedef struct rotated_pair {
  const cla_sequence *query, *target;
  cla_sequence *owned[2]; /* what had to be made */
} rotated_pair;

/* CLA_ERROR_MEMORY. A sequence of another length than the alignment's stays as it is: it does not fit anyway.
 * Ends with rotated_pair_free, also after an error. */
cla_status rotated_pair_make(rotated_pair *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);
void rotated_pair_free(rotated_pair *pair);

#endif
