#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "plan/explain.h"
#include "plan/kernel_settings.h"
#include "plan/plan.h"
#include "scoring/lane_width.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"

#define ROOM (INT64_C(1) << 40)

/* A CPU with 2 cores and AVX2, room for everything, and a record. */
static cla_device_info device;
static cla_scoring scoring;
static score_table table;
static plan_input input;
static tuning_source source;
static cla_tuning tuning;
static plan made;

static void size_is(int64_t rows, int64_t columns) {
  input.rows = rows;
  input.columns = columns;
}

static void rescore(int match, int first, int ext) {
  scoring.match = match;
  scoring.gap_first = first;
  scoring.gap_ext = ext;
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
}

static void put(bool local, int64_t length, kernel_config config, time_model model) {
  const tuning_entry entry = {.local = local, .length = length, .config = config, .model = model};
  cla_error error = {.message = ""};
  cr_assert_eq(tuning_record_put(&source.record, &entry, &error), CLA_OK, "%s", error.message);
}

static void set_up(void) {
  device = (cla_device_info){.kind = CLA_DEVICE_CPU,
                             .name = "a CPU",
                             .compute_units = 2,
                             .native_short_lanes = 16,
                             .counters = CLA_COUNTERS_ATOMICS,
                             .memory_bytes = ROOM,
                             .max_allocation_bytes = ROOM,
                             .local_memory_bytes = INT64_C(1) << 20,
                             .max_group_size = 4096};
  cla_scoring_init(&scoring);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  source = (tuning_source){.path = "/home/someone/records/a.txt", .user = true};
  put(true, 10000, (kernel_config){&kernel_vector16, 8, 2, 64, KERNEL_DIAGONALS, 0},
      (time_model){.constant = 0.25, .per_cell = 1e-10});
  put(true, 1000000, (kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5},
      (time_model){.per_cell = 3e-11});
  put(true, 1000000, (kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0},
      (time_model){.per_cell = 6e-11});
  put(false, 100000, (kernel_config){&kernel_vector16, 16, 4, 128, KERNEL_DIAGONALS, 0},
      (time_model){.per_cell = 4e-11});
  tuning = (cla_tuning){.sources = &source, .source_count = 1};
  input = (plan_input){.mode = "local",
                       .ends = path_ends_make(CLA_MODE_LOCAL, 0),
                       .scoring = &scoring,
                       .table = &table,
                       .device = &device,
                       .special_rows = -1,
                       .memory_bytes = ROOM,
                       .device_memory_bytes = ROOM,
                       .tuning = &tuning};
  size_is(1000000, 1000000);
}

static void tear_down(void) {
  tuning_record_free(&source.record);
}

TestSuite(kernel_choice, .init = set_up, .fini = tear_down);

static void expect_config(kernel_config wanted, const char *reason) {
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  const kernel_config *got = &made.sweep;
  cr_expect(got->variant == wanted.variant && got->lanes == wanted.lanes && got->alpha == wanted.alpha &&
                got->tile_columns == wanted.tile_columns && got->launch == wanted.launch &&
                got->groups == wanted.groups,
            "%s %d x %d, tile %d, launch %d, groups %d", got->variant->name, got->lanes, got->alpha,
            (int)got->tile_columns, (int)got->launch, got->groups);
  cr_expect(strstr(made.reason, reason), "%s", made.reason);
}

static void expect_refused(const char *part, const char *more) {
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, part) && strstr(error.message, more), "%s", error.message);
}

Test(kernel_choice, takes_the_entry_of_the_nearest_size) {
  const kernel_config large = {&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5};
  const kernel_config small = {&kernel_vector16, 8, 2, 64, KERNEL_DIAGONALS, 0};
  expect_config(large, "user record /home/someone/records/a.txt, size 1000000");
  size_is(110000, 110000);
  expect_config(large, "size 1000000");
  size_is(90000, 90000);
  expect_config(small, "size 10000");
  size_is(10000, 100000000);
  expect_config(small, "size 10000");
  size_is(100000000, 10000);
  expect_config(small, "size 10000");
  size_is(1, 1);
  expect_config(small, "size 10000");
  input.ends = path_ends_make(CLA_MODE_GLOBAL, 0);
  expect_config((kernel_config){&kernel_vector16, 16, 4, 128, KERNEL_DIAGONALS, 0}, "size 100000");
}

