#ifndef HOST_PATH_SPACE_CROSS_H
#define HOST_PATH_SPACE_CROSS_H

#include "path/bound_path.h"
#include "path/seeds.h"

/* The state of leading a path through areas of the matrix. */
typedef struct space_crosser {
  const bound_pair *pair;
  bound_path *path;
  int64_t work;     /* work left, in cells of optimal alignments */
  int64_t work_all; /* work at the begin */
  int threads;      /* >= 1; the path does not depend on it */
} space_crosser;

/* Leads the path from its stop, the area's first corner, to the last: along chains of matches, and chains of
 * shorter ones in between. Small areas that are left are aligned optimally. Large areas, and all once the
 * work is used up, are crossed in linear time (path/area_cross.h). The path does not depend on time.
 * CLA_ERROR_MEMORY. */
cla_status space_cross(space_crosser *t, const bound_area *area, cla_error *error);

/* Letters of the shortest word that unrelated sequences share about once in an area of that size. */
int space_word(const bound_area *area);

/* Bits of sampling of an area's words: one of 2^bits counts. */
int space_sampling(const bound_area *area);

/* A request for a chain. */
typedef struct chain_search {
  chain_kind kind;
  int64_t work; /* limit of the work */
  int threads;  /* >= 1 */
} chain_search;

/* Finds a chain of matches in an area (path/seeds.h). There is none if the sequences have nothing in common
 * there, if the work is too little, or if the search is stopped. matches->work: the work done.
 * CLA_ERROR_MEMORY. */
cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                            const chain_search *search, cla_error *error);

/* Does space_cross along a given chain. CLA_ERROR_MEMORY. */
cla_status space_follow(space_crosser *t, const seed_matches *chain, const bound_area *area,
                        cla_error *error);

#endif
