/* The whole pipeline on every device against the oracle: score, end cell, start cell and every run of the
 * canonical alignment. */

#include "seq/random_stream.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/reference_difference.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Rows in one block are halved: Hirschberg in linear space. */
static void one_row_a_block(plan *whole) {
  small_plan(whole);
  whole->trace.block_rows_kept = 1;
  whole->row_interval = 0;
}

/* Bands everywhere, with lines kept as often as can be, and blocks computed ahead of the path by more threads
 * than there are blocks at once. */
static void bands_ahead(plan *whole) {
  small_plan(whole);
  whole->trace.band_rows_least = 1;
  whole->trace.band_interval = 8;
  whole->trace.wide_rows_least = 1;
  whole->trace.ahead_rows_least = 1;
  whole->trace.threads = 3;
  whole->trace.blocks_ahead = 2;
}

/* Memory for two rows of nested blocks, if they are as wide as the matrix, and for no border of one. */
static void rows_of_nested_blocks_are_scarce(plan *whole) {
  small_plan(whole);
  whole->row_interval = 0;
  whole->trace.block_rows_kept = 64;
  whole->trace.block_bytes = 2000;
}

/* Every block on the device, or cell by cell. */
static void no_bands(plan *whole) {
  small_plan(whole);
  whole->trace.band_bytes = 0;
}

/* The pairs that are aligned with lanes and rows as planned, and on CPUs with kernels for GPUs, of which each
 * build takes them a few seconds. */
static bool is_plain(const random_pair *pair) {
  const cla_scoring *scoring = &pair->scoring;
  return pair->mode == CLA_MODE_LOCAL && scoring->gap_first2 == 0 && scoring->matrix_size == 0;
}

/* The plan of one try. */
typedef struct way {
  void (*adjust)(plan *whole);
  const char *text;
} way;

/* A plan, and options of the case, from the stream. */
static way choose_way(random_stream *stream, pair_case *one) {
  static const int64_t rows[] = {-1, 0, 1, 2, 7, 1000};
  static const way ways[] = {{NULL, "as planned"},
                             {small_plan, "many small blocks"},
                             {bands_ahead, "bands ahead"},
                             {no_bands, "no bands"},
                             {one_row_a_block, "one row a block"},
                             {rows_of_nested_blocks_are_scarce, "scarce rows of nested blocks"}};
  one->options.budgets.special_rows = rows[random_stream_below(stream, 6)];
  one->options.score_only = random_stream_below(stream, 16) == 0;
  way chosen = ways[random_stream_below(stream, 6)];
  if (!chosen.adjust && !build_kinds_all() && !is_plain(&one->pair)) chosen.adjust = small_plan;
  return chosen;
}

/* With the kernel that the plan chooses and with those that are always allowed. */
static long long check_kernels(cla_device *device, pair_case *one) {
  static const char *const kernels[] = {
      [PART_CHOSEN] = NULL, [PART_VECTOR32] = "vector32", [PART_WAVE32] = "wave32"};
  random_stream stream;
  random_stream_init(&stream, one->pair.seed, 1);
  const way how = choose_way(&stream, one);
  const int count = cla_device_describe(device)->kind != CLA_DEVICE_CPU || is_plain(&one->pair) ? 3 : 2;
  for (int k = 0; k < count; k++) {
    one->options.kernel.name = kernels[k];
    if (random_pair_is_tested(&one->pair, k, false)) pair_case_check(one, device, how.adjust, how.text);
  }
  return 0;
}

VARIATION(align, equals_the_oracle_on_short_pairs, .count_name = "CLALIGN_TEST_PAIRS", .count = 1500,
          .seed = 1000000, .letters = 160, .check = check_kernels)

VARIATION(align, equals_the_oracle_on_pairs_of_many_tiles, .count_name = "CLALIGN_TEST_LARGE_PAIRS",
          .count = 100, .seed = 2000000, .letters = 1500, .check = check_kernels)

/* The letters of a longer pair, cut: few against many, and many against few. */
static void make_few_against_many(pair_case *one, uint64_t seed, int64_t letters) {
  random_pair *pair = &one->pair;
  random_pair_make(pair, seed, letters);
  pair->mode = one->number % 3 == 0 ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL;
  if (one->number % 3 == 2) random_pair_choose_mode(pair);
  const int64_t few = 1 + one->number;
  int64_t *length = one->number % 4 < 2 ? &pair->query_length : &pair->target_length;
  if (*length > few) *length = few;
  pair_case_begin(one);
}

