#ifndef HOST_COMPARE_FILL_INTERNAL_H
#define HOST_COMPARE_FILL_INTERNAL_H

#include "clalign/fill.h"

/* Positions in a query are those of the record's strand. */

/* The path of a part. */
typedef struct fill_path {
  cla_run *runs; /* owned */
  size_t run_count;
  int64_t letters[2]; /* letters of query and target that the path takes */
  int64_t score;
  bool found;
} fill_path;

/* A record and what lies between it and the next one of its chain. */
typedef struct fill_anchor {
  cla_aligned_record *record; /* owned */
  int64_t number;             /* in the order in which records came */
  int64_t begin[2], end[2];
  int64_t pairs;
  int64_t chain, before; /* before: index of the anchor before it in its chain, or -1 */
  bool linked;           /* a neighbour follows it in its chain */
  fill_path again;       /* the anchor aligned again */
  fill_path interval;
  cla_aligned_record *other; /* the interval on the other strand; owned, NULL: none */
  int64_t other_score;
} fill_anchor;

/* Neighbours: so many anchors of the fill's list. */
typedef struct fill_chain {
  int64_t first, count;
  int64_t room[2][2]; /* letters before the chain and behind it, of query and target */
  fill_path ends[2];  /* before, behind */
} fill_chain;

/* A part by its place. */
typedef struct fill_place {
  int64_t anchor; /* index of the anchor; of an end, that of the chain */
  int side;       /* of an end */
} fill_place;

struct cla_fill {
  cla_fill_options options;
  fill_anchor *anchors; /* in the chains' order after cla_fill_chain */
  int64_t count, capacity;
  fill_chain *chains;
  int64_t chain_count, chain_capacity;
  fill_place *parts[CLA_FILL_KINDS];
  int64_t part_counts[CLA_FILL_KINDS], part_capacities[CLA_FILL_KINDS];
};

/* The anchor without the letters before these; false: no pair is left. */
bool fill_anchor_cut(fill_anchor *anchor, const int64_t from[2]);

/* Whether the interval behind an anchor is part of the joined record. */
bool fill_is_joined(const fill_anchor *anchor, const fill_anchor *next);

/* Whether the interval's other strand is a record. */
bool fill_is_turned(const cla_fill *fill, const fill_anchor *anchor);

#endif
