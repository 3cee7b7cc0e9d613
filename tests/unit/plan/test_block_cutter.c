/* The rows of a sweep, cut into blocks for several devices. */

#include <math.h>

#include "plan/block_cutter.h"
#include "seq/random_stream.h"
#include "support/test.h"

#define DEVICES 4

/* What each device gets if they take blocks in turn. */
typedef struct cut_rows {
  int64_t rows[DEVICES], blocks[DEVICES], all;
  int64_t others[DEVICES]; /* blocks with other rows a lane than the sweep's */
  double work[DEVICES];    /* time of the device's blocks in rows at its rate, without block_work */
  double time;             /* predicted time */
} cut_rows;

static double work_of(const block_device *device, const row_block *block) {
  const block_way *way = device->ways + block->way;
  const int64_t rows = block->rows > device->least_rows ? block->rows : device->least_rows;
  if (device->way_count == 0) return (double)rows;
  return (double)((block->rows + way->round_rows - 1) / way->round_rows) * way->round_work;
}

static cut_rows cut(const block_device *devices, int count, int64_t row, int64_t end) {
  block_cutter cutter;
  cut_rows got = {.all = 0};
  int64_t next = row;
  assert_ok(block_cutter_begin(&cutter, devices, count, row, end, &why));
  got.time = cutter.time;
  for (int i = block_cutter_first(&cutter); next < end; i = (i + 1) % count) {
    row_block block;
    if (!block_cutter_take(&block, &cutter, i)) continue;
    cr_assert(block.device == i && block.row == next && block.rows > 0, "block at %lld", (long long)next);
    next += block.rows;
    const int64_t unit =
        devices[i].way_count > 0 ? devices[i].ways[block.way].round_rows : devices[i].unit_rows;
    cr_assert(next == end || block.rows % unit == 0, "%lld rows", (long long)block.rows);
    if (block.way > 0) {
      cr_assert_eq(block.way, block_cutter_further_way(&cutter, i));
      got.others[i]++;
    }
    got.work[i] += work_of(devices + i, &block);
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

Test(block_cutter, rows_are_in_proportion_to_speed) {
  const block_device devices[] = {{.rate = 4e12, .unit_rows = 768, .least_rows = 10000, .rounds = 4},
                                  {.rate = 2e12, .unit_rows = 512, .least_rows = 5000, .rounds = 4},
                                  {.rate = 1e11, .unit_rows = 1024, .least_rows = 2000, .rounds = 4}};
  const int64_t rows = 2000000, first = 12345;
  const cut_rows got = cut(devices, 3, first, first + rows);
  for (int i = 0; i < 3; i++) {
    const double wanted = (double)rows * devices[i].rate / 6.1e12;
    cr_assert_float_eq((double)got.rows[i], wanted, (double)(4 * devices[i].unit_rows),
                       "device %d: %lld rows", i, (long long)got.rows[i]);
    cr_assert(got.blocks[i] >= 4 && got.blocks[i] <= 5);
  }
}

/* Of blocks that cannot be cut. */
Test(block_cutter, equal_blocks_are_dealt_by_speed) {
  const block_device devices[] = {{.rate = 2, .least_rows = 10},
                                  {.rate = 1, .least_rows = 10},
                                  {.idle = true},
                                  {.rate = 1, .least_rows = 10}};
  const row_block first = {.device = 1, .rows = 1000};
  int dealt[40], got[DEVICES] = {0};
  assert_ok(block_cutter_deal(dealt, 40, &first, devices, 4, &why));
  for (int i = 0; i < 40; i++) got[dealt[i]]++;
  cr_expect_eq(dealt[0], 1);
  cr_expect(got[0] >= 18 && got[0] <= 22, "%d blocks", got[0]);
  cr_expect(got[1] >= 9 && got[1] <= 11, "%d blocks", got[1]);
  cr_expect_eq(got[2], 0);
  cr_expect(got[3] >= 9 && got[3] <= 11, "%d blocks", got[3]);
  const block_device slow[] = {{.rate = 1}, {.rate = 0.01}};
  const row_block top = {.device = 0, .rows = 1000};
  assert_ok(block_cutter_deal(dealt, 40, &top, slow, 2, &why));
  for (int i = 0; i < 40; i++) cr_expect_eq(dealt[i], 0, "block %d", i);
}

Test(block_cutter, whom_a_part_does_not_keep_busy_takes_none) {
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

Test(block_cutter, fewer_rounds_keep_devices_busy) {
  const block_device devices[] = {{.rate = 1, .unit_rows = 64, .least_rows = 30000, .rounds = 4},
                                  {.rate = 1, .unit_rows = 64, .least_rows = 30000, .rounds = 4}};
  const cut_rows got = cut(devices, 2, 0, 130000);
  cr_assert(got.blocks[0] == 2 && got.blocks[1] == 2);
}

#define GROUPS 528 /* strips of 64 lanes that a GPU computes at once */
#define PAIR_ROWS INT64_C(8000000)

/* A GPU like an H200, by the cycles that a step takes it with affine gaps; its sweep has `alpha` rows a lane.
 * Its rate is 1. Blocks end with one of the rows `interval` apart, 0: with any strip. */
static block_device gpu(int alpha, int64_t interval) {
  static const int alphas[] = {2, 4, 6, 8, 10, 12, 14, 16, 20, 24};
  static const int cycles[] = {65, 84, 106, 133, 164, 194, 222, 245, 303, 354};
  const int64_t own = INT64_C(64) * GROUPS * alpha;
  int at = 0;
  while (alphas[at] != alpha) at++;
  block_device device = {.rate = 1,
                         .unit_rows = interval > 0 ? interval : 64 * alpha,
                         .least_rows = own,
                         .rounds = 4,
                         .alpha = alpha,
                         .round_late = 0.006,
                         .way_count = 1,
                         .ways = {{.alpha = alpha, .round_rows = own, .round_work = (double)own}}};
  if (interval > 0) device.ways[0].round_rows = own / interval * interval;
  for (int i = 0; i < 10; i++) {
    const int64_t strip_rows = 64 * alphas[i], round = strip_rows * GROUPS;
    if (alphas[i] == alpha || (interval > 0 && (alphas[i] > alpha || interval % strip_rows != 0))) continue;
    if (round < interval) continue;
    device.ways[device.way_count++] =
        (block_way){.alpha = alphas[i],
                    .round_rows = interval > 0 ? round / interval * interval : round,
                    .round_work = (double)own * cycles[i] / cycles[at]};
  }
  return device;
}

static block_device cpu(double rate) {
  return (block_device){.rate = rate, .unit_rows = 1024, .least_rows = 16384, .rounds = 4};
}

static double time_alone(const block_device *device, int64_t rows) {
  return cut(device, 1, 0, rows).time;
}

static double larger_of(double a, double b) {
  return a > b ? a : b;
}

/* No device has more to do than the prediction says, and several save time. */
static void check_prediction(const cut_rows *got, const block_device *devices, int count, int64_t rows) {
  double busiest = 0, alone = INFINITY;
  for (int i = 0; i < count; i++) {
    const double time = (got->work[i] + devices[i].block_work * (double)(got->all > 1 ? got->blocks[i] : 0)) /
                        devices[i].rate;
    const double own = time_alone(devices + i, rows);
    busiest = larger_of(busiest, time);
    alone = own < alone ? own : alone;
    cr_assert_leq(got->others[i], got->blocks[i]);
  }
  cr_assert_leq(busiest, got->time * (1 + 1e-9));
  cr_assert_leq(got->time, alone * (1 + 1e-9));
  if (got->all > 1) cr_assert_lt(got->time, 0.99 * alone * (1 + 1e-9));
}

/* 9.9 rounds of a GPU's strips: with a CPU's part they are less than 9.5, of which the last half is one of
 * fewer rows a lane. */
Test(block_cutter, a_slow_device_saves_a_part_of_a_round) {
  static const double shares[] = {0.03, 0.05, 0.07, 0.1};
  for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
    const block_device devices[] = {gpu(24, 0), cpu(shares[i])};
    const cut_rows got = cut(devices, 2, 0, PAIR_ROWS);
    const double alone = time_alone(devices, PAIR_ROWS);
    check_prediction(&got, devices, 2, PAIR_ROWS);
    cr_expect_gt(got.rows[1], (int64_t)(0.8 * shares[i] * PAIR_ROWS / (1 + shares[i])));
    cr_expect_lt(got.time, alone * (1 - 0.5 * shares[i]), "CPU of %g: %g of %g", shares[i], got.time, alone);
  }
}

/* What it saves is less than what more blocks cost. */
Test(block_cutter, a_slow_device_that_saves_nothing_takes_no_part) {
  block_device devices[] = {gpu(24, 0), cpu(0.01)};
  devices[0].block_work = 20000;
  const cut_rows slow = cut(devices, 2, 0, PAIR_ROWS);
  cr_assert(slow.rows[0] == PAIR_ROWS && slow.blocks[0] == 1 && slow.blocks[1] == 0);
  devices[1] = cpu(0.05);
  devices[0].block_work = 200000;
  const cut_rows dear = cut(devices, 2, 0, PAIR_ROWS);
  check_prediction(&dear, devices, 2, PAIR_ROWS);
  cr_assert_eq(dear.rows[0], PAIR_ROWS);
  devices[0].block_work = 8000;
  const cut_rows cheap = cut(devices, 2, 0, PAIR_ROWS);
  check_prediction(&cheap, devices, 2, PAIR_ROWS);
  cr_assert_gt(cheap.rows[1], 250000);
}

/* Beside two that are equally fast. */
static block_device of_rate(double rate) {
  return (block_device){.rate = rate, .unit_rows = 1000, .least_rows = 1000, .rounds = 4};
}

Test(block_cutter, a_third_device_takes_part_if_it_saves_a_hundredth) {
  static const double little[] = {0.005, 0.01, 0.015}, more[] = {0.03, 0.05, 0.1};
  block_device devices[] = {of_rate(1), of_rate(1), of_rate(0)};
  const double of_two = cut(devices, 2, 0, PAIR_ROWS).time;
  for (int i = 0; i < 3; i++) {
    devices[2] = of_rate(little[i]); /* the device would save about half of that part */
    const cut_rows without = cut(devices, 3, 0, PAIR_ROWS);
    cr_expect_eq(without.rows[2], 0, "%g: %lld rows", little[i], (long long)without.rows[2]);
    cr_expect_float_eq(without.time / of_two, 1, 1e-9);
    devices[2] = of_rate(more[i]);
    const cut_rows with = cut(devices, 3, 0, PAIR_ROWS);
    check_prediction(&with, devices, 3, PAIR_ROWS);
    cr_expect_gt(with.rows[2], (int64_t)(0.4 * more[i] * PAIR_ROWS), "%g: %lld rows", more[i],
                 (long long)with.rows[2]);
    cr_expect_lt(with.time, 0.99 * of_two, "%g: %g of %g", more[i], with.time, of_two);
  }
}

Test(block_cutter, equal_gpus_share_rounds) {
  static const int alphas[] = {24, 24, 20, 24, 16};
  for (int count = 2; count <= 4; count++)
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++) {
      const block_device device = gpu(alphas[i], 0), devices[] = {device, device, device, device};
      const int64_t rows = PAIR_ROWS - (int64_t)i * 300000;
      const cut_rows got = cut(devices, count, 0, rows);
      const double alone = time_alone(&device, rows);
      check_prediction(&got, devices, count, rows);
      cr_expect_gt(alone / got.time, 0.9 * count, "%d GPUs, %lld rows: %g times one", count, (long long)rows,
                   alone / got.time);
    }
}

Test(block_cutter, blocks_of_rounds_end_with_kept_rows) {
  static const int64_t intervals[] = {1536, 41472, 82944, 165888, 798720};
  for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
    const block_device both[] = {gpu(24, intervals[i]), gpu(24, intervals[i])};
    block_device mixed[] = {gpu(24, intervals[i]), cpu(0.07)};
    mixed[1].unit_rows = 1024 * (intervals[i] / 40000 + 1);
    const cut_rows of_two = cut(both, 2, 12345, 12345 + PAIR_ROWS); /* cut checks each block's rows */
    const cut_rows of_mixed = cut(mixed, 2, 0, PAIR_ROWS);
    check_prediction(&of_two, both, 2, PAIR_ROWS);
    check_prediction(&of_mixed, mixed, 2, PAIR_ROWS);
    cr_expect_gt(of_two.blocks[1], 0);
  }
}

