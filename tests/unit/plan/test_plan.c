
#include <math.h>

#include "plan/plan.h"
#include "scoring/lane_width.h"
#include "seq/sequence.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

Test(plan, a_cpu_gets_the_wide_lanes_and_a_gpu_the_groups) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_str_eq(p.sweep.variant->name, "vector8");
  cr_assert_eq(p.sweep.lanes, 32);
  cr_assert_geq(p.sweep.alpha, 8);
  cr_assert_str_eq(p.blocks.variant->name, "vector16");
  cr_assert_eq(p.blocks.lanes, 16);
  x.device.kind = CLA_DEVICE_GPU;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_str_eq(p.sweep.variant->name, "wave16");
}

Test(plan, scores_too_large_for_16_bits_get_32_bits_and_small_matrices_8) {
  plan_case x;
  plan p;
  plan_case_make(&x, 100000, 100000);
  plan_case_rescore(&x, 2000, 4000, 1000);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_str_eq(p.sweep.variant->name, "vector32");
  cr_assert_str_eq(p.blocks.variant->name, "vector32");
  cr_assert(strstr(p.reason, "16-bit"), "%s", p.reason);
  x.input.kernel = "vector16";
  assert_error(plan_make(&p, &x.input, &why), CLA_ERROR_OPTION, "--kernel");
  plan_case_make(&x, 100000, 100000);
  x.scoring.matrix_size = 4;
  strcpy(x.scoring.letters, "ACGT");
  x.scoring.matrix[1] = x.scoring.matrix[CLA_MATRIX_STRIDE] = -1;
  score_table_build(&x.table, &x.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_str_eq(p.sweep.variant->name, "vector8");
}

/* No sum of rows, columns and bytes leaves 64 bits. */
Test(plan, human_chromosomes_and_longer_records_are_counted) {
  const int64_t sizes[][2] = {{250000000, 250000000},   {2100000000, 2100000000}, {INT32_MAX, INT32_MAX},
                              {INT64_C(1) << 31, 1000}, {1000000, 3000000000},    {3000000000, 1000000},
                              {3000000000, 3000000000}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const int64_t rows = sizes[i][0], columns = sizes[i][1];
    plan_case x;
    plan p;
    plan_case_make(&x, rows, columns);
    assert_ok_for(plan_make(&p, &x.input, &why), "%lld x %lld", (long long)rows, (long long)columns);
    cr_expect_eq(p.predicted.sweep_cells, rows * columns);
    cr_expect_gt(p.predicted.sweep_cells, 0);
    cr_expect(p.predicted.host_bytes > 16 * columns && p.predicted.host_bytes <= PLAN_CASE_ROOM,
              "%lld x %lld: %lld", (long long)rows, (long long)columns, (long long)p.predicted.host_bytes);
    cr_expect(p.predicted.device_bytes > rows + columns && p.predicted.device_bytes < PLAN_CASE_ROOM);
    cr_expect(p.predicted.traceback_cells > 0 &&
              p.predicted.traceback_cells < 3 * (double)rows * (double)columns);
    cr_expect(p.row_interval > 0 && p.special_rows == (rows - 1) / p.row_interval);
  }
}

Test(plan, an_unknown_kernel_is_refused_with_the_list) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000, 1000);
  x.input.kernel = "vector17";
  assert_error(plan_make(&p, &x.input, &why), CLA_ERROR_OPTION, "vector16");
  cr_expect(strstr(why.message, "wave32"), "%s", why.message);
}

Test(plan, tiles_stay_within_the_proof_for_every_size_and_scheme) {
  const int schemes[][3] = {{1, 5, 2},     {10, 12, 3},       {100, 200, 50},
                            {300, 300, 0}, {5000, 9000, 100}, {1000000, 1000000, 1000000}};
  for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++)
    for (int64_t length = 1; length < 100000000; length = length * 3 + 1) {
      plan_case x;
      plan p;
      plan_case_make(&x, length, length);
      plan_case_rescore(&x, schemes[s][0], schemes[s][1], schemes[s][2]);
      assert_ok(plan_make(&p, &x.input, &why));
      const int64_t columns[] = {1, 100, 10000, length};
      for (int i = 0; i < 4; i++) {
        const kernel_config config = plan_region(&p, &x.input, columns[i]);
        const int64_t limit = kernel_tile_limit(&config, &x.scoring, &x.table, LANE_WIDTH_NESTING);
        cr_assert(config.tile_columns >= config.lanes && config.tile_columns <= limit &&
                  config.tile_columns <= KERNEL_TILE_LIMIT && config.tile_columns % config.lanes == 0);
      }
      if (p.row_interval > 0) {
        cr_assert_eq(p.row_interval % kernel_strip_rows(&p.sweep), 0);
        cr_assert_eq(p.special_rows, (length - 1) / p.row_interval);
      }
    }
}