/* What the plan has without any record. */
static kernel_config rule_for(int64_t rows, int64_t columns) {
  cla_error error = {.message = ""};
  size_is(rows, columns);
  input.tuning = NULL;
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  input.tuning = &tuning;
  return made.sweep;
}

Test(kernel_choice, an_entry_that_is_the_rule_leaves_other_sizes_to_the_rule) {
  const kernel_config at_class = rule_for(20000, 20000), at_size = rule_for(15000, 15000);
  cr_assert_neq(at_class.tile_columns, at_size.tile_columns);
  put(true, 20000, at_class, (time_model){.per_cell = 1e-9});
  size_is(15000, 15000);
  expect_config(at_size, "size 20000: the default");
  cr_expect(made.sweep_seconds > 0.22 && made.sweep_seconds < 0.23, "%g", made.sweep_seconds);
  size_is(1000000, 1000000);
  expect_config((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5}, "size 1000000");
}

/* A GPU of 132 units works on 528 strips of 64 lanes at once: one strip more than that takes another round,
 * which the record, made at another size, cannot know. */
Test(kernel_choice, times_of_nvidia16_grow_by_rounds) {
  device.kind = CLA_DEVICE_GPU;
  device.packed_pairs = true;
  device.counters = CLA_COUNTERS_PTX;
  device.compute_units = 132;
  device.max_group_size = 1024;
  const kernel_config at_class = rule_for(1000000, 1000000);
  cr_assert_eq(at_class.variant, &kernel_nvidia16);
  put(true, 1000000, at_class, (time_model){.per_cell = 2.5e-13});
  input.kernel = "nvidia16";
  cla_error error = {.message = ""};
  size_is(1000000, 1000000);
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  cr_expect(made.sweep_seconds > 0.2499 && made.sweep_seconds < 0.2501, "%g", made.sweep_seconds);
  double seconds[2];
  input.settings = "alpha=10";
  for (int more = 0; more < 2; more++) {
    size_is(3 * 528 * 640 + more * 640, 1000000);
    cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
    seconds[more] = made.sweep_seconds;
  }
  cr_expect_eq(at_class.alpha, 10);
  cr_expect(seconds[0] > 0 && seconds[1] > 1.25 * seconds[0] && seconds[1] < 1.34 * seconds[0], "%g %g",
            seconds[0], seconds[1]);
}

/* The profile holds scores of 7 bits with a gap's first cost added, which must not make one negative. */
Test(kernel_choice, score_matrices_take_nvidia16m_where_their_scores_fit_its_bytes) {
  device.kind = CLA_DEVICE_GPU;
  device.packed_pairs = true;
  device.counters = CLA_COUNTERS_PTX;
  device.compute_units = 132;
  device.max_group_size = 1024;
  device.local_memory_bytes = 49152;
  device.native_short_lanes = 1;
  cr_assert_eq(cla_scoring_set_matrix(&scoring, "BLOSUM62", NULL), CLA_OK);
  scoring.gap_first = 11;
  scoring.gap_ext = 1;
  score_table_build(&table, &scoring, alphabet_protein.letters, alphabet_protein.unambiguous);
  cr_expect_eq(rule_for(200000, 200000).variant, &kernel_nvidia16m);
  cr_expect_eq(kernel_group_items(&made.sweep), 32);
  for (const int *alpha = kernel_nvidia16m.alphas; *alpha; alpha++) { /* as many rows a lane as are legal */
    char reason[160];
    made.sweep.alpha = *alpha;
    cr_expect(kernel_runs_on(&made.sweep, &device, reason, sizeof reason), "%d rows: %s", *alpha, reason);
  }
  scoring.gap_first = 3;
  cr_expect_eq(rule_for(200000, 200000).variant, &kernel_wave32);
  cr_expect(strstr(made.reason, "nvidia16m takes pair scores from -3 to 124 only"), "%s", made.reason);
  rescore(1, 5, 2);
}

