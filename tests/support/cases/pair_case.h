#ifndef TESTS_SUPPORT_CASES_PAIR_CASE_H
#define TESTS_SUPPORT_CASES_PAIR_CASE_H

#include "pipeline/pipeline.h"
#include "reference/reference.h"
#include "support/lettered_pairs.h"
#include "support/random_pairs.h"

/* A pair, with all that tests of whole alignments need. */
typedef struct pair_case {
  random_pair pair;
  path_ends ends;
  score_table table;
  cla_sequence *query, *target;
  cla_align_options options; /* with the pair's mode and scores */
  reference_alignment want;  /* the oracle's result for the query's forward strand */
  long long number;          /* number of the pair within a variation */
  char text[RANDOM_PAIR_TEXT_SIZE];
} pair_case;

/* Fills in the rest of a case whose `pair` has been made. The caller calls pair_case_end. */
void pair_case_begin(pair_case *one);

/* Like pair_case_begin, for a pair that is too large for the oracle. */
void pair_case_begin_without_oracle(pair_case *one);

/* Like pair_case_begin, for a pair with any letters; the case owns it from then on. */
void pair_case_begin_lettered(pair_case *one, lettered_pair *from);

void pair_case_end(pair_case *one);

/* The oracle's result for other codes of the same lengths, without the pairs in `used` (NULL: none). The
 * caller calls reference_alignment_free. */
void pair_case_reference(reference_alignment *out, const pair_case *one, const uint8_t *query,
                         const uint8_t *target, used_pairs *used);

/* Makes the pipeline's job of the case; `adjust` may change the plan (NULL: no change). */
align_job pair_case_job(const pair_case *one, cla_device *device, void (*adjust)(plan *whole));

/* Aligns the case; fails the test if aligning fails. `how` is for messages. */
cla_alignment *pair_case_align(const pair_case *one, cla_device *device, void (*adjust)(plan *whole),
                               const char *how);

/* Expects that the alignment equals `want`, and frees it. */
void pair_case_compare(const pair_case *one, cla_alignment *got, const reference_alignment *want,
                       const char *how);

/* Checks the score alone, then the whole alignment. */
void pair_case_check(const pair_case *one, cla_device *device, void (*adjust)(plan *whole), const char *how);

/* A test that checks many pairs on every device. */
typedef struct variation {
  const char *count_name; /* environment variable with the number of pairs */
  long long count;        /* number of pairs without the variable */
  uint64_t seed;          /* seed of the first pair */
  int64_t letters;        /* most letters of a sequence */
  bool of_kinds;          /* `check` passes over kinds of builds, so more pairs are drawn
                           * (build_kinds_drawn) */
  bool one_device;        /* only the first device is used */
  /* Makes the case for a seed; NULL: a random pair in any mode. */
  void (*make)(pair_case *one, uint64_t seed, int64_t letters);
  long long (*check)(cla_device *device, pair_case *one);
  /* Judges the sum of the values that `check` returned; NULL: nothing is judged. */
  void (*judge)(long long sum, long long count);
} variation;

void variation_check(const variation *all);

/* VARIATION(suite, says_what_is_so, FIELD...) defines a test by the fields of a variation. */
#define VARIATION(suite, name, ...)                   \
  Test(suite, name, .timeout = 7200) {                \
    variation_check(&(const variation){__VA_ARGS__}); \
  }

/* A judge: expects that `check` returned 1 for some pairs, but not for all. */
void variation_some_but_not_all(long long sum, long long count);

#endif
