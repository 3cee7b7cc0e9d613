/* Whoever aligns the pairs, and however many are read ahead, the results are the same. */

#include "support/cases/batch_case.h"
#include "support/test.h"
#include "support/test_devices.h"

/* With threads of the host, and without. */
#define HOSTS 2

static void set_host(batch_case *all, int host) {
  all->options.align.host_cells = host ? CLA_HOST_CELLS : 0;
}

Test(batch_schedules, have_the_same_results, .timeout = 600) {
  cla_device *devices[3];
  OWNED(batch_case_free) batch_case all;
  batch_case_open_devices(devices);
  batch_case_make(&all, 60, 11, 1, 700);
  all.pairs[17].unreadable = true;
  all.options.align.strand = CLA_STRAND_BOTH;
  batch_case_expect(&all, devices[0]);
  for (int host = 0; host < HOSTS; host++)
    for (size_t count = 1; count <= 3; count += 2)
      for (int as_finished = 0; as_finished <= 1; as_finished++) {
        batch_case_again(&all);
        set_host(&all, host);
        all.options.as_finished = as_finished;
        assert_ok(batch_case_run(&all, devices, count));
        batch_case_expect_complete(&all, !as_finished);
      }
  batch_case_close_devices(devices);
}

Test(batch_schedules, hold_no_more_than_they_may, .timeout = 600) {
  cla_device *devices[3];
  OWNED(batch_case_free) batch_case all;
  batch_case_open_devices(devices);
  batch_case_make(&all, 80, 12, 20, 300);
  batch_case_expect(&all, devices[0]);
  for (int host = 0; host < HOSTS; host++)
    for (int64_t pairs_ahead = 1; pairs_ahead <= 7; pairs_ahead += 3) {
      batch_case_again(&all);
      set_host(&all, host);
      all.options.pairs_ahead = pairs_ahead;
      all.options.letters_ahead = pairs_ahead == 7 ? 900 : 0;
      assert_ok(batch_case_run(&all, devices, 2));
      batch_case_expect_complete(&all, true);
      cr_expect_leq(all.held_most, pairs_ahead);
      /* Letters are counted when a pair has been read. */
      if (pairs_ahead == 7) cr_expect_lt(all.held_letters_most, 900 + 600);
    }
  batch_case_close_devices(devices);
}

Test(batch_schedules, find_the_best_while_little_is_held, .timeout = 600) {
  cla_device *devices[3];
  batch_case all;
  batch_case_open_devices(devices);
  batch_case_make(&all, 60, 13, 10, 120);
  for (int i = 0; i < all.count; i++) all.pairs[i].group = i / 20;
  batch_case_expect(&all, devices[0]);
  all.options.best_of_group = 2;
  all.options.pairs_ahead = 3;
  assert_ok(batch_case_run(&all, devices, 3));
  cr_expect_eq(all.result_count, 6);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_leq(all.held_most, 3 + 2); /* three pairs, and the best two of the group that is read */
  for (int r = 0; r < 6; r++) {
    /* No pair of the group that has no result is better than one that has. */
    const batch_case_pair *result = &all.pairs[all.order[r]];
    cr_expect_eq(result->group, r / 2);
    for (int i = 0; i < all.count; i++) {
      const batch_case_pair *other = &all.pairs[i];
      if (other->group != result->group || other->results > 0) continue;
      cr_expect(other->want->score < result->want->score ||
                (other->want->score == result->want->score && i > all.order[r]));
    }
  }
  batch_case_free(&all);
  batch_case_close_devices(devices);
}

/* Errors of a group are not kept until its end. */
Test(batch_schedules, hand_out_errors_while_the_group_is_read, .timeout = 600) {
  cla_device *devices[3];
  OWNED(batch_case_free) batch_case all;
  batch_case_open_devices(devices);
  batch_case_make(&all, 60, 22, 10, 120);
  for (int i = 0; i < all.count; i++) all.pairs[i].unreadable = i % 6 != 0;
  batch_case_expect(&all, devices[0]);
  all.options.best_of_group = 2;
  all.options.pairs_ahead = 4;
  assert_ok(batch_case_run(&all, devices, 2));
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_eq(all.result_count, 50 + 2);
  for (int r = 1; r < 50; r++) cr_expect_lt(all.order[r - 1], all.order[r]);
  cr_expect_leq(all.errors_ahead_most, 4 + 2); /* four pairs, and the best two */
  batch_case_close_devices(devices);
}

