/* With the lower bound that is found before the sweep, and without any: the same alignment, run for run, of
 * pairs that are related in every way. On every device; strips and tiles small, so that much can be passed
 * over. */

#include "clalign/align.h"
#include "path/lower_bound.h"
#include "pipeline/pipeline.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/reference_difference.h"
#include "support/related_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "support/tile_columns.h"

#define ROWS_IN_WINDOWS 24

typedef struct totals {
  int64_t cells, computed;
  int fewer;     /* pairs of which pruning computed less */
  int windows;   /* pairs of which windows computed still less */
  int looked_up; /* such pairs with scores that are looked up */
} totals;

static cla_alignment *align(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options, const char *text) {
  cla_alignment *alignment = NULL;
  assert_ok_for(cla_align(&alignment, device, query, target, options, &why), "%s", text);
  return alignment;
}

static void compare(const cla_alignment *with, const cla_alignment *without, const char *text) {
  cr_assert_eq(with->score, without->score, "%s: %lld, not %lld", text, (long long)with->score,
               (long long)without->score);
  cr_assert(with->query.start == without->query.start && with->query.stop == without->query.stop &&
                with->target.start == without->target.start && with->target.stop == without->target.stop,
            "%s: other coordinates", text);
  cr_assert(same_runs(with->runs, with->run_count, without->runs, without->run_count), "%s: another path",
            text);
}

/* The same in windows of a potential, with more kept rows than have room on the device at once. */
static void check_windows(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                          const cla_align_options *pruned, const cla_alignment *without, int64_t computed,
                          totals *sum) {
  cla_align_options options = *pruned;
  char settings[80], text[160];
  snprintf(settings, sizeof settings, "%s,bounds=sweep", pruned->kernel.settings);
  snprintf(text, sizeof text, "%s, %s", cla_mode_name(options.mode), settings);
  options.kernel.settings = settings;
  options.budgets.special_rows = ROWS_IN_WINDOWS;
  OWNED(free_alignment) cla_alignment *with = align(device, query, target, &options, text);
  compare(with, without, text);
  const bool less = with->metrics.cells_computed - with->metrics.bounds.cells < computed;
  sum->windows += less;
  sum->looked_up +=
      less && (options.scoring.matrix_size > 0 || options.scoring.ambiguity != CLA_AMBIGUITY_MISMATCH);
}

/* Ambiguous letters here and there, and scores that tell them from a mismatch. */
static void look_up(related_pair *pair, cla_scoring *scoring, uint64_t seed) {
  random_stream stream;
  random_stream_init(&stream, seed, 12);
  for (int n = 0; n < 40; n++) {
    uint8_t *codes = n % 2 ? pair->query : pair->target;
    const int64_t length = n % 2 ? pair->query_length : pair->target_length;
    codes[random_stream_below(&stream, (uint64_t)length)] =
        (uint8_t)(SEQUENCE_UNAMBIGUOUS +
                  random_stream_below(&stream, SEQUENCE_LETTER_COUNT - SEQUENCE_UNAMBIGUOUS));
  }
  if (seed % 4) {
    scoring->ambiguity = seed % 4 == 1 ? CLA_AMBIGUITY_NEUTRAL : CLA_AMBIGUITY_EXPECTED;
    return;
  }
  assert_ok(cla_scoring_set_matrix(scoring, "EDNAFULL", &why));
  scoring->units = 1;
  scoring->gap_first = 10;
  scoring->gap_ext = 2;
}

