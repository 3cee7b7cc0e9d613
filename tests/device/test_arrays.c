/* Pairs as arrays, which devices score beside host threads. */

#include <dlfcn.h>

#include "batch/arrays_internal.h"
#include "device/device.h"
#include "seq/alphabet.h"
#include "seq/random_stream.h"
#include "support/cases/arrays_case.h"
#include "support/test.h"
#include "support/test_devices.h"

#define FIRST_SEED 9600000
#define CHUNK 7
#define ROW_LETTERS 250

/* A device that fails, or computes wrongly, from one of its commands on: all of them go through here, because
 * the program's own symbols come before those of libraries. */
static struct {
  cl_context context; /* the device's, or NULL */
  bool launches;      /* are refused; else what is read is wrong */
  atomic_int left;    /* commands before that */
} broken;

static bool is_broken(cl_command_queue queue, bool launch) {
  cl_context context = NULL;
  if (!broken.context || launch != broken.launches) return false; /* the emulated GPU tells no contexts */
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  return context == broken.context && atomic_fetch_sub(&broken.left, 1) <= 0;
}

typedef cl_int (*launch_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                  const size_t *, cl_uint, const cl_event *, cl_event *);

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint wait_count, const cl_event *wait, cl_event *event) {
  launch_function launch = NULL;
  void *found = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  memcpy(&launch, &found, sizeof launch);
  if (is_broken(queue, true)) return CL_INVALID_COMMAND_QUEUE;
  return launch(queue, kernel, dimensions, offset, global, local, wait_count, wait, event);
}

typedef cl_int (*read_function)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                                const cl_event *, cl_event *);

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t bytes, void *into, cl_uint wait_count, const cl_event *wait,
                           cl_event *event) {
  read_function read = NULL;
  void *found = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
  memcpy(&read, &found, sizeof read);
  const cl_int code = read(queue, buffer, blocking, offset, bytes, into, wait_count, wait, event);
  if (is_broken(queue, false))
    for (size_t i = 0; i < bytes / sizeof(int32_t); i++) ((int32_t *)into)[i]++;
  return code;
}

static void count_notes(const char *note, void *user) {
  int *count = user;
  if (strstr(note, "is left out")) ++*count;
}

/* Has the device take chunks of a few pairs, before any host thread does. Of a search, longer sequences are
 * in no row. Returns how many pairs it scored. */
static int64_t solve_on(arrays_case *x, cla_device *device, uint64_t seed) {
  const cla_partner partner = {.device = device};
  atomic_llong scored = 0;
  const arrays_rules few_pairs = {.chunk_pairs = CHUNK,
                                  .row_letters = seed % 2 ? ROW_LETTERS : 0,
                                  .devices_first = true,
                                  .scored = &scored};
  x->options.partners = &partner;
  x->options.partner_count = 1;
  assert_ok_for(arrays_align(&x->results, &x->arrays, NULL, &x->options, &few_pairs, &why), "seed %llu",
                (unsigned long long)seed);
  x->options.partners = NULL;
  x->options.partner_count = 0;
  arrays_case_check_all(x, seed);
  return scored;
}

static void check_seed(cla_device *device, uint64_t seed) {
  static arrays_case x;
  arrays_case_make(&x, seed);
  if (seed % 5 == 0 && x.options.mode == CLA_MODE_GLOBAL) {
    x.options.mode = CLA_MODE_FREE_ENDS;
    x.options.free_ends = 1 + (int)(seed / 5 % 15);
  }
  cr_assert_eq(solve_on(&x, device, seed), ARRAYS_PAIRS, "seed %llu", (unsigned long long)seed);
  arrays_case_end(&x);
}

Test(arrays, of_a_device_are_those_of_cla_align, .timeout = 600) {
  const int cases = (int)test_count("CLALIGN_TEST_PAIRS", 60);
  FOR_EACH_DEVICE (device)
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + (uint64_t)cases; seed++) check_seed(device, seed);
}

/* Gives the arrays codes, in this room, in place of text. */
static void encode(arrays_case *x, uint8_t codes[2][ARRAYS_PAIRS * ARRAYS_LETTERS_MOST]) {
  const letter_set *letters = NULL;
  letter_set room;
  assert_ok(alphabet_choose(&letters, &room, x->arrays.alphabet, NULL, &why));
  for (int side = 0; side < 2; side++) {
    const int64_t count = x->offsets[side][ARRAYS_PAIRS];
    cr_assert_eq(letter_codes_of(codes[side], letters, x->letters[side], count), count);
    x->arrays.letters[side] = codes[side];
  }
  x->arrays.coded = true;
}

/* Few queries with all targets, as a search has them; the first query has letters. */
static void use_few(arrays_case *x) {
  static int64_t of[2][ARRAYS_PAIRS];
  const int queries = 6, targets = ARRAYS_PAIRS / queries;
  int64_t first = 0;
  while (x->offsets[0][first] == x->offsets[0][first + 1]) first++;
  for (int i = 0; i < ARRAYS_PAIRS; i++) {
    of[0][i] = first + i / targets;
    of[1][i] = i % targets;
  }
  for (int side = 0; side < 2; side++) x->arrays.of[side] = of[side];
}