/* The rows that are left for the last turn go with the fewest rows a lane that cover them. */
Test(block_cutter, the_last_turn_is_as_long_as_it_must) {
  const block_device device = gpu(24, 0), devices[] = {device, device};
  const int64_t round = device.ways[0].round_rows;
  const cut_rows even = cut(devices, 2, 0, 4 * round);
  cr_assert(even.others[0] == 0 && even.blocks[0] == 2 && even.rows[1] == 2 * round);
  const cut_rows more = cut(devices, 2, 0, 4 * round + round / 2);
  cr_assert(more.others[0] == 1 && more.blocks[0] == 3 && more.others[1] == 1);
  cr_assert_lt(more.work[0], 2.5 * (double)round);
  /* Little more than a round: two blocks of less than one each. */
  const cut_rows less = cut(devices, 2, 0, round + 50000);
  cr_assert(less.blocks[0] == 1 && less.blocks[1] == 1 && less.others[0] == 1);
  const cut_rows one = cut(devices, 2, 0, device.ways[1].round_rows / 2);
  cr_assert(one.rows[0] == device.ways[1].round_rows / 2 || one.rows[1] == device.ways[1].round_rows / 2);
}

/* Devices as they come: all rows are cut, and never is it predicted to take longer than the fastest alone. */
Test(block_cutter, several_devices_are_never_worse_than_one) {
  random_stream random;
  int shared = 0;
  random_stream_init(&random, 77, 0);
  for (int i = 0; i < 400; i++) {
    block_device devices[DEVICES];
    const int count = 2 + (int)random_stream_below(&random, DEVICES - 1);
    const int64_t rows = 1 + (int64_t)random_stream_below(&random, 20000000);
    const int64_t first = (int64_t)random_stream_below(&random, 1000);
    for (int j = 0; j < count; j++) {
      static const int alphas[] = {8, 16, 20, 24};
      const int64_t interval =
          random_stream_below(&random, 2) ? 0 : 1536 * (1 + (int64_t)random_stream_below(&random, 200));
      devices[j] = random_stream_below(&random, 2)
                       ? gpu(alphas[interval > 0 ? 3 : random_stream_below(&random, 4)], interval)
                       : cpu(0.01);
      devices[j].rate *= 1 + (double)random_stream_below(&random, 20);
      devices[j].block_work = (double)random_stream_below(&random, 3) * 10000;
    }
    const cut_rows got = cut(devices, count, first, first + rows);
    check_prediction(&got, devices, count, rows);
    shared += got.all > 1;
  }
  cr_assert(shared > 100 && shared < 400, "%d of 400 were shared", shared);
}

