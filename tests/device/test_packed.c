/* Packs of short pairs on every device against the oracle: score and end cell of every pair, and the
 * canonical path from there. Each batch has one scheme and one mode, and pairs of all lengths, so that
 * different lengths share a pack. The pairs are those of the random tests, which have many ties. */

#include "packs/packs.h"
#include "seq/sequence.h"
#include "support/cases/packed_batch.h"
#include "support/test.h"
#include "support/test_devices.h"

static void check_batches(uint64_t first_seed, long long batches, int count, int64_t max_length) {
  FOR_EACH_DEVICE (device) {
    for (long long i = 0; i < batches; i++) {
      const uint64_t seed = first_seed + (uint64_t)i;
      OWNED(free_packed_batch)
      packed_batch *all = packed_batch_make(seed, count, max_length, packed_batch_factor(seed));
      packed_check_batch(device, all);
    }
    printf("%s: %lld batches of %d pairs of up to %lld letters, seeds from %llu\n",
           cla_device_describe(device)->name, batches, count, (long long)max_length,
           (unsigned long long)first_seed);
  }
}

Test(packed, short_pairs_equal_the_oracle, .timeout = 7200) {
  check_batches(8000000, test_count("CLALIGN_TEST_PACKS", 8), 150, 300);
}

Test(packed, a_few_longer_pairs_equal_the_oracle, .timeout = 7200) {
  check_batches(8100000, (test_count("CLALIGN_TEST_PACKS", 8) + 3) / 4, 5, 2000);
}

Test(packed, a_single_pair_equals_the_oracle, .timeout = 7200) {
  check_batches(8200000, (test_count("CLALIGN_TEST_PACKS", 8) + 3) / 4, 1, 200);
}

static void check_lettered(uint64_t first_seed, bool one_query) {
  const long long batches = (test_count("CLALIGN_TEST_PACKS", 8) + 1) / 2;
  FOR_EACH_DEVICE (device) {
    for (long long i = 0; i < batches; i++) {
      OWNED(free_packed_batch)
      packed_batch *all = packed_batch_make_lettered(first_seed + (uint64_t)i, 100, 150, one_query);
      packed_check_batch(device, all);
    }
    printf("%s: %lld batches of 100 pairs of up to 150 letters, seeds from %llu\n",
           cla_device_describe(device)->name, batches, (unsigned long long)first_seed);
  }
}

Test(packed, any_letters_and_matrices_equal_the_oracle, .timeout = 7200) {
  check_lettered(8300000, false);
}

Test(packed, one_query_against_many_equals_the_oracle, .timeout = 7200) {
  check_lettered(8400000, true);
}

/* All rows of a strip are pairs within one of its segments (of 32 columns or fewer), with H = 0 on its left.
 * That holds for every lane, so no other lane causes a search of the segment. */
Test(packed, a_strip_may_gain_a_match_in_each_row_of_a_segment, .timeout = 600) {
  enum { ROWS = 8, BEFORE = 96, PAIRS = 128 };
  static const uint8_t query[ROWS] = {0, 1, 2, 0, 2, 1, 1, 2};
  uint8_t target[BEFORE + ROWS];
  memset(target, 3, BEFORE);
  memcpy(target, query, ROWS - 1);
  memcpy(target + BEFORE, query, ROWS);
  FOR_EACH_DEVICE (device) {
    const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
    OWNED(free_packed_batch) packed_batch *all = packed_batch_new("twice, once all of it");
    all->scoring.match = 3;
    all->scoring.gap_first = all->scoring.gap_ext = 1;
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    for (int i = 0; cpu && i < PAIRS; i++) packed_batch_add(all, query, ROWS, target, BEFORE + ROWS);
    if (cpu) packed_check_batch(device, all);
  }
}

static bool count_down(void *user) {
  int *left = user;
  return (*left)-- > 0;
}

Test(packed, stops_before_a_launch_when_asked_to, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  pack_solver *solver = NULL;
  int left = 0;
  OWNED(free_packed_batch) packed_batch *all = packed_batch_make(8600000, 20, 60, 1);
  const path_scheme scheme = packed_batch_scheme(all);
  assert_ok(pack_solver_create(&solver, device, &scheme, &why));
  const pack_question question = {.go_on = count_down, .user = &left};
  cr_expect_eq(pack_solve(solver, all->pairs, all->count, &question, &why), CLA_ERROR_INTERRUPTED);
  cr_expect_eq(left, -1);
  left = 1;
  assert_ok(pack_solve(solver, all->pairs, all->count, &question, &why));
  for (int i = 0; i < all->count; i++) packed_check_pair(all, &scheme, &all->pairs[i], i);
  pack_solver_free(solver);
}
