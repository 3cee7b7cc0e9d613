/* The whole pipeline on every device against the oracle: score, end cell, start cell and every run of the
 * canonical alignment. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/pipeline.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/small_plans.h"
#include "support/test_devices.h"

/* Rows in one block are halved: Hirschberg in linear space. */
static void one_row_a_block(plan *whole) {
  small_plan(whole);
  whole->block_rows_kept = 1;
  whole->row_interval = 0;
}

/* Bands everywhere, with lines kept as often as can be, and blocks computed ahead of the path by more threads
 * than there are blocks at once. */
static void bands_ahead(plan *whole) {
  small_plan(whole);
  whole->band_rows_least = 1;
  whole->band_interval = 8;
  whole->wide_rows_least = 1;
  whole->ahead_rows_least = 1;
  whole->threads = 3;
  whole->blocks_ahead = 2;
}

/* Every block on the device, or cell by cell. */
static void no_bands(plan *whole) {
  small_plan(whole);
  whole->band_bytes = 0;
}

/* The pairs that are aligned with lanes and rows as planned, and on CPUs with kernels for GPUs, of which each
 * build takes them a few seconds. */
static bool is_plain(const random_pair *pair) {
  const cla_scoring *scoring = &pair->scoring;
  return pair->mode == CLA_MODE_LOCAL && scoring->gap_first2 == 0 && scoring->matrix_size == 0;
}

/* Options and plan of one try, from the stream. */
typedef struct way {
  cla_align_options options;
  void (*adjust)(plan *whole);
  const char *text;
} way;

static way choose_way(random_stream *stream, const random_pair *pair) {
  static const int64_t rows[] = {-1, 0, 1, 2, 7, 1000};
  way w = {0};
  cla_align_options_init(&w.options);
  w.options.mode = pair->mode;
  w.options.free_ends = pair->free_ends;
  w.options.scoring = pair->scoring;
  w.options.special_rows = rows[random_stream_below(stream, 6)];
  w.options.score_only = random_stream_below(stream, 16) == 0;
  switch (random_stream_below(stream, 5)) {
    case 0:
      w.text = "as planned";
      if (!build_kinds_all() && !is_plain(pair)) w.adjust = small_plan;
      break;
    case 1: w.text = "many small blocks", w.adjust = small_plan; break;
    case 2: w.text = "bands ahead", w.adjust = bands_ahead; break;
    case 3: w.text = "no bands", w.adjust = no_bands; break;
    default: w.text = "one row a block", w.adjust = one_row_a_block; break;
  }
  return w;
}

static void compare(cla_device *device, const random_pair *pair, const reference_alignment *want,
                    const way *how) {
  cla_error error = {0};
  char text[RANDOM_PAIR_TEXT_SIZE];
  cla_alignment *got = NULL;
  cla_sequence *query = random_pair_sequence("query", pair->query, pair->query_length);
  cla_sequence *target = random_pair_sequence("target", pair->target, pair->target_length);
  cla_status status = pipeline_align(&got, device, query, target, &how->options, how->adjust, &error);
  const char *kernel = how->options.kernel ? how->options.kernel : "chosen kernel";
  cr_assert_eq(status, CLA_OK, "%s, %s, rows %lld: %s: %s", kernel, how->text,
               (long long)how->options.special_rows, random_pair_text(pair, text), error.message);
  const char *differs = reference_difference(got, want);
  cr_assert_null(differs, "%s, %s, rows %lld: %s: %s differs", kernel, how->text,
                 (long long)how->options.special_rows, random_pair_text(pair, text), differs);
  cla_alignment_free(got);
  cla_sequence_free(query);
  cla_sequence_free(target);
}

/* A pair in one way with the kernel that the plan chooses and with those that are always allowed. */
static void check_pair(cla_device *device, const random_pair *pair) {
  static const char *const kernels[] = {
      [PART_CHOSEN] = NULL, [PART_VECTOR32] = "vector32", [PART_GROUP32] = "group32"};
  cla_error error = {0};
  reference_alignment want = {0};
  random_stream stream;
  score_table table;
  random_stream_init(&stream, pair->seed, 1);
  score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  cr_assert_eq(reference_align(&want, pair->query, pair->query_length, pair->target, pair->target_length,
                               &table, &pair->scoring, path_ends_make(pair->mode, pair->free_ends), &error),
               CLA_OK, "%s", error.message);
  way how = choose_way(&stream, pair);
  const int count = cla_device_describe(device)->kind != CLA_DEVICE_CPU || is_plain(pair) ? 3 : 2;
  for (int k = 0; k < count; k++) {
    how.options.kernel = kernels[k];
    if (random_pair_is_tested(pair, k, false)) compare(device, pair, &want, &how);
  }
  reference_alignment_free(&want);
}

/* A pair with its optimal score, or a little less, as the lower bound, so that tiles are passed over: in
 * strips and tiles as small as the kernel allows. */
