/* Common words tell which strand of a pair is related. */

#include <inttypes.h>

#include "clalign/align.h"
#include "clalign/simulate.h"
#include "seq/sequence.h"
#include "support/test.h"

typedef struct strand_pair {
  cla_sequence *query, *target, *turned;
} strand_pair;

static void free_pair(strand_pair *pair) {
  cla_sequence_free(pair->query);
  cla_sequence_free(pair->target);
  cla_sequence_free(pair->turned);
}

static strand_pair make_pair(const cla_simulate_options *options) {
  strand_pair pair = {NULL, NULL, NULL};
  char *letters[2];
  int64_t length[2];
  assert_ok(cla_simulate(&letters[0], &length[0], &letters[1], &length[1], options, &why));
  assert_ok(cla_sequence_from_letters(&pair.query, "q", letters[0], length[0], &why));
  assert_ok(cla_sequence_from_letters(&pair.target, "t", letters[1], length[1], &why));
  assert_ok(sequence_reverse_complement(&pair.turned, pair.target, &why));
  free(letters[0]);
  free(letters[1]);
  return pair;
}

Test(strand_words, tell_the_strand_that_is_related) {
  const cla_simulate_options options = {
      .seed = 5, .length = 200000, .indel_mean = 3, .substitution_rate = 0.1};
  OWNED(free_pair) strand_pair pair = make_pair(&options);
  int64_t words[2], turned[2];
  assert_ok(cla_strand_words(words, pair.query, pair.target, &why));
  assert_ok(cla_strand_words(turned, pair.query, pair.turned, &why));
  cr_expect_gt(words[CLA_STRAND_FORWARD], 500, "%" PRId64, words[CLA_STRAND_FORWARD]);
  cr_expect_lt(words[CLA_STRAND_REVERSE], 10);
  cr_expect_gt(turned[CLA_STRAND_REVERSE], 500);
  cr_expect_lt(turned[CLA_STRAND_FORWARD], 10);
}

Test(strand_words, of_unrelated_and_of_short_sequences_are_few) {
  const cla_simulate_options unrelated = {.seed = 5, .length = 200000, .indel_mean = 3, .unrelated = true},
                             shorter = {.seed = 5, .length = 17, .indel_mean = 3};
  OWNED(free_pair) strand_pair pair = make_pair(&unrelated), small = make_pair(&shorter);
  int64_t words[2];
  assert_ok(cla_strand_words(words, pair.query, pair.target, &why));
  cr_expect_lt(words[0] + words[1], 10);
  assert_ok(cla_strand_words(words, small.query, small.query, &why));
  cr_expect_eq(words[0] + words[1], 0);
}
