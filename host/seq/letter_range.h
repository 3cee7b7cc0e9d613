#ifndef HOST_SEQ_LETTER_RANGE_H
#define HOST_SEQ_LETTER_RANGE_H

#include <stdint.h>

#include "clalign/status.h"
#include "seq/alphabet.h"

struct XXH3_state_s;

/* XXH3-128 of letters that come piece by piece. Zero-initialise; end with letter_sum_free. */
typedef struct letter_sum {
  struct XXH3_state_s *plain;
  struct XXH3_state_s *with_t; /* the sum with U as T, made at the first U; NULL: no U yet */
} letter_sum;

/* In canonical form, of at least one piece. */
void letter_sum_finish(uint8_t checksum[16], const letter_sum *sum, bool u_as_t);

/* The kept range of a record, and the facts of all its letters. Zero-initialise and call
 * letter_range_begin for each record; end with letter_range_free. */
typedef struct letter_range {
  int64_t begin, end; /* letters that are kept: the range and some beside it, to page borders */
  int64_t kept;       /* letters kept so far */
  letter_tally tally; /* tally of all letters so far */
  letter_sum sum;
} letter_range;

void letter_range_begin(letter_range *range, int64_t begin, int64_t end);
void letter_range_free(letter_range *range);

/* Takes the codes of the letters that come next. CLA_ERROR_MEMORY. *from and *count are those to keep. */
cla_status letter_range_pass(letter_range *range, const letter_set *set, bool detect, const uint8_t *codes,
                             int64_t *from, int64_t *count, cla_error *error);

/* Moves kept[] to their places in a record of all letters. Other places cannot be read: that ends the
 * process. Takes *kept over, which becomes a mapping of letter_range_mapped bytes. CLA_ERROR_MEMORY. */
cla_status letter_range_map(uint8_t **kept, const letter_range *range, cla_error *error);
void letter_range_unmap(uint8_t *mapped, int64_t letters);

#endif
