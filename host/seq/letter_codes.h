#ifndef HOST_SEQ_LETTER_CODES_H
#define HOST_SEQ_LETTER_CODES_H

#include <stdint.h>

#include "seq/alphabet.h"

/* Letters to codes and back, many at once where the machine can. */

/* Writes the codes of the bytes up to the first one that is no letter; returns how many these are. */
int64_t letter_codes_of(uint8_t *codes, const letter_set *set, const unsigned char *bytes, int64_t count);

/* Writes the letters of the codes; returns which codes there are, a bit each. */
uint32_t letter_codes_spell(char *letters, const letter_set *set, const uint8_t *codes, int64_t count);

#endif
