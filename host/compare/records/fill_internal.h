#ifndef HOST_COMPARE_FILL_INTERNAL_H
#define HOST_COMPARE_FILL_INTERNAL_H

#include "clalign/fill.h"

/* In this file, positions in a query are those on the record's strand. */

/* The path of a part. */
typedef struct fill_path {
  cla_run *runs; /* owned */
  size_t run_count;
  int64_t letters[2]; /* number of letters of query and target on the path */
  int64_t score;
  bool found;
} fill_path;

/* A record, and the interval between it and the next record of its chain. */
typedef struct fill_anchor {
  cla_aligned_record *record;  /* owned */
  cla_aligned_record *overlap; /* what was cut off from the record; owned; NULL: nothing */
  int64_t number;              /* number in the order of adding */
  int64_t begin[2], end[2];
  int64_t pairs;
  int64_t chain, before; /* before: index of the previous anchor in the chain; -1: none */
  bool linked;           /* another anchor follows in the chain */
  fill_path again;       /* path of the global alignment of the anchor's letters */
  fill_path interval;
  cla_aligned_record *other; /* record of the interval's alignment on the other strand; owned; NULL: none */
  int64_t other_score;
} fill_anchor;

/* A range of neighbouring anchors. */
typedef struct fill_chain {
  int64_t first, count;
  int64_t room[2][2]; /* letters before the chain and after it, of query and target */
  fill_path ends[2];  /* paths before and after the chain */
} fill_chain;

/* The place of a part. */
typedef struct fill_place {
  int64_t anchor; /* index of the anchor; for an end, index of the chain */
  int side;       /* for an end: 0 before the chain, 1 after it */
} fill_place;

struct cla_fill {
  cla_fill_options options;
  fill_anchor *anchors; /* in the order of the chains after cla_fill_chain */
  int64_t count, capacity;
  fill_chain *chains;
  int64_t chain_count, chain_capacity;
  fill_place *parts[CLA_FILL_KINDS];
  int64_t part_counts[CLA_FILL_KINDS], part_capacities[CLA_FILL_KINDS];
};

/* Cuts off the anchor's letters before `from`, and keeps them as its overlap. *left is false if no pair would
 * be left; the anchor then does not change. CLA_ERROR_MEMORY. */
cla_status fill_anchor_cut(bool *left, fill_anchor *anchor, const int64_t from[2], cla_error *error);

/* Copies the number, names and lengths of a record. CLA_ERROR_MEMORY. */
cla_status fill_copy_names(cla_aligned_record *out, const cla_aligned_record *from, cla_error *error);

/* Returns true if the interval after an anchor is part of the joined record. */
bool fill_is_joined(const fill_anchor *anchor, const fill_anchor *next);

/* Returns true if the interval's alignment on the other strand becomes a record. */
bool fill_is_turned(const cla_fill *fill, const fill_anchor *anchor);

#endif
