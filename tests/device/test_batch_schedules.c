/* Whatever the schedule, the devices and how much is read ahead, the results are the same; a device that
 * fails is done without. */

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "support/batch_case.h"
#include "support/test_devices.h"

#define SCHEDULES 4

/* A device whose kernels cannot be launched any more, as that of a driver that has lost it: launches go
 * through here, because the program's own symbols come before those of libraries. */
static struct {
  pthread_mutex_t lock;
  cl_context context; /* whose, or NULL */
  int launches_left;
} broken = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef cl_int (*launch_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                  const size_t *, cl_uint, const cl_event *, cl_event *);

static bool is_broken(cl_command_queue queue) {
  cl_context context = NULL;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  pthread_mutex_lock(&broken.lock);
  const bool fails = broken.context && context == broken.context && broken.launches_left-- <= 0;
  pthread_mutex_unlock(&broken.lock);
  return fails;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint wait_count, const cl_event *wait, cl_event *event) {
  launch_function launch = NULL;
  void *found = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  memcpy(&launch, &found, sizeof launch);
  if (is_broken(queue)) return CL_INVALID_COMMAND_QUEUE;
  return launch(queue, kernel, dimensions, offset, global, local, wait_count, wait, event);
}

/* What is done when a buffer is made. */
typedef enum buffer_rule {
  BUFFER_NOTE,   /* the largest is noted */
  BUFFER_REFUSE, /* there is no memory for larger ones */
  BUFFER_BREAK   /* a larger one breaks the device */
} buffer_rule;

/* A device that has no memory for larger buffers, or that breaks when one is made. How large those of some
 * work are depends on the device: a run that only notes them tells. */
static struct {
  cl_context context; /* whose, or NULL */
  buffer_rule rule;
  atomic_size_t bytes_most;
} small;

