#ifndef HOST_BOUND_SEEDS_H
#define HOST_BOUND_SEEDS_H

#include "bound/common_words.h"

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

/* Finds exact matches within `area`, in the order of their query positions: those that hold a common word of
 * the choice. Matches end at pairs that are used. `threads` as of common_words_find. Finds none when the
 * search is stopped. CLA_ERROR_MEMORY. */
cla_status seeds_find(seed_matches *out, const bound_pair *pair, const bound_area *area, word_choice choice,
                      int threads, cla_error *error);

/* What a letter of a match counts for, in letters: the matches that were found are a part of those that are
 * there, the fewer the less alike the sequences are, so a chain is worth more than its matches' letters. */
#define MATCH_CHAIN_SOBER 1
#define MATCH_CHAIN_HOPEFUL 4

/* What a chain is for. */
typedef struct chain_kind {
  bool ends;   /* the path leads from the area's first corner to its last; else it begins and ends anywhere */
  double hope; /* >= 1: weighs matches against gaps */
} chain_kind;

/* Chooses matches that one path can go through, and keeps those alone: in order, each shortened so that it
 * begins in both sequences where the one before has ended or later. A good choice, not the best one: chains
 * of neighbours first, then a chain of chains. Adds to matches->work. CLA_ERROR_MEMORY. */
cla_status match_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                       const chain_kind *kind, cla_error *error);

#endif
