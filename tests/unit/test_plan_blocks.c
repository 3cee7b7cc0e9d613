/* The rows of a sweep, cut into blocks for several devices. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_blocks.h"
#include "seq/sequence.h"

#define DEVICES 3

/* What each device gets if they take blocks in turn. */
typedef struct cut_rows {
  int64_t rows[DEVICES], blocks[DEVICES], all;
} cut_rows;

static cut_rows cut(const block_device *devices, int count, int64_t row, int64_t end) {
  cla_error error = {0};
  block_cutter cutter;
  cut_rows got = {.all = 0};
  int64_t next = row;
  cr_assert_eq(block_cutter_begin(&cutter, devices, count, row, end, &error), CLA_OK, "%s", error.message);
  for (int i = 0; next < end; i = (i + 1) % count) {
    row_block block;
    if (!block_cutter_take(&block, &cutter, i)) continue;
    cr_assert(block.device == i && block.row == next && block.rows > 0, "block at %lld", (long long)next);
    next += block.rows;
    cr_assert(next == end || block.rows % devices[i].unit_rows == 0, "%lld rows", (long long)block.rows);
    got.rows[i] += block.rows;
    got.blocks[i]++;
    got.all++;
    cr_assert_leq(got.all, block_cutter_most(&cutter));
  }
  cr_assert_eq(next, end);
  row_block none;
  for (int i = 0; i < count; i++) cr_assert(!block_cutter_take(&none, &cutter, i));
  block_cutter_free(&cutter);
  return got;
}

Test(plan_blocks, rows_are_in_proportion_to_speed) {
  const block_device devices[] = {{.rate = 4e12, .unit_rows = 768, .least_rows = 10000, .rounds = 4},
                                  {.rate = 2e12, .unit_rows = 512, .least_rows = 5000, .rounds = 4},
                                  {.rate = 1e11, .unit_rows = 1024, .least_rows = 2000, .rounds = 4}};
  const int64_t rows = 2000000, first = 12345;
  const cut_rows got = cut(devices, DEVICES, first, first + rows);
  for (int i = 0; i < DEVICES; i++) {
    const double wanted = (double)rows * devices[i].rate / 6.1e12;
    cr_assert_float_eq((double)got.rows[i], wanted, (double)(4 * devices[i].unit_rows),
                       "device %d: %lld rows", i, (long long)got.rows[i]);
    cr_assert(got.blocks[i] >= 4 && got.blocks[i] <= 5);
  }
}

Test(plan_blocks, whom_a_part_does_not_keep_busy_takes_none) {
  block_device devices[] = {{.rate = 4e12, .unit_rows = 768, .least_rows = 10000, .rounds = 4},
                            {.rate = 1e11, .unit_rows = 512, .least_rows = 512, .rounds = 4}};
  const cut_rows few = cut(devices, 2, 0, 10000);
  cr_assert(few.rows[0] == 10000 && few.blocks[0] == 1 && few.rows[1] == 0);
  const cut_rows many = cut(devices, 2, 0, 5000000);
  cr_assert_gt(many.rows[1], 100000);
  devices[1].idle = true;
  const cut_rows idle = cut(devices, 2, 0, 5000000);
  cr_assert_eq(idle.rows[0], 5000000);
}

Test(plan_blocks, fewer_rounds_keep_devices_busy) {
  const block_device devices[] = {{.rate = 1, .unit_rows = 64, .least_rows = 30000, .rounds = 4},
                                  {.rate = 1, .unit_rows = 64, .least_rows = 30000, .rounds = 4}};
  const cut_rows got = cut(devices, 2, 0, 130000);
  cr_assert(got.blocks[0] == 2 && got.blocks[1] == 2);
}

/* Where a part of a round takes as long as a whole one, blocks have whole ones, and as many as come out even.
 */
Test(plan_blocks, whole_rounds_come_out_even) {
  enum { ROUND = 675840, OTHER = 811008 };
  const block_device four = {
      .rate = 1, .unit_rows = 1280, .least_rows = ROUND, .by_whole = true, .rounds = 8};
  const block_device two = {.rate = 1, .unit_rows = 1536, .least_rows = OTHER, .by_whole = true, .rounds = 8};
  const block_device fours[] = {four, four, four}, twos[] = {two, two};
  const cut_rows of_three = cut(fours, 3, 0, 9 * ROUND - 50000);
  for (int i = 0; i < 3; i++) cr_assert(of_three.blocks[i] == 3 && of_three.rows[i] > 3 * ROUND - 60000);
  const cut_rows of_two = cut(twos, 2, 0, 8000000);
  cr_assert(of_two.blocks[0] == 5 && of_two.blocks[1] == 5 && of_two.rows[0] == 5 * OTHER);
  const cut_rows less = cut(twos, 2, 0, OTHER + 50000);
  cr_assert_eq(less.rows[0], OTHER);
  const cut_rows one = cut(twos, 2, 0, OTHER);
  cr_assert_eq(one.rows[0], OTHER);
}

