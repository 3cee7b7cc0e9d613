/* What schedules take, of jobs that only have a size, for devices that only have facts. */

#include <math.h>

#include "batch/batch_results.h"
#include "batch/schedule_internal.h"
#include "support/test.h"

#define JOBS 64

typedef struct schedule_case {
  batch_state state;
  device_state devices[2];
  cla_align_options align;
  batch_job jobs[JOBS];
  int64_t count;
} schedule_case;

static void add_device(schedule_case *one, int compute_units, int levels) {
  device_state *device = &one->devices[one->state.device_count];
  cla_device_info info = {.kind = CLA_DEVICE_CPU,
                          .compute_units = compute_units,
                          .native_short_lanes = 16,
                          .memory_bytes = INT64_C(8) << 30,
                          .max_allocation_bytes = INT64_C(2) << 30,
                          .local_memory_bytes = 1 << 20,
                          .max_group_size = 4096};
  device->number = one->state.device_count++;
  device->levels = levels;
  device->packs = true;
  pair_times_begin(&device->times, &info, &one->align, levels);
  device->times.way.enough = 4;
}

static void begin(schedule_case *one) {
  memset(one, 0, sizeof *one);
  cla_align_options_init(&one->align);
  one->align.score_only = true;
  one->align.budgets.memory_bytes = INT64_C(1) << 30;
  one->align.budgets.threads = 4;
  one->state.devices = one->devices;
  add_device(one, 4, 3);
}

/* What a pair took that had so large a part of the device, all the time. */
static times_measured took(double seconds, int parts) {
  return (times_measured){.seconds = seconds, .device_seconds = seconds / parts};
}

/* A job for a pair of so many letters each. */
static batch_job *add(schedule_case *one, double letters, bool packs) {
  batch_job *job = &one->jobs[one->count];
  *job = (batch_job){.index = one->count++, .cells = letters * letters, .packs_on = packs ? 3 : 0};
  const int size = size_class_of(job->cells);
  job_list_add(packs ? &one->state.packs[size] : &one->state.pending[size], job);
  if (packs)
    one->state.packs_count++;
  else
    one->state.pending_count++;
  return job;
}

/* Takes the next task of a device and has it begin. */
static bool take(batch_task *task, schedule_case *one, cla_schedule schedule, int number) {
  device_state *device = &one->devices[number];
  if (!schedule_of(schedule)(task, &one->state, device)) return false;
  cr_expect(device_has_share(device, task->level));
  device->running++;
  device->taken += 1.0 / (double)(1 << task->level);
  cr_expect_leq(device->taken, 1 + 1e-9);
  return true;
}

static void end(device_state *device, const batch_task *task) {
  device->running--;
  device->taken -= 1.0 / (double)(1 << task->level);
}

Test(schedules, first_come_is_first_served_on_the_whole_device) {
  schedule_case one;
  batch_task task, second;
  begin(&one);
  add(&one, 5000, false);
  add(&one, 300, false);
  for (int i = 0; i < 2; i++) {
    cr_assert(take(&task, &one, CLA_SCHEDULE_FCFS, 0));
    cr_expect_eq(task.jobs.first->index, i);
    cr_expect_eq(task.level, 0);
    cr_expect_not(take(&second, &one, CLA_SCHEDULE_FCFS, 0));
    end(&one.devices[0], &task);
  }
  cr_expect_eq(one.state.pending_count, 0);
}

Test(schedules, static_lots_are_of_one_size_and_begin_together) {
  schedule_case one;
  batch_task tasks[4], next;
  begin(&one);
  for (int i = 0; i < 6; i++) add(&one, 300, false);
  add(&one, 9000, false);
  for (int i = 0; i < 4; i++) {
    cr_assert(take(&tasks[i], &one, CLA_SCHEDULE_STATIC, 0));
    cr_expect_eq(tasks[i].level, 2);
    cr_expect_eq(tasks[i].jobs.first->index, i);
  }
  end(&one.devices[0], &tasks[0]);
  cr_expect_not(take(&next, &one, CLA_SCHEDULE_STATIC, 0), "a lot waits for all of the one before");
  for (int i = 1; i < 4; i++) end(&one.devices[0], &tasks[i]);
  for (int i = 0; i < 2; i++) {
    cr_assert(take(&tasks[i], &one, CLA_SCHEDULE_STATIC, 0));
    cr_expect_eq(tasks[i].level, 1, "the last two have a half each");
  }
  for (int i = 0; i < 2; i++) end(&one.devices[0], &tasks[i]);
  cr_assert(take(&next, &one, CLA_SCHEDULE_STATIC, 0));
  cr_expect_eq(next.level, 0);
  cr_expect_eq(next.jobs.first->index, 6);
}

