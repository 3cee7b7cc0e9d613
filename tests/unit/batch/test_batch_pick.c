/* Who takes what next, of jobs that only have a size, for devices that only have facts; and how long the rest
 * takes. */

#include "batch/batch_results.h"
#include "batch/batch_state.h"
#include "support/test.h"

#define JOBS 1024

typedef struct pick_case {
  batch_state state;
  device_state devices[2];
  cla_align_options align;
  batch_job jobs[JOBS];
  int64_t count;
} pick_case;

typedef enum list_kind { ONE_BY_ONE, PACKED, LANES } list_kind;

static void add_device(pick_case *one, cla_device_kind kind, int compute_units) {
  device_state *device = &one->devices[one->state.device_count];
  *device = (device_state){.number = one->state.device_count++, .open = true, .levels = 4};
  device->info.kind = kind;
  device->info.compute_units = compute_units;
  device->packs = true;
  device->packs_class = SIZE_CLASSES - 1;
  device->way = (pack_way){.enough = 8};
}

static pick_case *begin(void) {
  static pick_case one;
  memset(&one, 0, sizeof one);
  cla_align_options_init(&one.align);
  one.state.devices = one.devices;
  one.state.threads = 2;
  one.state.lanes_class = -1;
  return &one;
}

/* A job for a pair of so many letters each. */
static batch_job *add(pick_case *one, double letters, list_kind kind) {
  batch_job *job = &one->jobs[one->count];
  *job = (batch_job){.index = one->count++, .cells = letters * letters, .packs_on = kind == PACKED ? 3 : 0};
  const int size = size_class_of(job->cells);
  one->state.packs_count += kind == PACKED;
  one->state.pending_count += kind == ONE_BY_ONE;
  job_list_add(kind == LANES    ? &one->state.lanes
               : kind == PACKED ? &one->state.packs[size]
                                : &one->state.pending[size],
               job);
  return job;
}

static bool pick(batch_task *task, pick_case *one) {
  device_state *device = &one->devices[0];
  if (!batch_pick(task, &one->state, device)) return false;
  device->taken += 1.0 / (double)(1 << task->level);
  cr_expect_leq(device->taken, 1 + 1e-9);
  return true;
}

static int64_t first_of(pick_case *one) {
  batch_task task;
  cr_assert(pick(&task, one));
  one->devices[0].taken = 0;
  return task.jobs.first->index;
}

Test(batch_pick, takes_the_longest_first) {
  pick_case *one = begin();
  add_device(one, CLA_DEVICE_GPU, 64);
  static const double letters[] = {9000, 300, 200000, 40000};
  for (int i = 0; i < 4; i++) add(one, letters[i], ONE_BY_ONE);
  cr_expect_eq(first_of(one), 2);
  cr_expect_eq(first_of(one), 3);
  cr_expect_eq(first_of(one), 0);
  cr_expect_eq(first_of(one), 1);
  cr_expect_eq(one->state.pending_count, 0);
}

Test(batch_pick, takes_the_oldest_where_results_wait) {
  pick_case *one = begin();
  add_device(one, CLA_DEVICE_GPU, 64);
  one->state.full = true;
  add(one, 300, ONE_BY_ONE);
  add(one, 200000, ONE_BY_ONE);
  cr_expect_eq(first_of(one), 0);
  for (int i = 0; i < 8; i++) add(one, 3000, PACKED);
  cr_expect_eq(first_of(one), 1);
  cr_expect_eq(first_of(one), 2);
}

/* Short pairs keep a few compute units busy, so that several share the device; a long one has all of it. */
Test(batch_pick, shares_a_device_as_far_as_pairs_leave_it_idle) {
  pick_case *one = begin();
  batch_task task;
  add_device(one, CLA_DEVICE_GPU, 64);
  add(one, 1e6, ONE_BY_ONE);
  for (int i = 0; i < 20; i++) add(one, 1000, ONE_BY_ONE);
  cr_assert(pick(&task, one));
  cr_expect_eq(task.level, 0);
  cr_expect_not(pick(&task, one));
  one->devices[0].taken = 0;
  for (int i = 0; i < 8; i++) {
    cr_assert(pick(&task, one));
    cr_expect_eq(task.level, 3);
  }
  cr_expect_not(pick(&task, one), "all parts are in use");
}

