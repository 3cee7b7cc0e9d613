#ifndef HOST_WRITE_HIT_ROLES_H
#define HOST_WRITE_HIT_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "write/record_names.h"

/* Which of a query's alignments is its best place, which are of other parts of it, and which only of letters
 * that are better off elsewhere. */
typedef enum hit_role {
  HIT_PRIMARY,       /* the query's best */
  HIT_SUPPLEMENTARY, /* of letters of which at most half are in a better one */
  HIT_SECONDARY,     /* the others */
  HIT_NONE,          /* without aligned letters, beside one that has some */
} hit_role;

/* An alignment as its query has it. */
typedef struct query_hit {
  record_key query; /* the same for hits of one query */
  int64_t from, to; /* letters of the query, on its forward strand */
  int64_t score;
  int64_t order;  /* of equal scores the lower one is better; no two are equal */
  int64_t rivals; /* of a primary or supplementary one: secondary ones of its letters and score */
  hit_role role;
  bool empty; /* nothing is aligned */
  bool first; /* of its pair, whose record is a primary one until it is ranked */
} query_hit;

/* Sorts hits by query and then the best first, and sets their roles. */
void query_hits_rank(query_hit *hits, int64_t count);

#endif
