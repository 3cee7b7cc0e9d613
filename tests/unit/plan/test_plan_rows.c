/* The rows that a sweep keeps, and what their bands take. */

#include "plan/plan.h"
#include "plan/plan_internal.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

Test(plan, a_gpu_goes_on_over_as_many_rows_as_a_part_of_its_memory_holds) {
  for (int64_t room = INT64_C(1) << 28; room <= INT64_C(1) << 36; room *= 4) {
    plan_case x;
    plan p;
    plan_case_make(&x, 1000000, 1000000);
    x.input.device_memory_bytes = x.device.max_allocation_bytes = room;
    assert_ok_for(plan_make(&p, &x.input, &why), "%lld bytes", (long long)room);
    cr_expect_eq(p.sweep.rows_at_once, 0, "a CPU");
    plan_case_take_gpu(&x);
    assert_ok_for(plan_make(&p, &x.input, &why), "%lld bytes", (long long)room);
    const kernel_geometry g = kernel_layout(&p.sweep, kernel_gaps_of(&x.scoring), 1000000, 1000000);
    const int64_t rows = p.sweep.rows_at_once, few = KERNEL_ROWS_AT_ONCE_FEW;
    cr_expect(rows == 0 || rows > few);
    cr_expect_leq(8 * 2 * rows * g.row_bytes, room);
    cr_expect_eq(rows == 0, 8 * 2 * 2 * few * g.row_bytes > room);
    cr_expect_leq(rows, KERNEL_ROWS_AT_ONCE_MOST);
  }
}

/* Identical ones lose nothing at all. */
Test(plan, bands_of_a_global_pair_are_narrow_where_a_good_bound_is_known) {
  for (int gpu = 0; gpu < 2; gpu++)
    for (int64_t lost = 0; lost < 4000000; lost = 3 * lost + 1000) {
      plan_case x;
      plan before, p, again;
      plan_case_make(&x, 1000000, 1000000);
      if (gpu) plan_case_take_gpu(&x);
      x.input.ends = path_ends_make(CLA_MODE_GLOBAL, 0);
      x.input.threads = 4;
      assert_ok(plan_make(&before, &x.input, &why));
      plan_set_seconds(&before, &x.input, 1);
      p = before;
      x.input.bound_known = true;
      x.input.bound = 1000000 - lost;
      plan_prune(&p, &x.input, x.input.bound);
      assert_ok(plan_make(&again, &x.input, &why));
      plan_set_seconds(&again, &x.input, 1);
      const double share = plan_lost_share(&x.input, x.input.bound);
      const bool like = share < 0.4;
      cr_expect_eq(plan_unlike(&x.input), !like, "%lld lost", (long long)lost);
      cr_expect_eq(p.predicted.band_seconds < before.predicted.band_seconds / 2, like, "%lld lost",
                   (long long)lost);
      cr_expect_eq(again.predicted.band_seconds < before.predicted.band_seconds / 2, like);
      if (like) cr_expect_lt(p.special_rows, before.special_rows, "%lld lost", (long long)lost);
    }
}

/* A device with little memory keeps as many rows as if none went on over many at once. */
Test(plan, rows_at_once_never_take_the_memory_that_rows_need) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 100000);
  plan_case_take_gpu(&x);
  x.input.special_rows = 3000;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_gt(p.sweep.rows_at_once, 0);
  const int64_t enough = p.predicted.device_bytes;
  int few = 0;
  for (int64_t bytes = enough; bytes > enough / 4; bytes -= enough / 64) {
    x.input.device_memory_bytes = x.device.max_allocation_bytes = bytes;
    if (plan_make(&p, &x.input, &why) != CLA_OK) break;
    cr_expect_leq(p.predicted.device_bytes, bytes);
    few += p.sweep.rows_at_once == 0;
  }
  cr_expect_gt(few, 0);
}

Test(plan, fewer_rows_are_kept_where_memory_is_short_and_the_budget_holds) {
  plan_case x;
  plan rich, poor;
  plan_case_make(&x, 1000000, 1000000);
  assert_ok(plan_make(&rich, &x.input, &why));
  cr_assert_geq(rich.special_rows, 40);
  x.input.memory_bytes = 80 * MIB;
  assert_ok(plan_make(&poor, &x.input, &why));
  cr_assert_lt(poor.special_rows, rich.special_rows);
  cr_assert_geq(poor.trace.block_rows_kept, 1);
  cr_assert_leq(poor.predicted.host_bytes, x.input.memory_bytes);
  cr_assert_leq(poor.predicted.device_bytes, x.input.device_memory_bytes);
}

Test(plan, a_global_pair_that_may_be_unlike_keeps_more_rows) {
  plan_case x;
  plan local, unlike, related;
  plan_case_make(&x, 1000000, 1000000);
  assert_ok(plan_make(&local, &x.input, &why));
  x.input.ends = path_ends_make(CLA_MODE_GLOBAL, 0);
  assert_ok(plan_make(&unlike, &x.input, &why));
  related = unlike;
  x.input.bound_known = true;
  x.input.bound = 900000;
  plan_prune(&related, &x.input, 900000);
  cr_assert(related.prune);
  cr_assert_gt(unlike.special_rows, local.special_rows);
  cr_assert_gt(unlike.special_rows, related.special_rows);
}

Test(plan, the_number_of_special_rows_is_kept_to_or_refused) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  x.input.special_rows = 0;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert(p.special_rows == 0 && p.row_interval == 0 && p.trace.block_rows_kept >= 1);
  x.input.special_rows = 5;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_eq(p.special_rows, 5);
  x.input.special_rows = 500;
  x.input.memory_bytes = 200 * MIB;
  x.input.memory_given = true;
  cr_assert_eq(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY);
  const char *least = strstr(why.message, "small: ");
  cr_assert(strstr(why.message, "--memory") && least, "%s", why.message);
  x.input.memory_bytes = atoll(least + strlen("small: "));
  assert_ok_for(plan_make(&p, &x.input, &why), "what the message says does not do");
  cr_assert(p.special_rows > 400 && p.special_rows <= 500, "%lld", (long long)p.special_rows);
  x.input.memory_bytes = 200 * MIB;
  x.input.score_only = true;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_eq(p.special_rows, 0);
}