typedef cl_mem (*buffer_function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *content, cl_int *code) {
  buffer_function create = NULL;
  void *found = dlsym(RTLD_NEXT, "clCreateBuffer");
  memcpy(&create, &found, sizeof create);
  if (!small.context || context != small.context || bytes <= atomic_load(&small.bytes_most))
    return create(context, flags, bytes, content, code);
  if (small.rule == BUFFER_REFUSE) {
    if (code) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  if (small.rule == BUFFER_NOTE) {
    size_t largest = atomic_load(&small.bytes_most);
    while (largest < bytes && !atomic_compare_exchange_weak(&small.bytes_most, &largest, bytes)) continue;
  } else {
    pthread_mutex_lock(&broken.lock);
    broken.context = context;
    broken.launches_left = 0;
    pthread_mutex_unlock(&broken.lock);
  }
  return create(context, flags, bytes, content, code);
}

/* Runs the batch as it is, which succeeds: the bytes of the largest buffer that it takes on the device. */
static size_t largest_buffer(batch_case *all, cla_device *device) {
  small.context = device->context;
  small.rule = BUFFER_NOTE;
  atomic_store(&small.bytes_most, 0);
  cr_expect_eq(batch_case_run(all, &device, 1), CLA_OK, "%s", all->error.message);
  small.context = NULL;
  batch_case_again(all);
  return atomic_load(&small.bytes_most);
}

static void count_packed(const cla_batch_work *work, void *user) {
  int *count = user;
  *count += work->packed;
}

/* Two threads of a CPU have few lanes, so that packs of a few dozen pairs pay; a GPU has thousands. */
static cla_device *open_for_packs(bool *few_lanes) {
  cla_device *device = test_device_open_threads(0, 2);
  const cla_device_info *info = cla_device_describe(device);
  *few_lanes = info->kind == CLA_DEVICE_CPU && info->compute_units <= 2;
  if (!*few_lanes) cr_log_info("%s has too many lanes for packs of a few dozen pairs", info->name);
  return device;
}

static void expect_complete(const batch_case *all, bool in_order) {
  cr_expect_eq(all->differences, 0, "%s", all->difference);
  cr_expect_eq(all->result_count, all->count);
  cr_expect_eq(all->done.pairs_done, all->count);
  for (int i = 0; i < all->count; i++) {
    cr_expect_eq(all->pairs[i].results, 1, "pair %d has %d results", i, all->pairs[i].results);
    cr_expect_eq(all->pairs[i].given_back, all->pairs[i].unreadable ? 0 : 1, "pair %d", i);
    if (in_order) cr_expect_eq(all->order[i], i);
  }
}

/* Two handles of the first device, and one of a CPU's first thread: three devices as far as a batch is
 * concerned. */
static void open_devices(cla_device *devices[3]) {
  devices[0] = test_device_open(0);
  devices[1] = test_device_open(0);
  devices[2] = test_device_open_threads(0, 1);
}

static void close_devices(cla_device *devices[3]) {
  for (int i = 0; i < 3; i++) cla_device_close(devices[i]);
}

Test(batch_schedules, have_the_same_results, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  open_devices(devices);
  batch_case_make(&all, 60, 11, 1, 700);
  all.pairs[17].unreadable = true;
  all.options.align.strand = CLA_STRAND_BOTH;
  batch_case_expect(&all, devices[0]);
  for (int schedule = 0; schedule < SCHEDULES; schedule++)
    for (size_t count = 1; count <= 3; count += 2)
      for (int as_finished = 0; as_finished <= 1; as_finished++) {
        batch_case_again(&all);
        all.options.schedule = (cla_schedule)schedule;
        all.options.as_finished = as_finished;
        cr_expect_eq(batch_case_run(&all, devices, count), CLA_OK, "%s", all.error.message);
        expect_complete(&all, !as_finished);
      }
  batch_case_free(&all);
  close_devices(devices);
}

Test(batch_schedules, hold_no_more_than_they_may, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  open_devices(devices);
  batch_case_make(&all, 80, 12, 20, 300);
  batch_case_expect(&all, devices[0]);
  for (int schedule = 0; schedule < SCHEDULES; schedule++)
    for (int64_t pairs_ahead = 1; pairs_ahead <= 7; pairs_ahead += 3) {
      batch_case_again(&all);
      all.options.schedule = (cla_schedule)schedule;
      all.options.pairs_ahead = pairs_ahead;
      all.options.letters_ahead = pairs_ahead == 7 ? 900 : 0;
      cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
      expect_complete(&all, true);
      cr_expect_leq(all.held_most, pairs_ahead);
      /* Letters are counted when a pair has been read. */
      if (pairs_ahead == 7) cr_expect_lt(all.held_letters_most, 900 + 600);
    }
  batch_case_free(&all);
  close_devices(devices);
}

Test(batch_schedules, find_the_best_while_little_is_held, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  open_devices(devices);
  batch_case_make(&all, 60, 13, 10, 120);
  for (int i = 0; i < all.count; i++) all.pairs[i].group = i / 20;
  batch_case_expect(&all, devices[0]);
  all.options.best_of_group = 2;
  all.options.pairs_ahead = 3;
  cr_expect_eq(batch_case_run(&all, devices, 3), CLA_OK, "%s", all.error.message);
  cr_expect_eq(all.result_count, 6);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_leq(all.held_most, 3 + 2); /* and the best of the group that is read */
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
  close_devices(devices);
}

/* Errors of a group are not kept until its end. */
Test(batch_schedules, hand_out_errors_while_the_group_is_read, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  open_devices(devices);
  batch_case_make(&all, 60, 22, 10, 120);
  for (int i = 0; i < all.count; i++) all.pairs[i].unreadable = i % 6 != 0;
  batch_case_expect(&all, devices[0]);
  all.options.best_of_group = 2;
  all.options.pairs_ahead = 4;
  cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_eq(all.result_count, 50 + 2);
  for (int r = 1; r < 50; r++) cr_expect_lt(all.order[r - 1], all.order[r]);
  cr_expect_leq(all.errors_ahead_most, 4 + 2); /* and the best */
  batch_case_free(&all);
  close_devices(devices);
}

static void count_notes(const char *note, void *user) {
  int *count = user;
  if (strstr(note, "is left out")) ++*count;
}

Test(batch_schedules, do_without_a_device_that_fails, .timeout = 300) {
  for (int schedule = 0; schedule < SCHEDULES; schedule++)
    for (int launches = 0; launches <= 60; launches += 60) {
      cla_device *devices[3];
      batch_case all;
      int notes = 0;
      open_devices(devices);
      batch_case_make(&all, 60, 14, 100, 600);
      batch_case_expect(&all, devices[0]);
      all.options.schedule = (cla_schedule)schedule;
      all.options.align.note = count_notes;
      all.options.align.note_user = &notes;
      broken.context = devices[1]->context;
      broken.launches_left = launches;
      cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
      expect_complete(&all, true);
      if (broken.launches_left < 0) cr_expect_eq(notes, 1);
      broken.context = NULL;
      batch_case_free(&all);
      close_devices(devices);
    }
}

Test(batch_schedules, end_when_no_device_is_left, .timeout = 300) {
  cla_device *device = test_device_open(0);
  batch_case all;
  batch_case_make(&all, 30, 15, 100, 600);
  batch_case_expect(&all, device);
  broken.context = device->context;
  broken.launches_left = 0;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_DEVICE);
  cr_expect_not_null(strstr(all.error.message, "no device is left"), "%s", all.error.message);
  cr_expect_not_null(strstr(all.error.message, "CL_INVALID_COMMAND_QUEUE"), "%s", all.error.message);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  broken.context = NULL;
  batch_case_free(&all);
  cla_device_close(device);
}