Test(block_cutter, guessed_rates_are_replaced_when_all_are_known) {
  const block_device devices[] = {{.rate = 1, .guessed = true, .unit_rows = 1, .least_rows = 1, .rounds = 4},
                                  {.rate = 1, .guessed = true, .unit_rows = 1, .least_rows = 1, .rounds = 4}};
  block_cutter cutter;
  row_block blocks[2];
  assert_ok(block_cutter_begin(&cutter, devices, 2, 0, 80000, &why));
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  block_cutter_learn(&cutter, blocks, 3e9);
  cr_assert(blocks[0].rows == 10000 && blocks[1].rows == 10000);
  block_cutter_learn(&cutter, blocks + 1, 1e9);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 15000 && blocks[1].rows == 5000);
  block_cutter_free(&cutter);
}

Test(block_cutter, a_device_that_turns_out_slower_gets_less) {
  const block_device devices[] = {{.rate = 1e10, .unit_rows = 1, .least_rows = 1, .rounds = 10},
                                  {.rate = 1e10, .unit_rows = 1, .least_rows = 1, .rounds = 10}};
  block_cutter cutter;
  row_block blocks[2];
  assert_ok(block_cutter_begin(&cutter, devices, 2, 0, 100000, &why));
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 5000 && blocks[1].rows == 5000);
  block_cutter_learn(&cutter, blocks + 1, 2.5e9);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  cr_assert(blocks[0].rows == 8000 && blocks[1].rows == 2000);
  block_cutter_free(&cutter);
}

