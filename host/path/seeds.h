#ifndef HOST_PATH_SEEDS_H
#define HOST_PATH_SEEDS_H

#include "path/common_words.h"

/* A maximal exact match: `length` equal unambiguous letters on one diagonal. */
typedef struct seed_match {
  int64_t query, target, length;
} seed_match;

/* A list of matches. Zero-initialise; the caller frees `items`. */
typedef struct seed_matches {
  seed_match *items;
  int64_t count, capacity;
  int64_t work; /* work spent on finding and choosing matches, in space_crosser.work's unit */
} seed_matches;

/* Finds the exact matches within `area` that contain a common word of the choice, sorted by query position.
 * Matches end at used pairs. The number of threads, at least 1, does not change the result. A stopped search
 * finds none. Fails with CLA_ERROR_MEMORY. */
cla_status seeds_find(seed_matches *out, const bound_pair *pair, const bound_area *area, word_choice choice,
                      int threads, cla_error *error);

/* Weights of a match's letters in a chain. Words find only some of the real matches, and fewer of them in
 * less similar sequences. So a chain may be worth more than the letters of its matches. */
#define MATCH_CHAIN_SOBER 1
#define MATCH_CHAIN_HOPEFUL 4

/* The purpose of a chain. */
typedef struct chain_kind {
  bool ends;   /* true: from the area's first corner to its last corner; false: between any nodes */
  double hope; /* weight of a match's letters, >= 1 */
} chain_kind;

/* Neighbouring matches that follow each other along one strand, from a first match to a last one. */
typedef struct seed_chain {
  double value;                    /* value of the chain alone, in the scheme's units */
  int64_t first, last;             /* indices of its first and last match */
  int64_t query, target;           /* start of its first match */
  int64_t query_stop, target_stop; /* end of its last match */
} seed_chain;

/* The chains of a list of matches. Each match belongs to exactly one chain. */
typedef struct seed_chains {
  seed_chain *items; /* owned; sorted by descending value */
  int64_t count;
  int64_t *before; /* owned; by match: index of the previous match in the chain; -1: none */
} seed_chains;

/* Finds all chains of neighbours among the matches, which are sorted by query position. `hope`: as in
 * chain_kind. Fails with CLA_ERROR_MEMORY. The caller calls seed_chains_free, also after an error. */
cla_status seed_chains_find(seed_chains *out, const seed_matches *matches, const bound_pair *pair,
                            double hope, cla_error *error);
void seed_chains_free(seed_chains *chains);

/* Keeps only matches that one path can contain, in order. A match that overlaps the previous one is
 * shortened. The choice is good but not always optimal: the function first makes chains of neighbouring
 * matches, then the best chain of these chains. Adds to matches->work. Fails with CLA_ERROR_MEMORY. */
cla_status match_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                       const chain_kind *kind, cla_error *error);

#endif