Test(batch_schedules, give_a_pair_the_memory_that_it_needs, .timeout = 600) {
  cla_device *devices[3];
  OWNED(batch_case_free) batch_case all;
  batch_case_open_devices(devices);
  batch_case_make(&all, 6, 16, 30000, 30000);
  batch_case_expect(&all, devices[0]);
  /* Enough for one at a time, not for a share of it; then for none. */
  all.options.align.budgets.memory_bytes = INT64_C(40) << 20;
  all.options.align.kernel.name = "vector32"; /* packs take less */
  assert_ok(batch_case_run(&all, devices, 2));
  batch_case_expect_complete(&all, true);
  batch_case_again(&all);
  all.options.align.budgets.memory_bytes = 1000;
  for (int i = 0; i < all.count; i++) {
    cla_alignment_free(all.pairs[i].want);
    all.pairs[i].want = NULL;
    all.pairs[i].want_status = CLA_ERROR_MEMORY;
  }
  assert_ok(batch_case_run(&all, devices, 2));
  batch_case_expect_complete(&all, true);
  cr_expect_eq(all.done.pairs_failed, all.count);
  batch_case_close_devices(devices);
}

/* What was told of the work. */
typedef struct work_notes_case {
  int64_t pairs;
  double cells;
  bool sound;
} work_notes_case;

static void hear_work(const cla_batch_work *work, void *user) {
  work_notes_case *heard = user;
  heard->pairs += work->pairs;
  heard->cells += work->cells;
  heard->sound =
      heard->sound && work->device < 2 && work->end >= work->begin && work->begin >= 0 && work->parts >= 1;
}

/* Pairs whose packs would take more than the budget are aligned one by one. With a GPU's budget, which is
 * more, because it needs more for a pair alone, packs or none: the results are the same. */
Test(batch_schedules, keep_packs_within_the_device_memory_that_is_given, .timeout = 600) {
  bool few_lanes = false;
  OWNED(close_device) cla_device *device = batch_case_open_for_packs(&few_lanes);
  const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
  for (int little = 0; little <= 1; little++) {
    OWNED(batch_case_free) batch_case all;
    int packed = 0;
    batch_case_make(&all, 60, 24, 500, 600);
    batch_case_expect(&all, device);
    all.options.work = batch_case_count_packed;
    all.options.work_user = &packed;
    all.options.align.budgets.device_memory_bytes = little ? INT64_C(256) << (cpu ? 10 : 17) : 0;
    assert_ok(batch_case_run(&all, &device, 1));
    batch_case_expect_complete(&all, true);
    if (little && cpu) cr_expect_eq(packed, 0);
    if (!little && few_lanes) cr_expect_gt(packed, 0);
  }
}

static void keep_plan(const char *text, void *user) {
  snprintf(user, 2000, "%s", text);
}

Test(batch_schedules, tell_who_did_what_and_the_plan, .timeout = 600) {
  cla_device *devices[3];
  OWNED(batch_case_free) batch_case all;
  work_notes_case heard = {.sound = true};
  char plan[2000] = "";
  batch_case_open_devices(devices);
  batch_case_make(&all, 40, 17, 100, 600);
  batch_case_expect(&all, devices[0]);
  all.options.work = hear_work;
  all.options.work_user = &heard;
  all.options.align.callbacks.explain = keep_plan;
  all.options.align.callbacks.explain_user = plan;
  assert_ok(batch_case_run(&all, devices, 2));
  batch_case_expect_complete(&all, true);
  cr_expect_eq(heard.pairs, all.count);
  cr_expect_float_eq(heard.cells, all.done.cells_done, 0.5);
  cr_expect(heard.sound);
  cr_expect_not_null(strstr(plan, "device 1 "), "%s", plan);
  cr_expect_not_null(strstr(plan, "packed"), "%s", plan);
  batch_case_close_devices(devices);
}
