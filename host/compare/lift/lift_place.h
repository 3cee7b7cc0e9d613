#ifndef HOST_COMPARE_LIFT_PLACE_H
#define HOST_COMPARE_LIFT_PLACE_H

#include "compare/lift/lift_map.h"

/* Letters that are to be lifted together. */
typedef struct lift_wish {
  const lift_record *record;    /* NULL: the map has no such record */
  const cla_lift_range *ranges; /* ascending, without overlaps */
  int64_t count;                /* at least 1 */
  double min_match;
  const lift_chain *only; /* the only chain that may be used; NULL: any */
} lift_wish;

/* Lifts the ranges. *chain: the chain that was used; NULL: not lifted. */
void lift_place(cla_lifted *out, const lift_chain **chain, const cla_lift *map, const lift_wish *wish);

/* Finds the range of letters that the chain pairs with letters of `range`, on the other side's forward
 * strand. Returns false if there are none. An empty range is a place between two letters, one of which must
 * be paired. */
bool lift_hull(cla_lift_range *out, const cla_lift *map, const lift_chain *chain,
               const cla_lift_range *range);

/* Writes why something was not lifted, as a phrase. */
#define LIFT_REASON_SIZE 160
void lift_reason(char text[LIFT_REASON_SIZE], const cla_lifted *lifted);

#endif
