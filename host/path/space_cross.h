#ifndef HOST_PATH_SPACE_CROSS_H
#define HOST_PATH_SPACE_CROSS_H

#include "path/bound_path.h"
#include "path/seeds.h"

/* The state of the search that extends a path through areas of the matrix. */
typedef struct space_crosser {
  const bound_pair *pair;
  bound_path *path;
  int64_t work;     /* work left, in cells of optimal alignments */
  int64_t work_all; /* work at the start */
  int threads;      /* number of threads, >= 1; does not change the path */
} space_crosser;

/* Extends the path, which stops at the area's first corner, to the last corner. It follows a chain of matches
 * and, between these matches, chains of shorter matches. The small areas between matches are aligned
 * optimally. Large areas, and all areas once the work limit is reached, are crossed in linear time
 * (path/area_cross.h). The path does not depend on time. Fails with CLA_ERROR_MEMORY. */
cla_status space_cross(space_crosser *t, const bound_area *area, cla_error *error);

/* Returns the word length at which unrelated sequences have about one word in common in an area of this
 * size. */
int space_word(const bound_area *area);

/* Returns the number of sampling bits for an area: one of 2^bits words counts. */
int space_sampling(const bound_area *area);

/* A request for a chain. */
typedef struct chain_search {
  chain_kind kind;
  int64_t work; /* limit on the work */
  int threads;  /* >= 1 */
} chain_search;

/* Finds a chain of matches in an area (path/seeds.h). The chain is empty if the sequences have no words in
 * common there, if search->work is too small, or if the search is stopped. matches->work receives the work
 * done. Fails with CLA_ERROR_MEMORY. */
cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                            const chain_search *search, cla_error *error);

/* Extends the path through the area like space_cross, but along a given chain. Fails with
 * CLA_ERROR_MEMORY. */
cla_status space_follow(space_crosser *t, const seed_matches *chain, const bound_area *area,
                        cla_error *error);

#endif