/* A device that holds the others up gets less from its next block on, and the rounds of the fastest stay. */
Test(block_cutter, a_slow_device_that_turns_out_slower_gets_less) {
  const block_device devices[] = {gpu(24, 0), cpu(0.1)};
  block_cutter cutter;
  row_block blocks[2], next[2];
  assert_ok(block_cutter_begin(&cutter, devices, 2, 0, 10 * PAIR_ROWS, &why));
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  block_cutter_learn(&cutter, blocks, 1);
  block_cutter_learn(&cutter, blocks + 1, 0.06);
  for (int i = 0; i < 2; i++) cr_assert(block_cutter_take(next + i, &cutter, i));
  cr_assert_eq(next[0].rows, blocks[0].rows);
  cr_assert_float_eq((double)next[1].rows, 0.6 * (double)blocks[1].rows, 1100);
  block_cutter_free(&cutter);
}

/* Without it the two others would take half as long again; being late, it holds them up by a tenth. */
Test(block_cutter, a_device_that_turns_out_a_little_slower_keeps_its_rounds) {
  const block_device device = gpu(24, 0), devices[] = {device, device, device};
  block_cutter cutter;
  row_block blocks[3], next;
  assert_ok(block_cutter_begin(&cutter, devices, 3, 0, 9 * device.ways[0].round_rows, &why));
  for (int i = 0; i < 3; i++) cr_assert(block_cutter_take(blocks + i, &cutter, i));
  for (int i = 0; i < 3; i++) block_cutter_learn(&cutter, blocks + i, i == 1 ? 0.9 : 1);
  for (int i = 0; i < 3; i++) {
    cr_assert(block_cutter_take(&next, &cutter, i));
    cr_assert_eq(next.rows, device.ways[0].round_rows);
  }
  block_cutter_free(&cutter);
}

/* Blocks with fewer rows a lane take longer for their cells, which says nothing of the device. */
Test(block_cutter, what_is_learned_is_of_full_rounds) {
  const block_device device = gpu(24, 0), devices[] = {device, device};
  const int64_t rows = device.ways[0].round_rows + 100000;
  block_cutter cutter;
  row_block block;
  assert_ok(block_cutter_begin(&cutter, devices, 2, 0, rows, &why));
  cr_assert(block_cutter_take(&block, &cutter, 0) && block.way > 0);
  block_cutter_learn(&cutter, &block, (double)block.rows / device.ways[block.way].round_work);
  cr_assert_float_eq(cutter.shares[0].rate, 1, 1e-9);
  block_cutter_free(&cutter);
}
