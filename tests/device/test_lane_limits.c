/* The proof of scoring/lane_width.h at its limit. The widest allowed tiles, on inputs that come as close to
 * the lanes' limits as possible, must give the oracle's values. Tiles far beyond the limit must not, or the
 * test would show nothing. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "region/wavefront.h"
#include "scoring/lane_width.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/test_devices.h"

typedef struct scheme {
  int match, mismatch, first, ext;
  int percent; /* of the lane's limit that the values must reach at least */
} scheme;

/* Schemes whose 16-bit tiles are limited to a few hundred columns. The bound also has room for blocks within
 * blocks and for the borders' corners, which no single region uses up. */
static const scheme schemes16[] = {
    {70, -100, 18, 9, 60}, {1, -200, 75, 75, 80}, {79, -1, 20, 0, 55}, {40, -3000, 100, 30, 50}};
/* Schemes for lanes with half of their range for strips whose base stays 0. */
static const scheme schemes16_half[] = {{35, -50, 9, 5, 50}, {1, -200, 40, 40, 60}, {40, -1, 2, 0, 50}};
static const scheme schemes32[] = {{1000000, -1000000, 1000000, 1000000, 70},
                                   {1000000, 0, 1000000, 999999, 70}};

typedef struct sequences {
  uint8_t *query, *target;
  int64_t query_length, target_length;
} sequences;

enum { IDENTICAL, MATCH_AFTER_NOISE, HOMOPOLYMER, UNRELATED, KINDS };
static const char *const kind_names[] = {"identical", "identical after noise", "homopolymer", "unrelated"};

static sequences make_sequences(int kind, int64_t length) {
  sequences s = {.query = malloc((size_t)length), .target = malloc((size_t)length)};
  random_stream stream;
  random_stream_init(&stream, 77, 3);
  cr_assert(s.query && s.target);
  s.query_length = length;
  s.target_length = length;
  for (int64_t i = 0; i < length; i++) {
    const bool equal = kind == IDENTICAL || (kind == MATCH_AFTER_NOISE && i > length / 3);
    s.query[i] = kind == HOMOPOLYMER ? 0 : (uint8_t)random_stream_below(&stream, 4);
    s.target[i] = equal || kind == HOMOPOLYMER ? s.query[i] : (uint8_t)random_stream_below(&stream, 4);
  }
  return s;
}

static int64_t distance(int64_t a, int64_t b) {
  return a > b ? a - b : b - a;
}

/* The largest |H - base| over the tiles of a config, bases as the kernels move them. */
static int64_t largest_deviation(const reference_matrix *m, const kernel_config *config) {
  const int64_t strip_rows = kernel_strip_rows(config), lanes = config->lanes;
  int64_t largest = 0;
  for (int64_t top = 0; top + strip_rows <= m->rows; top += strip_rows)
    for (int64_t left = config->tile_columns; left + config->tile_columns <= m->columns;
         left += config->tile_columns) {
      const int64_t base = reference_at(m, m->h, top + (lanes / 2 + 1) * config->alpha, left - lanes / 2);
      for (int64_t i = top + 1; i <= top + strip_rows; i++) {
        const int64_t lane = (i - top - 1) / config->alpha;
        for (int64_t j = left - lane; j < left - lane + config->tile_columns; j++)
          if (j > 0) {
            const int64_t away = distance(reference_at(m, m->h, i, j), base);
            if (away > largest) largest = away;
          }
      }
    }
  return largest;
}

/* Whether the kernel's last row and best cell are the oracle's. */
static bool agrees(cla_device *device, const kernel_config *config, const sequences *s,
                   const cla_scoring *scoring, const reference_matrix *m, bool local) {
  cla_error error = {0};
  score_table table;
  wavefront *engine = NULL;
  region_result result;
  int64_t *bottom = calloc((size_t)s->target_length + 1, sizeof *bottom);
  const border_rule zero = {0}, gap = local ? zero : border_of_gap(scoring, 0);
  const region what = {.rows = s->query_length,
                       .columns = s->target_length,
                       .floor = local,
                       .best = local ? BEST_ANYWHERE : BEST_NONE,
                       .left = gap,
                       .top = gap,
                       .bottom = bottom};
  const pair_problem problem = {.query = s->query,
                                .target = s->target,
                                .rows = s->query_length,
                                .columns = s->target_length,
                                .scheme = {.scoring = scoring, .table = &table}};
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &what, config, &error), CLA_OK, "%s", error.message);
  wavefront_free(engine);
  int64_t best = 0;
  for (int64_t i = 0; local && i <= m->rows; i++)
    for (int64_t j = 0; j <= m->columns; j++)
      if (reference_at(m, m->h, i, j) > best) best = reference_at(m, m->h, i, j);
  bool same = result.best_score == best;
  for (int64_t j = 0; j <= m->columns; j++) same = same && bottom[j] == reference_at(m, m->h, m->rows, j);
  free(bottom);
  return same;
}