Test(kernel_choice, score_matrices_take_entries_of_their_own_and_tell_their_time) {
  char *text = NULL;
  cla_error error = {.message = ""};
  cr_assert_eq(cla_scoring_set_matrix(&scoring, "BLOSUM62", NULL), CLA_OK);
  score_table_build(&table, &scoring, alphabet_protein.letters, alphabet_protein.unambiguous);
  input.alphabet = CLA_ALPHABET_PROTEIN;
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  cr_expect(strstr(made.reason, "default"), "%s", made.reason);
  cr_expect_lt(made.sweep_seconds, 0);
  cr_assert_eq(plan_explain(&text, &made, &input, NULL), CLA_OK);
  cr_expect(strstr(text, "'clalign tune --matrix BLOSUM62'"), "%s", text);
  free(text);
  input.alphabet = CLA_ALPHABET_DNA;
  cr_expect_str_eq(plan_tune_command(&input), "clalign tune --matrix EDNAFULL");
  const kernel_config own = {&kernel_vector16, 16, 4, 64, KERNEL_DIAGONALS, 0};
  const tuning_entry entry = {
      .local = true, .matrix = true, .length = 1000000, .config = own, .model = {.per_cell = 5e-11}};
  cr_assert_eq(tuning_record_put(&source.record, &entry, &error), CLA_OK, "%s", error.message);
  expect_config(own, "user record /home/someone/records/a.txt, size 1000000");
  cr_expect_float_eq(made.sweep_seconds, 50, 1e-9);
  cla_scoring_init(&scoring);
  rescore(1, 5, 2);
  expect_config((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5}, "size 1000000");
  cr_expect_str_eq(plan_tune_command(&input), "clalign tune");
}

Test(kernel_choice, two_pieces_of_gap_costs_take_entries_of_their_own) {
  cla_error error = {.message = ""};
  scoring.gap_first2 = 24;
  scoring.gap_ext2 = 1;
  rescore(1, 5, 2);
  expect_config((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5}, "size 1000000");
  cr_expect_str_eq(plan_tune_command(&input), "clalign tune --gap-first2 24 --gap-ext2 1");
  const kernel_config own = {&kernel_vector16, 16, 4, 64, KERNEL_DIAGONALS, 0};
  const tuning_entry entry = {
      .local = true, .two_pieces = true, .length = 3000000, .config = own, .model = {.per_cell = 5e-11}};
  cr_assert_eq(tuning_record_put(&source.record, &entry, &error), CLA_OK, "%s", error.message);
  expect_config(own, "size 3000000");
  cr_expect_float_eq(made.sweep_seconds, 50, 1e-9);
  scoring.gap_first2 = scoring.gap_ext2 = 0;
  rescore(1, 5, 2);
  expect_config((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5}, "size 1000000");
}

/* Its times of a step are others with each kind of gap costs, and so are the rows a lane that fill the rounds
 * best. A record, which is made with affine gaps, tells how fast the device is. */
Test(kernel_choice, nvidia16_knows_the_times_of_linear_and_of_two_piece_gaps) {
  device.kind = CLA_DEVICE_GPU;
  device.packed_pairs = true;
  device.counters = CLA_COUNTERS_PTX;
  device.compute_units = 132;
  device.max_group_size = 1024;
  device.local_memory_bytes = 49152;
  device.native_short_lanes = 1;
  const kernel_config affine = rule_for(1000000, 1000000);
  put(true, 1000000, affine, (time_model){.per_cell = 2.5e-13});
  scoring.gap_first2 = 24;
  scoring.gap_ext2 = 1;
  const kernel_config two = rule_for(1000000, 1000000);
  cr_expect_eq(two.variant, &kernel_nvidia16); /* without being asked for */
  cr_expect_eq(rule_for(8000000, 8000000).variant, &kernel_nvidia16);
  cr_expect_leq(made.sweep.alpha, 16); /* more are slower, row by row */
  input.kernel = "nvidia16";
  size_is(1000000, 1000000);
  expect_config(two, "size 1000000: the default");
  cr_expect(made.sweep_seconds > 1.3 * 0.25 && made.sweep_seconds < 1.7 * 0.25, "%g", made.sweep_seconds);
  scoring.gap_first2 = scoring.gap_ext2 = 0;
  expect_config(affine, "size 1000000: the default");
  cr_expect(made.sweep_seconds > 0.2499 && made.sweep_seconds < 0.2501, "%g", made.sweep_seconds);
  scoring.gap_ext = scoring.gap_first;
  const kernel_config linear = rule_for(1000000, 1000000);
  expect_config(linear, "size 1000000: the default");
  cr_expect(made.sweep_seconds > 0.5 * 0.25 && made.sweep_seconds < 0.9 * 0.25, "%g", made.sweep_seconds);
}