VARIATION(align, equals_the_oracle_on_a_few_letters_against_100000, .count_name = "CLALIGN_TEST_FEW_LETTERS",
          .count = 12, .seed = 4000000, .letters = 100000, .make = make_few_against_many,
          .check = check_kernels)

/* A pair with its optimal score, or a little less, as the lower bound, so that tiles are passed over: in
 * strips and tiles as small as the kernel allows. One in eight has a kernel for GPUs, whose work-groups CPUs
 * emulate slowly. */
static long long check_pruned(cla_device *device, pair_case *one) {
  static const char *const all[] = {"vector8", "vector16", "vector32", "wave32", "wave16", "nvidia16"};
  const cla_device_info *info = cla_device_describe(device);
  const long long i = one->number;
  const int which = info->packed_pairs && i % 2 ? 5 : i % 8 == 0 ? 3 + (int)(i / 8 % 2) : (int)(i % 3);
  const kernel_variant *variant = kernel_find(all[which]);
  const kernel_config config = {.variant = variant, .lanes = variant->lanes[0], .alpha = variant->alphas[0]};
  random_stream stream;
  char settings[96], reason[160];
  if (!random_pair_is_tested(&one->pair, which, true) ||
      (info->kind == CLA_DEVICE_CPU && which > 2 && !is_plain(&one->pair)) ||
      !kernel_takes_scheme(variant, &one->pair.scoring, &one->table, reason, sizeof reason) ||
      kernel_tile_limit(&config, &one->pair.scoring, &one->table, 1) < config.lanes)
    return 0;
  random_stream_init(&stream, one->pair.seed, 3);
  const way how = choose_way(&stream, one);
  const bool persistent = variant->persistent.single_tiles && random_stream_below(&stream, 2);
  snprintf(settings, sizeof settings, "lanes=%d,alpha=%d,tile=%d,launch=%s", config.lanes, config.alpha,
           config.lanes, persistent ? "persistent" : "diagonals");
  one->options.kernel.name = all[which];
  one->options.kernel.settings = settings;
  int64_t least = one->want.score;
  if (random_stream_below(&stream, 2)) least -= (int64_t)random_stream_below(&stream, 60);
  if (one->pair.mode == CLA_MODE_LOCAL && least < 0) least = 0;
  one->options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = least};
  pair_case_check(one, device, how.adjust, how.text);
  return 1;
}

VARIATION(align, equals_the_oracle_with_pruning, .count_name = "CLALIGN_TEST_PRUNED", .count = 120,
          .of_kinds = true, .seed = 5000000, .letters = 600, .check = check_pruned)

/* A path with many unlike letters is longer than its score tells. It comes from above the rows that are first
 * searched for its start, and from left of half as many columns. */
static void make_long_path(pair_case *one, uint64_t seed, int64_t letters) {
  enum { ROWS = 420, ALIKE = 90 };
  (void)letters;
  random_pair *pair = &one->pair;
  *pair = (random_pair){.query = random_letters(ROWS, seed),
                        .target = random_letters(2 * ALIKE, seed + 1),
                        .query_length = ROWS,
                        .target_length = 2 * ALIKE,
                        .mode = CLA_MODE_LOCAL,
                        .kind = "every third letter is unlike",
                        .scheme = "of starts",
                        .seed = seed};
  for (int i = 0; i < ALIKE; i++)
    pair->target[ALIKE + i] = (uint8_t)((pair->query[ROWS - ALIKE + i] + (i % 3 == 1)) % 4);
  cla_scoring_init(&pair->scoring);
  pair->scoring.match = 2;
  pair->scoring.mismatch = -1;
  pair->scoring.gap_first = 20;
  pair->scoring.gap_ext = 10;
  pair_case_begin(one);
  one->options.budgets.special_rows = 0;
}

static long long check_small_blocks(cla_device *device, pair_case *one) {
  pair_case_check(one, device, small_plan, "many small blocks");
  return 1;
}