static void fill_oracle(reference_matrix *m, const sequences *s, const cla_scoring *scoring, bool local) {
  cla_error error = {0};
  reference_borders borders = {0};
  score_table table;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  cr_assert_eq(reference_borders_make(&borders, s->query_length, s->target_length, scoring,
                                      path_ends_make(local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, 0), &error),
               CLA_OK);
  cr_assert_eq(
      reference_fill(
          m,
          &(pair_problem){
              s->query, s->target, s->query_length, s->target_length, {scoring, &table, {.floor = local}}},
          &borders, &error),
      CLA_OK, "%s", error.message);
  reference_borders_free(&borders);
}

/* All kinds of sequences at the widest tile; `wrong` also wants tiles four times as wide to fail somewhere.
 */
static void check_scheme(cla_device *device, kernel_config config, const scheme *from, bool wrong) {
  cla_scoring scoring;
  int64_t deviation = 0;
  bool failed_beyond = false;
  cla_scoring_init(&scoring);
  scoring.match = from->match;
  scoring.mismatch = from->mismatch;
  scoring.gap_first = from->first;
  scoring.gap_ext = from->ext;
  const cla_scoring raised = lane_width_raised(&scoring);
  const bool rises = from->ext < from->first && from->ext <= config.variant->rise_most;
  const int64_t limit =
      lane_width_tile_columns(config.variant->value_limit, from->match, rises ? &raised : &scoring,
                              kernel_strip_rows(&config), config.lanes, LANE_WIDTH_NESTING);
  cr_assert(limit >= config.lanes && (limit < KERNEL_TILE_LIMIT / 4 || !wrong), "tiles of %lld columns",
            (long long)limit);
  for (int kind = 0; kind < KINDS; kind++)
    for (int local = 0; local <= 1; local++) {
      sequences s = make_sequences(kind, 5 * limit);
      reference_matrix m = {0};
      config.tile_columns = limit / config.lanes * config.lanes;
      fill_oracle(&m, &s, &scoring, local);
      cr_assert(agrees(device, &config, &s, &scoring, &m, local), "%s, %s, scores %d %d %d %d, tiles of %lld",
                config.variant->name, kind_names[kind], from->match, from->mismatch, from->first, from->ext,
                (long long)config.tile_columns);
      const int64_t away = largest_deviation(&m, &config);
      if (away > deviation) deviation = away;
      config.tile_columns *= 4;
      if (wrong && !agrees(device, &config, &s, &scoring, &m, local)) failed_beyond = true;
      reference_matrix_free(&m);
      free(s.query);
      free(s.target);
    }
  const int64_t lane_limit = config.variant->value_limit;
  printf("%s: scores %d %d %d %d, tiles of %lld: values reach %lld of %lld\n", config.variant->name,
         from->match, from->mismatch, from->first, from->ext,
         (long long)(limit / config.lanes * config.lanes), (long long)deviation, (long long)lane_limit);
  cr_assert(deviation > lane_limit / 100 * from->percent && deviation < lane_limit);
  if (wrong) cr_assert(failed_beyond, "tiles beyond the limit do no harm: the limit is not tested");
}

Test(lane_limits, widest_tiles_of_16_bit_lanes_are_exact_and_wider_ones_are_not, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const kernel_config config = {.variant = &kernel_vector16, .lanes = 16, .alpha = 8};
    for (size_t i = 0; i < sizeof schemes16 / sizeof schemes16[0]; i++)
      check_scheme(device, config, &schemes16[i], true);
    const kernel_config pairs = {.variant = &kernel_wave16, .lanes = 32, .alpha = 4};
    for (size_t i = 0; i < sizeof schemes16_half / sizeof schemes16_half[0]; i++)
      check_scheme(device, pairs, &schemes16_half[i], true);
    cla_device_close(device);
  }
}

