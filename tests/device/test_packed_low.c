/* Packs that begin with strips of values without bases (packed_low.clh), against the oracle. One lane's score
 * outgrows such strips at different rows of the pack, while most columns have no long gap in any lane. */

#include "packs/packs.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/test.h"
#include "support/test_devices.h"

#define PAIRS 70
#define QUERY_MOST 420
#define TARGET_MOST 2500

/* A target in which the query's letters from `from` on appear once more, one of 40 drawn anew and with a gap.
 */
static void put_likeness(pack_pair *pair, uint8_t *target, int64_t from, random_stream *stream) {
  const int64_t at = (int64_t)random_stream_below(stream, (uint64_t)(TARGET_MOST - QUERY_MOST - 10));
  for (int64_t k = from; k < pair->query_letters; k++)
    if (random_stream_below(stream, 40) > 0) target[at + k + (k > from + 300 ? 3 : 0)] = pair->query[k];
}

/* Puts nine letters of the query up to `end` into the target, then the letters after `end` without two. So a
 * gap begins there, while nothing near it is worth one. */
static void put_gap(pack_pair *pair, uint8_t *target, int64_t end, random_stream *stream) {
  const int64_t at = (int64_t)random_stream_below(stream, TARGET_MOST - QUERY_MOST);
  memcpy(target + at, pair->query + end - 9, 9);
  memcpy(target + at + 9, pair->query + end + 2, 60);
}

static void check(const path_scheme *scheme, const pack_pair *pair, int index, uint64_t seed) {
  reference_alignment want;
  assert_ok(reference_score(&want,
                            &(pair_problem){pair->query,
                                            pair->target,
                                            pair->query_letters,
                                            pair->target_letters,
                                            {scheme->scoring, scheme->table, scheme->ends}},
                            &why));
  cr_assert(
      want.score == pair->score && want.query_end == pair->end_query && want.target_end == pair->end_target,
      "seed %llu, pair %d: score %lld at (%lld, %lld), not %lld at (%lld, %lld)", (unsigned long long)seed,
      index, (long long)pair->score, (long long)pair->end_query, (long long)pair->end_target,
      (long long)want.score, (long long)want.query_end, (long long)want.target_end);
}

/* Solves pairs of which each `every`-th has a likeness, and others a gap between strips; returns the highest
 * score. */
static int64_t check_pack(cla_device *device, const cla_scoring *scoring, int every, uint64_t seed) {
  static uint8_t letters[PAIRS][QUERY_MOST + TARGET_MOST];
  pack_pair pairs[PAIRS] = {0};
  score_table table;
  random_stream stream;
  pack_solver *solver = NULL;
  int64_t highest = 0;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_scheme scheme = {.scoring = scoring, .table = &table, .ends = path_ends_make(CLA_MODE_LOCAL, 0)};
  random_stream_init(&stream, seed, 0);
  for (int i = 0; i < PAIRS; i++) {
    random_stream_codes(&stream, letters[i], QUERY_MOST + TARGET_MOST, 4);
    pairs[i] = (pack_pair){.query = letters[i],
                           .query_letters = QUERY_MOST - (int64_t)random_stream_below(&stream, 30),
                           .target = letters[i] + QUERY_MOST,
                           .target_letters = TARGET_MOST - (int64_t)random_stream_below(&stream, 90)};
    if (i % every == 3)
      put_likeness(&pairs[i], letters[i] + QUERY_MOST, i % 5 * 20, &stream);
    else if (i % 2 == 0)
      put_gap(&pairs[i], letters[i] + QUERY_MOST, 16 + i * (i % 4 == 0 ? 4 : 3), &stream);
  }
  assert_ok(pack_solver_create(&solver, device, &scheme, &why));
  assert_ok(pack_solve(solver, pairs, PAIRS, NULL, &why));
  for (int i = 0; i < PAIRS; i++) {
    check(&scheme, &pairs[i], i, seed);
    if (pairs[i].score > highest) highest = pairs[i].score;
  }
  pack_solver_free(solver);
  return highest;
}

Test(packed_low, scores_that_outgrow_lanes_half_way_equal_the_oracle, .timeout = 1200) {
  FOR_EACH_DEVICE (device) {
    cla_scoring scoring;
    cla_scoring_init(&scoring);
    for (uint64_t seed = 8600000; seed < 8600003; seed++)
      cr_assert_gt(check_pack(device, &scoring, 35, seed), 255);
  }
}

/* Gap costs and scores for which other values are the last without a long gap. */
Test(packed_low, several_schemes_equal_the_oracle, .timeout = 1200) {
  static const int schemes[][4] = {
      {1, -4, 7, 2}, {1, -3, 6, 0}, {2, -9, 15, 6}, {1, -2, 3, 2}, {0, -1, 2, 1}};
  FOR_EACH_DEVICE (device) {
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
      cla_scoring scoring;
      cla_scoring_init(&scoring);
      scoring.match = schemes[i][0];
      scoring.mismatch = schemes[i][1];
      scoring.gap_first = schemes[i][2];
      scoring.gap_ext = schemes[i][3];
      check_pack(device, &scoring, 20, 8700000 + i);
    }
  }
}
