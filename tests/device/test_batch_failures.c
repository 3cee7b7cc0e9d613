/* A batch does without devices that fail, and with what memory there is. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "device/device.h"
#include "ranks/ranks.h"
#include "support/cases/batch_case.h"
#include "support/ranks/local_ranks.h"
#include "support/test.h"
#include "support/test_devices.h"

/* A device whose kernels cannot be launched any more, like one that its driver has lost. Launches go through
 * here, because the program's own symbols come before those of libraries. */
static struct {
  pthread_mutex_t lock;
  cl_context context; /* the lost device's context, or NULL */
  int launches_left;
} broken = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef cl_int (*launch_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                  const size_t *, cl_uint, const cl_event *, cl_event *);

static cl_context context_of(const cla_device *device) {
  assert_ok(device_start(device, &why));
  return device->on->context;
}

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
  cl_context context; /* the context with small buffers, or NULL */
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
  small.context = context_of(device);
  small.rule = BUFFER_NOTE;
  atomic_store(&small.bytes_most, 0);
  cr_expect_eq(batch_case_run(all, &device, 1), CLA_OK, "%s", why.message);
  small.context = NULL;
  batch_case_again(all);
  return atomic_load(&small.bytes_most);
}

static void count_notes(const char *note, void *user) {
  int *count = user;
  if (strstr(note, "is left out")) ++*count;
}

/* What the other rank had is dealt again. */
Test(batch_failures, do_without_a_rank_that_dies, .timeout = 600) {
  for (int results = 1; results <= 3; results++) {
    cla_device *devices[3];
    OWNED(batch_case_free) batch_case all;
    batch_case_open_devices(devices);
    batch_case_make(&all, 60, 14, 100, 600);
    batch_case_expect(&all, devices[0]);
    local_ranks *ranks = local_ranks_begin(devices[1]);
    local_ranks_die(ranks, RANK_RESULTS, results);
    all.options.align.ranks = local_ranks_first(ranks);
    cr_expect_eq(batch_case_run(&all, devices, 1), CLA_OK, "%s", why.message);
    batch_case_expect_complete(&all, true);
    cr_expect(ranks_is_gone(local_ranks_first(ranks), 1));
    local_ranks_end(ranks);
    batch_case_close_devices(devices);
  }
}

Test(batch_failures, do_without_a_device_that_fails, .timeout = 600) {
  for (int packs = 0; packs <= 1; packs++)
    for (int launches = 0; launches <= 60; launches += 60) {
      cla_device *devices[3];
      OWNED(batch_case_free) batch_case all;
      int notes = 0;
      batch_case_open_devices(devices);
      batch_case_make(&all, 60, 14, 100, 600);
      batch_case_expect(&all, devices[0]);
      if (!packs) all.options.align.kernel.name = "vector32";
      all.options.align.callbacks.note = count_notes;
      all.options.align.callbacks.note_user = &notes;
      broken.context = context_of(devices[1]);
      broken.launches_left = launches;
      cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", why.message);
      batch_case_expect_complete(&all, true);
      if (broken.launches_left < 0) cr_expect_eq(notes, 1);
      broken.context = NULL;
      batch_case_close_devices(devices);
    }
}

Test(batch_failures, end_when_no_device_is_left, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(batch_case_free) batch_case all;
  batch_case_make(&all, 30, 15, 100, 600);
  batch_case_expect(&all, device);
  broken.context = context_of(device);
  broken.launches_left = 0;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_DEVICE);
  cr_expect_not_null(strstr(why.message, "no device is left"), "%s", why.message);
  cr_expect_not_null(strstr(why.message, "CL_INVALID_COMMAND_QUEUE"), "%s", why.message);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  broken.context = NULL;
}

/* The first pair is the longest, too long to be tried first; with it the device fails. */
Test(batch_failures, hand_out_what_was_found_before_no_device_was_left, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(batch_case_free) batch_case all, long_one;
  batch_case_make(&all, 10, 20, 100, 110);
  batch_case_make(&long_one, 1, 21, 60000, 60000);
  batch_case_expect(&all, device);
  batch_case_expect(&long_one, device);
  const size_t bytes_most = largest_buffer(&all, device), long_bytes = largest_buffer(&long_one, device);
  cr_assert_lt(bytes_most, long_bytes);
  const batch_case_pair first = all.pairs[0];
  all.pairs[0] = long_one.pairs[0];
  small.context = context_of(device);
  small.rule = BUFFER_BREAK;
  small.bytes_most = bytes_most;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_DEVICE);
  cr_expect_not_null(strstr(why.message, "no device is left"), "%s", why.message);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  cr_expect_geq(all.result_count, 2);
  cr_expect_leq(all.result_count, 9);
  for (int i = 0; i < all.result_count; i++) cr_expect_gt(all.order[i], i > 0 ? all.order[i - 1] : 0);
  small.context = broken.context = NULL;
  long_one.pairs[0] = first;
}

/* One device has too little memory for the pair, and the other one fails: nobody is left for it. Which one
 * has it first is up to the threads. */
Test(batch_failures, end_with_a_pair_that_no_device_can_have, .timeout = 600) {
  for (int run = 0; run < 12; run++) {
    cla_device *devices[3];
    OWNED(batch_case_free) batch_case all;
    batch_case_open_devices(devices);
    batch_case_make(&all, 1, 18, 300, 300);
    all.pairs[0].want_status = CLA_ERROR_MEMORY;
    small.context = context_of(devices[0]);
    small.rule = BUFFER_REFUSE;
    small.bytes_most = 0;
    broken.context = context_of(devices[1]);
    broken.launches_left = 0;
    cr_expect_eq(batch_case_run(&all, devices, 2), CLA_OK, "%s", why.message);
    batch_case_expect_complete(&all, true);
    small.context = broken.context = NULL;
    batch_case_close_devices(devices);
  }
}
