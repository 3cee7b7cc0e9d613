#include "seq/alphabet.h"

#include <string.h>

#include "seq/sequence.h"

#define NONE_4 255, 255, 255, 255
#define NONE_16 NONE_4, NONE_4, NONE_4, NONE_4
#define NONE_64 NONE_16, NONE_16, NONE_16, NONE_16

/* Written out, so that it is constant and needs no first call. The rows of '@' to 'O' and of 'P' to '_' serve
 * both cases; the codes are positions in SEQUENCE_LETTERS, and U has T's. */
#define ROW_FROM_40 255, 0, 10, 1, 11, 255, 255, 2, 12, 255, 255, 8, 255, 9, 14, 255
#define ROW_FROM_50 255, 255, 4, 6, 3, 3, 13, 7, 255, 5, 255, 255, 255, 255, 255, 255

const uint8_t alphabet_codes[256] = {
    NONE_64,                                            /* 0x00 */
    ROW_FROM_40, ROW_FROM_50, ROW_FROM_40, ROW_FROM_50, /* 0x40: upper case, 0x60: lower case */
    NONE_64,     NONE_64,                               /* 0x80 */
};

_Static_assert(sizeof SEQUENCE_LETTERS == SEQUENCE_LETTER_COUNT + 1, "one code a letter");

bool alphabet_is_amino_only(int letter) {
  return letter > 0 && strchr("EFIJLOPQXZefijlopqxz*", letter) != NULL;
}
