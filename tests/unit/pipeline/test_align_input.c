/* What the options say of the devices that share a pair. */

#include "pipeline/pipeline.h"
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
  cla_ranks ranks = {.count = 3, .threads = 1, .least_cells = 2000000};
  cla_align_options options;
  cla_align_options_init(&options);
  options.budgets.memory_bytes = 1 << 30;
  expect_sharing(&options, 1);
  options.ranks = &ranks;
  expect_sharing(&options, 3);
  ranks.least_cells++;
  expect_sharing(&options, 1);
}
