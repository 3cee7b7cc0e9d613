#ifndef HOST_WRITE_HIT_ROLES_H
#define HOST_WRITE_HIT_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "write/record_names.h"

/* The role of an alignment among all alignments of its query. */
typedef enum hit_role {
  HIT_PRIMARY,       /* the query's best alignment */
  HIT_SUPPLEMENTARY, /* at most half of the letters are in a better alignment */
  HIT_SECONDARY,     /* more than half of the letters are in a better alignment */
  HIT_NONE,          /* no letters are aligned, but another hit of the query has aligned letters */
} hit_role;

/* An alignment of a query, for ranking. */
typedef struct query_hit {
  record_key query; /* key of the query */
  int64_t from, to; /* range of the query's letters, on the query's forward strand */
  int64_t score;
  int64_t order;  /* decides between equal scores: the lower order is better; no two orders are equal */
  int64_t rivals; /* if this hit is not secondary: number of secondary hits with the same letters and score */
  hit_role role;
  bool empty; /* no letters are aligned */
  bool first; /* first hit of its pair; its record is primary until hits are ranked */
} query_hit;

/* Sorts hits by query, each query's best hit first, and sets their roles. */
void query_hits_rank(query_hit *hits, int64_t count);

#endif
