#ifndef TESTS_SUPPORT_RANDOM_PAIRS_H
#define TESTS_SUPPORT_RANDOM_PAIRS_H

#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/scoring.h"
#include "clalign/sequence.h"

/* Test cases for everybody's random tests: a pair of code sequences (seq/sequence.h) with a scheme and a
 * mode, a function of the seed and max_length alone. Print the seed and random_pair_text on a failure. */
typedef struct random_pair {
  uint8_t *query, *target;             /* codes below SEQUENCE_LETTER_COUNT; owned */
  int64_t query_length, target_length; /* each 1 .. max_length */
  cla_scoring scoring; /* passes cla_scoring_check; every tenth or so has a matrix, every fourth or so gap
                          costs of two pieces */
  cla_mode mode;       /* local or global, until random_pair_choose_mode */
  int free_ends;       /* as in cla_align_options */
  const char *kind;    /* how the letters relate, for example "tandem repeats"; static */
  const char *scheme;  /* family of the scheme, for example "linear gap"; static */
  uint64_t seed;
} random_pair;

/* Lengths are tiny (1 to 5), at the edges of lanes, strips and tiles (random_pair_edges, plus or minus one),
 * unequal (1 to 3 letters against max_length), or anything to max_length >= 1. Aborts when out of memory. */
void random_pair_make(random_pair *pair, uint64_t seed, int64_t max_length);

/* Gives the pair one of all modes, and free ends, by its seed. */
void random_pair_choose_mode(random_pair *pair);

/* random_pair_make with letters A C G T only, no matrix, and gap costs of one piece, which other programs
 * score alike. */
void random_pair_make_plain(random_pair *pair, uint64_t seed, int64_t max_length);
void random_pair_free(random_pair *pair);

/* Gives every third pair or so, by its seed, a second piece of gap costs, if the first one allows it. */
void random_pair_add_piece(random_pair *pair);

/* The problem (scoring/pair_problem.h) of a pair, its scheme with that table and those ends. */
#define RANDOM_PAIR_PROBLEM(pair, table, ends) \
  (&(pair_problem){(pair)->query,              \
                   (pair)->target,             \
                   (pair)->query_length,       \
                   (pair)->target_length,      \
                   {&(pair)->scoring, table, ends}})

/* The lengths that count as edges, ascending, ending with 0. */
extern const int64_t random_pair_edges[];

/* One line: seed, lengths, kind, mode and scheme. Returns `buffer`. */
#define RANDOM_PAIR_TEXT_SIZE 256
const char *random_pair_text(const random_pair *pair, char buffer[RANDOM_PAIR_TEXT_SIZE]);

/* So many codes of A C G T, each as likely; the caller frees. Aborts when out of memory. */
uint8_t *random_letters(int64_t count, uint64_t seed);

/* The codes as letters, zero-terminated; the caller frees. Aborts when out of memory. */
char *random_pair_letters(const uint8_t *codes, int64_t length);

/* Codes as a sequence of that name. Aborts the test where that fails. */
cla_sequence *random_pair_sequence(const char *name, const uint8_t *codes, int64_t length);

#endif
