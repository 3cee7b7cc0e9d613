/* What plans say of how the rows of a sweep are cut into blocks for several devices. */

#include "plan/plan_blocks.h"
#include "scoring/lane_width.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

#define ROWS INT64_C(8000000)

/* GPUs of 132 units, as an H200, that share so long a pair. */
typedef struct gpu {
  plan_case of;
  plan whole;
} gpu;

static void set_up(gpu *g, int devices, int64_t special_rows) {
  plan_case_make(&g->of, ROWS, ROWS);
  plan_case_take_gpu(&g->of);
  g->of.input.score_only = special_rows == 0;
  g->of.input.devices = g->of.input.alike = devices;
  g->of.input.nesting = LANE_WIDTH_BELOW_ROW;
  g->of.input.special_rows = special_rows;
  g->of.input.kernel = "nvidia16";
  assert_ok(plan_make(&g->whole, &g->of.input, &why));
}

/* Rounds of the sweep's own rows a lane, and shorter ones of fewer, by what steps take with each. */
Test(plan_blocks, rounds_of_fewer_rows_a_lane_are_shorter) {
  gpu g;
  set_up(&g, 2, 0);
  const block_device facts = plan_block_device(&g.whole, &g.of.input);
  cr_assert_gt(facts.way_count, 4);
  cr_assert_eq(facts.ways[0].alpha, g.whole.sweep.alpha);
  cr_assert_eq(facts.ways[0].round_rows, INT64_C(528) * 64 * g.whole.sweep.alpha);
  cr_assert_float_eq(facts.ways[0].round_work, (double)facts.ways[0].round_rows, 1);
  for (int i = 2; i < facts.way_count; i++) {
    const block_way *less = facts.ways + i - 1, *more = facts.ways + i;
    cr_expect_eq(more->round_rows, INT64_C(528) * 64 * more->alpha);
    cr_expect(less->round_rows < more->round_rows && less->round_work < more->round_work);
    /* A row of fewer a lane takes longer. */
    cr_expect_geq(less->round_work / (double)less->round_rows, more->round_work / (double)more->round_rows);
  }
  g.of.input.settings = "alpha=20";
  cr_assert_eq(plan_block_device(&g.whole, &g.of.input).way_count, 1);
  g.of.input.settings = NULL;
  g.whole.prune = true;
  cr_assert_eq(plan_block_device(&g.whole, &g.of.input).way_count, 1);
}

/* Rows a lane are for what a device has of the rows, of which a CPU besides takes nothing. */
Test(plan_blocks, rows_a_lane_are_for_a_device_s_part) {
  gpu two, many, beside;
  set_up(&two, 2, 0);
  set_up(&many, 40, 0);
  set_up(&beside, 40, 0);
  cr_assert_gt(two.whole.sweep.alpha, many.whole.sweep.alpha);
  beside.of.input.alike = 2;
  assert_ok(plan_make(&beside.whole, &beside.of.input, &why));
  cr_assert_eq(beside.whole.sweep.alpha, two.whole.sweep.alpha);
}

/* Of two million rows, three rounds of 20 rows a lane take less than three of 24; but less still two of 24
 * and a short one for the rest. */
Test(plan_blocks, rounds_of_several_devices_are_those_that_take_least) {
  gpu alone, four;
  plan_case quarter;
  plan whole;
  set_up(&four, 4, 0);
  cr_assert_eq(four.whole.sweep.alpha, 20);
  plan_case_make(&quarter, ROWS / 4, ROWS);
  plan_case_take_gpu(&quarter);
  quarter.input.score_only = true;
  quarter.input.kernel = "nvidia16";
  assert_ok(plan_make(&whole, &quarter.input, &why));
  cr_assert_eq(whole.sweep.alpha, 20);
  set_up(&alone, 1, 0);
  alone.whole.predicted.sweep_seconds = 13.84;
  const block_device facts = plan_block_device(&alone.whole, &alone.of.input),
                     all[] = {facts, facts, facts, facts};
  double seconds = 0;
  assert_ok(plan_blocks_seconds(&seconds, all, 4, &four.of.input, &why));
  cr_assert(seconds > 13.84 / 4 && seconds < 3.66, "%g", seconds);
}

