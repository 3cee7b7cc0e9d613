#ifndef HOST_BOUND_UNUSED_PATH_H
#define HOST_BOUND_UNUSED_PATH_H

#include "bound/bound_path.h"
#include "bound/seeds.h"

/* Bounds of alignments after the first: paths that make none of the pairs that earlier ones have used
 * (scoring/used_pairs.h), which the table of the pair knows. */

/* Leads the path round such pairs: a gap in either sequence takes the letters of each stretch of them.
 * CLA_ERROR_MEMORY. */
cla_status unused_path_make(bound_path *path, const bound_pair *pair, cla_error *error);

/* Whether the path makes none of them. */
bool unused_path_is(const bound_path *path, const bound_pair *pair);

/* Adds what they leave of a match, as far as its parts have so many letters at least. CLA_ERROR_MEMORY. */
cla_status unused_match_add(seed_matches *out, seed_match match, int64_t least, const bound_pair *pair,
                            cla_error *error);

#endif
