/* What packs of short pairs take of a device's memory. */

#include <dlfcn.h>
#include <pthread.h>

#include "device/device.h"
#include "packs/packs.h"
#include "support/cases/batch_case.h"
#include "support/cases/packed_batch.h"
#include "support/test.h"
#include "support/test_devices.h"

#define BUFFERS_MOST 1024

/* The buffers that there are: they are made and released through here, because the program's own symbols come
 * before those of libraries. */
static struct {
  pthread_mutex_t lock;
  struct {
    cl_mem memory;
    size_t bytes;
  } list[BUFFERS_MOST];
  size_t bytes, bytes_most;
  size_t largest, refused_above; /* of a buffer; 0: none is refused */
} made = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(cl_mem memory, size_t bytes) {
  int i = 0;
  while (i < BUFFERS_MOST && made.list[i].memory) i++;
  cr_assert_lt(i, BUFFERS_MOST);
  made.list[i].memory = memory;
  made.list[i].bytes = bytes;
  made.bytes += bytes;
  if (made.bytes > made.bytes_most) made.bytes_most = made.bytes;
  if (bytes > made.largest) made.largest = bytes;
}

typedef cl_mem (*buffer_function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *content, cl_int *code) {
  buffer_function create = NULL;
  void *found = dlsym(RTLD_NEXT, "clCreateBuffer");
  memcpy(&create, &found, sizeof create);
  pthread_mutex_lock(&made.lock);
  const bool refuses = made.refused_above > 0 && bytes > made.refused_above;
  cl_mem memory = refuses ? NULL : create(context, flags, bytes, content, code);
  if (refuses && code) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (memory) note(memory, bytes);
  pthread_mutex_unlock(&made.lock);
  return memory;
}

typedef cl_int (*release_function)(cl_mem);

cl_int clReleaseMemObject(cl_mem memory) {
  release_function release = NULL;
  void *found = dlsym(RTLD_NEXT, "clReleaseMemObject");
  memcpy(&release, &found, sizeof release);
  pthread_mutex_lock(&made.lock);
  for (int i = 0; i < BUFFERS_MOST; i++)
    if (made.list[i].memory == memory) {
      made.list[i].memory = NULL;
      made.bytes -= made.list[i].bytes;
    }
  pthread_mutex_unlock(&made.lock);
  return release(memory);
}

static void forget_most(void) {
  made.bytes_most = made.bytes;
  made.largest = 0;
}

static void expect_right(const packed_batch *all, const path_scheme *scheme, pack_solver *solver) {
  cr_expect_eq(pack_solve(solver, (pack_pair *)all->pairs, all->count, NULL, &why), CLA_OK, "%s",
               why.message);
  for (int i = 0; i < all->count; i++) packed_check_pair(all, scheme, &all->pairs[i], i);
}

Test(packs_memory, is_no_more_than_they_may_take, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  for (uint64_t seed = 8700000; seed < 8700003; seed++) {
    pack_solver *solver = NULL;
    OWNED(free_packed_batch) packed_batch *all = packed_batch_make(seed, 300, 80, 1);
    const path_scheme scheme = packed_batch_scheme(all);
    packed_check_drop_too_large(device, all, &scheme);
    assert_ok(pack_solver_create(&solver, device, &scheme, &why));
    forget_most();
    expect_right(all, &scheme, solver);
    const size_t most = made.bytes_most / 3 * 2;
    /* Buffers of the call before are larger. */
    pack_solver_limit(solver, (int64_t)most);
    expect_right(all, &scheme, solver);
    cr_expect_leq(made.bytes, most);
    forget_most();
    expect_right(all, &scheme, solver);
    cr_expect_leq(made.bytes_most, most);
    cr_expect_gt(made.bytes_most, most / 4);
    pack_solver_limit(solver, 5000);
    assert_error(pack_solve(solver, all->pairs, 1, NULL, &why), CLA_ERROR_MEMORY, "--device-memory");
    pack_solver_free(solver);
  }
}

/* What a batch did. */
typedef struct batch_done {
  int packed, notes; /* pairs that were aligned together, notes about those that could not be */
} batch_done;

static void take_work(const cla_batch_work *work, void *user) {
  batch_done *done = user;
  if (work->packed) done->packed += (int)work->pairs;
}

static void take_note(const char *note, void *user) {
  batch_done *done = user;
  if (strstr(note, "one by one")) done->notes++;
}

/* Runs the batch, with the results that are wanted. */
static batch_done run(batch_case *all, cla_device *device, size_t device_bytes) {
  batch_done done = {0};
  all->options.align.budgets.device_memory_bytes = (int64_t)device_bytes;
  all->options.work = take_work;
  all->options.align.callbacks.note = take_note;
  all->options.work_user = all->options.align.callbacks.note_user = &done;
  forget_most();
  cr_expect_eq(batch_case_run(all, &device, 1), CLA_OK, "%s", why.message);
  batch_case_expect_complete(all, true);
  batch_case_again(all);
  return done;
}

static bool is_gpu(const cla_device *device) {
  if (cla_device_describe(device)->kind == CLA_DEVICE_GPU) return true;
  cr_log_info("%s has packs of another kind", cla_device_describe(device)->name);
  return false;
}

/* A pair for which there is no memory makes the others' work slower, and is told; no other pair fails. */
Test(packs_memory, that_one_pair_lacks_others_have, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  if (is_gpu(device)) {
    OWNED(batch_case_free) batch_case all, long_one;
    batch_case_make(&all, 80, 23, 60, 80);
    batch_case_expect(&all, device);
    cr_expect_gt(run(&all, device, 0).packed, 70);
    const size_t largest = made.largest;
    batch_case_make(&long_one, 1, 24, 30000, 30000);
    const batch_case_pair short_one = all.pairs[40];
    all.pairs[40] = long_one.pairs[0];
    all.pairs[40].want_status = CLA_ERROR_MEMORY;
    made.refused_above = largest;
    const batch_done done = run(&all, device, 0);
    cr_expect_eq(done.packed, 0);
    cr_expect_eq(done.notes, 1);
    made.refused_above = 0;
    long_one.pairs[0] = all.pairs[40];
    all.pairs[40] = short_one;
  }
}