static void check(cla_device *device, related_kind kind, uint64_t seed, cla_mode mode, totals *sum) {
  OWNED(related_pair_free) related_pair pair;
  char text[160];
  cla_align_options options;
  related_pair_make(&pair, kind, seed, LOWER_BOUND_LEAST_LETTERS + 2000 + (int64_t)(seed % 7) * 500);
  cla_align_options_init(&options);
  options.mode = mode;
  const bool looks_up = (seed / 100 + seed + (uint64_t)mode) % 2;
  if (looks_up) look_up(&pair, &options.scoring, seed / 2);
  OWNED(free_sequence) cla_sequence *query = random_pair_sequence("query", pair.query, pair.query_length);
  OWNED(free_sequence) cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
  snprintf(text, sizeof text, "%s, seed %llu, %s", pair.name, (unsigned long long)seed, cla_mode_name(mode));
  options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
  OWNED(free_alignment) cla_alignment *without = align(device, query, target, &options, text);
  options.lower_bound.kind = CLA_LOWER_BOUND_AUTO;
  /* By hand: left to the plan, a GPU would not prune so short pairs, because it does not pay. */
  if (cla_device_describe(device)->packed_pairs && seed % 3 > 0) {
    options.kernel.name = looks_up ? "nvidia16m" : "nvidia16";
    options.kernel.settings = seed % 3 == 1 ? "alpha=2,tile=64,groups=1" : "alpha=4,tile=512";
  } else if (cla_device_describe(device)->kind == CLA_DEVICE_CPU) {
    options.kernel.name = seed % 2 ? "vector8" : "vector16";
    options.kernel.settings = "lanes=16,alpha=4,tile=64";
  } else {
    options.kernel.name = "wave32";
    options.kernel.settings = "alpha=4,tile=64";
  }
  OWNED(free_alignment) cla_alignment *with = align(device, query, target, &options, text);
  compare(with, without, text);
  check_windows(device, query, target, &options, without, with->metrics.cells_computed, sum);
  sum->cells += without->metrics.cells_computed;
  sum->computed += with->metrics.cells_computed;
  sum->fewer += with->metrics.cells_computed < without->metrics.cells_computed / 2;
}

Test(pruning, alignments_are_the_same_with_and_without, .timeout = 7200) {
  static const cla_mode others[] = {CLA_MODE_SEMI_GLOBAL, CLA_MODE_OVERLAP, CLA_MODE_EXTEND};
  const long long seeds = test_count("CLALIGN_TEST_RELATED", 2);
  FOR_EACH_DEVICE (device) {
    totals sum = {0};
    int pairs = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++)
      for (int kind = 0; kind < RELATED_KINDS; kind++)
        for (int mode = 0; mode < 3; mode++, pairs++)
          check(device, (related_kind)kind, 100 * seed + (uint64_t)kind,
                mode < 2 ? (cla_mode)mode : others[(seed + (uint64_t)kind) % 3], &sum);
    printf(
        "%s: %d pairs, %.1f %% of the cells, less than half in %d, less in windows in %d, of which %d look "
        "scores up\n",
        cla_device_describe(device)->name, pairs, 100.0 * (double)sum.computed / (double)sum.cells, sum.fewer,
        sum.windows, sum.looked_up);
    cr_assert_gt(sum.fewer, pairs / 4, "hardly anything was passed over");
    cr_assert_gt(sum.windows, pairs / 8, "windows leave out hardly anything");
    cr_assert_gt(sum.looked_up, pairs / 16, "nor where scores are looked up");
  }
}

static cla_status align_adjusted(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 void (*adjust)(plan *whole)) {
  const align_job job = {
      .device = device, .query = query, .target = target, .options = options, .adjust = adjust};
  why = (cla_error){0};
  return pipeline_align(out, &job, &why);
}

/* The first strips to their ends before the others. */
static void in_two_parts(plan *whole) {
  whole->first_rows = whole->prune ? 8 * kernel_strip_rows(&whole->sweep) : 0;
  if (whole->row_interval > 0) whole->row_interval = 4 * kernel_strip_rows(&whole->sweep);
}

static void in_one_part(plan *whole) {
  whole->first_rows = 0;
}

typedef struct part_case {
  cla_mode mode;
  int free_ends;
  int64_t special_rows;
  bool two_pieces;
} part_case;

static void set_part_case(cla_align_options *options, const part_case *one, const cla_device_info *device) {
  cla_align_options_init(options);
  options->mode = one->mode;
  options->free_ends = one->free_ends;
  options->budgets.special_rows = one->special_rows;
  options->kernel.settings = "alpha=4,tile=64";
  options->kernel.name = device->kind == CLA_DEVICE_CPU ? "vector8" : "wave32";
  if (device->packed_pairs && !one->two_pieces) options->kernel.name = "nvidia16";
  if (!one->two_pieces) return;
  options->scoring.gap_first2 = 9;
  options->scoring.gap_ext2 = 1;
}

