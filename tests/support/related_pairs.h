#ifndef TESTS_SUPPORT_RELATED_PAIRS_H
#define TESTS_SUPPORT_RELATED_PAIRS_H

#include "support/random_pairs.h"

/* Pairs of code sequences that differ in the ways of genomes; each kind shows one way. */
typedef enum related_kind {
  RELATED_EQUAL,
  RELATED_FEW_CHANGES,    /* 1 % substituted, some short indels */
  RELATED_TENTH_CHANGED,  /* 10 % substituted, 1 % indels */
  RELATED_THIRD_CHANGED,  /* too many changes for seeds to follow well */
  RELATED_LONG_INSERTION, /* an insertion of a tenth of the length in the target */
  RELATED_LONG_DELETION,
  RELATED_DUPLICATION,   /* a part is doubled in the target */
  RELATED_INVERSION,     /* the middle third is reversed */
  RELATED_TRANSLOCATION, /* the two halves are exchanged */
  RELATED_TANDEM,        /* a repeated unit of seven letters */
  RELATED_HOMOPOLYMER,   /* one letter only, in two lengths */
  RELATED_WITH_N,        /* few changes, and a run of N in both */
  RELATED_CONTAINED,     /* the query is a part of the target */
  RELATED_NOT,
  RELATED_KINDS
} related_kind;

typedef struct related_pair {
  uint8_t *query, *target; /* owned */
  int64_t query_length, target_length;
  const char *name; /* name of the kind; static */
} related_pair;

/* Makes a pair of about `length` >= 100 letters each; it depends only on the arguments. Aborts if memory is
 * short. */
void related_pair_make(related_pair *pair, related_kind kind, uint64_t seed, int64_t length);
void related_pair_free(related_pair *pair);

/* Makes related pair `number` as a random_pair. Kinds, modes and two schemes come in turn. Lengths are
 * between half of `max_length` and `max_length`. In many pairs one sequence lacks a part at one end, so that
 * paths run along borders. */
void related_pair_make_random(random_pair *pair, uint64_t number, int64_t max_length);

/* Sets scheme `number` of 0 .. RELATED_SCHEMES - 1: the default, the limits, free gaps, match 0 and so
 * on. */
#define RELATED_SCHEMES 7
void related_scheme(cla_scoring *scoring, int number);

#endif
