#ifndef HOST_SEQ_LETTER_RANGE_H
#define HOST_SEQ_LETTER_RANGE_H

#include <stdint.h>

#include "clalign/status.h"
#include "seq/alphabet.h"

struct XXH3_state_s;

/* The XXH3-128 checksum of letters that are added piece by piece. Zero-initialise; end with letter_sum_free.
 */
typedef struct letter_sum {
  struct XXH3_state_s *plain;
  struct XXH3_state_s *with_t; /* the sum with each U as T, started at the first U; NULL: no U so far */
} letter_sum;

/* Writes the checksum in canonical form; at least one piece must have been added. If `u_as_t`, each U counts
 * as T. */
void letter_sum_finish(uint8_t checksum[16], const letter_sum *sum, bool u_as_t);

/* The range of a record whose letters are kept, and tally and checksum of all letters of the record.
 * Zero-initialise and call letter_range_begin for each record; end with letter_range_free. */
typedef struct letter_range {
  int64_t begin, end; /* positions of the letters that are kept: the range and more, up to page borders */
  int64_t kept;       /* letters kept so far */
  letter_tally tally; /* tally of all letters so far */
  letter_sum sum;
} letter_range;

void letter_range_begin(letter_range *range, int64_t begin, int64_t end);
void letter_range_free(letter_range *range);

/* Some of the letters of a buffer. */
typedef struct letter_part {
  int64_t from, count;
} letter_part;

/* Counts the record's next letters, part->count of `codes`, and adds them to the checksum. Sets *part to the
 * letters that must be kept. Fails with CLA_ERROR_MEMORY. */
cla_status letter_range_pass(letter_part *part, letter_range *range, const letter_set *set, bool detect,
                             const uint8_t *codes, cla_error *error);

/* Moves the kept letters to their places in a mapping as long as the whole record. Reading any other place
 * in the mapping crashes the process. Frees the old *kept and sets it to the mapping. letter_range_unmap
 * frees the mapping. Fails with CLA_ERROR_MEMORY. */
cla_status letter_range_map(uint8_t **kept, const letter_range *range, cla_error *error);
void letter_range_unmap(uint8_t *mapped, int64_t letters);

#endif