/* EDNAFULL with its gap costs: 8 bits hold the whole matrix, but not what pruning adds. */
Test(plan, where_the_fastest_lanes_do_not_hold_pruned_values_wider_ones_do) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  plan_case_rescore(&x, 10, 20, 1);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_str_eq(p.sweep.variant->name, "vector8");
  plan_set_seconds(&p, &x.input, 100);
  plan pruned = p;
  plan_prune(&pruned, &x.input, 9900000);
  cr_assert(pruned.prune);
  cr_assert_str_eq(pruned.sweep.variant->name, "vector16");
  cr_assert(strstr(pruned.reason, "not vector8"), "%s", pruned.reason);
  cr_assert_leq(pruned.sweep.tile_columns,
                kernel_tile_limit(&pruned.sweep, &x.scoring, &x.table, x.input.nesting + 1));
  cr_assert_float_eq(pruned.predicted.sweep_seconds, 100 * pruned.prune_share * 1.15 * 2, 1e-9);
  pruned = p;
  plan_prune(&pruned, &x.input, 3000000); /* twice as much of most of the matrix is more than all of it */
  cr_assert_not(pruned.prune);
  x.input.kernel = "vector8";
  pruned = p;
  plan_prune(&pruned, &x.input, 9900000);
  cr_assert_not(pruned.prune);
}

Test(plan, a_budget_below_the_least_is_refused_with_what_would_do) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  x.input.memory_bytes = MIB;
  x.input.memory_given = x.input.device_memory_given = true;
  cr_assert_eq(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY);
  const char *least = strstr(why.message, "small: ");
  cr_assert(strstr(why.message, "--memory") && least, "%s", why.message);
  x.input.memory_bytes = atoll(least + strlen("small: "));
  assert_ok_for(plan_make(&p, &x.input, &why), "what the message says does not do");
  x.input.device_memory_bytes = MIB;
  cr_assert_eq(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY);
  least = strstr(why.message, "small: ");
  cr_assert(strstr(why.message, "--device-memory") && least, "%s", why.message);
  x.input.device_memory_bytes = atoll(least + strlen("small: "));
  assert_ok_for(plan_make(&p, &x.input, &why), "what the message says does not do");
}

Test(plan, a_budget_that_nobody_gave_is_not_blamed) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  x.input.memory_bytes = MIB;
  cr_assert_eq(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY);
  cr_assert(!strstr(why.message, "is too small"), "%s", why.message);
  cr_assert_eq(strncmp(why.message, "--memory ", strlen("--memory ")), 0, "%s", why.message);
  x.input.memory_bytes = atoll(why.message + strlen("--memory "));
  cr_assert_eq(x.input.memory_bytes, p.predicted.host_bytes);
  assert_ok_for(plan_make(&p, &x.input, &why), "what the message says does not do");
  x.input.device_memory_bytes = MIB;
  cr_assert_eq(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY);
  cr_assert(!strstr(why.message, "is too small"), "%s", why.message);
  const char *least = strstr(why.message, "--device-memory ");
  cr_assert(least, "%s", why.message);
  x.input.device_memory_bytes = atoll(least + strlen("--device-memory "));
  assert_ok_for(plan_make(&p, &x.input, &why), "what the message says does not do");
}

/* Twice the score less a letter's 1 for each of both sequences: penalties are the same scheme, and leave the
 * same cells. Where a path may start anywhere, they say nothing. */