/* The first pair is the longest, which this schedule begins last; then the device fails. */
Test(batch_schedules, hand_out_what_was_found_before_no_device_was_left, .timeout = 300) {
  cla_device *device = test_device_open(0);
  batch_case all, long_one;
  batch_case_make(&all, 10, 20, 100, 110);
  batch_case_make(&long_one, 1, 21, 20000, 20000);
  batch_case_expect(&all, device);
  batch_case_expect(&long_one, device);
  all.options.schedule = long_one.options.schedule = CLA_SCHEDULE_TOSS;
  const size_t bytes_most = largest_buffer(&all, device), long_bytes = largest_buffer(&long_one, device);
  cr_assert_lt(bytes_most, long_bytes);
  const batch_case_pair first = all.pairs[0];
  all.pairs[0] = long_one.pairs[0];
  small.context = device->context;
  small.rule = BUFFER_BREAK;
  small.bytes_most = bytes_most;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_DEVICE);
  cr_expect_not_null(strstr(all.error.message, "no device is left"), "%s", all.error.message);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_eq(all.result_count, 9);
  for (int i = 0; i < all.result_count; i++) cr_expect_eq(all.order[i], i + 1);
  small.context = broken.context = NULL;
  long_one.pairs[0] = first;
  batch_case_free(&long_one);
  batch_case_free(&all);
  cla_device_close(device);
}

Test(batch_schedules, give_a_pair_the_memory_that_it_needs, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  open_devices(devices);
  batch_case_make(&all, 6, 16, 30000, 30000);
  batch_case_expect(&all, devices[0]);
  /* Enough for one at a time, not for a share of it; then for none. */
  all.options.align.memory_bytes = INT64_C(40) << 20;
  all.options.schedule = CLA_SCHEDULE_TOSS; /* packs take less */
  cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
  expect_complete(&all, true);
  batch_case_again(&all);
  all.options.align.memory_bytes = 1000;
  for (int i = 0; i < all.count; i++) {
    cla_alignment_free(all.pairs[i].want);
    all.pairs[i].want = NULL;
    all.pairs[i].want_status = CLA_ERROR_MEMORY;
  }
  cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
  expect_complete(&all, true);
  cr_expect_eq(all.done.pairs_failed, all.count);
  batch_case_free(&all);
  close_devices(devices);
}

/* One device has too little memory for the pair, and the other one fails: nobody is left for it. Which one
 * has it first is up to the threads. */
Test(batch_schedules, end_with_a_pair_that_no_device_can_have, .timeout = 60) {
  for (int run = 0; run < 12; run++) {
    cla_device *devices[3];
    batch_case all;
    open_devices(devices);
    batch_case_make(&all, 1, 18, 300, 300);
    all.pairs[0].want_status = CLA_ERROR_MEMORY;
    all.options.schedule = CLA_SCHEDULE_FCFS;
    small.context = devices[0]->context;
    small.rule = BUFFER_REFUSE;
    small.bytes_most = 0;
    broken.context = devices[1]->context;
    broken.launches_left = 0;
    cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
    expect_complete(&all, true);
    small.context = broken.context = NULL;
    batch_case_free(&all);
    close_devices(devices);
  }
}

static void count_pack_notes(const char *note, void *user) {
  int *count = user;
  if (strstr(note, "packs of pairs")) ++*count;
}