/* Blocks end with a kept row, also where rows are kept further apart than a round's, and those end with
 * strips. */
Test(plan_blocks, rounds_are_multiples_of_the_rows_between_kept_ones) {
  gpu g;
  static const int64_t intervals[] = {1280, 128000, 675840, 2001920};
  set_up(&g, 2, 48);
  cr_assert_eq(g.whole.sweep.alpha, 20);
  for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
    g.whole.row_interval = intervals[i];
    const block_device facts = plan_block_device(&g.whole, &g.of.input);
    cr_expect_eq(facts.unit_rows, intervals[i]);
    cr_expect_gt(facts.way_count, 0);
    for (int way = 0; way < facts.way_count; way++) {
      const block_way *w = facts.ways + way;
      const int64_t rounds = (intervals[i] + 33792 * w->alpha - 1) / (INT64_C(33792) * w->alpha);
      cr_expect(w->round_rows > 0 && w->round_rows % intervals[i] == 0, "%lld", (long long)w->round_rows);
      cr_expect_eq(intervals[i] % (64 * w->alpha), 0);
      cr_expect_leq(w->round_rows, rounds * 33792 * w->alpha);
    }
  }
}

/* A diagonal of a block is a tile for each core, or several, but no part of one. */
Test(plan_blocks, strips_of_a_cpu_come_out_even) {
  const cla_device_info device = {.kind = CLA_DEVICE_CPU, .compute_units = 16};
  plan whole = {.sweep = {.variant = &kernel_vector8, .lanes = 64, .alpha = 16, .tile_columns = 1024}};
  const plan_input input = {.device = &device, .rows = ROWS, .columns = ROWS};
  const block_device facts = plan_block_device(&whole, &input);
  cr_assert(facts.unit_rows == 16 * 1024 && facts.least_rows % facts.unit_rows == 0 && facts.way_count == 0);
  whole.row_interval = 40 * 1024;
  cr_assert_eq(plan_block_device(&whole, &input).unit_rows, whole.row_interval);
}

/* A sample of few columns takes longer for its cells than the sweep will, because strips begin one after the
 * other. */
Test(plan_blocks, samples_tell_of_full_rounds) {
  gpu g;
  set_up(&g, 2, 0);
  const block_device facts = plan_block_device(&g.whole, &g.of.input);
  const kernel_config *sweep = &g.whole.sweep;
  const int64_t columns = 65536, round = facts.ways[0].round_rows;
  const double unit = 1e-9; /* seconds of what the variant's cost is in */
  const double sample =
      unit * sweep->variant->cost(sweep, &g.of.device, KERNEL_GAPS_AFFINE, round, columns, 1);
  const double all = unit * sweep->variant->cost(sweep, &g.of.device, KERNEL_GAPS_AFFINE, round, ROWS, 1);
  const double rate = plan_block_sampled(&g.whole, &g.of.input, round, columns) / sample;
  cr_assert_float_eq(rate, (double)round * (double)ROWS / all, 1e-6 * rate);
  cr_assert_gt(rate, 1.2 * (double)round * (double)columns / sample);
}

/* 32 strips of 96 tiles of 512 columns, and one more tile for the lanes' end, each strip two tiles behind the
 * one above, are 159 diagonals. All of 16 units have work twice if a diagonal has 17 tiles or more. */