Test(lane_limits, widest_tiles_of_32_bit_lanes_are_exact_and_scores_pass_2_to_the_31, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const kernel_config configs[] = {{.variant = &kernel_vector32, .lanes = 16, .alpha = 16},
                                     {.variant = &kernel_wave32, .lanes = 32, .alpha = 4}};
    for (size_t i = 0; i < sizeof schemes32 / sizeof schemes32[0]; i++)
      for (int c = 0; c < 2; c++) check_scheme(device, configs[c], &schemes32[i], false);
    cla_device_close(device);
  }
}

/* Schemes that a lane with its own base just holds, and the least states that its values must use. Bases are
 * moved after 16, 8 or 4 columns. */
static const scheme schemes8[] = {{13, -10, 1, 1, 99}, {9, -20, 5, 2, 85},  {1, -80, 30, 1, 40},
                                  {1, -12, 6, 6, 75},  {26, -20, 1, 1, 95}, {11, -4, 20, 1, 40},
                                  {29, -30, 1, 1, 90}, {9, -30, 11, 11, 70}};
static const int segments8[] = {16, 16, 16, 16, 8, 8, 4, 4};

/* The states that lanes use: the span of values of H as the lanes keep them, over all segments. */
static int64_t largest_span(const reference_matrix *m, const kernel_config *config, int64_t segment,
                            int64_t ext) {
  int64_t lowest = 0, highest = 0;
  for (int64_t top = 1; top + config->alpha <= m->rows; top += config->alpha)
    for (int64_t left = 1; left + segment <= m->columns; left++) {
      const int64_t base = reference_at(m, m->h, top, left);
      for (int64_t r = -1; r < config->alpha; r++)
        for (int64_t t = 1; t <= segment; t++) {
          const int64_t value = reference_at(m, m->h, top + r, left + t) - base + ext * (r + t);
          if (value < lowest) lowest = value;
          if (value > highest) highest = value;
        }
    }
  return highest - lowest;
}

/* The scores as a matrix, one pair of which scores a little more than the other mismatches, so that it is
 * looked up. */
static void use_matrix(cla_scoring *scoring) {
  strcpy(scoring->letters, "ACGT");
  scoring->matrix_size = 4;
  for (int row = 0; row < 4; row++)
    for (int column = 0; column < 4; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = row == column ? scoring->match : scoring->mismatch;
  scoring->matrix[3] += 1;
}

/* Whether the kernel gives the oracle's values for all kinds of sequences, local and global; *span is what
 * they use of the lanes. */
static bool agrees_on_all(cla_device *device, const kernel_config *config, const scheme *from, bool matrix,
                          int64_t segment, int64_t *span) {
  cla_scoring scoring;
  bool same = true;
  cla_scoring_init(&scoring);
  scoring.match = from->match;
  scoring.mismatch = from->mismatch;
  scoring.gap_first = from->first;
  scoring.gap_ext = from->ext;
  if (matrix) use_matrix(&scoring);
  *span = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int local = 0; local <= 1; local++) {
      sequences s = make_sequences(kind, 700);
      reference_matrix m = {0};
      fill_oracle(&m, &s, &scoring, local);
      same = same && agrees(device, config, &s, &scoring, &m, local);
      const int64_t used = largest_span(&m, config, segment, scoring.gap_ext);
      if (used > *span) *span = used;
      reference_matrix_free(&m);
      free(s.query);
      free(s.target);
    }
  return same;
}

/* The columns of a segment that the scheme allows, or 0. */
static int allowed_segment(const kernel_config *config, const scheme *from) {
  const cla_scoring scoring = {.gap_first = from->first, .gap_ext = from->ext};
  const score_table table = {.maximum = from->match};
  return kernel_tile_limit(config, &scoring, &table, 0) > 0 ? kernel_segment(config, &scoring, &table) : 0;
}

/* The scheme with gaps or, if they cost alike, a match so much dearer that the lanes overflow. */
static scheme far_beyond(const kernel_config *config, scheme from) {
  while (allowed_segment(config, &from) > 0) {
    from.match *= 2;
    if (from.first > from.ext)
      from.first *= 2;
    else
      from.first = from.ext *= 2;
  }
  return from;
}

