#ifndef HOST_COMPARE_PROVE_INTERNAL_H
#define HOST_COMPARE_PROVE_INTERNAL_H

#include "clalign/prove.h"

/* A record of the VCF that belongs to a piece: letters of the target that others replace. */
typedef struct proof_edit {
  size_t block, piece;       /* from 0 */
  int64_t position, deleted; /* of the target */
  size_t ref, alt;           /* where its letters begin in the text */
  int64_t inserted;          /* letters of ALT */
} proof_edit;

/* All such records, by piece and place. */
typedef struct proof_edits {
  proof_edit *items; /* owned */
  int64_t count, capacity;
  char *text; /* owned */
  int64_t text_used, text_capacity;
} proof_edits;

/* Reads them. CLA_ERROR_INPUT, CLA_ERROR_MEMORY; end with proof_edits_free, also after an error. */
cla_status proof_edits_read(proof_edits *out, const cla_comparison *comparison, const char *path,
                            cla_error *error);
void proof_edits_free(proof_edits *edits);

#endif