Test(kernel_choice, passes_over_what_the_scheme_does_not_allow_and_says_so) {
  rescore(2000, 4000, 1000);
  expect_config((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0}, "user record");
  cr_expect(strstr(made.reason, "16-bit"), "%s", made.reason);
  input.ends = path_ends_make(CLA_MODE_GLOBAL, 0); /* the record has no such entry */
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  cr_expect_eq(made.sweep.variant, &kernel_vector32);
  cr_expect(strstr(made.reason, "default"), "%s", made.reason);
}

Test(kernel_choice, passes_over_what_the_device_does_not_run) {
  device.counters = CLA_COUNTERS_NONE; /* no persistent launch */
  expect_config((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0}, "persistent");
}

Test(kernel_choice, makes_tiles_narrower_where_the_scores_demand_it) {
  rescore(10, 20, 5);
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
  cr_expect(made.sweep.variant == &kernel_vector16 && made.sweep.lanes == 32 && made.sweep.alpha == 16);
  const int64_t limit = kernel_tile_limit(&made.sweep, &scoring, &table, 0);
  cr_assert_lt(limit, 2048);
  cr_expect(made.sweep.tile_columns <= limit && made.sweep.tile_columns > limit - 32 &&
            made.sweep.tile_columns % 32 == 0);
  cr_expect(strstr(made.reason, "narrower"), "%s", made.reason);
  cr_expect_lt(made.sweep_seconds, 0, "a time is given for tiles that were not timed");
}

Test(kernel_choice, without_a_record_it_follows_the_rule_and_knows_no_time) {
  input.tuning = NULL;
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK);
  cr_expect_eq(made.sweep.variant, &kernel_vector8);
  cr_expect(strstr(made.reason, "default: the fastest"), "%s", made.reason);
  cr_expect(made.sweep_seconds < 0 && made.traceback_seconds < 0);
}

Test(kernel_choice, targets_too_long_for_counters_go_by_diagonals_in_every_stage) {
  cla_error error = {.message = ""};
  input.tuning = NULL;
  for (int gpu = 0; gpu <= 1; gpu++) {
    device.kind = gpu ? CLA_DEVICE_GPU : CLA_DEVICE_CPU;
    size_is(100000, INT64_C(100000));
    cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
    cr_assert_eq(made.sweep.launch, KERNEL_PERSISTENT);
    cr_assert_eq(made.blocks.launch, KERNEL_PERSISTENT);
    size_is(100000, INT64_C(1) << 31);
    cr_assert_eq(plan_make(&made, &input, &error), CLA_OK, "%s", error.message);
    cr_assert_eq(made.sweep.launch, KERNEL_DIAGONALS);
    cr_assert_eq(made.blocks.launch, KERNEL_DIAGONALS);
    cr_assert(strstr(made.reason, "too long for a persistent launch's counters"), "%s", made.reason);
  }
}

Test(kernel_choice, a_kernel_that_is_asked_for_takes_its_own_entry) {
  input.kernel = "vector32";
  expect_config((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0}, "asked for; user record");
  input.kernel = "group32";
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&made, &input, &error), CLA_OK);
  cr_expect_eq(made.sweep.variant, &kernel_group32);
  cr_expect_str_eq(made.reason, "asked for");
}

