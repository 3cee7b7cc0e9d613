#ifndef TESTS_SUPPORT_RELATED_PAIRS_H
#define TESTS_SUPPORT_RELATED_PAIRS_H

#include "support/random_pairs.h"

/* Pairs of code sequences that differ in one way each, as genomes do. */
typedef enum related_kind {
  RELATED_EQUAL,
  RELATED_FEW_CHANGES,    /* 1 % substituted, some short indels */
  RELATED_TENTH_CHANGED,  /* 10 % substituted, 1 % indels */
  RELATED_THIRD_CHANGED,  /* beyond what seeds can follow well */
  RELATED_LONG_INSERTION, /* a tenth of the length, in the target */
  RELATED_LONG_DELETION,
  RELATED_DUPLICATION,   /* a part stands twice in the target, one copy after the other */
  RELATED_INVERSION,     /* the middle third is reversed */
  RELATED_TRANSLOCATION, /* the two halves are exchanged */
  RELATED_TANDEM,        /* a unit of seven letters, over and over */
  RELATED_HOMOPOLYMER,   /* one letter, of two lengths */
  RELATED_WITH_N,        /* few changes, and a run of N in each */
  RELATED_CONTAINED,     /* the query is a part of the target */
  RELATED_NOT,
  RELATED_KINDS
} related_kind;

typedef struct related_pair {
  uint8_t *query, *target; /* owned */
  int64_t query_length, target_length;
  const char *name; /* of the kind; static */
} related_pair;

/* About `length` >= 100 letters each; the same for the same arguments. Aborts when out of memory. */
void related_pair_make(related_pair *pair, related_kind kind, uint64_t seed, int64_t length);
void related_pair_free(related_pair *pair);

/* Makes pair `number` in the form of a random one. Kinds, modes and two schemes come in turn. Lengths are
 * half to all of `max_length` letters. Many pairs lack a part at one end of one sequence, so that paths run
 * along borders. */
void related_pair_make_random(random_pair *pair, uint64_t number, int64_t max_length);

/* Schemes 0 .. RELATED_SCHEMES - 1: the default, the limits, free gaps, match 0 and the like. */
#define RELATED_SCHEMES 7
void related_scheme(cla_scoring *scoring, int number);

#endif
