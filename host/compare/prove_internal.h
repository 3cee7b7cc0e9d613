#ifndef HOST_COMPARE_PROVE_INTERNAL_H
#define HOST_COMPARE_PROVE_INTERNAL_H

#include "clalign/prove.h"

/* A record of the VCF that belongs to a piece. It replaces letters of the target by others. */
typedef struct proof_edit {
  size_t block, piece;       /* indices, from 0 */
  int64_t position, deleted; /* position in the target, and number of replaced letters */
  size_t ref, alt;           /* offsets of REF and ALT in the text */
  int64_t inserted;          /* number of letters in ALT */
} proof_edit;

/* All records of the VCF that belong to pieces, sorted by piece and position. */
typedef struct proof_edits {
  proof_edit *items; /* owned */
  int64_t count, capacity;
  char *text; /* owned */
  int64_t text_used, text_capacity;
} proof_edits;

/* Reads the records of a VCF that belong to pieces. The caller frees *out with proof_edits_free, also after
 * an error. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status proof_edits_read(proof_edits *out, const cla_comparison *comparison, const char *path,
                            cla_error *error);
void proof_edits_free(proof_edits *edits);

#endif
