/* Which pairs of a call go to chains whole, and how many rows a lane they get. */

#include "packs/chain_internal.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

#define PAIRS_MOST 12000

static plan_case made;
static pack_pair pairs[PAIRS_MOST];
static kernel_config most;
static chain_configs tested;
static const path_scheme scheme = {.scoring = &made.scoring, .table = &made.table};

static void begin(void) {
  plan_case_make(&made, 1000, 1000);
  plan_case_take_gpu(&made);
  cr_assert(chain_choose(&most, &made.device, &scheme));
}

TestSuite(chain_rows, .init = begin);

static kernel_config chosen(int64_t count, int64_t letters, int64_t longest) {
  for (int64_t i = 0; i < count; i++)
    pairs[i] =
        (pack_pair){.query_letters = i > 0 ? letters : longest, .target_letters = i > 0 ? letters : longest};
  return chain_choose_rows(&most, KERNEL_GAPS_AFFINE, pairs, count, tested);
}

Test(chain_rows, a_gpu_of_nvidia_may_share_pairs_out) {
  cr_expect_eq(most.variant, &kernel_nvidia16);
  cr_expect_eq(most.launch, KERNEL_PERSISTENT);
}

Test(chain_rows, many_pairs_of_one_length_go_whole) {
  const kernel_config rows = chosen(12000, 10000, 10000);
  cr_expect_eq(rows.launch, KERNEL_DIAGONALS);
  cr_expect_geq(rows.alpha, 16);
}

Test(chain_rows, pairs_of_one_strip_have_no_more_rows_than_that) {
  const kernel_config rows = chosen(12000, 1000, 1000);
  cr_expect_eq(rows.launch, KERNEL_DIAGONALS);
  cr_expect_eq(rows.alpha, 16);
}

Test(chain_rows, a_pair_that_would_be_left_at_the_end_is_shared_out) {
  cr_expect_eq(chosen(12000, 1000, 30000).launch, KERNEL_PERSISTENT);
}

Test(chain_rows, few_long_pairs_have_few_rows_a_lane_for_many_strips) {
  const kernel_config rows = chosen(4, 20000, 20000);
  cr_expect_eq(rows.launch, KERNEL_PERSISTENT);
  cr_expect_leq(rows.alpha, 2, "%d", rows.alpha);
}

Test(chain_rows, targets_beyond_a_chains_own_memory_are_shared_out) {
  const int64_t longer = CHAIN_OWN_COLUMNS_MOST + 1;
  cr_expect_eq(chosen(12000, longer, longer).launch, KERNEL_PERSISTENT);
  cr_expect_eq(chosen(12000, longer - 1, longer - 1).launch, KERNEL_DIAGONALS);
}

Test(chain_rows, what_is_tested_is_taken_where_it_is_nearly_as_good) {
  const kernel_config best = chosen(12000, 10000, 10000);
  kernel_config other = best;
  other.launch = KERNEL_PERSISTENT;
  tested = chain_config_bit(&other);
  cr_expect_eq(chosen(12000, 10000, 10000).launch, KERNEL_PERSISTENT);
  cr_expect_eq(chosen(12000, 10000, 10000).alpha, best.alpha);
  other.alpha = 2; /* four times as slow */
  tested = chain_config_bit(&other);
  cr_expect_eq(chosen(12000, 10000, 10000).alpha, best.alpha);
  cr_expect_eq(chosen(12000, 10000, 10000).launch, KERNEL_DIAGONALS);
}

Test(chain_rows, where_groups_cannot_wait_for_each_other_no_pair_is_shared_out) {
  made.device.counters = CLA_COUNTERS_NONE;
  cr_assert(chain_choose(&most, &made.device, &scheme));
  cr_expect_eq(most.launch, KERNEL_DIAGONALS);
  cr_expect_eq(chosen(12000, 1000, 30000).launch, KERNEL_DIAGONALS);
}