Test(plan, penalties_without_a_match_score_are_pruned_like_scores) {
  static const cla_mode modes[] = {CLA_MODE_GLOBAL, CLA_MODE_SEMI_GLOBAL};
  for (int i = 0; i < 2; i++) {
    plan_case x;
    plan scores, penalties;
    plan_case_make(&x, 1000000, 1000000);
    x.input.ends = path_ends_make(modes[i], 0);
    plan_case_rescore(&x, 2, 6, 2);
    assert_ok(plan_make(&scores, &x.input, &why));
    plan_prune(&scores, &x.input, 2 * 1000000 - 700000);
    cr_assert(scores.prune);
    plan_case_rescore(&x, 0, 6, 3);
    assert_ok(plan_make(&penalties, &x.input, &why));
    plan_prune(&penalties, &x.input, -700000);
    cr_assert_eq(penalties.prune, modes[i] == CLA_MODE_GLOBAL);
    if (penalties.prune) cr_assert_float_eq(penalties.prune_share, scores.prune_share, 1e-9);
  }
}

Test(plan, seconds_of_a_sample_are_taken_as_those_of_a_record) {
  plan_case x;
  plan p;
  plan_case_make(&x, 1000000, 1000000);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_lt(p.predicted.sweep_seconds, 0);
  plan_set_seconds(&p, &x.input, 100);
  cr_assert_eq(p.predicted.sweep_seconds, 100);
  cr_assert_gt(p.predicted.traceback_seconds, 0);
  plan pruned = p;
  plan_prune(&pruned, &x.input, 900000);
  cr_assert(pruned.prune && pruned.predicted.sweep_seconds > 0 && pruned.predicted.sweep_seconds < 100);
  plan_set_seconds(&p, &x.input, -1);
  cr_assert_lt(p.predicted.traceback_seconds, 0);
}

static int64_t slots_of(const kernel_geometry *g, const plan *p, const plan_case *x) {
  const kernel_kept_rows kept = {
      .rows = x->input.rows, .interval = p->row_interval, .panel_rows = p->panel_rows, .prune = p->prune};
  return kernel_row_slots(g, &p->sweep, &kept);
}

Test(plan, no_buffer_is_larger_than_the_device_allows) {
  plan_case x;
  plan p;
  plan_case_make(&x, 60000, 60000000);
  x.device.max_allocation_bytes = 2048 * MIB;
  assert_ok(plan_make(&p, &x.input, &why));
  const kernel_geometry g = kernel_layout(&p.sweep, KERNEL_GAPS_AFFINE, x.input.rows, x.input.columns);
  cr_assert_leq(g.row_bytes * slots_of(&g, &p, &x), x.device.max_allocation_bytes);
  x.device.max_allocation_bytes = 100 * MIB;
  assert_error(plan_make(&p, &x.input, &why), CLA_ERROR_MEMORY, "buffers of at most");
}

Test(plan, blocks_within_blocks_stay_within_the_device_budget) {
  plan_case x;
  plan p;
  plan_case_make(&x, 30000, 100000);
  x.input.special_rows = 0;
  x.input.device_memory_bytes = 2500000;
  assert_ok(plan_make(&p, &x.input, &why));
  int levels = 0;
  for (int64_t rows = x.input.rows, interval = 0; (interval = plan_block_interval(&p, rows, INT64_MAX)) > 0;
       rows = interval) {
    const kernel_geometry g = kernel_layout(&p.blocks, KERNEL_GAPS_AFFINE, rows, x.input.columns);
    const kernel_kept_rows kept = {.rows = rows, .interval = interval};
    cr_assert_leq(g.bus_bytes + g.state_bytes + g.row_bytes * kernel_row_slots(&g, &p.blocks, &kept),
                  x.input.device_memory_bytes);
    cr_assert_lt(interval, rows);
    levels++;
  }
  cr_assert_gt(levels, 0);
}

/* The most rows in memory while a block is traced, and the rows computed for that, without those traced
 * letter by letter.
 */
typedef struct traced_block {
  int64_t held, held_most;
  double computed;
} traced_block;

static void trace_block(traced_block *t, const plan *p, int64_t rows, int64_t most) {
  const int64_t interval = plan_block_interval(p, rows, most - t->held);
  if (interval == 0) {
    cr_assert_leq(rows, p->trace.small_block_rows);
    return;
  }
  const int64_t kept = (rows - 1) / interval;
  cr_assert(kept >= 1 && interval % kernel_strip_rows(&p->blocks) == 0);
  t->held += kept;
  t->held_most = t->held > t->held_most ? t->held : t->held_most;
  t->computed += (double)(kept * interval);
  for (int64_t row = kept * interval, end = rows; end > 0; end = row, row -= interval) {
    trace_block(t, p, end - row, most);
    if (row > 0) t->held--;
  }
}