Test(pruning, of_a_short_query_in_a_long_target_in_two_parts_is_the_same, .timeout = 600) {
  static const part_case cases[] = {
      {CLA_MODE_LOCAL, 0, -1, false},
      {CLA_MODE_LOCAL, 0, 0, false},
      {CLA_MODE_LOCAL, 0, -1, true},
      {CLA_MODE_SEMI_GLOBAL, 0, -1, false},
      {CLA_MODE_SEMI_GLOBAL, 0, 0, true},
      {CLA_MODE_OVERLAP, 0, -1, false},
      {CLA_MODE_FREE_ENDS, CLA_FREE_TARGET_START | CLA_FREE_TARGET_END | CLA_FREE_QUERY_END, -1, false}};
  FOR_EACH_DEVICE (device) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      OWNED(related_pair_free) related_pair pair;
      cla_align_options options;
      OWNED(free_alignment) cla_alignment *one = NULL, *two = NULL, *without = NULL;
      related_pair_make(&pair, RELATED_FEW_CHANGES, 700 + i, 24000);
      OWNED(free_sequence) cla_sequence *query = random_pair_sequence("query", pair.query + 9000, 5000);
      OWNED(free_sequence)
      cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
      set_part_case(&options, &cases[i], cla_device_describe(device));
      assert_ok_for(align_adjusted(&two, device, query, target, &options, in_two_parts), "case %zu", i);
      assert_ok_for(align_adjusted(&one, device, query, target, &options, in_one_part), "case %zu", i);
      options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
      without = align(device, query, target, &options, pair.name);
      cr_expect(one->metrics.pruned && two->metrics.pruned, "case %zu: nothing is passed over", i);
      cr_expect_lt(two->metrics.cells_computed, one->metrics.cells_computed, "case %zu", i);
      compare(one, without, pair.name);
      compare(two, without, pair.name);
    }
  }
}

/* Row `first_rows` is passed over then, and with it all that is below. */
Test(pruning, in_two_parts_ends_where_nothing_reaches_the_bound, .timeout = 600) {
  static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_SEMI_GLOBAL, CLA_MODE_OVERLAP};
  FOR_EACH_DEVICE (device) {
    for (int i = 0; i < 6; i++) {
      const part_case one = {modes[i / 2], 0, i % 2 ? 0 : -1, false};
      OWNED(related_pair_free) related_pair pair;
      cla_align_options options;
      cla_alignment *got = NULL;
      related_pair_make(&pair, RELATED_FEW_CHANGES, 710 + (uint64_t)i, 24000);
      OWNED(free_sequence) cla_sequence *query = random_pair_sequence("query", pair.query + 9000, 5000);
      OWNED(free_sequence)
      cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
      set_part_case(&options, &one, cla_device_describe(device));
      options.strand = CLA_STRAND_BOTH; /* the second strand's bound is the first one's score */
      assert_ok_for(align_adjusted(&got, device, query, target, &options, in_two_parts), "case %d", i);
      cla_alignment_free(got);
      options.strand = CLA_STRAND_FORWARD;
      options.has_min_score = true;
      options.min_score = 5000;
      assert_ok_for(align_adjusted(&got, device, query, target, &options, in_two_parts), "case %d", i);
      cr_expect_null(got, "case %d", i);
      options.has_min_score = false;
      options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = 5000};
      cr_expect_eq(align_adjusted(&got, device, query, target, &options, in_two_parts), CLA_ERROR_OPTION,
                   "case %d", i);
      cr_expect(strstr(why.message, "above the optimum"), "case %d: %s", i, why.message);
    }
  }
}

Test(pruning, in_two_parts_finds_the_path_in_every_column_of_a_tile, .timeout = 600) {
  FOR_EACH_DEVICE (device) {
    tile_columns_check(
        &(tile_columns){.device = device, .seed = 11, .behind = 12000, .step = 3, .adjust = in_two_parts});
  }
}
