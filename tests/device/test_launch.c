/* Launches of one kernel: their groups' numbers, and several at once. */

#include <pthread.h>

#include "device/device.h"
#include "device/program.h"
#include "support/made_alignment.h"
#include "support/test.h"
#include "support/test_devices.h"

#define ITEMS 4
#define THREADS 8
#define LAUNCHES 100
#define GROUPS_MOST (THREADS * LAUNCHES)
#define SEVERAL 8
#define OPENED 3 /* times that each thread opens the device */

/* Each group notes that it ran, after some work that compilers cannot leave out. */
static const char mark_groups[] =
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void mark(global int *marks, int rounds) {\n"
    "  uint v = 1;\n"
    "  for (int i = 0; i < rounds; i++) v = v * 1664525u + 1013904223u;\n"
    "  marks[GROUP_NUMBER * 4 + get_local_id(0)] += v == 0 ? 2 : 1;\n" /* v never is, in so few rounds */
    "}\n";

static char *folder;

/* A folder of kernels with this one alone. */
static void set_up(void) {
  kernel_text text = {0};
  folder = made_folder();
  cr_assert_eq(kernel_source_collect(&text, NULL, "group_number.clh", NULL), CLA_OK);
  cr_assert_eq(kernel_text_add(&text, mark_groups, strlen(mark_groups), NULL), CLA_OK);
  char *path = made_path(folder, "mark.cl");
  made_write(path, text.data, (size_t)text.length);
  free(path);
  free(text.data);
}

static void tear_down(void) {
  made_folder_remove(folder);
}

TestSuite(launch, .init = set_up, .fini = tear_down, .timeout = 600);

/* A device with the kernel, and memory for so many groups. */
typedef struct marker {
  cla_device *device;
  cl_kernel kernel;
  cl_mem marks;
  int64_t groups;
} marker;

/* No assertion, so that any thread may call it. */
static bool marker_open(marker *out, int index, int64_t groups) {
  char select[16];
  const cl_int zero = 0;
  const size_t bytes = (size_t)groups * ITEMS * sizeof zero;
  snprintf(select, sizeof select, "%d", index);
  const cla_device_options options = {.select = select, .kernel_path = folder};
  cl_program program = NULL;
  *out = (marker){.groups = groups};
  cla_status status = cla_device_open(&out->device, &options, &why);
  if (status == CLA_OK) status = device_build(&program, out->device, "mark.cl", "", &why);
  if (status == CLA_OK)
    status = device_buffer(&out->marks, out->device, (int64_t)bytes, POISON_INTS, "marks", &why);
  if (status != CLA_OK) fprintf(stderr, "%s\n", why.message);
  if (status != CLA_OK) return false;
  out->kernel = clCreateKernel(program, "mark", NULL);
  return out->kernel && clSetKernelArg(out->kernel, 0, sizeof(cl_mem), &out->marks) == CL_SUCCESS &&
         clEnqueueFillBuffer(out->device->on->queue, out->marks, &zero, sizeof zero, 0, bytes, 0, NULL,
                             NULL) == CL_SUCCESS;
}

static void marker_close(marker *of) {
  if (of->kernel) clReleaseKernel(of->kernel);
  if (of->marks) clReleaseMemObject(of->marks);
  cla_device_close(of->device);
}

static bool begin(const marker *on, int64_t groups, int rounds) {
  return clSetKernelArg(on->kernel, 1, sizeof rounds, &rounds) == CL_SUCCESS &&
         device_launch(on->device, on->kernel, groups, ITEMS, NULL) == CLA_OK &&
         clFlush(on->device->on->queue) == CL_SUCCESS;
}

/* What each group has noted; the caller frees. */
static cl_int *marks_of(const marker *on) {
  const size_t bytes = (size_t)on->groups * ITEMS * sizeof(cl_int);
  cl_int *marks = malloc(bytes);
  if (marks && clEnqueueReadBuffer(on->device->on->queue, on->marks, CL_TRUE, 0, bytes, marks, 0, NULL,
                                   NULL) == CL_SUCCESS)
    return marks;
  free(marks);
  return NULL;
}

/* Index in the list of the nth device under test, -1 beyond the last. */
static int device_index(int number) {
  cla_device *device = test_device_open(number);
  const int index = device ? cla_device_describe(device)->index : -1;
  cla_device_close(device);
  return index;
}

Test(launch, has_groups_with_all_numbers) {
  static const int64_t counts[] = {1, 2, 3, 100, 65535, 65536, 70001};
  for (int number = 0, index; (index = device_index(number)) >= 0; number++)
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      marker on;
      cr_assert(marker_open(&on, index, counts[i] + 1));
      cr_assert(begin(&on, counts[i], 1));
      OWNED(free_memory) cl_int *marks = marks_of(&on);
      cr_assert(marks);
      for (int64_t item = 0; item < on.groups * ITEMS; item++)
        cr_assert_eq(marks[item], item < counts[i] * ITEMS, "item %lld of %lld groups", (long long)item,
                     (long long)counts[i]);
      marker_close(&on);
    }
}

/* PoCL before 6.0 releases the wrong kernel where the later of two launches has more work-items along an
 * axis. */
Test(launch, of_more_groups_runs_beside_one_of_fewer) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    marker on[SEVERAL];
    for (int i = 0; i < SEVERAL; i++) cr_assert(marker_open(&on[i], index, SEVERAL + 1));
    for (int i = 0; i < SEVERAL; i++) cr_assert(begin(&on[i], 1 + i, 8000000));
    for (int i = 0; i < SEVERAL; i++) {
      cl_int *marks = marks_of(&on[i]);
      cr_assert(marks);
      for (int item = 0; item < (SEVERAL + 1) * ITEMS; item++)
        cr_expect_eq(marks[item], item < (1 + i) * ITEMS);
      free(marks);
      marker_close(&on[i]);
    }
  }
}

typedef struct launcher {
  int index, number;
  char failure[64];
} launcher;

/* Each launch has more groups than those before it, of all threads, that keep step. */
static void *launch_many(void *user) {
  launcher *own = user;
  for (int opened = 0; opened < OPENED && !own->failure[0]; opened++) {
    cl_int wanted[GROUPS_MOST] = {0};
    marker on;
    bool good = marker_open(&on, own->index, GROUPS_MOST);
    for (int i = 0; good && i < LAUNCHES; i++) {
      const int64_t groups = 1 + i * THREADS + own->number;
      for (int64_t group = 0; group < groups; group++) wanted[group]++;
      good = begin(&on, groups, 100);
    }
    OWNED(free_memory) cl_int *marks = good ? marks_of(&on) : NULL;
    if (!marks) snprintf(own->failure, sizeof own->failure, "a launch failed");
    for (int item = 0; marks && item < GROUPS_MOST * ITEMS; item++)
      if (marks[item] != wanted[item / ITEMS])
        snprintf(own->failure, sizeof own->failure, "work-item %d ran %d times, not %d", item, marks[item],
                 wanted[item / ITEMS]);
    marker_close(&on);
  }
  return NULL;
}

Test(launch, of_many_threads_differ_in_groups) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    pthread_t threads[THREADS];
    launcher launchers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
      launchers[i] = (launcher){.index = index, .number = i};
      cr_assert_eq(pthread_create(&threads[i], NULL, launch_many, &launchers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
      cr_expect_str_empty(launchers[i].failure, "thread %d: %s", i, launchers[i].failure);
  }
}
