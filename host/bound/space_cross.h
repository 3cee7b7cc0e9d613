#ifndef HOST_BOUND_SPACE_CROSS_H
#define HOST_BOUND_SPACE_CROSS_H

#include "bound/bound_path.h"
#include "bound/seeds.h"

/* Leads a path through areas of the matrix. */
typedef struct space_crosser {
  const bound_pair *pair;
  bound_path *path;
  int64_t work; /* that is left: cells of optimal alignments, and other steps as cells that take as long */
  int64_t work_all; /* that there was at first */
  int threads;      /* >= 1, that may work at the same time; the path does not depend on it */
} space_crosser;

/* Leads the path from its stop, the area's first corner, to the last: along chains of matches, chains within
 * chains, and between them by optimal alignments of areas that are small; where an area is large, or there is
 * too little work left for it, in linear time (bound/area_cross.h). The path depends on counts alone, never
 * on time. CLA_ERROR_MEMORY. */
cla_status space_cross(space_crosser *t, const bound_area *area, cla_error *error);

/* The letters of the shortest word that two unrelated sequences share about once in such an area. */
int space_word(const bound_area *area);

/* Words of an area are sampled: one of 2 to the power of this. */
int space_sampling(const bound_area *area);

/* How a chain is looked for. */
typedef struct chain_search {
  chain_kind kind;
  int64_t work; /* that it may take */
  int threads;  /* >= 1 */
} chain_search;

/* The chain of matches in an area (bound/seeds.h); none if the sequences have nothing in common there, the
 * work is too little or the search is stopped. matches->work says what it took. CLA_ERROR_MEMORY. */
cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                            const chain_search *search, cla_error *error);

/* Like space_cross, along a chain that was found before. CLA_ERROR_MEMORY. */
cla_status space_follow(space_crosser *t, const seed_matches *chain, const bound_area *area,
                        cla_error *error);

#endif
