/* Pruned regions with schemes that lanes of 8 bits just hold, by scoring/lane_width.h: the oracle's best
 * cell, and no value above the oracle's. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/reference.h"
#include "region/wavefront.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/limit_schemes.h"
#include "support/related_pairs.h"
#include "support/test_devices.h"

#define SCHEMES 200
#define LETTERS 300
#define NESTING 1 /* docs/internals/pruning.md */

/* What a path of the best score ends in, and the last row. */
static void check_values(const region *what, const path_ends *ends, const region_result *got,
                         const reference_matrix *m, const char *text) {
  const reference_cell best = what->best == BEST_LAST_COLUMN ? reference_last_column(m) : reference_best(m);
  cr_assert(
      !what->best || best.score < what->bound ||
          (got->best_score == best.score && got->best_row == best.row && got->best_column == best.column),
      "%s: best is %lld at (%lld,%lld), not %lld at (%lld,%lld)", text, (long long)got->best_score,
      (long long)got->best_row, (long long)got->best_column, (long long)best.score, (long long)best.row,
      (long long)best.column);
  for (int64_t j = 0; j <= what->columns; j++) {
    const int64_t want = reference_at(m, m->h, what->rows, j);
    const bool there = j >= got->bottom_first && j <= got->bottom_last;
    const bool ended = path_ends_in_last_row(ends) && (ends->target_end || j == what->columns);
    cr_assert(!there || what->bottom[j] <= want, "%s: last row at %lld is %lld, not %lld", text, (long long)j,
              (long long)what->bottom[j], (long long)want);
    cr_assert(!ended || want < what->bound || (there && what->bottom[j] == want), "%s: last row at %lld",
              text, (long long)j);
  }
}

/* Solves the pair's matrix with its best score as the bound. */
static void check_pair(cla_device *device, const kernel_config *config, const related_pair *pair,
                       const cla_scoring *scoring, const score_table *table, const path_ends *ends,
                       const char *text) {
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  cla_error error = {.message = ""};
  reference_borders borders = {0};
  reference_matrix m = {0};
  wavefront *engine = NULL;
  region_result result;
  int64_t *bottom = calloc((size_t)pair->target_length + 1, sizeof *bottom);
  cr_assert_eq(
      reference_borders_make(&borders, pair->query_length, pair->target_length, scoring, *ends, &error),
      CLA_OK);
  cr_assert_eq(
      reference_fill(
          &m,
          &(pair_problem){
              pair->query, pair->target, pair->query_length, pair->target_length, {scoring, table, *ends}},
          &borders, &error),
      CLA_OK);
  const region what = {.rows = pair->query_length,
                       .columns = pair->target_length,
                       .floor = ends->floor,
                       .best = path_ends_best(ends),
                       .left = ends->query_start ? zero : gap,
                       .top = ends->target_start ? zero : gap,
                       .prune = true,
                       .bound = reference_end(&m, *ends).score,
                       .down_ext = path_ends_down_ext(ends, scoring),
                       .across_ext = path_ends_across_ext(ends, scoring),
                       .bottom = bottom};
  const pair_problem problem = {.query = pair->query,
                                .target = pair->target,
                                .rows = pair->query_length,
                                .columns = pair->target_length,
                                .scheme = {.scoring = scoring, .table = table}};
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &what, config, &error), CLA_OK, "%s", error.message);
  check_values(&what, ends, &result, &m, text);
  wavefront_free(engine);
  reference_borders_free(&borders);
  reference_matrix_free(&m);
  free(bottom);
}

/* All schemes; returns how many had two pieces of gap costs. */
static int check_config(cla_device *device, const kernel_config *config, const path_ends *ends) {
  int two_pieces = 0;
  for (uint64_t seed = 1; seed <= SCHEMES; seed++) {
    char text[200];
    related_pair pair;
    cla_scoring scoring;
    score_table table;
    if (!limit_scheme_make(&scoring, config, NESTING, seed)) continue;
    score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    /* Shorter segments are other builds. */
    while (!build_kinds_all() && scoring.match > 0 &&
           (kernel_segment(config, &scoring, &table) != config->variant->segments[0] ||
            kernel_tile_limit(config, &scoring, &table, NESTING) < config->lanes)) {
      scoring.match--;
      score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    }
    if (scoring.match == 0) continue;
    related_pair_make(&pair, (related_kind)(seed % RELATED_KINDS), seed, LETTERS);
    snprintf(text, sizeof text, "%d lanes x %d rows, seed %d, %s, %d %d, %d + %d, %d + %d", config->lanes,
             config->alpha, (int)seed, pair.name, scoring.match, scoring.mismatch, scoring.gap_first,
             scoring.gap_ext, scoring.gap_first2, scoring.gap_ext2);
    check_pair(device, config, &pair, &scoring, &table, ends, text);
    two_pieces += gap_pieces(&scoring) > 1;
    related_pair_free(&pair);
  }
  return two_pieces;
}

/* With all kinds of builds every config and mode, else the narrowest strips, in which most begin. */
Test(pruned_lanes, are_exact_with_all_schemes_that_they_just_hold, .timeout = 7200) {
  const path_ends ends[] = {path_ends_make(CLA_MODE_LOCAL, 0), path_ends_make(CLA_MODE_SEMI_GLOBAL, 0),
                            path_ends_make(CLA_MODE_GLOBAL, 0), path_ends_make(CLA_MODE_OVERLAP, 0)};
  const kernel_variant *variant = kernel_find("vector8");
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
    for (const int *lanes = variant->lanes; cpu && *lanes; lanes++)
      for (const int *alpha = variant->alphas; *alpha; alpha++) {
        const kernel_config config = {
            .variant = variant, .lanes = *lanes, .alpha = *alpha, .tile_columns = *lanes};
        char reason[160];
        if (!kernel_runs_on(&config, cla_device_describe(device), reason, sizeof reason)) continue;
        for (int mode = 0; mode < (build_kinds_all() ? 4 : 1); mode++)
          cr_expect_gt(check_config(device, &config, &ends[mode]), 20);
        if (!build_kinds_all()) goto next;
      }
  next:
    cla_device_close(device);
  }
}