static void check_pruned(cla_device *device, const random_pair *pair, const char *kernel) {
  cla_error error = {0};
  reference_alignment want = {0};
  random_stream stream;
  score_table table;
  char settings[96], reason[160];
  const kernel_variant *variant = kernel_find(kernel);
  random_stream_init(&stream, pair->seed, 3);
  score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  kernel_config config = {.variant = variant, .lanes = variant->lanes[0], .alpha = variant->alphas[0]};
  if (!kernel_takes_scheme(variant, &pair->scoring, &table, reason, sizeof reason) ||
      kernel_tile_limit(&config, &pair->scoring, &table, 1) < config.lanes)
    return;
  cr_assert_eq(reference_align(&want, pair->query, pair->query_length, pair->target, pair->target_length,
                               &table, &pair->scoring, path_ends_make(pair->mode, pair->free_ends), &error),
               CLA_OK, "%s", error.message);
  way how = choose_way(&stream, pair);
  snprintf(settings, sizeof settings, "lanes=%d,alpha=%d,tile=%d,launch=%s", config.lanes, config.alpha,
           config.lanes,
           variant->single_tiles && random_stream_below(&stream, 2) ? "persistent" : "diagonals");
  how.options.kernel = kernel;
  how.options.settings = settings;
  how.options.lower_bound.kind = CLA_LOWER_BOUND_SCORE;
  how.options.lower_bound.score = want.score;
  if (random_stream_below(&stream, 2))
    how.options.lower_bound.score -= (int64_t)random_stream_below(&stream, 60);
  if (pair->mode == CLA_MODE_LOCAL && how.options.lower_bound.score < 0) how.options.lower_bound.score = 0;
  compare(device, pair, &want, &how);
  reference_alignment_free(&want);
}

Test(align, equals_the_oracle_with_pruning, .timeout = 2400) {
  static const char *const all[] = {"vector8", "vector16", "vector32", "wave32",
                                    "wave16",  "group32",  "nvidia16"};
  const long long count = test_count("CLALIGN_TEST_PRUNED", 120) * build_kinds_drawn();
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (long long i = 0; i < count; i++) {
      random_pair pair;
      random_pair_make(&pair, 5000000 + (uint64_t)i, 600);
      random_pair_choose_mode(&pair);
      /* One in eight with a kernel for GPUs, whose work-groups CPUs emulate slowly. */
      const bool packed = cla_device_describe(device)->packed_pairs;
      const int kernel = packed && i % 2 ? 6 : i % 8 == 0 ? 3 + (int)(i / 8 % 3) : (int)(i % 3);
      const bool slow = cla_device_describe(device)->kind == CLA_DEVICE_CPU && kernel > 2;
      if (random_pair_is_tested(&pair, kernel, true) && (!slow || is_plain(&pair)))
        check_pruned(device, &pair, all[kernel]);
      random_pair_free(&pair);
    }
    printf("%s: %lld pairs of up to 600 letters with pruning, seeds from 5000000\n",
           cla_device_describe(device)->name, count);
    cla_device_close(device);
  }
}

static void check_pairs(uint64_t first_seed, long long count, int64_t max_length) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (long long i = 0; i < count; i++) {
      random_pair pair;
      random_pair_make(&pair, first_seed + (uint64_t)i, max_length);
      random_pair_choose_mode(&pair);
      check_pair(device, &pair);
      random_pair_free(&pair);
    }
    printf("%s: %lld pairs of up to %lld letters, seeds from %llu, each with up to three kernels\n",
           cla_device_describe(device)->name, count, (long long)max_length, (unsigned long long)first_seed);
    cla_device_close(device);
  }
}

/* What the plan says is the least that would do, for one of the two budgets. */
static int64_t least_budget(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                            cla_align_options options, bool of_device) {
  cla_error error = {0};
  char *text = NULL;
  options.memory_bytes = of_device ? 0 : 1;
  options.device_memory_bytes = of_device ? 1 : 0;
  cr_assert_eq(cla_explain(&text, device, query, target, &options, &error), CLA_ERROR_MEMORY);
  const char *number = strstr(error.message, "small: ");
  cr_assert(number, "%s", error.message);
  return atoll(number + strlen("small: "));
}

Test(align, least_budgets_are_enough_and_change_nothing, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
      cla_error error = {0};
      random_pair pair;
      cla_alignment *rich = NULL, *poor = NULL;
      cla_align_options options;
      random_pair_make_plain(&pair, 3000000 + seed, 6000);
      cla_sequence *query = random_pair_sequence("query", pair.query, pair.query_length);
      cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
      cla_align_options_init(&options);
      options.mode = pair.mode;
      options.scoring = pair.scoring;
      cr_assert_eq(cla_align(&rich, device, query, target, &options, &error), CLA_OK, "%s", error.message);
      options.memory_bytes = least_budget(device, query, target, options, false);
      options.device_memory_bytes = least_budget(device, query, target, options, true);
      cr_assert_eq(cla_align(&poor, device, query, target, &options, &error), CLA_OK, "seed %llu: %s",
                   (unsigned long long)seed, error.message);
      cr_assert(poor->score == rich->score &&
                same_runs(poor->runs, poor->run_count, rich->runs, rich->run_count));
      cla_alignment_free(rich);
      cla_alignment_free(poor);
      cla_sequence_free(query);
      cla_sequence_free(target);
      random_pair_free(&pair);
    }
    cla_device_close(device);
  }
}