VARIATION(align, starts_are_looked_for_as_far_left_as_paths_go, .count_name = "CLALIGN_TEST_STARTS",
          .count = 1, .seed = 11, .letters = 420, .make = make_long_path, .check = check_small_blocks)

static void make_plain(pair_case *one, uint64_t seed, int64_t letters) {
  random_pair_make_plain(&one->pair, seed, letters);
  pair_case_begin_without_oracle(one);
}

/* What the plan says is the least that would do, for one of the two budgets. */
static int64_t least_budget(cla_device *device, const pair_case *one, bool of_device) {
  cla_error error = {0};
  char *text = NULL;
  cla_align_options options = one->options;
  options.budgets.memory_bytes = of_device ? 0 : 1;
  options.budgets.device_memory_bytes = of_device ? 1 : 0;
  cr_assert_eq(cla_explain(&text, device, one->query, one->target, &options, &error), CLA_ERROR_MEMORY);
  const char *number = strstr(error.message, "small: ");
  cr_assert(number, "%s", error.message);
  return atoll(number + strlen("small: "));
}

static long long check_budgets(cla_device *device, pair_case *one) {
  cla_alignment *rich = pair_case_align(one, device, NULL, "any budget");
  const int64_t of_host = least_budget(device, one, false), of_device = least_budget(device, one, true);
  one->options.budgets.memory_bytes = of_host;
  one->options.budgets.device_memory_bytes = of_device;
  cla_alignment *poor = pair_case_align(one, device, NULL, "the least budgets");
  cr_assert(poor->score == rich->score && same_runs(poor->runs, poor->run_count, rich->runs, rich->run_count),
            "%s", one->text);
  cla_alignment_free(rich);
  cla_alignment_free(poor);
  return 1;
}

VARIATION(align, least_budgets_are_enough_and_change_nothing, .count_name = "CLALIGN_TEST_BUDGETS",
          .count = 12, .seed = 3000001, .letters = 6000, .make = make_plain, .check = check_budgets)

static void keep_plan(const char *text, void *user) {
  char **kept = user;
  cr_assert_null(*kept, "the plan is told twice");
  *kept = strdup(text);
}

Test(align, tells_the_plan_that_explain_gives, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(pair_case_end) pair_case one = {0};
  OWNED(free_memory) char *told = NULL, *explained = NULL;
  make_plain(&one, 7000000, 6000);
  one.options.budgets.memory_bytes = INT64_C(1) << 28; /* not what happens to be free */
  one.options.callbacks.explain = keep_plan;
  one.options.callbacks.explain_user = &told;
  cla_alignment_free(pair_case_align(&one, device, NULL, "explained"));
  assert_ok(cla_explain(&explained, device, one.query, one.target, &one.options, &why));
  cr_assert(told, "the plan is not told");
  cr_assert_str_eq(told, explained);
}

#define COMPILING "kernel compilation, once for this machine"

/* What a callback saw that stops the run with the first report, or the first behind the compilation. */
typedef struct stopped_run {
  bool compiles;
  int reports;
  const char *awaited; /* stages that begin so; NULL: the first one */
  char stage[64];
} stopped_run;

static bool stop_at_once(const cla_progress *progress, void *user) {
  stopped_run *run = user;
  if (run->compiles && strcmp(progress->stage, COMPILING) == 0) return true;
  if (run->awaited && strncmp(progress->stage, run->awaited, strlen(run->awaited)) != 0) return true;
  run->reports++;
  snprintf(run->stage, sizeof run->stage, "%s", progress->stage);
  return false;
}

static cla_sequence *long_sequence(int64_t length) {
  uint8_t *codes = random_letters(length, 5);
  cla_sequence *sequence = random_pair_sequence("s", codes, length);
  free(codes);
  return sequence;
}

/* Aligns longer and longer pairs until the first report is of that stage. On a fast machine, a short pair has
 * passed the stage before a report is due. */
