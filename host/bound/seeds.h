#ifndef HOST_BOUND_SEEDS_H
#define HOST_BOUND_SEEDS_H

#include "bound/bound_pair.h"

/* A maximal exact match: `length` equal unambiguous letters on one diagonal. */
typedef struct seed_match {
  int64_t query, target, length;
} seed_match;

/* Begins as zero, ends with free(items). */
typedef struct seed_matches {
  seed_match *items;
  int64_t count, capacity;
  int64_t work; /* that it took to find and to choose them (bound/space_cross.h) */
} seed_matches;

/* The longest words that are looked for. */
#define SEED_WORD_LIMIT 31

/* The most bits of sampling. */
#define SEED_SAMPLING_LIMIT 16

/* Finds exact matches within `area`, in the order of their query positions: those that hold a word of `word`
 * letters (1 .. SEED_WORD_LIMIT) whose hash ends with `sampling_bits` zeros (0 .. SEED_SAMPLING_LIMIT) and
 * which is not too frequent. Matches end at pairs that are used. Finds none when the search is stopped.
 * CLA_ERROR_MEMORY. */
cla_status seeds_find(seed_matches *out, const bound_pair *pair, const bound_area *area, int word,
                      int sampling_bits, cla_error *error);

#endif
