#ifndef HOST_SEQ_ALPHABET_DETECT_H
#define HOST_SEQ_ALPHABET_DETECT_H

#include "seq/alphabet.h"

/* Finds out whether `length` >= 1 codes of alphabet_protein are those of a protein or of DNA (the rule is in
 * clalign/sequence.h), and turns them into codes of *out. CLA_ERROR_INPUT if that cannot be said. */
cla_status alphabet_detect(const letter_set **out, uint8_t *codes, int64_t length, const char *record,
                           cla_error *error);

#endif
