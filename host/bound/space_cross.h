#ifndef HOST_BOUND_SPACE_CROSS_H
#define HOST_BOUND_SPACE_CROSS_H

#include "bound/bound_path.h"
#include "bound/exact_space.h"
#include "bound/match_chain.h"

/* Leads a path through areas of the matrix. Begins with pair, path and threads set and the rest zero; ends
 * with exact_space_free(&exact). */
typedef struct space_crosser {
  const bound_pair *pair;
  bound_path *path;
  int threads; /* >= 1, that may work at the same time; the path does not depend on it */
  exact_space exact;
} space_crosser;

/* Leads the path from its stop, the area's first corner, to the last: by an optimal alignment where the area
 * is small, else along a chain of matches, `depth` counting chains within chains; where there is none, and
 * when it is late, in linear time (bound/open_space.h). CLA_ERROR_MEMORY. */
cla_status space_cross(space_crosser *t, const bound_area *area, int depth, cla_error *error);

/* The letters of the shortest word that two unrelated sequences share about once in such an area. */
int space_word(const bound_area *area);

/* Words of an area are sampled: one of 2 to the power of this. */
int space_sampling(const bound_area *area);

/* The chain of matches in an area (bound/match_chain.h); none if the sequences have nothing in common there,
 * or it is late. CLA_ERROR_MEMORY. */
cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area, bool ends,
                            double hope, cla_error *error);

/* Follows a chain from the path's stop to its last match, whose end it leaves open: a match's last letters
 * may be there by chance. CLA_ERROR_MEMORY. */
cla_status space_follow(space_crosser *t, const seed_matches *matches, int depth, cla_error *error);

#endif
