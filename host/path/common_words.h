#ifndef HOST_PATH_COMMON_WORDS_H
#define HOST_PATH_COMMON_WORDS_H

#include "base/key_sort.h"
#include "path/bound_path.h"

#define SEED_WORD_LIMIT 31     /* letters of the longest word */
#define SEED_SAMPLING_LIMIT 16 /* maximum number of bits of sampling */

/* Chooses the words that count: words of `letters` letters (1 .. SEED_WORD_LIMIT) whose hash ends with
 * `sampling_bits` zero bits (0 .. SEED_SAMPLING_LIMIT). The choice depends on the word alone, so a common
 * word counts in both sequences or in neither. */
typedef struct word_choice {
  int letters, sampling_bits;
} word_choice;

/* Of a much longer sequence's words that the other sequence lacks, about 1 / COMMON_WORDS_KEPT is kept,
 * too. */
#define COMMON_WORDS_KEPT 16

/* The words that occur in both sequences of an area. Zero-initialise; the caller frees places.items. */
typedef struct common_words {
  keyed_list places; /* key: diagonal, 0 in the lower left corner; value: query position; sorted by both */
  int64_t sorted; /* measure of the work: number of counted words in both sequences plus number of places */
} common_words;

/* Finds the places of words that occur in both sequences of the area. Leaves out words with more than 32
 * pairs of places. For this limit, words that agree in the sorted bits of their hashes count as one word.
 * The number of threads, at least 1, does not change the places. A stopped search finds none. Fails with
 * CLA_ERROR_MEMORY. */
cla_status common_words_find(common_words *out, const bound_pair *pair, const bound_area *area,
                             word_choice choice, int threads, cla_error *error);

#endif
