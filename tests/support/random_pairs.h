#ifndef TESTS_SUPPORT_RANDOM_PAIRS_H
#define TESTS_SUPPORT_RANDOM_PAIRS_H

#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/scoring.h"
#include "clalign/sequence.h"

/* Test cases for all random tests: a pair of code sequences (seq/sequence.h) with a scheme and a mode. They
 * depend only on the seed and max_length. Tests print random_pair_text on a failure. */
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

/* Sets any mode, and free ends, by the pair's seed. */
void random_pair_choose_mode(random_pair *pair);

/* Like random_pair_make, with the letters A C G T only, no matrix, and gap costs of one piece. Other
 * programs score such pairs in the same way. */
void random_pair_make_plain(random_pair *pair, uint64_t seed, int64_t max_length);
void random_pair_free(random_pair *pair);

/* Gives about every third pair, by its seed, a second piece of gap costs if the first piece allows it. */
void random_pair_add_piece(random_pair *pair);

/* The problem (scoring/pair_problem.h) of a pair and its scheme, with the given table and ends. */
#define RANDOM_PAIR_PROBLEM(pair, table, ends) \
  (&(pair_problem){(pair)->query,              \
                   (pair)->target,             \
                   (pair)->query_length,       \
                   (pair)->target_length,      \
                   {&(pair)->scoring, table, ends}})

/* The lengths that count as edges, ascending; 0 ends them. */
extern const int64_t random_pair_edges[];

/* One line: seed, lengths, kind, mode and scheme. Returns `buffer`. */
#define RANDOM_PAIR_TEXT_SIZE 256
const char *random_pair_text(const random_pair *pair, char buffer[RANDOM_PAIR_TEXT_SIZE]);

/* Makes `count` random codes of A C G T; the caller frees them. Aborts if memory is short. */
uint8_t *random_letters(int64_t count, uint64_t seed);

/* Turns codes into zero-terminated letters; the caller frees them. Aborts if memory is short. */
char *random_pair_letters(const uint8_t *codes, int64_t length);

/* Makes a sequence of that name from the codes. Aborts the test on failure. */
cla_sequence *random_pair_sequence(const char *name, const uint8_t *codes, int64_t length);

#endif