/* Blocks end with a kept row, also where rows are kept further apart than a round's. */
Test(plan_blocks, rounds_are_multiples_of_the_rows_between_kept_ones) {
  const cla_device_info device = {.kind = CLA_DEVICE_GPU, .compute_units = 132};
  static const int64_t intervals[] = {1536, 153600, 811008, 2001408};
  for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
    const plan whole = {.sweep = {.variant = &kernel_nvidia16,
                                  .lanes = 64,
                                  .alpha = 24,
                                  .launch = KERNEL_PERSISTENT,
                                  .groups = 528},
                        .row_interval = intervals[i]};
    const plan_input input = {.device = &device};
    block_device facts = plan_block_device(&whole, &input);
    facts.rate = 1;
    cr_expect_eq(facts.unit_rows, intervals[i]);
    cr_expect_eq(facts.by_whole, intervals[i] <= 811008);
    const block_device both[] = {facts, facts};
    cut(both, 2, 0, 10000000); /* which looks at each block's rows */
  }
}

Test(plan_blocks, guessed_rates_are_replaced_when_all_are_known) {
  const block_device devices[] = {{.rate = 1, .guessed = true, .unit_rows = 1, .least_rows = 1, .rounds = 4},
                                  {.rate = 1, .guessed = true, .unit_rows = 1, .least_rows = 1, .rounds = 4}};
  cla_error error = {0};
  block_cutter cutter;
  row_block blocks[2];
  cr_assert_eq(block_cutter_begin(&cutter, devices, 2, 0, 80000, &error), CLA_OK);
  block_cutter_learn(&cutter, 0, 3e9);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 10000 && blocks[1].rows == 10000);
  block_cutter_learn(&cutter, 1, 1e9);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 15000 && blocks[1].rows == 5000);
  block_cutter_free(&cutter);
}

Test(plan_blocks, a_device_that_turns_out_slower_gets_less) {
  const block_device devices[] = {{.rate = 1e10, .unit_rows = 1, .least_rows = 1, .rounds = 10},
                                  {.rate = 1e10, .unit_rows = 1, .least_rows = 1, .rounds = 10}};
  cla_error error = {0};
  block_cutter cutter;
  row_block blocks[2];
  cr_assert_eq(block_cutter_begin(&cutter, devices, 2, 0, 100000, &error), CLA_OK);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 5000 && blocks[1].rows == 5000);
  block_cutter_learn(&cutter, 1, 2.5e9);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 8000 && blocks[1].rows == 2000);
  block_cutter_free(&cutter);
}

Test(plan_blocks, the_plan_names_each_device) {
  const block_device devices[] = {{.rate = 3, .unit_rows = 10, .least_rows = 10, .rounds = 1},
                                  {.rate = 1, .unit_rows = 10, .least_rows = 10, .rounds = 1},
                                  {.rate = 1, .unit_rows = 10, .least_rows = 10, .rounds = 1, .idle = true}};
  const char *const names[] = {"Big", "Small", "Other"};
  cla_error error = {0};
  char *text = NULL;
  cr_assert_eq(plan_blocks_explain(&text, devices, names, DEVICES, 1000, 1 << 20, &error), CLA_OK);
  cr_assert_str_eq(text,
                   "devices    Big: about 1 blocks, 750 rows, 75 %\n"
                   "           Small: about 1 blocks, 250 rows, 25 %\n"
                   "           Other: no part of the sweep\n"
                   "           up to 3.0 MiB of host memory for what they hand to each other\n");
  free(text);
}

Test(plan_blocks, a_block_of_many_strips_has_narrower_tiles) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  const kernel_config wide = {
      .variant = &kernel_vector8, .lanes = 64, .alpha = 16, .tile_columns = 2048, .launch = KERNEL_DIAGONALS};
  plan_input input = {.rows = 1000000, .columns = 1000000, .scoring = &scoring};
  cr_assert_eq(plan_block_config(&wide, &input, 10240).tile_columns, 2048);
  cr_assert_eq(plan_block_config(&wide, &input, 40960).tile_columns, 512);
  cr_assert_eq(plan_block_config(&wide, &input, 1000000).tile_columns, 512);
  input.settings = "tile=2048";
  cr_assert_eq(plan_block_config(&wide, &input, 1000000).tile_columns, 2048);
}

Test(plan_blocks, the_row_that_is_handed_down_is_in_the_plan_s_device_memory) {
  const int64_t room = INT64_C(1) << 40, letters = 1000000;
  const cla_device_info device = {.kind = CLA_DEVICE_CPU,
                                  .name = "a CPU",
                                  .compute_units = 2,
                                  .native_short_lanes = 16,
                                  .memory_bytes = room,
                                  .max_allocation_bytes = room,
                                  .local_memory_bytes = 1 << 20,
                                  .max_group_size = 4096};
  cla_error error = {0};
  cla_scoring scoring;
  score_table table;
  plan one, two;
  cla_scoring_init(&scoring);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  plan_input input = {.rows = letters,
                      .columns = letters,
                      .ends = path_ends_make(CLA_MODE_LOCAL, 0),
                      .mode = "local",
                      .score_only = true,
                      .scoring = &scoring,
                      .table = &table,
                      .device = &device,
                      .special_rows = -1,
                      .memory_bytes = room,
                      .device_memory_bytes = room,
                      .kernel = "vector8",
                      .settings = "lanes=32,alpha=8,tile=1024"};
  cr_assert_eq(plan_make(&one, &input, &error), CLA_OK, "%s", error.message);
  input.devices = 2;
  cr_assert_eq(plan_make(&two, &input, &error), CLA_OK, "%s", error.message);
  cr_assert_geq(two.device_bytes, one.device_bytes + 2 * letters); /* H and F, of a byte each */
}