Test(batch_pick, begins_a_device_with_a_small_pair) {
  pick_case *one = begin();
  batch_task task;
  add_device(one, CLA_DEVICE_GPU, 64);
  cr_expect_not(batch_pick_small(&task, &one->state, &one->devices[0]));
  add(one, 1e6, ONE_BY_ONE);
  add(one, 200, PACKED);
  cr_assert(batch_pick_small(&task, &one->state, &one->devices[0]));
  cr_expect_eq(task.jobs.first->index, 1);
  cr_expect_eq(task.method, METHOD_SINGLE);
  cr_expect_eq(one->state.packs_count, 0);
}

Test(batch_pick, packs_what_fills_a_device) {
  pick_case *one = begin();
  batch_task task;
  add_device(one, CLA_DEVICE_GPU, 64);
  for (int i = 0; i < 7; i++) add(one, 1000, PACKED);
  one->state.reading = true;
  cr_expect_not(pick(&task, one), "more may come");
  add(one, 1000, PACKED);
  cr_assert(pick(&task, one));
  cr_expect_eq(task.method, METHOD_PACKED);
  cr_expect_eq(task.jobs.count, 8);
  cr_expect_eq(one->state.packs_count, 0);
  one->state.reading = false;
  one->devices[0].taken = 0;
  add(one, 1000, PACKED);
  cr_assert(pick(&task, one));
  cr_expect_eq(task.method, METHOD_SINGLE, "one pair leaves the device idle");
}

/* Where all wait for the largest, pairs of other sizes come into other packs; only the device's own are
 * taken. */
Test(batch_pick, packs_pairs_that_are_alike) {
  pick_case *one = begin();
  batch_task task;
  add_device(one, CLA_DEVICE_CPU, 2);
  one->devices[0].way.alike = true;
  for (int i = 0; i < 16; i++) add(one, 4000, PACKED);
  for (int i = 0; i < 16; i++) add(one, 100, PACKED);
  one->jobs[3].packs_on = 2;
  cr_assert(pick(&task, one));
  for (const batch_job *job = task.jobs.first; job; job = job->next) {
    cr_expect_lt(job->index, 16);
    cr_expect_neq(job->index, 3);
  }
  cr_expect_eq(one->state.packs_count + task.jobs.count, 32);
}

Test(batch_pick, gives_pairs_to_all_threads_of_the_host) {
  pick_case *one = begin();
  batch_task task;
  cr_expect_not(batch_pick_lanes(&task, &one->state, &one->align));
  for (int i = 0; i < 100; i++) add(one, 150, LANES);
  one->state.reading = true;
  cr_expect_not(batch_pick_lanes(&task, &one->state, &one->align), "more may come");
  for (int i = 0; i < 700; i++) add(one, 150, LANES);
  cr_assert(batch_pick_lanes(&task, &one->state, &one->align));
  cr_expect_eq(task.jobs.count, 400);
  one->state.reading = false;
  cr_assert(batch_pick_lanes(&task, &one->state, &one->align));
  cr_expect_eq(task.jobs.count, 200);
}

/* Pairs of one call have one strand, and all have paths or none. */
Test(batch_pick, gives_a_thread_what_is_aligned_alike) {
  pick_case *one = begin();
  batch_task task;
  for (int i = 0; i < 9; i++) {
    batch_job *job = add(one, 150, LANES);
    job->only_score = i >= 3;
    job->pair.has_strand = i >= 6;
    job->pair.strand = CLA_STRAND_REVERSE;
  }
  for (int64_t i = 0; i < 3; i++) {
    cr_assert(batch_pick_lanes(&task, &one->state, &one->align));
    cr_expect_eq(task.jobs.count, 3);
    cr_expect_eq(task.jobs.first->index, 3 * i);
  }
}