Test(schedules, a_lot_has_the_pairs_that_are_most_alike) {
  static const double letters[] = {8200, 10000, 8290, 9000, 8210, 10100, 8400, 9500};
  static const int want[] = {0, 4, 2, 6, 1, 5, 7, 3};
  schedule_case one;
  batch_task tasks[4];
  begin(&one);
  for (int i = 0; i < 8; i++) add(&one, letters[i], false);
  for (int i = 0; i < 8; i++) {
    cr_assert(take(&tasks[i % 4], &one, CLA_SCHEDULE_STATIC, 0));
    cr_expect_eq(tasks[i % 4].jobs.first->index, want[i], "%d: %lld", i,
                 (long long)tasks[i % 4].jobs.first->index);
    for (int ended = 0; i % 4 == 3 && ended < 4; ended++) end(&one.devices[0], &tasks[ended]);
  }
  cr_expect_null(one.state.pending[size_class_of(8200.0 * 8200)].last);
}

/* Five of eight at once are predicted as four. */
Test(schedules, the_last_lot_has_all_that_are_left) {
  schedule_case one;
  batch_task tasks[5];
  begin(&one);
  one.devices[0].levels = one.devices[0].times.levels = 4;
  for (int i = 0; i < 5; i++) add(&one, 300, false);
  for (int i = 0; i < 5; i++) {
    cr_assert(take(&tasks[i], &one, CLA_SCHEDULE_STATIC, 0));
    cr_expect_eq(tasks[i].level, 3);
    cr_expect_eq(tasks[i].at_once, 2);
  }
}

Test(schedules, a_lot_waits_for_more_while_the_source_is_read) {
  schedule_case one;
  batch_task task;
  begin(&one);
  for (int i = 0; i < 3; i++) add(&one, 300, false);
  one.state.reading = true;
  cr_expect_not(take(&task, &one, CLA_SCHEDULE_STATIC, 0));
  one.state.reading = false;
  cr_expect(take(&task, &one, CLA_SCHEDULE_STATIC, 0));
}

Test(schedules, toss_takes_as_many_at_once_as_was_most_efficient) {
  schedule_case one;
  batch_task task;
  begin(&one);
  for (int i = 0; i < 8; i++) add(&one, 2000, false);
  /* Four at once turned out to take ten times as long as one alone, two as long. */
  const double seconds[] = {1, 1, 10};
  for (int level = 0; level < 3; level++)
    pair_times_learn_single(&one.devices[0].times, 2000.0 * 2000, level, took(seconds[level], 1 << level));
  cr_assert(take(&task, &one, CLA_SCHEDULE_TOSS, 0));
  cr_expect_eq(task.level, 1);
}

Test(schedules, ours_begins_with_the_longest_and_ends_with_whole_devices) {
  schedule_case one;
  batch_task task;
  begin(&one);
  add(&one, 300, false);
  add(&one, 50000, false);
  add(&one, 350, false);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.jobs.first->index, 1);
  cr_expect_eq(task.level, 0, "a long pair among short ones has the whole device");
  end(&one.devices[0], &task);
  one.state.full = true;
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.jobs.first->index, 0, "results wait for the oldest pair");
}

/* Packs of 200 letters and of 1,200, and long pairs. */
Test(schedules, ours_tries_two_packs_before_long_pairs) {
  schedule_case one;
  batch_task task;
  begin(&one);
  for (int i = 0; i < 3; i++) add(&one, 50000, false);
  for (int i = 0; i < 60; i++) add(&one, i % 3 == 0 ? 200 : i % 3 == 1 ? 1200 : 6000, true);
  one.state.reading = true;
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_SINGLE, "more may come to a pack");
  end(&one.devices[0], &task);
  one.state.reading = false;
  static const batch_method want[] = {METHOD_PACKED, METHOD_PACKED, METHOD_SINGLE, METHOD_SINGLE};
  for (int i = 0; i < 4; i++) {
    cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
    cr_expect_eq(task.method, want[i], "task %d", i);
    end(&one.devices[0], &task);
  }
  cr_expect_eq(one.state.pending_count, 0);
}

