#ifndef HOST_WRITE_HIT_ROLES_H
#define HOST_WRITE_HIT_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "write/record_names.h"

/* Sorts a query's alignments into its best place, places of other parts of the query, and places of letters
 * that have a better place. */
typedef enum hit_role {
  HIT_PRIMARY,       /* the query's best */
  HIT_SUPPLEMENTARY, /* at most half of the letters are in a better alignment */
  HIT_SECONDARY,     /* most of the letters are in a better alignment */
  HIT_NONE,          /* no letters are aligned, but another hit of the query has some */
} hit_role;

/* An alignment as its query has it. */
typedef struct query_hit {
  record_key query; /* equal for all hits of one query */
  int64_t from, to; /* letters of the query, on its forward strand */
  int64_t score;
  int64_t order;  /* decides between equal scores: the lower one is better; no two are equal */
  int64_t rivals; /* if not secondary: how many secondary hits have its letters and its score */
  hit_role role;
  bool empty; /* nothing is aligned */
  bool first; /* first hit of its pair: the record is primary until hits are ranked */
} query_hit;

/* Sorts hits by query and then the best first, and sets their roles. */
void query_hits_rank(query_hit *hits, int64_t count);

#endif
