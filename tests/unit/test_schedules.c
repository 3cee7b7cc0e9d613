/* What schedules take, of jobs that only have a size, for devices that only have facts. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "schedule/batch_state.h"
#include "schedule/group_best.h"

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
  device->times.enough = 4;
}

static void begin(schedule_case *one) {
  memset(one, 0, sizeof *one);
  cla_align_options_init(&one->align);
  one->align.score_only = true;
  one->align.memory_bytes = INT64_C(1) << 30;
  one->align.threads = 4;
  one->state.devices = one->devices;
  add_device(one, 4, 3);
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
  const int size = size_class_of(2000.0 * 2000);
  one.devices[0].times.seen[METHOD_SINGLE][size][0] = (time_ratio){.ratio = 1, .count = 1};
  one.devices[0].times.seen[METHOD_SINGLE][size][1] = (time_ratio){.ratio = 0.5, .count = 1};
  one.devices[0].times.seen[METHOD_SINGLE][size][2] = (time_ratio){.ratio = 10, .count = 1};
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
  one.devices[0].times.enough = 100000;
  for (int i = 0; i < 3; i++) add(&one, 3000, true);
  cr_assert(take(&task, &one, CLA_SCHEDULE_MODEL, 0));
  cr_expect_eq(task.method, METHOD_SINGLE);
  cr_expect_eq(one.state.packs_count, 2);
}

Test(schedules, a_slow_device_leaves_the_last_pair_to_a_fast_one) {
  schedule_case one;
  batch_task task;
  begin(&one);
  add_device(&one, 1, 1);
  add(&one, 30000, false);
  for (int level = 0; level < LEVELS; level++)
    one.devices[1].times.seen[METHOD_SINGLE][size_class_of(9e8)][level] =
        (time_ratio){.ratio = 50, .count = 1};
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
  const int size = size_class_of(9e6);
  for (int i = 0; i < 2; i++)
    for (int level = 0; level < 3; level++)
      one.devices[i].times.seen[METHOD_SINGLE][size][level] =
          (time_ratio){.ratio = level == 1 ? 100 : 0.1, .count = 1};
  cr_expect(take(&task, &one, CLA_SCHEDULE_MODEL, 0) || take(&task, &one, CLA_SCHEDULE_MODEL, 1));
}

Test(pair_times, learn_from_what_was_measured) {
  schedule_case one;
  begin(&one);
  pair_times *times = &one.devices[0].times;
  const double cells = 1e8, before = pair_times_single(times, cells, 0);
  const double larger = pair_times_single(times, 4 * cells, 0);
  pair_times_learn(times, METHOD_SINGLE, size_class_of(cells), 0, before, 3 * before);
  cr_expect_float_eq(pair_times_single(times, cells, 0) / before, 3, 1e-9);
  /* A class of which nothing is known is as wrong as the nearest one; more measurements count less each. */
  cr_expect_float_eq(pair_times_single(times, 4 * cells, 0) / larger, 3, 1e-9);
  pair_times_learn(times, METHOD_SINGLE, size_class_of(cells), 0, before, before);
  const double after = pair_times_single(times, cells, 0);
  cr_expect(after > before && after < 3 * before);
}

/* Work that was given out before anything was known says the same once more is known. */
Test(pair_times, learn_the_same_from_work_that_began_together) {
  schedule_case one;
  begin(&one);
  pair_times *times = &one.devices[0].times;
  const double cells = 1e8, before = pair_times_single(times, cells, 0);
  const int size = size_class_of(cells);
  for (int i = 0; i < 4; i++) pair_times_learn(times, METHOD_SINGLE, size, 0, before, 3 * before);
  cr_expect_float_eq(pair_times_single(times, cells, 0) / before, 3, 1e-9);
  cr_expect_float_eq(pair_times_ratio(times, METHOD_SINGLE, size, 0), 3, 1e-9);
  add(&one, 10000, false);
  batch_task task;
  cr_assert(take(&task, &one, CLA_SCHEDULE_FCFS, 0));
  cr_expect_float_eq(task.predicted / task.model_seconds, 3, 1e-9);
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