Test(kernel_choice, settings_change_what_they_name_and_nothing_else) {
  input.settings = "tile=256";
  expect_config((kernel_config){&kernel_vector16, 32, 16, 256, KERNEL_PERSISTENT, 5}, "changed by --set");
  input.settings = "groups=7,alpha=8,tile=1024";
  expect_config((kernel_config){&kernel_vector16, 32, 8, 1024, KERNEL_PERSISTENT, 7}, "changed by --set");
  input.settings = "launch=diagonals";
  expect_config((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_DIAGONALS, 0}, "changed by --set");
  input.kernel = "vector32";
  input.settings = "launch=persistent,groups=3";
  expect_config((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_PERSISTENT, 3}, "changed by --set");
  input.settings = "launch=persistent";
  cr_assert_eq(plan_make(&made, &input, NULL), CLA_OK);
  cr_expect_geq(made.sweep.groups, 1);
  input.settings = "lanes=4"; /* the tile follows */
  cr_assert_eq(plan_make(&made, &input, NULL), CLA_OK);
  cr_expect(made.sweep.lanes == 4 && made.sweep.tile_columns >= 4 && made.sweep.tile_columns % 4 == 0);
}

Test(kernel_choice, settings_that_cannot_be_are_refused_with_what_can) {
  const struct {
    const char *settings, *part, *more;
  } cases[] = {
      {"speed=3", "'speed'", "lanes, alpha, tile, launch, groups"},
      {"=3", "''", "lanes, alpha"},
      {",", "''", "lanes, alpha"},
      {"lanes", "--set lanes needs a value", "lanes=VALUE"},
      {"lanes=", "whole number", "''"},
      {"lanes=x", "whole number", "'x'"},
      {"lanes=16x", "whole number", "'16x'"},
      {"lanes=-16", "whole number", "'-16'"},
      {"lanes=0", "whole number", "'0'"},
      {"lanes=99999999999999999999", "whole number", "lanes"},
      {"alpha=2,lanes=16,alpha=4", "alpha is given twice", "once"},
      {"lanes=12", "lanes=12", "vector16 takes 8, 16, 32"},
      {"alpha=5", "alpha=5", "vector16 takes 2, 4, 8, 16"},
      {"tile=100", "tile=100", "multiples of 32 up to 2048"},
      {"tile=4096", "tile=4096", "multiples of 32 up to 2048"},
      {"launch=sideways", "diagonals or persistent", "'sideways'"},
      {"launch=diagonals,groups=3", "groups belongs to a persistent launch", "launch=persistent"},
      {"groups=2000000", "groups", "1 to 1000000"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    input.settings = cases[i].settings;
    expect_refused(cases[i].part, cases[i].more);
  }
  input.kernel = "group32";
  input.settings = "launch=persistent";
  expect_refused("group32", "diagonals only");
  input.kernel = NULL;
  input.settings = "launch=persistent";
  device.counters = CLA_COUNTERS_NONE;
  expect_refused("a CPU cannot run", "atomics");
  size_is(10000, 10000);
  rescore(300, 300, 0);
  input.kernel = "vector16";
  input.settings = "lanes=32,alpha=16";
  expect_refused("scores are too large", "alpha");
}

Test(kernel_choice, the_record_tells_the_time_of_the_whole) {
  char *text = NULL;
  input.score_only = true;
  cr_assert_eq(plan_make(&made, &input, NULL), CLA_OK);
  cr_expect_float_eq(made.sweep_seconds, 30, 1e-9);
  cr_expect_eq(made.traceback_seconds, 0);
  cr_assert_eq(plan_explain(&text, &made, &input, NULL), CLA_OK);
  cr_expect(strstr(text, "sweep 30 s\n"), "%s", text);
  free(text);
  input.score_only = false;
  cr_assert_eq(plan_make(&made, &input, NULL), CLA_OK);
  cr_expect_float_eq(made.sweep_seconds, 30, 1e-9);
  cr_expect(made.traceback_seconds > 0 && made.traceback_seconds < 10, "%g", made.traceback_seconds);
  cr_assert_eq(plan_explain(&text, &made, &input, NULL), CLA_OK);
  cr_expect(strstr(text, "sweep 30 s, traceback about "), "%s", text);
  free(text);
  input.settings = "tile=256";
  cr_assert_eq(plan_make(&made, &input, NULL), CLA_OK);
  cr_expect(made.sweep_seconds < 0 && made.traceback_seconds < 0);
  cr_assert_eq(plan_explain(&text, &made, &input, NULL), CLA_OK);
  cr_expect(strstr(text, "time       not known") && strstr(text, "clalign tune"), "%s", text);
  free(text);
}
