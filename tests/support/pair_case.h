#ifndef TESTS_SUPPORT_PAIR_CASE_H
#define TESTS_SUPPORT_PAIR_CASE_H

#include "pipeline/pipeline.h"
#include "reference/reference.h"
#include "support/lettered_pairs.h"
#include "support/random_pairs.h"

/* A pair, and what tests of whole alignments need with it. */
typedef struct pair_case {
  random_pair pair;
  path_ends ends;
  score_table table;
  cla_sequence *query, *target;
  cla_align_options options; /* with the pair's mode and scores */
  reference_alignment want;  /* what the oracle says of the query as it is */
  long long number;          /* of the pair, in a variation */
  char text[RANDOM_PAIR_TEXT_SIZE];
} pair_case;

/* Fills in the rest of a case whose pair is made; it ends with pair_case_end. */
void pair_case_begin(pair_case *one);

/* pair_case_begin for a pair that is too large for the oracle. */
void pair_case_begin_without_oracle(pair_case *one);

/* pair_case_begin for a pair with any letters, which the case takes over. */
void pair_case_begin_lettered(pair_case *one, lettered_pair *from);

void pair_case_end(pair_case *one);

/* What the oracle says of other codes of the same lengths, without pairs that are used (NULL: none are). Ends
 * with reference_alignment_free. */
void pair_case_reference(reference_alignment *out, const pair_case *one, const uint8_t *query,
                         const uint8_t *target, used_pairs *used);

/* The case for the pipeline, by a plan that `adjust` may change (NULL: as planned). */
align_job pair_case_job(const pair_case *one, cla_device *device, void (*adjust)(plan *whole));

/* Aligns it. Fails the test where that fails; `how` is for messages. */
cla_alignment *pair_case_align(const pair_case *one, cla_device *device, void (*adjust)(plan *whole),
                               const char *how);

/* The alignment is `want`, and is freed. */
void pair_case_compare(const pair_case *one, cla_alignment *got, const reference_alignment *want,
                       const char *how);

/* Checks the score alone, then the whole alignment. */
void pair_case_check(const pair_case *one, cla_device *device, void (*adjust)(plan *whole), const char *how);

/* What is varied of many pairs on every device. */
typedef struct variation {
  const char *count_name; /* an environment variable that says how many pairs there are */
  long long count;        /* without it */
  uint64_t seed;          /* of the first pair */
  int64_t letters;        /* most of a pair */
  bool of_kinds;          /* check passes over kinds of builds: more pairs are drawn (build_kinds_drawn) */
  bool one_device;        /* the first only */
  /* Makes the case of a seed; NULL: a random pair in any mode. */
  void (*make)(pair_case *one, uint64_t seed, int64_t letters);
  long long (*check)(cla_device *device, pair_case *one);
  /* Judges the sum of what check has returned; NULL: nothing. */
  void (*judge)(long long sum, long long count);
} variation;

void variation_check(const variation *all);

/* VARIATION(suite, says_what_is_so, FIELD...): a test of that. */
#define VARIATION(suite, name, ...)                   \
  Test(suite, name, .timeout = 7200) {                \
    variation_check(&(const variation){__VA_ARGS__}); \
  }

/* A judge: check has returned 1 for some pairs, and not for all. */
void variation_some_but_not_all(long long sum, long long count);

#endif
