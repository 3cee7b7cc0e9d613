#ifndef HOST_PATH_COMMON_WORDS_H
#define HOST_PATH_COMMON_WORDS_H

#include "base/key_sort.h"
#include "path/bound_path.h"

#define SEED_WORD_LIMIT 31     /* letters of the longest word */
#define SEED_SAMPLING_LIMIT 16 /* most bits of sampling */

/* The words of an area that count: those of `letters` (1 .. SEED_WORD_LIMIT) whose hash ends with
 * `sampling_bits` zeros (0 .. SEED_SAMPLING_LIMIT). So a common word counts in both sequences or in neither.
 */
typedef struct word_choice {
  int letters, sampling_bits;
} word_choice;

/* The words that both sequences have in an area. Begins as zero, ends with free(places.items). */
typedef struct common_words {
  keyed_list places; /* key: diagonal, from that of the area's lower left corner on; value: query position of
                      * the first letter. Sorted by key, then value */
  int64_t sorted;    /* words of both sequences that count, plus places: a measure of the work */
} common_words;

/* Finds the places of words that both sequences have in the area. Left out: words with more than 32 pairs of
 * places, counted together with those of the same hash. The places do not depend on `threads` >= 1. A stopped
 * search finds none. CLA_ERROR_MEMORY. */
cla_status common_words_find(common_words *out, const bound_pair *pair, const bound_area *area,
                             word_choice choice, int threads, cla_error *error);

#endif
