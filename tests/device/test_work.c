/* What an alignment says of how its matrix was computed (clalign/work.h), on every device. */

#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "support/made_alignment.h"
#include "support/reference_difference.h"
#include "support/related_pairs.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"

/* A pair, and its alignment without a word of the work. */
typedef struct work_case {
  cla_sequence *query, *target;
  cla_align_options options;
  cla_alignment *plain;
} work_case;

/* What the next run is pruned with, whether that pays or not; 0: as the plan says. */
static int64_t forced_bound;

static void adjust(plan *whole) {
  small_plan(whole);
  if (forced_bound <= 0) return;
  whole->prune = true;
  whole->bound = forced_bound;
  whole->panel_rows = 0; /* a pruned sweep has none */
}

static cla_alignment *align(cla_device *device, const work_case *one, const cla_align_options *options) {
  cla_alignment *alignment = NULL;
  assert_ok(pipeline_align(
      &alignment,
      &(align_job){
          .device = device, .query = one->query, .target = one->target, .options = options, .adjust = adjust},
      &why));
  return alignment;
}

static void begin(work_case *one, cla_device *device, related_kind kind, uint64_t seed, cla_strand strand) {
  related_pair pair;
  related_pair_make(&pair, kind, seed, test_count("CLALIGN_TEST_WORK_LETTERS", 3000));
  one->query = random_pair_sequence("query", pair.query, pair.query_length);
  one->target = random_pair_sequence("target", pair.target, pair.target_length);
  related_pair_free(&pair);
  cla_align_options_init(&one->options);
  one->options.mode = seed % 2 ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL;
  one->options.strand = strand;
  one->options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
  one->plain = align(device, one, &one->options);
  cr_assert_null(one->plain->work);
}

static void end(work_case *one) {
  cla_alignment_free(one->plain);
  cla_sequence_free(one->query);
  cla_sequence_free(one->target);
}

static void expect_same(const cla_alignment *got, const cla_alignment *want) {
  cr_assert_eq(got->score, want->score);
  cr_assert(same_runs(got->runs, got->run_count, want->runs, want->run_count));
}

/* Every pair of the path was computed, and every crosspoint is one of its nodes. */
static void expect_path_in_it(const cla_alignment *alignment) {
  const cla_work *work = alignment->work;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  int64_t i = reverse ? alignment->query.end - alignment->query.stop
                      : alignment->query.start - alignment->query.begin;
  int64_t j = alignment->target.start - alignment->target.begin;
  size_t met = 0;
  for (size_t run = 0; run < alignment->run_count; run++)
    for (int64_t letter = 0; letter < alignment->runs[run].length; letter++) {
      const cla_run_kind kind = alignment->runs[run].kind;
      if (kind == CLA_RUN_PAIR) {
        const cla_work_band *band = work_record_band(work, i);
        cr_assert(band && j >= band->column && j < band->column + band->columns, "pair (%lld, %lld)",
                  (long long)i, (long long)j);
      }
      while (met < work->crosspoint_count && work->crosspoints[met].row == i &&
             work->crosspoints[met].column == j)
        met++;
      i += kind != CLA_RUN_TARGET;
      j += kind != CLA_RUN_QUERY;
    }
  while (met < work->crosspoint_count && work->crosspoints[met].row == i &&
         work->crosspoints[met].column == j)
    met++;
  cr_assert_eq(met, work->crosspoint_count);
}

static const related_kind kinds[] = {RELATED_FEW_CHANGES, RELATED_LONG_INSERTION, RELATED_INVERSION,
                                     RELATED_NOT};
#define KINDS (sizeof kinds / sizeof *kinds)

Test(work, holds_the_path_pruned_or_not, .timeout = 1200) {
  FOR_EACH_DEVICE (device) {
    int64_t spared = 0, special_rows = 0, crosspoints = 0;
    for (uint64_t seed = 0; seed < 4 * KINDS; seed++) {
      work_case one;
      begin(&one, device, kinds[seed % KINDS], 100 + seed / 2,
            seed % 3 ? CLA_STRAND_FORWARD : CLA_STRAND_REVERSE);
      const int64_t rows = cla_sequence_length(one.query), columns = cla_sequence_length(one.target);
      for (int pruned = 0; pruned < 2; pruned++) {
        cla_align_options options = one.options;
        options.keep_work = true;
        forced_bound = pruned ? one.plain->score : 0;
        OWNED(free_alignment) cla_alignment *got = align(device, &one, &options);
        forced_bound = 0;
        expect_same(got, one.plain);
        cr_assert_not_null(got->work);
        cr_assert_eq(got->work->unknown_rows, 0);
        expect_sound_work(got->work, rows, columns);
        expect_path_in_it(got);
        cr_assert_leq(got->work->cells, got->metrics.cells_computed);
        if (!got->metrics.pruned) cr_assert_eq(got->work->cells, rows * columns);
        spared += rows * columns - got->work->cells;
        special_rows += got->work->special_rows_kept;
        crosspoints += got->work->crosspoints_met;
      }
      end(&one);
    }
    cr_expect_gt(spared, 0);
    cr_expect_gt(special_rows, 0);
    cr_expect_gt(crosspoints, 0);
  }
}

