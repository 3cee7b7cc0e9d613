/* Paths of packs, and the memory that each may take. */

#include "batch/batch_pack.h"
#include "clalign/simulate.h"
#include "device/device_use.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Pairs that are not alike: the path of the long one matters nearly everywhere. */
#define PAIRS 3
#define LONG 1
static const int64_t lengths[PAIRS] = {200, 8000, 300};

typedef struct pack_case {
  batch_job jobs[PAIRS];
  batch_job *list[PAIRS];
  cla_sequence *sides[PAIRS][2];
  cla_align_options align;
  pack_scheme packs;
  pack_solver *solver;
  cla_device *device;
} pack_case;

static void make_pair(pack_case *one, int i) {
  cla_simulate_options how;
  cla_simulate_options_init(&how);
  how.seed = 31 + (uint64_t)i;
  how.length = lengths[i];
  how.unrelated = true;
  char *letters[2] = {NULL, NULL};
  int64_t counts[2] = {0, 0};
  assert_ok(cla_simulate(&letters[0], &counts[0], &letters[1], &counts[1], &how, &why));
  for (int side = 0; side < 2; side++) {
    assert_ok(cla_sequence_from_letters(&one->sides[i][side], "s", letters[side], counts[side], &why));
    free(letters[side]);
  }
  one->jobs[i] = (batch_job){
      .index = i, .pair = {.query = one->sides[i][0], .target = one->sides[i][1]}, .readable = true};
  one->list[i] = &one->jobs[i];
}

static void open_case(pack_case *one) {
  *one = (pack_case){.device = test_device_open_threads(0, 2)};
  cla_align_options_init(&one->align);
  one->align.mode = CLA_MODE_GLOBAL;
  pack_scheme_make(&one->packs, &one->align);
  for (int i = 0; i < PAIRS; i++) make_pair(one, i);
  assert_ok(device_take(one->device, NULL, NULL, &why));
  assert_ok(pack_solver_create(&one->solver, one->device, &one->packs.scheme, &why));
}

static void close_case(pack_case *one) {
  pack_solver_free(one->solver);
  device_give_back(one->device);
  cla_device_close(one->device);
  for (int i = 0; i < PAIRS; i++) {
    batch_job_clear(&one->jobs[i]);
    cla_sequence_free(one->sides[i][0]);
    cla_sequence_free(one->sides[i][1]);
  }
}

static void align(pack_case *one, int64_t path_bytes) {
  const trace_memory memory = {.threads = 2, .path_bytes = path_bytes};
  tracers *threads = NULL;
  one->packs.path_bytes = path_bytes;
  assert_ok(tracers_create(&threads, &memory, 2, &why));
  const pack_means with = {.solver = one->solver,
                           .packs = &one->packs,
                           .device = cla_device_describe(one->device),
                           .align = &one->align,
                           .tracers = threads};
  assert_ok(batch_pack_align(one->list, PAIRS, &with, &why));
  tracers_free(threads);
}

Test(batch_paths, that_do_not_fit_are_left_to_be_done_alone, .timeout = 600) {
  pack_case one;
  open_case(&one);
  for (int i = 0; i < PAIRS; i++) {
    const cla_device_info *info = cla_device_describe(one.device);
    if (!batch_pack_takes(&one.packs, info, &one.jobs[i], &one.align))
      cr_skip_test("%s has no memory for a pack of these pairs", info->name);
  }
  align(&one, 1 << 17);
  for (int i = 0; i < PAIRS; i++) {
    cr_expect_eq(one.jobs[i].too_large, i == LONG);
    cr_expect_eq(one.jobs[i].count, i == LONG ? 0 : 1);
  }
  align(&one, INT64_C(1) << 28);
  for (int i = 0; i < PAIRS; i++) {
    cr_expect(!one.jobs[i].too_large);
    cr_expect_eq(one.jobs[i].count, 1);
  }
  close_case(&one);
}