Test(plan_blocks, samples_of_a_cpu_tell_of_busy_units) {
  const cla_device_info device = {.kind = CLA_DEVICE_CPU, .compute_units = 16};
  const plan whole = {.sweep = {.variant = &kernel_vector8, .lanes = 64, .alpha = 16, .tile_columns = 1024}};
  cla_scoring scoring = default_scoring();
  const plan_input input = {.device = &device, .scoring = &scoring, .rows = ROWS, .columns = ROWS};
  const int64_t rows = INT64_C(32) * 1024, columns = INT64_C(96) * 512;
  int64_t turns = 0;
  for (int diagonal = 0; diagonal < 97 + 62; diagonal++) {
    int tiles = 0;
    for (int strip = 0; strip < 32; strip++) tiles += diagonal >= 2 * strip && diagonal - 2 * strip < 97;
    turns += (tiles + 15) / 16;
  }
  const double work = plan_block_sampled(&whole, &input, rows, columns);
  const double wanted = (double)rows * (double)columns * 16 * (double)turns / (32 * 97);
  cr_assert_float_eq(work, wanted, 1e-9 * wanted, "%g", work / wanted);
}

/* The record's seconds are those of one device, whose last round is not full. */
Test(plan_blocks, seconds_of_one_device_are_its_record_s) {
  gpu g;
  double one = 0, two = 0;
  set_up(&g, 1, 0);
  g.whole.predicted.sweep_seconds = 14.2;
  const block_device facts = plan_block_device(&g.whole, &g.of.input), both[] = {facts, facts};
  assert_ok(plan_blocks_seconds(&one, both, 1, &g.of.input, &why));
  cr_assert_float_eq(one, 14.2, 1e-6);
  assert_ok(plan_blocks_seconds(&two, both, 2, &g.of.input, &why));
  cr_assert(two > 7.1 && two < 8, "%g", two);
}

Test(plan_blocks, the_plan_names_each_device) {
  const block_device devices[] = {
      {.name = "Big", .rate = 3, .unit_rows = 10, .least_rows = 10, .rounds = 1},
      {.name = "Small", .rate = 1, .unit_rows = 10, .least_rows = 10, .rounds = 1},
      {.name = "Other", .rate = 1, .unit_rows = 10, .least_rows = 10, .rounds = 1, .idle = true}};
  OWNED(free_memory) char *text = NULL;
  assert_ok(plan_blocks_explain(&text, devices, 3, 1000, 1 << 20, &why));
  cr_assert_str_eq(text,
                   "devices    Big: about 1 blocks, 750 rows, 75 %\n"
                   "           Small: about 1 blocks, 250 rows, 25 %\n"
                   "           Other: no part of the sweep\n"
                   "           up to 3.0 MiB of host memory for what they hand to each other\n");
}

/* Two GPUs share 11.1 rounds: five and a half each, of which one has fewer rows a lane. */
Test(plan_blocks, the_plan_names_other_rows_a_lane) {
  gpu g;
  OWNED(free_memory) char *text = NULL;
  set_up(&g, 2, 0);
  block_device facts = plan_block_device(&g.whole, &g.of.input);
  plan_block_rate(&facts, &g.of.input, 4.5e12);
  block_device both[] = {facts, facts};
  both[0].name = "One";
  both[1].name = "Other";
  const int64_t rows = 7500000;
  assert_ok(plan_blocks_explain(&text, both, 2, rows, 1 << 20, &why));
  cr_assert(strstr(text, "One: about 6 blocks, "), "%s", text);
  cr_assert(strstr(text, " %, 20 rows a lane, 1 of them with "), "%s", text);
}

Test(plan_blocks, a_block_of_many_strips_has_narrower_tiles) {
  cla_scoring scoring = default_scoring();
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
  const int64_t letters = 1000000;
  plan_case x;
  plan one, two;
  plan_case_make(&x, letters, letters);
  x.input.score_only = true;
  x.input.kernel = "vector8";
  x.input.settings = "lanes=32,alpha=8,tile=1024";
  assert_ok(plan_make(&one, &x.input, &why));
  x.input.devices = x.input.alike = 2;
  assert_ok(plan_make(&two, &x.input, &why));
  cr_assert_geq(two.predicted.device_bytes,
                one.predicted.device_bytes + 2 * letters); /* H and F, of a byte each */
}
