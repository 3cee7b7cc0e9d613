#ifndef HOST_BOUND_MATCH_CHAIN_H
#define HOST_BOUND_MATCH_CHAIN_H

#include "bound/seeds.h"

/* What a letter of a match counts for, in letters: the matches that were found are a part of those that are
 * there, the fewer the less alike the sequences are, so a chain is worth more than its matches' letters. */
#define MATCH_CHAIN_SOBER 1
#define MATCH_CHAIN_HOPEFUL 4

/* Chooses matches that one path can go through, and keeps those alone: in order, each shortened so that it
 * begins in both sequences where the one before has ended or later. With `ends`, the path is to lead from the
 * area's first corner to its last, else it may begin and end anywhere. `hope` >= 1 weighs matches against
 * gaps. A good choice, not the best one: chains of neighbours first, then a chain of chains.
 * Adds to matches->work. CLA_ERROR_MEMORY. */
cla_status match_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area, bool ends,
                       double hope, cla_error *error);

#endif