/* A rank gets about half of what would be its share, and nothing that failed on one. */
Test(batch_pick, leaves_a_rest_for_all_ranks) {
  pick_case *one = begin();
  job_list lot = {0};
  add_device(one, CLA_DEVICE_GPU, 64);
  for (int i = 0; i < 16; i++) add(one, 1000, ONE_BY_ONE);
  for (int i = 0; i < 16; i++) add(one, 1000, LANES);
  one->jobs[0].no_rank = true;
  batch_take_lot(&lot, &one->state, 1e12, 2);
  cr_expect_geq(lot.cells, 7e6);
  cr_expect_leq(lot.cells, 9e6);
  for (const batch_job *job = lot.first; job; job = job->next) cr_expect_neq(job->index, 0);
  cr_expect_eq(one->state.pending_count + one->state.lanes.count + lot.count, 32);
}

Test(time_left, follows_from_what_such_pairs_have_taken) {
  pick_case *one = begin();
  const batch_rest none = {.to_score = 0};
  batch_task task = {.method = METHOD_SINGLE, .level = 1};
  add_device(one, CLA_DEVICE_GPU, 64);
  cr_expect_lt(batch_time_left(&one->state, &none, NULL, 0), 0, "nothing is known");
  job_list_add(&task.jobs, add(one, 10000, ONE_BY_ONE));
  one->state.pending[size_class_of(1e8)] = (job_list){0};
  time_seen_add(&one->state.seen, &task, 1, 2);
  cr_expect_eq(batch_time_left(&one->state, &none, NULL, 0), 0);
  /* With half of the device it took 2 s: with all of it as much as 1 s, and each of those that wait. */
  for (int i = 0; i < 5; i++) add(one, 10000, ONE_BY_ONE);
  cr_expect_float_eq(batch_time_left(&one->state, &none, NULL, 0), 5, 1e-3);
  /* One of four times the cells takes four times as long. */
  add(one, 20000, ONE_BY_ONE);
  cr_expect_float_eq(batch_time_left(&one->state, &none, NULL, 0), 9, 1e-2);
  batch_rest rest = none;
  cla_batch_sizes_add(&rest.unread, 1e8, 10);
  cr_expect_float_eq(batch_time_left(&one->state, &rest, NULL, 0), 19, 1e-2);
}

/* What is in work and has said how much of it is done, tells of the others, too. */
Test(time_left, counts_what_is_in_work) {
  pick_case *one = begin();
  const batch_rest none = {.to_score = 0};
  batch_task task = {.method = METHOD_SINGLE};
  add_device(one, CLA_DEVICE_GPU, 64);
  batch_job *job = add(one, 100000, ONE_BY_ONE);
  one->state.pending[size_class_of(1e10)] = (job_list){0};
  job_list_add(&task.jobs, job);
  const task_begun begun = {.task = &task, .seconds = 3, .part = 0.25};
  cr_expect_float_eq(batch_time_left(&one->state, &none, &begun, 1), 9, 1e-6);
  add(one, 100000, ONE_BY_ONE);
  cr_expect_float_eq(batch_time_left(&one->state, &none, &begun, 1), 21, 1e-6);
}

/* Threads of the host share their pairs out, and a GPU works beside them. */
Test(time_left, of_host_and_device_is_that_of_the_slower) {
  pick_case *one = begin();
  batch_rest rest = {.to_score = 0};
  batch_task task = {.method = METHOD_LANES};
  add_device(one, CLA_DEVICE_GPU, 64);
  one->state.lanes_class = size_class_of(1e6);
  for (int i = 0; i < 10; i++) job_list_add(&task.jobs, add(one, 300, PACKED));
  memset(one->state.packs, 0, sizeof one->state.packs);
  one->state.packs_count = 0;
  time_seen_add(&one->state.seen, &task, 1, 1);
  cla_batch_sizes_add(&rest.unread, 9e4, 100);
  cr_expect_float_eq(batch_time_left(&one->state, &rest, NULL, 0), 5, 1e-3);
}