Test(plan, nested_blocks_keep_no_more_rows_than_memory_has_room_for) {
  plan_case x;
  plan p;
  plan_case_make(&x, 2000000, 2000000);
  x.input.special_rows = 0;
  assert_ok(plan_make(&p, &x.input, &why));
  double before = INFINITY;
  for (int64_t most = 2; most <= 128; most *= 2) {
    traced_block t = {0};
    trace_block(&t, &p, x.input.rows, most);
    cr_assert_leq(t.held_most, most);
    cr_assert_lt(t.computed, before, "%lld rows: %g", (long long)most, t.computed);
    before = t.computed;
  }
  cr_assert_lt(before, 3.0 * (double)x.input.rows);
}

#define GIB (1024 * MIB)

Test(plan, two_chromosomes_fit_into_8_gib_of_host_and_16_gib_of_device_memory) {
  for (int gpu = 0; gpu < 2; gpu++)
    for (int disk = 0; disk < 2; disk++) {
      static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL, CLA_MODE_OVERLAP};
      for (int mode = 0; mode < 3; mode++) {
        plan_case x;
        plan p;
        plan_case_make(&x, 250000000, 250000000);
        if (gpu) plan_case_take_gpu(&x);
        x.input.ends = path_ends_make(modes[mode], 0);
        x.input.memory_bytes = 8 * GIB;
        x.input.device_memory_bytes = 16 * GIB;
        x.input.disk_bytes = disk ? 1000 * GIB : 0;
        assert_ok(plan_make(&p, &x.input, &why));
        cr_assert_leq(p.predicted.host_bytes, x.input.memory_bytes);
        cr_assert_leq(p.predicted.device_bytes, x.input.device_memory_bytes);
        cr_assert_geq(p.special_rows, disk ? 48 : 4, "%lld rows", (long long)p.special_rows);
        cr_assert_gt(p.trace.block_bytes, 0);
        cr_assert_gt(p.trace.band_bytes, 0);
      }
    }
}

Test(plan, explains_itself) {
  plan_case x;
  plan p;
  OWNED(free_memory) char *text = NULL;
  plan_case_make(&x, 200000, 300000);
  assert_ok(plan_make(&p, &x.input, &why));
  assert_ok(plan_explain(&text, &p, &x.input, &why));
  const char *const wanted[] = {"200000 x 300000", "local",    "match 1, mismatch -3", "a CPU",
                                "vector8",         "vector16", "special rows",         "MiB"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    cr_assert(strstr(text, wanted[i]), "%s in:\n%s", wanted[i], text);
}

/* Rows of the first part of a pruned sweep whose bound is the score of the shorter sequence less `lost`. */
static int64_t first_rows(cla_mode mode, int64_t rows, int64_t columns, int64_t lost) {
  plan_case x;
  plan whole;
  plan_case_make(&x, rows, columns);
  x.input.ends = path_ends_make(mode, 0);
  assert_ok(plan_make(&whole, &x.input, &why));
  plan_prune(&whole, &x.input, (rows < columns ? rows : columns) - lost);
  cr_assert(whole.prune);
  if (whole.first_rows > 0) {
    cr_expect_eq(whole.first_rows % kernel_strip_rows(&whole.sweep), 0);
    cr_expect_geq(whole.first_rows, lost);
  }
  return whole.first_rows;
}

Test(plan, a_short_query_in_a_long_target_is_swept_in_two_parts) {
  cr_expect_gt(first_rows(CLA_MODE_LOCAL, 200000, 500000, 400), 0);
  cr_expect_gt(first_rows(CLA_MODE_SEMI_GLOBAL, 200000, 500000, 400), 0);
  cr_expect_lt(first_rows(CLA_MODE_LOCAL, 200000, 500000, 400), 20000);
  /* Paths begin in a corner, at the left border, or in most rows. */
  cr_expect_eq(first_rows(CLA_MODE_LOCAL, 200000, 200000, 400), 0);
  cr_expect_eq(first_rows(CLA_MODE_LOCAL, 500000, 200000, 400), 0);
  cr_expect_eq(first_rows(CLA_MODE_LOCAL, 200000, 300000, 150000), 0);
}

/* What two parts take beside one counts, and where it does not fit, one part is enough. */
Test(plan, a_sweep_in_two_parts_keeps_to_the_budgets) {
  const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_SEMI_GLOBAL};
  for (int i = 0; i < 8; i++) {
    plan_case x;
    plan one, two;
    plan_case_make(&x, 200000, 500000);
    x.input.ends = path_ends_make(modes[i % 2], 0);
    x.input.score_only = i / 2 % 2;
    x.input.disk_bytes = i / 4 ? PLAN_CASE_ROOM : 0;
    assert_ok(plan_make(&one, &x.input, &why));
    two = one;
    plan_prune(&two, &x.input, 199600);
    cr_assert_gt(two.first_rows, 0);
    const int64_t most[] = {two.predicted.device_bytes, two.predicted.host_bytes, two.predicted.disk_bytes};
    int64_t *budgets[] = {&x.input.device_memory_bytes, &x.input.memory_bytes, &x.input.disk_bytes};
    for (int budget = 0; budget < 3; budget++)
      for (int less = 0; most[budget] > 0 && less < 2; less++) {
        *budgets[budget] = most[budget] - less;
        plan tight = one;
        plan_prune(&tight, &x.input, 199600);
        const int64_t taken[] = {tight.predicted.device_bytes, tight.predicted.host_bytes,
                                 tight.predicted.disk_bytes};
        if (tight.prune) cr_expect_leq(taken[budget], *budgets[budget], "case %d, budget %d", i, budget);
        *budgets[budget] = PLAN_CASE_ROOM;
      }
  }
}