/* What a pack of all pairs needs there is no memory for; what a pair needs there is. */
Test(batch_schedules, halve_packs_that_have_too_little_memory, .timeout = 300) {
  bool few_lanes = false;
  cla_device *device = open_for_packs(&few_lanes);
  batch_case all;
  int notes = 0, packed = 0;
  batch_case_make(&all, 120, 19, 100, 110);
  batch_case_expect(&all, device);
  all.options.align.note = count_pack_notes;
  all.options.align.note_user = &notes;
  all.options.work = count_packed;
  all.options.work_user = &packed;
  const size_t bytes = largest_buffer(&all, device);
  cr_expect_eq(notes, 0);
  if (few_lanes) {
    cr_expect_eq(packed, 1);
    small.context = device->context;
    small.rule = BUFFER_REFUSE;
    small.bytes_most = bytes - 1;
    cr_expect_eq(batch_case_run(&all, &device, 1), CLA_OK, "%s", all.error.message);
    expect_complete(&all, true);
    cr_expect_eq(notes, 1);
    cr_expect_gt(packed, 1 + 1);
    small.context = NULL;
  }
  batch_case_free(&all);
  cla_device_close(device);
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
  heard->sound = heard->sound && work->device < 2 && work->end >= work->begin && work->begin >= 0 &&
                 work->parts >= 1 && work->predicted_seconds > 0;
}

/* What the first two pieces of work were predicted to take. */
typedef struct predictions_case {
  int count;
  double seconds[2];
} predictions_case;

static void hear_predictions(const cla_batch_work *work, void *user) {
  predictions_case *heard = user;
  if (heard->count < 2) heard->seconds[heard->count] = work->predicted_seconds;
  heard->count++;
}

/* The first pair builds the kernels: what it took says nothing of the second one, which is as large. */
Test(batch_schedules, learn_nothing_from_building_kernels, .timeout = 300) {
  cla_device *device = test_device_open(0), *other = test_device_open(0);
  batch_case all;
  predictions_case heard = {0};
  batch_case_make(&all, 2, 23, 300, 300);
  batch_case_expect(&all, other);
  all.options.schedule = CLA_SCHEDULE_FCFS;
  all.options.work = hear_predictions;
  all.options.work_user = &heard;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_OK, "%s", all.error.message);
  expect_complete(&all, true);
  cr_expect_eq(heard.count, 2);
  cr_expect_eq(heard.seconds[0], heard.seconds[1]);
  batch_case_free(&all);
  cla_device_close(other);
  cla_device_close(device);
}

/* Pairs whose packs would take more than the budget are aligned one by one. With a GPU's budget, which is
 * more, because it needs more for a pair alone, packs or none: the results are the same. */
Test(batch_schedules, keep_packs_within_the_device_memory_that_is_given, .timeout = 300) {
  bool few_lanes = false;
  cla_device *device = open_for_packs(&few_lanes);
  const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
  for (int little = 0; little <= 1; little++) {
    batch_case all;
    int packed = 0;
    batch_case_make(&all, 60, 24, 500, 600);
    batch_case_expect(&all, device);
    all.options.work = count_packed;
    all.options.work_user = &packed;
    all.options.align.device_memory_bytes = little ? INT64_C(256) << (cpu ? 10 : 17) : 0;
    cr_expect_eq(batch_case_run(&all, &device, 1), CLA_OK, "%s", all.error.message);
    expect_complete(&all, true);
    if (little && cpu) cr_expect_eq(packed, 0);
    if (!little && few_lanes) cr_expect_gt(packed, 0);
    batch_case_free(&all);
  }
  cla_device_close(device);
}

static void keep_plan(const char *text, void *user) {
  snprintf(user, 2000, "%s", text);
}

Test(batch_schedules, tell_who_did_what_and_the_plan, .timeout = 300) {
  cla_device *devices[3];
  batch_case all;
  work_notes_case heard = {.sound = true};
  char plan[2000] = "";
  open_devices(devices);
  batch_case_make(&all, 40, 17, 100, 600);
  batch_case_expect(&all, devices[0]);
  all.options.work = hear_work;
  all.options.work_user = &heard;
  all.options.explain = keep_plan;
  all.options.explain_user = plan;
  cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", all.error.message);
  expect_complete(&all, true);
  cr_expect_eq(heard.pairs, all.count);
  cr_expect_float_eq(heard.cells, all.done.cells_done, 0.5);
  cr_expect(heard.sound);
  cr_expect_not_null(strstr(plan, "schedule   model"), "%s", plan);
  cr_expect_not_null(strstr(plan, "time       about "), "%s", plan);
  cr_expect_not_null(strstr(plan, "packed"), "%s", plan);
  batch_case_free(&all);
  close_devices(devices);
}