Test(work, of_both_strands_bands_circles_and_several_is_that_of_the_result, .timeout = 1200) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  for (int what = 0; what < 3; what++) {
    work_case one;
    begin(&one, device, RELATED_FEW_CHANGES, 7, CLA_STRAND_FORWARD);
    cla_align_options options = one.options;
    options.keep_work = true;
    if (what == 0) options.strand = CLA_STRAND_BOTH;
    if (what == 1) options.circular = CLA_CIRCULAR_TARGET;
    options.has_band = what == 2;
    options.band = 60;
    OWNED(free_alignment) cla_alignment *got = align(device, &one, &options);
    cr_assert_not_null(got->work);
    expect_sound_work(got->work, cla_sequence_length(one.query), cla_sequence_length(one.target));
    expect_path_in_it(got);
    end(&one);
  }
  work_case one;
  begin(&one, device, RELATED_INVERSION, 8, CLA_STRAND_FORWARD);
  cla_align_options options = one.options;
  cla_results several;
  options.keep_work = true;
  options.several.most = 2;
  assert_ok(cla_align_several(&several, device, one.query, one.target, &options, &why));
  cr_assert_eq(several.count, 2);
  cr_assert_not_null(several.alignments[0]->work);
  cr_assert_null(several.alignments[1]->work);
  expect_path_in_it(several.alignments[0]);
  cla_results_free(&several);
  end(&one);
}

/* Every pair of the path lies in what each level has left. */
static void expect_path_in_levels(const cla_alignment *alignment) {
  const cla_work *work = alignment->work;
  cla_work level = *work; /* as if that were what was computed */
  level.bands = work->level_bands;
  level.crosspoint_count = 0;
  for (size_t i = 0; i < work->level_count; i++) {
    cla_alignment one = *alignment;
    level.band_count = (size_t)work->levels[i].band_count;
    one.work = &level;
    expect_path_in_it(&one);
    level.bands += level.band_count;
  }
}

/* In a band on the host, and in windows of the device's sweep. */
Test(work, has_what_levels_of_bounds_leave, .timeout = 1200) {
  static const char *const settings[] = {"bounds=band", "bounds=sweep"};
  OWNED(close_device) cla_device *device = test_device_open(0);
  for (int which = 0; which < 4; which++) {
    OWNED(related_pair_free) related_pair pair;
    related_pair_make(&pair, which < 2 ? RELATED_FEW_CHANGES : RELATED_LONG_INSERTION, 70, 12000);
    OWNED(free_sequence) cla_sequence *query = random_pair_sequence("query", pair.query, pair.query_length);
    OWNED(free_sequence)
    cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
    cla_align_options options;
    cla_align_options_init(&options);
    options.mode = CLA_MODE_GLOBAL;
    options.keep_work = true;
    options.kernel.settings = settings[which % 2];
    OWNED(free_alignment) cla_alignment *got = NULL;
    assert_ok(cla_align(&got, device, query, target, &options, &why));
    cr_assert_gt(got->metrics.level_count, 0);
    cr_assert_gt(got->work->level_count, 0, "%s", settings[which % 2]);
    cr_expect_eq(got->work->unknown_rows, 0);
    expect_sound_work(got->work, pair.query_length, pair.target_length);
    expect_path_in_it(got);
    expect_path_in_levels(got);
  }
}

/* A run that is taken up again does not know what was swept before. */
Test(work, of_a_resumed_run_says_what_is_not_known, .timeout = 1200) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  work_case one;
  begin(&one, device, RELATED_FEW_CHANGES, 9, CLA_STRAND_FORWARD);
  char *folder = made_folder();
  cla_align_options options = one.options;
  options.keep_work = true;
  options.run.directory = folder;
  cla_alignment *first = align(device, &one, &options);
  cr_assert_not_null(first->work);
  cr_assert_eq(first->work->unknown_rows, 0);
  expect_path_in_it(first);
  options.run.resume = true;
  cla_alignment *again = align(device, &one, &options);
  expect_same(again, first);
  cr_assert_not_null(again->work);
  expect_sound_work(again->work, cla_sequence_length(one.query), cla_sequence_length(one.target));
  cr_assert_eq(again->work->unknown_rows, cla_sequence_length(one.query));
  cr_assert_eq(again->work->cells, 0);
  cla_alignment_free(first);
  cla_alignment_free(again);
  made_folder_remove(folder);
  end(&one);
}