static void expect_stop_in(const char *stage, cla_lower_bound_kind bound) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  stopped_run run = {0};
  for (int64_t length = 100000; length <= 51200000 && strcmp(run.stage, stage) != 0; length *= 2) {
    cla_error error = {0};
    OWNED(free_alignment) cla_alignment *alignment = NULL;
    cla_align_options options;
    OWNED(free_sequence) cla_sequence *sequence = long_sequence(length);
    run = (stopped_run){.compiles = true};
    cla_align_options_init(&options);
    options.score_only = true;
    options.lower_bound.kind = bound;
    options.callbacks.progress = stop_at_once;
    options.callbacks.progress_user = &run;
    cla_status status = cla_align(&alignment, device, sequence, sequence, &options, &error);
    cr_assert(run.reports == 0 ? status == CLA_OK && alignment
                               : run.reports == 1 && status == CLA_ERROR_INTERRUPTED && !alignment &&
                                     strstr(error.message, run.stage),
              "%lld letters, %d reports: %s", (long long)length, run.reports, error.message);
  }
  cr_assert_str_eq(run.stage, stage, "no report of that stage");
}

Test(align, stops_when_the_progress_callback_says_so, .timeout = 600) {
  expect_stop_in("forward sweep", CLA_LOWER_BOUND_OFF);
}

/* What each report says of a run that is not stopped. */
typedef struct heard_run {
  int compilations, later;
  double seconds;
} heard_run;

static bool hear(const cla_progress *progress, void *user) {
  heard_run *heard = user;
  const bool compiling = strcmp(progress->stage, COMPILING) == 0;
  heard->compilations += compiling;
  heard->later += !compiling;
  if (compiling) cr_expect(progress->fraction == 0 && progress->seconds_left < 0);
  cr_expect(!compiling || heard->later == 0, "the sweep began before its kernel was compiled");
  return true;
}

Test(align, tells_of_kernels_that_are_compiled_and_names_their_time_apart, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(free_sequence) cla_sequence *sequence = long_sequence(1000);
  stopped_run run = {0};
  heard_run heard = {0};
  cla_align_options options;
  cla_align_options_init(&options);
  options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
  options.callbacks.progress = stop_at_once;
  options.callbacks.progress_user = &run;
  OWNED(free_alignment) cla_alignment *none = NULL, *first = NULL, *second = NULL;
  assert_error(cla_align(&none, device, sequence, sequence, &options, &why), CLA_ERROR_INTERRUPTED,
               COMPILING);
  cr_expect(run.reports == 1 && !none);
  options.callbacks.progress = hear;
  options.callbacks.progress_user = &heard;
  assert_ok(cla_align(&first, device, sequence, sequence, &options, &why));
  cr_expect_geq(heard.compilations, 1);
  cr_expect_gt(first->metrics.build_seconds, 0);
  heard.later = heard.compilations = 0;
  assert_ok(cla_align(&second, device, sequence, sequence, &options, &why));
  cr_expect_eq(heard.compilations, 0, "compiled twice");
}

/* A level is named, with what the one before has left. */
Test(align, stops_while_a_level_of_the_bounds_is_made, .timeout = 600) {
  static const char *const levels[] = {"bounds, coarse level", "bounds, fine level in "};
  OWNED(close_device) cla_device *device = test_device_open(0);
  for (int i = 0; i < 2; i++) {
    stopped_run run = {0};
    for (int64_t length = 100000; length <= 51200000 && run.reports == 0; length *= 2) {
      cla_error error = {0};
      OWNED(free_alignment) cla_alignment *alignment = NULL;
      cla_align_options options;
      OWNED(free_sequence) cla_sequence *sequence = long_sequence(length);
      run = (stopped_run){.compiles = true, .awaited = levels[i]};
      cla_align_options_init(&options);
      options.score_only = true;
      options.kernel.settings = "bounds=band";
      options.callbacks.progress = stop_at_once;
      options.callbacks.progress_user = &run;
      const cla_status status = cla_align(&alignment, device, sequence, sequence, &options, &error);
      cr_assert_eq(status, run.reports > 0 ? CLA_ERROR_INTERRUPTED : CLA_OK, "%s", error.message);
      if (run.reports > 0) cr_expect(strstr(error.message, levels[i]), "%s", error.message);
    }
    cr_assert_eq(run.reports, 1, "no report of %s", levels[i]);
    cr_expect(i == 0 || strstr(run.stage, " %"), "%s", run.stage);
  }
}

Test(align, stops_while_the_lower_bound_is_looked_for, .timeout = 600) {
  expect_stop_in("lower bound search", CLA_LOWER_BOUND_AUTO);
}