Test(lane_limits, lanes_with_a_base_each_are_exact_up_to_the_limit_and_wrong_beyond, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const kernel_config config = {.variant = &kernel_vector8, .lanes = 32, .alpha = 8, .tile_columns = 64};
    for (size_t i = 0; i < sizeof schemes8 / sizeof schemes8[0]; i++) {
      const scheme *here = &schemes8[i];
      const scheme beyond = far_beyond(&config, *here);
      int64_t span = 0, unused = 0;
      cr_assert_eq(allowed_segment(&config, here), segments8[i]);
      /* As a matrix or not, every day in turns. */
      for (int matrix = 1; matrix >= 0; matrix--)
        if (build_kinds_all() || matrix == (int)i % 2)
          cr_assert(agrees_on_all(device, &config, here, matrix, segments8[i], &span),
                    "vector8, scores %d %d %d %d, matrix %d", here->match, here->mismatch, here->first,
                    here->ext, matrix);
      printf("vector8: scores %d %d %d %d: values span %lld of %d\n", here->match, here->mismatch,
             here->first, here->ext, (long long)span, LANE_LIMIT_8);
      cr_assert(span > LANE_LIMIT_8 * here->percent / 100 && span <= LANE_LIMIT_8, "%lld", (long long)span);
      cr_assert_not(agrees_on_all(device, &config, &beyond, i % 2, segments8[i], &unused),
                    "scores beyond the limit do no harm: the limit is not tested");
    }
    cla_device_close(device);
  }
}

/* Narrow lanes with the dearest second piece of gap costs that the proof allows, and none dearer. */
Test(lane_limits, second_pieces_are_exact_up_to_the_limit, .timeout = 600) {
  const kernel_variant *const variants[] = {&kernel_vector8, &kernel_vector16};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (int v = 0; v < 2; v++) {
      const kernel_config config = {.variant = variants[v], .lanes = 16, .alpha = 4, .tile_columns = 64};
      cla_scoring scoring;
      cla_scoring_init(&scoring);
      const score_table table = {.maximum = scoring.match};
      int32_t dearest = 0;
      scoring.gap_ext2 = 1;
      for (int32_t step = 1 << 15; step > 0; step /= 2) {
        scoring.gap_first2 = dearest + step;
        if (kernel_tile_limit(&config, &scoring, &table, 0) >= config.tile_columns) dearest += step;
      }
      cr_assert(dearest > (v == 0 ? 100 : 10000), "%s: %d", variants[v]->name, dearest);
      for (int part = 1; part <= 8; part *= 8) {
        scoring.gap_first2 = dearest / part;
        for (int kind = 0; kind < KINDS; kind++)
          for (int local = 0; local <= 1; local++) {
            sequences s = make_sequences(kind, 700);
            reference_matrix m = {0};
            s.query_length -= local ? 0 : 400; /* a long gap */
            fill_oracle(&m, &s, &scoring, local);
            cr_assert(agrees(device, &config, &s, &scoring, &m, local), "%s: second piece %d, %s",
                      variants[v]->name, scoring.gap_first2, kind_names[kind]);
            reference_matrix_free(&m);
            free(s.query);
            free(s.target);
          }
      }
    }
    cla_device_close(device);
  }
}

/* The absolute size of values does not matter: a corner far beyond 2^32 moves every value by as much. */
Test(lane_limits, a_corner_beyond_2_to_the_32_moves_all_values_alike, .timeout = 600) {
  const int64_t corners[] = {0, INT64_C(5) << 32, -(INT64_C(7) << 33) - 12345};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (int v = 0; v < kernel_variant_count; v++) {
      const kernel_variant *variant = kernel_variants[v];
      const kernel_config config = {
          .variant = variant, .lanes = variant->lanes[0], .alpha = variant->alphas[0], .tile_columns = 64};
      char reason[160];
      if (!kernel_runs_on(&config, cla_device_describe(device), reason, sizeof reason)) continue;
      sequences s = make_sequences(MATCH_AFTER_NOISE, 900);
      cla_error error = {0};
      cla_scoring scoring;
      score_table table;
      wavefront *engine = NULL;
      int64_t bottom[3][901];
      cla_scoring_init(&scoring);
      score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
      const pair_problem problem = {.query = s.query,
                                    .target = s.target,
                                    .rows = s.query_length,
                                    .columns = s.target_length,
                                    .scheme = {.scoring = &scoring, .table = &table}};
      cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
      for (int i = 0; i < 3; i++) {
        region_result result;
        const border_rule gap = border_of_gap(&scoring, 0);
        const region what = {
            .rows = 900, .columns = 900, .corner = corners[i], .left = gap, .top = gap, .bottom = bottom[i]};
        cr_assert_eq(wavefront_solve(&result, engine, &what, &config, &error), CLA_OK, "%s", error.message);
        for (int j = 0; j <= 900; j++) cr_assert_eq(bottom[i][j] - corners[i], bottom[0][j]);
      }
      wavefront_free(engine);
      free(s.query);
      free(s.target);
    }
    cla_device_close(device);
  }
}
