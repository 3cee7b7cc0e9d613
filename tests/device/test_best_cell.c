/* The best cell is found wherever in a tile it is. */

#include <criterion/criterion.h>

#include "clalign/align.h"
#include "region/wavefront.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "support/related_pairs.h"
#include "support/test_devices.h"

static cla_alignment *align(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options, const char *text) {
  cla_error error = {.message = ""};
  cla_alignment *alignment = NULL;
  cr_assert_eq(cla_align(&alignment, device, query, target, options, &error), CLA_OK, "%s: %s", text,
               error.message);
  return alignment;
}

/* Where a pair of unlike letters costs less than a gap, a row below the last one would end a better path. */
Test(best_cell, of_the_last_column_is_in_no_row_of_padding, .timeout = 600) {
  static const char *const kernels[] = {"vector8", "vector16", "vector32", "wave32"};
  static const uint8_t letters[] = {0, 1, 2, 2, 3, 1, 0, 3, 3, 2, 1, 0, 0, 2, 3, 1, 1, 3, 0, 2, 2};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
    for (int which = 0; cpu && which < 4; which++)
      for (int64_t rows = 1; rows <= 20; rows++) {
        cla_align_options options;
        cla_sequence *query = random_pair_sequence("query", letters, rows);
        cla_sequence *target = random_pair_sequence("target", letters, rows + 1);
        cla_align_options_init(&options);
        options.scoring.match = 2;
        options.scoring.mismatch = -1;
        options.scoring.gap_first = 5;
        options.mode = CLA_MODE_FREE_ENDS;
        options.free_ends = CLA_FREE_QUERY_END;
        options.kernel.name = kernels[which];
        cla_alignment *got = align(device, query, target, &options, kernels[which]);
        cr_expect_eq(got->query.stop, rows, "%s: %d rows", kernels[which], (int)rows);
        cr_expect_eq(got->score, 2 * rows - 5, "%s: %d rows", kernels[which], (int)rows);
        cla_alignment_free(got);
        cla_sequence_free(query);
        cla_sequence_free(target);
      }
    cla_device_close(device);
  }
}

/* The best cell of a tile may lie some rows below those that are checked. With any rows a lane it must be
 * found, even if the bound is the optimum. */
Test(best_cell, is_found_where_the_bound_is_the_optimum, .timeout = 600) {
  static const char *const settings[] = {"alpha=6", "alpha=14", "alpha=16"};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
    for (uint64_t seed = 1; cpu && seed <= 90; seed++) {
      related_pair pair;
      cla_align_options options;
      cla_error error = {.message = ""};
      related_pair_make(&pair, RELATED_TENTH_CHANGED, seed, 900 + (int64_t)seed);
      cla_sequence *query = random_pair_sequence("query", pair.query, pair.query_length);
      cla_sequence *target = random_pair_sequence("target", pair.target, pair.target_length);
      cla_align_options_init(&options);
      options.score_only = true;
      options.kernel.name = "vector32";
      cla_alignment *want = align(device, query, target, &options, pair.name);
      options.kernel.name = "vector8";
      options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = want->score};
      for (int i = 0; i < 3; i++) {
        cla_alignment *got = NULL;
        options.kernel.settings = settings[i];
        cr_assert_eq(cla_align(&got, device, query, target, &options, &error), CLA_OK, "seed %llu, %s: %s",
                     (unsigned long long)seed, settings[i], error.message);
        cr_expect_eq(got->query.stop, want->query.stop);
        cr_expect_eq(got->target.stop, want->target.stop);
        cla_alignment_free(got);
      }
      cla_alignment_free(want);
      cla_sequence_free(query);
      cla_sequence_free(target);
      related_pair_free(&pair);
    }
    cla_device_close(device);
  }
}

#define LETTERS 40

static void check_largest_int(cla_device *device, const kernel_config *config, const pair_problem *problem) {
  wavefront *engine = NULL;
  region_result result;
  cla_error error = {.message = ""};
  const border_rule gap = border_of_gap(problem->scheme.scoring, 0);
  const int64_t letters = problem->rows;
  const region what = {.rows = letters,
                       .columns = letters,
                       .corner = INT32_MAX - letters * problem->scheme.scoring->match,
                       .left = gap,
                       .top = gap,
                       .best = BEST_ANYWHERE};
  cr_assert_eq(wavefront_create(&engine, device, problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &what, config, &error), CLA_OK, "%s", error.message);
  cr_expect(result.best_score == INT32_MAX && result.best_row == letters && result.best_column == letters,
            "%s, %d lanes x %d rows, %lld letters: %lld at (%lld,%lld)", config->variant->name, config->lanes,
            config->alpha, (long long)letters, (long long)result.best_score, (long long)result.best_row,
            (long long)result.best_column);
  wavefront_free(engine);
}

/* What a tile may hold beyond the cells that were looked at may pass what an int holds. Of two letters all
 * cells are in the first lane. */
Test(best_cell, is_found_where_it_is_the_largest_int, .timeout = 600) {
  static const uint8_t letters[LETTERS] = {0};
  cla_device *device = NULL;
  cla_scoring scoring;
  score_table table;
  cla_scoring_init(&scoring);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    for (int number = 0; test_kernel_config(&config, device, number); number++)
      for (int64_t count = 2; count <= LETTERS; count += LETTERS - 2) {
        const pair_problem problem = {.query = letters,
                                      .target = letters,
                                      .rows = count,
                                      .columns = count,
                                      .scheme = {.scoring = &scoring, .table = &table}};
        check_largest_int(device, &config, &problem);
      }
    cla_device_close(device);
  }
}