/* Letters of few sequences lie on the device once. */
Test(arrays, of_few_sequences_are_those_of_cla_align, .timeout = 600) {
  static arrays_case x;
  static uint8_t codes[2][ARRAYS_PAIRS * ARRAYS_LETTERS_MOST];
  FOR_EACH_DEVICE (device)
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 8; seed++) {
      arrays_case_make(&x, seed);
      use_few(&x);
      if (seed % 4 < 3) {
        x.options.strand = CLA_STRAND_FORWARD;
        encode(&x, codes);
      }
      cr_assert_eq(solve_on(&x, device, seed), ARRAYS_PAIRS, "seed %llu", (unsigned long long)seed);
      arrays_case_end(&x);
    }
}

/* As broken.launches says. Only paths tell all wrong scores. */
static void break_device(cla_device *device, bool launches) {
  int lost = 0;
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 6; seed++)
    for (int left = 0; left < 12; left += 3) {
      static arrays_case x;
      int notes = 0;
      arrays_case_make(&x, seed);
      x.options.score_only &= launches;
      x.options.callbacks.note = count_notes;
      x.options.callbacks.note_user = &notes;
      assert_ok(device_start(device, &why));
      broken.context = device->on->context;
      broken.launches = launches;
      broken.left = left;
      const int64_t scored = solve_on(&x, device, seed);
      broken.context = NULL;
      cr_assert_eq(notes > 0, scored < ARRAYS_PAIRS, "seed %llu, %d commands: %lld pairs",
                   (unsigned long long)seed, left, (long long)scored);
      lost += notes;
      arrays_case_end(&x);
    }
  cr_assert_gt(lost, 5);
}

Test(arrays, do_without_a_device_that_fails, .timeout = 600) {
  FOR_EACH_DEVICE (device) break_device(device, true);
}

Test(arrays, do_without_a_device_that_computes_wrongly, .timeout = 600) {
  FOR_EACH_DEVICE (device) break_device(device, false);
}

/* A call for scores alone, which a device has first if there is one. */
static void score_alone(arrays_case *x, cla_device *device) {
  const cla_partner partner = {.device = device};
  const arrays_rules rules = {
      .chunk_pairs = CHUNK, .row_letters = ROW_LETTERS, .devices_first = device != NULL};
  x->options.partners = &partner;
  x->options.partner_count = device != NULL;
  assert_ok(arrays_align(&x->results, &x->arrays, NULL, &x->options, &rules, &why));
  x->options.partners = NULL;
  x->options.partner_count = 0;
}

/* Codes of few queries with all targets, in a local alignment on one strand: a device that can goes along
 * them as rows. */
static void make_search(arrays_case *x) {
  static uint8_t codes[2][ARRAYS_PAIRS * ARRAYS_LETTERS_MOST];
  x->options.strand = CLA_STRAND_FORWARD;
  x->options.mode = CLA_MODE_LOCAL;
  x->options.free_ends = 0;
  use_few(x);
  encode(x, codes);
}

/* Leaves scores alone of what is wanted. */
static void want_scores(arrays_case *x) {
  x->results.runs = NULL;
  for (int side = 0; side < 2; side++) x->results.start[side] = x->results.end[side] = NULL;
  x->options.score_only = true;
}

Test(arrays, of_a_search_are_those_of_host_threads, .timeout = 600) {
  static arrays_case x;
  static int64_t scores[ARRAYS_PAIRS];
  FOR_EACH_DEVICE (device)
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 8; seed++) {
      arrays_case_make(&x, seed);
      make_search(&x);
      const cla_pair_results all = x.results;
      want_scores(&x);
      score_alone(&x, NULL);
      memcpy(scores, x.results.score, sizeof scores);
      score_alone(&x, device);
      cr_assert_arr_eq(x.results.score, scores, sizeof scores, "seed %llu", (unsigned long long)seed);
      x.results = all;
      arrays_case_end(&x);
    }
}

/* The device has passed its tests when it begins to compute wrongly. */
Test(arrays, some_scores_alone_are_compared_with_the_hosts, .timeout = 600) {
  static arrays_case x;
  static int64_t scores[ARRAYS_PAIRS];
  FOR_EACH_DEVICE (device)
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 8; seed++) {
      int notes = 0;
      arrays_case_make(&x, seed);
      if (seed % 2) make_search(&x);
      const cla_pair_results all = x.results;
      want_scores(&x);
      x.options.callbacks.note = count_notes;
      x.options.callbacks.note_user = &notes;
      score_alone(&x, NULL);
      memcpy(scores, x.results.score, sizeof scores);
      for (int breaks = 0; breaks < 2; breaks++) {
        assert_ok(device_start(device, &why));
        broken.context = breaks ? device->on->context : NULL;
        broken.launches = false;
        broken.left = 0;
        score_alone(&x, device);
        broken.context = NULL;
        cr_assert_eq(notes, breaks, "seed %llu", (unsigned long long)seed);
        if (!breaks) /* only some are compared */
          cr_assert_arr_eq(x.results.score, scores, sizeof scores, "seed %llu", (unsigned long long)seed);
      }
      x.results = all;
      arrays_case_end(&x);
    }
}

/* Host threads and a device take what they get. */
Test(arrays, may_be_shared_out_by_speed, .timeout = 600) {
  static arrays_case x;
  FOR_EACH_DEVICE (device)
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      const cla_partner partners[] = {{.device = device}, {.device = device}};
      arrays_case_make(&x, seed);
      x.options.partners = partners;
      x.options.partner_count = 2;
      assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
      x.options.partners = NULL;
      x.options.partner_count = 0;
      arrays_case_check_all(&x, seed);
      arrays_case_end(&x);
    }
}
