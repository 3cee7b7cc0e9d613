#ifndef HOST_BOUND_COMMON_WORDS_H
#define HOST_BOUND_COMMON_WORDS_H

#include "base/key_sort.h"
#include "bound/bound_path.h"

/* The longest words that are looked for. */
#define SEED_WORD_LIMIT 31

/* The most bits of sampling. */
#define SEED_SAMPLING_LIMIT 16

/* Which words of an area count: those of `letters` (1 .. SEED_WORD_LIMIT) whose hash ends with
 * `sampling_bits` zeros (0 .. SEED_SAMPLING_LIMIT), so that a common word is either taken from both sequences
 * or from none. */
typedef struct word_choice {
  int letters, sampling_bits;
} word_choice;

/* What both sequences have in an area. Begins as zero, ends with free(places.items). */
typedef struct common_words {
  keyed_list places; /* the key is the diagonal, counted from that of the area's lower left corner, the value
                      * the query position of the first letter; sorted by diagonal, there by position */
  int64_t sorted;    /* words of both sequences that count, and places */
} common_words;

/* Finds the places of words that both sequences have in the area. Words with more than 32 pairs of places,
 * together with those that hash alike, are left out. `threads` >= 1 work at once; the places do not depend on
 * it. None when the search is stopped. CLA_ERROR_MEMORY. */
cla_status common_words_find(common_words *out, const bound_pair *pair, const bound_area *area,
                             word_choice choice, int threads, cla_error *error);

#endif