Test(plan, tiles_of_a_pruned_sweep_are_no_wider_than_its_lanes_allow) {
  int narrower = 0;
  for (int match = 20; match <= 100; match += 10)
    for (int first = 10; first <= 400; first += 30) {
      plan_case x;
      plan whole;
      plan_case_make(&x, 300000, 300000);
      plan_case_rescore(&x, match, first, first / 4);
      x.input.kernel = "vector16";
      if (plan_make(&whole, &x.input, &why) != CLA_OK) continue;
      plan_prune(&whole, &x.input, 299000 * (int64_t)match);
      if (!whole.prune) continue;
      const int64_t limit = kernel_tile_limit(&whole.sweep, &x.scoring, &x.table, 1);
      cr_expect_leq(whole.sweep.tile_columns, limit, "match %d, first %d", match, first);
      narrower += whole.sweep.tile_columns == limit &&
                  limit < kernel_tile_limit(&whole.sweep, &x.scoring, &x.table, 0);
    }
  cr_expect_gt(narrower, 0);
}

Test(plan, a_matrix_is_kept_in_blocks_that_other_strips_fit_into) {
  for (int64_t rows = 300; rows < 30000000; rows = rows * 7 / 2)
    for (int gpu = 0; gpu < 2; gpu++) {
      plan_case x;
      plan p;
      plan_case_make(&x, rows, 2 * rows);
      x.device.kind = gpu ? CLA_DEVICE_GPU : CLA_DEVICE_CPU;
      assert_ok(plan_make(&p, &x.input, &why));
      plan_keep(&p, &x.input, 1);
      cr_assert_eq(p.matrix_block_rows > 0, p.row_interval > 0);
      if (p.row_interval == 0) continue;
      cr_assert_eq(p.matrix_block_rows % p.row_interval, 0);
      cr_assert_geq(p.matrix_block_rows * 2 * rows,
                    INT64_C(1) << 32); /* looking for the best cell costs more for each */
      const kernel_variant *const others[] = {&kernel_vector8, &kernel_vector16, &kernel_vector32,
                                              &kernel_wave16, &kernel_wave32};
      for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        plan other = p;
        other.sweep = (kernel_config){.variant = others[i], .lanes = 32, .alpha = 16, .tile_columns = 32};
        if (!plan_keep_fit(&other, &x.input, p.matrix_block_rows)) {
          cr_expect_neq(p.matrix_block_rows % 2048, 0, "%lld rows", (long long)p.matrix_block_rows);
          continue;
        }
        const int64_t strip_rows = kernel_strip_rows(&other.sweep);
        cr_assert_eq(other.matrix_block_rows, p.matrix_block_rows);
        cr_assert_eq(other.row_interval % strip_rows, 0);
        cr_assert_eq(p.matrix_block_rows % other.row_interval, 0);
        cr_assert_leq(other.sweep.alpha, 16);
      }
    }
}