Test(schedules, ours_packs_pairs_of_like_sizes) {
  schedule_case one;
  batch_task task;
  begin(&one);
  for (int i = 0; i < 60; i++) add(&one, i % 2 == 0 ? 200 : 1200, true);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_PACKED);
  cr_expect_geq(task.jobs.count, 4);
  for (const batch_job *job = task.jobs.first; job; job = job->next)
    cr_expect_float_eq(job->cells, 1.44e6, 1);
  cr_expect_eq(one.state.packs_count, 60 - task.jobs.count);
}

Test(schedules, ours_aligns_few_pairs_one_by_one_where_packs_do_not_pay) {
  schedule_case one;
  batch_task task;
  begin(&one);
  one.devices[0].times.way.enough = 100000;
  for (int i = 0; i < 3; i++) add(&one, 3000, true);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_SINGLE);
  cr_expect_eq(one.state.packs_count, 2);
}

Test(schedules, ours_packs_all_sizes_where_no_pair_waits_for_others) {
  schedule_case one;
  batch_task task;
  begin(&one);
  one.devices[0].times.way.alike = false;
  for (int i = 0; i < 60; i++) add(&one, i % 2 == 0 ? 200 : 1200, true);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_PACKED);
  cr_expect_eq(task.jobs.count, 60);
}

Test(schedules, a_pair_that_would_outlast_its_pack_is_aligned_by_itself) {
  schedule_case one;
  batch_task task;
  begin(&one);
  one.devices[0].times.way.alike = false;
  one.devices[0].times.way.enough = 32;
  add(&one, 50000, true);
  for (int i = 0; i < 60; i++) add(&one, 1000, true);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_SINGLE);
  cr_expect_eq(task.jobs.first->index, 0);
  end(&one.devices[0], &task);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_PACKED);
  cr_expect_eq(task.jobs.count, 60);
}

/* The faster packs turn out to be, the more pairs they have. */
/* One that takes longer than a pack should, where long ones are shared out. */
Test(schedules, a_pack_has_a_pair_however_large) {
  schedule_case one;
  batch_task task;
  begin(&one);
  one.devices[0].times.way.alike = false;
  one.devices[0].times.way.shares = true;
  add(&one, 200000, true);
  for (int level = 0; level < 3; level++)
    pair_times_learn_single(&one.devices[0].times, 4e10, level, took(1000, 1));
  const pack_load load = {.pairs = 1, .cells = 4e10, .largest = 4e10, .size = size_class_of(4e10)};
  pair_times_learn_packed(&one.devices[0].times, &load, 0, took(100, 1));
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_PACKED);
  cr_assert_eq(task.jobs.count, 1);
  cr_expect_eq(one.state.packs_count + one.state.pending_count, 0);
}

Test(schedules, packs_last_as_long_on_fast_devices) {
  schedule_case one;
  batch_task task;
  int64_t counts[2];
  for (int fast = 0; fast < 2; fast++) {
    begin(&one);
    for (int i = 0; i < 60; i++) add(&one, 30000, true);
    const pack_load load = {.pairs = 8, .cells = 9e8 * 8, .largest = 9e8, .size = size_class_of(9e8)};
    pair_times_learn_packed(&one.devices[0].times, &load, 0, took(fast ? 0.04 : 0.4, 1));
    cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
    cr_expect_eq(task.method, METHOD_PACKED);
    counts[fast] = task.jobs.count;
  }
  cr_expect_eq(counts[0], 4, "%lld", (long long)counts[0]);
  cr_expect(counts[1] > 30 && counts[1] < 50, "%lld", (long long)counts[1]);
}

Test(schedules, a_pack_fills_the_lanes_that_it_has) {
  schedule_case one;
  batch_task task;
  for (int lanes = 3; lanes <= 17; lanes += 2) {
    begin(&one);
    one.devices[0].times.way.enough = lanes;
    for (int i = 0; i < 60; i++) add(&one, 30000, true);
    const pack_load load = {.pairs = lanes, .cells = 9e8 * lanes, .largest = 9e8, .size = size_class_of(9e8)};
    pair_times_learn_packed(&one.devices[0].times, &load, 0, took(0.01 * lanes, 1));
    cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
    cr_expect_eq(task.method, METHOD_PACKED);
    cr_expect(task.jobs.count < 40, "%d: %lld", lanes, (long long)task.jobs.count);
    cr_expect_eq(task.jobs.count % lanes, 0, "%d: %lld", lanes, (long long)task.jobs.count);
  }
}

