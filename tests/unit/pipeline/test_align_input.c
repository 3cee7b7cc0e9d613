/* What the options say of the devices that share a pair. */

#include "pipeline/pipeline_internal.h"
#include "ranks/cluster.h"
#include "scoring/lane_width.h"
#include "support/test.h"

static void expect_sharing(const cla_align_options *options, int devices) {
  static const cla_device_info device = {.name = "none", .memory_bytes = 1 << 30};
  const int64_t letters[] = {1000, 2000};
  plan_input input;
  score_table table;
  assert_ok(align_input_make(&input, &table, &device, letters, options, &why));
  cr_expect_eq(input.devices, devices);
  cr_expect_eq(input.nesting, devices > 1 ? LANE_WIDTH_BELOW_ROW : 0);
}

Test(align_input, blocks_of_other_ranks_lie_below_a_row) {
  cla_ranks ranks = {.count = 3, .threads = 1, .least_cells = 2000000, .peers = &rank_peers};
  cla_align_options options;
  cla_align_options_init(&options);
  options.budgets.memory_bytes = 1 << 30;
  expect_sharing(&options, 1);
  options.ranks = &ranks;
  expect_sharing(&options, 3);
  ranks.least_cells++;
  expect_sharing(&options, 1);
}

/* What a host thread computes until a device is open: 6 kbp beside a GPU, 3.8 kbp beside a CPU's driver. */
Test(align_input, a_pair_may_be_done_before_a_device_is_open) {
  cla_align_options options;
  cla_align_options_init(&options);
  options.host_cells = align_cells_meanwhile(align_opening_seconds(CLA_DEVICE_GPU));
  cr_expect(align_lengths_suit_host(&options, 6000, 6000) && !align_lengths_suit_host(&options, 7000, 7000));
  options.host_cells = align_cells_meanwhile(align_opening_seconds(CLA_DEVICE_CPU));
  cr_expect(align_lengths_suit_host(&options, 3800, 3800) && !align_lengths_suit_host(&options, 4000, 4000));
  cr_expect_eq(align_cells_meanwhile(-1), 0);
}