static void keep_plan(const char *text, void *user) {
  char **kept = user;
  cr_assert_null(*kept, "the plan is told twice");
  *kept = strdup(text);
}

Test(align, tells_the_plan_that_explain_gives, .timeout = 600) {
  cla_device *device = test_device_open(0);
  cla_error error = {0};
  random_pair pair;
  cla_alignment *alignment = NULL;
  cla_align_options options;
  char *told = NULL, *explained = NULL;
  random_pair_make_plain(&pair, 7000000, 6000);
  cla_sequence *query = random_pair_sequence("query", pair.query, pair.query_length);
  cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
  cla_align_options_init(&options);
  options.memory_bytes = INT64_C(1) << 28; /* not what happens to be free */
  options.explain = keep_plan;
  options.explain_user = &told;
  cr_assert_eq(cla_align(&alignment, device, query, target, &options, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(cla_explain(&explained, device, query, target, &options, &error), CLA_OK, "%s", error.message);
  cr_assert(told, "the plan is not told");
  cr_assert_str_eq(told, explained);
  free(told);
  free(explained);
  cla_alignment_free(alignment);
  cla_sequence_free(query);
  cla_sequence_free(target);
  random_pair_free(&pair);
  cla_device_close(device);
}

/* What a callback saw that stops the run with the first report. */
typedef struct stopped_run {
  int reports;
  char stage[64];
} stopped_run;

static bool stop_at_once(const cla_progress *progress, void *user) {
  stopped_run *run = user;
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

/* Aligns longer and longer pairs until the first report is of that stage: on a fast machine one that is too
 * short has ended, or has come to the next stage, before a report is due. */
static void expect_stop_in(const char *stage, cla_lower_bound_kind bound) {
  cla_device *device = test_device_open(0);
  stopped_run run = {0};
  for (int64_t length = 100000; length <= 51200000 && strcmp(run.stage, stage) != 0; length *= 2) {
    cla_error error = {0};
    cla_alignment *alignment = NULL;
    cla_align_options options;
    cla_sequence *sequence = long_sequence(length);
    run = (stopped_run){0};
    cla_align_options_init(&options);
    options.score_only = true;
    options.lower_bound.kind = bound;
    options.progress = stop_at_once;
    options.progress_user = &run;
    cla_status status = cla_align(&alignment, device, sequence, sequence, &options, &error);
    cr_assert(run.reports == 0 ? status == CLA_OK && alignment
                               : run.reports == 1 && status == CLA_ERROR_INTERRUPTED && !alignment &&
                                     strstr(error.message, run.stage),
              "%lld letters, %d reports: %s", (long long)length, run.reports, error.message);
    cla_alignment_free(alignment);
    cla_sequence_free(sequence);
  }
  cr_assert_str_eq(run.stage, stage, "no report of that stage");
  cla_device_close(device);
}

Test(align, stops_when_the_progress_callback_says_so, .timeout = 600) {
  expect_stop_in("forward sweep", CLA_LOWER_BOUND_OFF);
}

Test(align, stops_while_the_lower_bound_is_looked_for, .timeout = 600) {
  expect_stop_in("lower bound search", CLA_LOWER_BOUND_AUTO);
}

Test(align, equals_the_oracle_on_short_pairs, .timeout = 7200) {
  check_pairs(1000000, test_count("CLALIGN_TEST_PAIRS", 1500), 160);
}

Test(align, equals_the_oracle_on_pairs_of_many_tiles, .timeout = 7200) {
  check_pairs(2000000, test_count("CLALIGN_TEST_PAIRS", 1000) / 10, 1500);
}

Test(align, equals_the_oracle_on_a_few_letters_against_100000, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (uint64_t seed = 0; seed < 12; seed++) {
      random_pair pair;
      random_pair_make(&pair, 4000000 + seed, 100000);
      if (seed % 3 == 2)
        random_pair_choose_mode(&pair);
      else
        pair.mode = seed % 3 ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL;
      /* The letters of a longer pair, cut: few against many, and many against few. */
      int64_t *few = seed % 4 < 2 ? &pair.query_length : &pair.target_length;
      if (*few > 1 + (int64_t)seed) *few = 1 + (int64_t)seed;
      check_pair(device, &pair);
      random_pair_free(&pair);
    }
    cla_device_close(device);
  }
}