Test(schedules, a_lot_for_a_rank_leaves_a_rest_for_all) {
  schedule_case one;
  begin(&one);
  for (int i = 0; i < 64; i++) add(&one, i < 8 ? 5000 : 1000, false);
  for (int i = 0; i < 3; i++) {
    job_list lot = {0};
    schedule_take_lot(&lot, &one.state, i < 2 ? 1e12 : 30e6, 4);
    cr_expect_eq(lot.count, 1, "%lld", (long long)lot.count);
    cr_expect_eq(lot.first->index, i, "the largest first");
  }
  cr_expect_eq(one.state.pending_count, 61);
}

Test(schedules, a_lot_for_a_rank_fills_lanes) {
  schedule_case one;
  job_list lots[3] = {{0}};
  begin(&one);
  one.devices[0].times.way.enough = 16;
  for (int i = 0; i < 60; i++) add(&one, 1000, true);
  schedule_take_lot(&lots[0], &one.state, 20e6, 1);
  schedule_take_lot(&lots[1], &one.state, 1e6, 4);
  schedule_take_lot(&lots[2], &one.state, 1e9, 4);
  cr_expect_eq(lots[0].count, 32, "not the 20 that were wanted: %lld", (long long)lots[0].count);
  cr_expect_eq(lots[1].count, 16, "%lld", (long long)lots[1].count);
  cr_expect_eq(lots[2].count, 12, "all that are left: %lld", (long long)lots[2].count);
  cr_expect_eq(one.state.packs_count, 0);
}