Test(plan, a_matrix_that_several_share_has_blocks_for_each) {
  plan_case x;
  plan alone, shared;
  plan_case_make(&x, 1000000, 1000000);
  assert_ok(plan_make(&alone, &x.input, &why));
  shared = alone;
  plan_keep(&alone, &x.input, 1);
  for (int sharing = 2; sharing <= 64; sharing *= 2) {
    plan_keep(&shared, &x.input, sharing);
    cr_expect_leq(shared.matrix_block_rows, alone.matrix_block_rows);
    cr_expect(shared.matrix_block_rows * sharing <= 1000000, "%d share", sharing);
    cr_expect_eq(shared.matrix_block_rows % shared.row_interval, 0);
  }
}

Test(plan, no_matrix_is_kept_without_rows) {
  plan_case x;
  plan p;
  plan_case_make(&x, 100000, 100000);
  x.input.special_rows = 0;
  assert_ok(plan_make(&p, &x.input, &why));
  plan_keep(&p, &x.input, 1);
  cr_expect_eq(p.matrix_block_rows, 0);
}

/* Chromosomes on a GPU of 132 units without a record. */
static void make_chromosomes(plan_case *x, int64_t letters) {
  plan_case_make(x, letters, letters);
  plan_case_take_gpu(x);
  x->input.device_memory_bytes = 16384 * MIB;
  x->input.memory_bytes = 20480 * MIB;
}

Test(plan, chromosomes_fit_budgets_in_panels_that_end_with_a_kept_row) {
  for (int on_disk = 0; on_disk < 2; on_disk++)
    for (int global = 0; global < 2; global++) {
      plan_case x;
      plan p;
      make_chromosomes(&x, 250000000);
      x.input.disk_bytes = on_disk ? 200000 * MIB : 0;
      if (global) x.input.ends = (path_ends){0};
      assert_ok_for(plan_make(&p, &x.input, &why), "on disk %d, global %d", on_disk, global);
      cr_assert_leq(p.predicted.device_bytes, x.input.device_memory_bytes);
      cr_assert_leq(p.predicted.host_bytes, x.input.memory_bytes);
      cr_assert_gt(p.special_rows, 0);
      cr_assert(p.panel_rows > 0 && p.panel_rows < x.input.rows);
      cr_assert(p.row_interval % p.panel_rows == 0 || p.panel_rows % p.row_interval == 0);
      if (on_disk) cr_assert_eq(p.panel_rows % p.row_interval, 0, "a killed run loses more than a panel");
    }
}

Test(plan, panels_are_whole_rounds_of_strips_by_ticket) {
  plan_case x;
  plan p;
  make_chromosomes(&x, 100000000);
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_eq(p.panel_rows % (p.sweep.groups * kernel_strip_rows(&p.sweep)), 0);
  x.input.settings = "panel=5";
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_eq(p.panel_rows, 5 * kernel_strip_rows(&p.sweep));
  x.input.settings = NULL;
  x.input.devices = 2;
  assert_ok(plan_make(&p, &x.input, &why));
  cr_assert_eq(p.panel_rows, 0, "blocks of several devices are handed down from left to right");
}

Test(plan, rows_that_a_panel_keeps_have_room_on_the_device) {
  plan_case x;
  plan p;
  make_chromosomes(&x, 100000000);
  x.input.device_memory_bytes = 80000 * MIB;
  assert_ok(plan_make(&p, &x.input, &why));
  const kernel_geometry g = kernel_layout(&p.sweep, KERNEL_GAPS_AFFINE, x.input.rows, x.input.columns);
  const int64_t slots = slots_of(&g, &p, &x);
  cr_assert_geq(slots, p.panel_rows / p.row_interval + 1);
  cr_assert_lt(slots, p.special_rows);
}