Test(schedules, a_slow_device_leaves_the_last_pair_to_a_fast_one) {
  schedule_case one;
  batch_task task;
  begin(&one);
  add_device(&one, 1, 1);
  add(&one, 30000, false);
  for (int level = 0; level < 3; level++)
    pair_times_learn_single(&one.devices[1].times, 9e8, level, took(5, 1));
  cr_expect_not(take(&task, &one, CLA_SCHEDULE_MODEL, 1));
  cr_expect(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  /* Alone it does everything. */
  add(&one, 30000, false);
  one.devices[0].lost = true;
  cr_expect(take(&task, &one, CLA_SCHEDULE_MODEL, 1));
}

Test(schedules, one_of_two_equal_devices_takes_what_waits) {
  schedule_case one;
  batch_task task;
  begin(&one);
  add_device(&one, 4, 3);
  for (int i = 0; i < 3; i++) add(&one, 3000, false);
  /* Two at once took very long, once; four at once are best, but there are too few pairs for that. */
  for (int i = 0; i < 2; i++)
    for (int level = 0; level < 3; level++)
      pair_times_learn_single(&one.devices[i].times, 9e6, level, took(level == 1 ? 1 : 1e-3, 1 << level));
  cr_expect(take(&task, &one, CLA_SCHEDULE_MODEL, 0) || take(&task, &one, CLA_SCHEDULE_MODEL, 1));
}

Test(pair_times, learn_from_what_was_measured) {
  schedule_case one;
  begin(&one);
  pair_times *times = &one.devices[0].times;
  const double cells = 1e8, before = pair_times_single(times, cells, 0);
  const double larger = pair_times_single(times, 4 * cells, 0);
  pair_times_learn_single(times, cells, 0, took(3 * before, 1));
  cr_expect_float_eq(pair_times_single(times, cells, 0) / before, 3, 1e-9);
  /* A class of which nothing is known is as wrong as the nearest one; later measurements change it less. */
  cr_expect_float_eq(pair_times_single(times, 4 * cells, 0) / larger, 3, 1e-9);
  pair_times_learn_single(times, cells, 0, took(before, 1));
  const double after = pair_times_single(times, cells, 0);
  cr_expect(after > before && after < 3 * before);
}

/* Classes that were measured tell of those between them and above them, at other speeds than the model's. */
Test(pair_times, follow_how_times_grow) {
  schedule_case one;
  begin(&one);
  pair_times *times = &one.devices[0].times;
  for (int size = 14; size < 30; size += 5)
    for (int i = 0; i < 3; i++) {
      const double cells = ldexp(1.1 + 0.3 * i, size);
      pair_times_learn_single(times, cells, 0, took(2e-3 + 5e-7 * sqrt(cells) + cells / 3e9, 1));
    }
  for (double letters = 200; letters < 200000; letters *= 1.7) {
    const double want = 2e-3 + 5e-7 * letters + letters * letters / 3e9;
    cr_expect_float_eq(pair_times_single(times, letters * letters, 0) / want, 1, 0.1, "%.0f letters",
                       letters);
  }
}

/* Pairs that begin together and are done one after the other take less than all of them on the average, and
 * yet not more are done in a second. */
Test(pair_times, rates_count_what_others_left_of_the_device) {
  schedule_case one;
  begin(&one);
  pair_times *times = &one.devices[0].times;
  const double cells = 1e6;
  pair_times_learn_single(times, cells, 0, took(1.1e-3, 1));
  for (int i = 1; i <= 4; i++) {
    double device_seconds = 0;
    for (int done = 0; done < i; done++) device_seconds += 1e-3 / (4 - done);
    pair_times_learn_single(times, cells, 2, (times_measured){i * 1e-3, device_seconds});
  }
  cr_expect_float_eq(pair_times_single(times, cells, 2), 2.5e-3, 1e-9);
  cr_expect_float_eq(pair_times_rate(times, cells, 2), 1000, 1e-6);
  cr_expect_eq(pair_times_best_level(times, cells), 2);
}

Test(pair_times, classes_are_powers_of_two) {
  cr_expect_eq(size_class_of(0), 0);
  cr_expect_eq(size_class_of(1), 0);
  cr_expect_eq(size_class_of(2), 1);
  cr_expect_eq(size_class_of(1023), 9);
  cr_expect_eq(size_class_of(1024), 10);
  cr_expect_eq(size_class_of(1e30), SIZE_CLASSES - 1);
}

Test(job_list, returns_each_job_to_its_place) {
  static const int order[] = {3, 5, 1, 4, 0, 6, 2};
  enum { COUNT = sizeof order / sizeof order[0] };
  batch_job jobs[COUNT];
  job_list list = {0};
  for (int i = 0; i < COUNT; i++) {
    jobs[i] = (batch_job){.index = order[i], .cells = 2};
    job_list_return(&list, &jobs[i]);
    cr_expect_eq(list.count, i + 1);
    cr_expect_null(list.last->next);
  }
  for (int i = 0; i < COUNT; i++) cr_expect_eq(job_list_take(&list)->index, i);
  cr_expect_null(list.first);
  cr_expect_null(list.last);
}

Test(group_best, keeps_the_best_in_their_order) {
  enum { COUNT = 40, MOST = 7 };
  cla_alignment scores[COUNT];
  cla_alignment *found[COUNT];
  batch_job jobs[COUNT];
  group_best best = {.most = MOST};
  int64_t least = 0;
  for (int i = 0; i < COUNT; i++) {
    batch_job *out = NULL;
    scores[i] = (cla_alignment){.score = i * 11 % 13};
    found[i] = &scores[i];
    jobs[i] = (batch_job){.index = (i * 17 + 3) % COUNT, .alignments = &found[i], .count = 1};
    cr_assert_eq(group_best_add(&out, &best, &jobs[i], NULL), CLA_OK);
    cr_expect_eq(out == NULL, i < MOST);
    cr_expect_eq(group_best_least(&best, &least), i >= MOST - 1);
  }
  group_best_sort(&best);
  const batch_job *before = NULL;
  for (int taken = 0; taken < MOST; taken++) {
    const batch_job *job = group_best_take(&best);
    const int64_t score = job->alignments[0]->score;
    int better = 0;
    for (int i = 0; i < COUNT; i++)
      better += scores[i].score > score || (scores[i].score == score && jobs[i].index < job->index);
    cr_expect_eq(better, taken, "score %lld", (long long)score);
    cr_expect(!before || before->alignments[0]->score >= score);
    cr_expect_leq(least, score);
    before = job;
  }
  cr_expect_null(group_best_take(&best));
  group_best_free(&best);
}
