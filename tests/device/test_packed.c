/* Packs of short pairs on every device against the oracle: score and end cell of every pair, and the
 * canonical path from there. Each batch has one scheme and one mode, and pairs of all lengths, so that lanes
 * of very different lengths share a pack; the pairs are those of the random tests, which are full of ties. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "schedule/packed.h"
#include "schedule/packed_run.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/lettered_pairs.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/test_devices.h"

#define PAIRS_MOST 400
#define UNUSED_CODE 31 /* of alphabets with fewer letters */

/* Pairs of one scheme; the codes are owned. */
typedef struct batch {
  cla_scoring scoring;
  cla_mode mode;
  int free_ends;
  score_table table;
  packed_pair pairs[PAIRS_MOST];
  int count;
  uint64_t seed;
  const char *kind;
} batch;

static uint8_t *copy_codes(const uint8_t *codes, int64_t length) {
  uint8_t *copy = malloc((size_t)length);
  cr_assert(copy);
  memcpy(copy, codes, (size_t)length);
  return copy;
}

static void add_pair(batch *all, const uint8_t *query, int64_t rows, const uint8_t *target, int64_t columns) {
  cr_assert(all->count < PAIRS_MOST);
  all->pairs[all->count++] = (packed_pair){.query = copy_codes(query, rows),
                                           .target = copy_codes(target, columns),
                                           .query_letters = rows,
                                           .target_letters = columns};
}

static void free_batch(batch *all) {
  for (int i = 0; i < all->count; i++) {
    const bool shared = i > 0 && all->pairs[i].query == all->pairs[0].query;
    if (!shared) free((void *)all->pairs[i].query);
    free((void *)all->pairs[i].target);
  }
  free(all);
}

static void check_pair(const batch *all, const packed_scheme *scheme, const packed_pair *pair, int index) {
  cla_error error = {0};
  reference_alignment want;
  packed_path path = {0};
  cr_assert_eq(reference_align(&want, pair->query, pair->query_letters, pair->target, pair->target_letters,
                               &all->table, &all->scoring, scheme->ends, &error),
               CLA_OK, "%s", error.message);
  cr_assert(
      want.score == pair->score && want.query_end == pair->end_query && want.target_end == pair->end_target,
      "%s, seed %llu, mode %d, free ends %d, pair %d of %lld x %lld letters: score %lld at (%lld, %lld), "
      "not %lld at (%lld, %lld)",
      all->kind, (unsigned long long)all->seed, (int)all->mode, all->free_ends, index,
      (long long)pair->query_letters, (long long)pair->target_letters, (long long)pair->score,
      (long long)pair->end_query, (long long)pair->end_target, (long long)want.score,
      (long long)want.query_end, (long long)want.target_end);
  packed_pair traced = *pair;
  if (index % 3 == 0) traced.rows.most = NULL;
  cr_assert_eq(packed_trace(&path, scheme, &traced, &error), CLA_OK, "%s, seed %llu, mode %d, pair %d: %s",
               all->kind, (unsigned long long)all->seed, (int)all->mode, index, error.message);
  cr_assert(path.start_query == want.query_start && path.start_target == want.target_start &&
                same_runs(path.runs, path.run_count, want.runs, want.run_count),
            "%s, seed %llu, mode %d, free ends %d, pair %d of %lld x %lld letters: another path", all->kind,
            (unsigned long long)all->seed, (int)all->mode, all->free_ends, index,
            (long long)pair->query_letters, (long long)pair->target_letters);
  free(path.runs);
  reference_alignment_free(&want);
}

/* Pairs whose scores pass 2^29 are not taken: a few of the longest, where scores are near their limit. */
static void leave_too_large_out(cla_device *device, batch *all, const packed_scheme *scheme) {
  const cla_device_info *facts = cla_device_describe(device);
  const int before = all->count;
  int kept = 0;
  for (int i = 0; i < before; i++) {
    const packed_pair pair = all->pairs[i];
    if (packed_takes(facts, scheme, pair.query_letters, pair.target_letters)) {
      all->pairs[kept++] = pair;
    } else {
      cr_assert(pair.query_letters + pair.target_letters > 100, "a short pair is not taken");
      free((void *)pair.query);
      free((void *)pair.target);
    }
  }
  all->count = kept;
}

/* Solves the batch with a packer of its own, twice: what a call leaves in the buffers must not matter to the
 * next. */
static void check_batch(cla_device *device, batch *all) {
  cla_error error = {0};
  packed *packer = NULL;
  const packed_scheme scheme = {
      .scoring = &all->scoring, .table = &all->table, .ends = path_ends_make(all->mode, all->free_ends)};
  cr_assert_eq(packed_create(&packer, device, &scheme, &error), CLA_OK, "%s", error.message);
  leave_too_large_out(device, all, &scheme);
  const int half = (all->count + 1) / 2;
  cr_assert_eq(packed_solve(packer, all->pairs, all->count, &error), CLA_OK, "%s, seed %llu, mode %d: %s",
               all->kind, (unsigned long long)all->seed, (int)all->mode, error.message);
  for (int i = 0; i < all->count; i++) check_pair(all, &scheme, &all->pairs[i], i);
  for (int i = 0; i < half; i++)
    all->pairs[i].score = all->pairs[i].end_query = all->pairs[i].end_target = -9;
  cr_assert_eq(packed_solve(packer, all->pairs, half, &error), CLA_OK, "%s", error.message);
  for (int i = 0; i < half; i++) check_pair(all, &scheme, &all->pairs[i], i);
  packed_free(packer);
}

static int32_t times(int32_t score, int32_t factor) {
  return score * factor;
}

/* A batch of nucleotides whose scheme and mode are those of one random pair, with all scores so many times as
 * large. */
static batch *make_batch(uint64_t seed, int count, int64_t max_length, int32_t factor) {
  batch *all = calloc(1, sizeof *all);
  random_pair pair;
  cr_assert(all);
  random_pair_make(&pair, seed, max_length);
  random_pair_choose_mode(&pair);
  all->scoring = pair.scoring;
  all->mode = pair.mode;
  all->free_ends = pair.free_ends;
  all->seed = seed;
  all->kind = pair.scheme;
  cla_scoring *scoring = &all->scoring;
  scoring->match = times(scoring->match, factor);
  scoring->mismatch = times(scoring->mismatch, factor);
  scoring->gap_first = times(scoring->gap_first, factor);
  scoring->gap_ext = times(scoring->gap_ext, factor);
  scoring->gap_first2 = times(scoring->gap_first2, factor);
  scoring->gap_ext2 = times(scoring->gap_ext2, factor);
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    scoring->matrix[i] = times(scoring->matrix[i], factor);
  random_pair_free(&pair);
  score_table_build(&all->table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  for (int i = 0; i < count; i++) {
    random_pair_make(&pair, seed * 1000 + (uint64_t)i, max_length);
    add_pair(all, pair.query, pair.query_length, pair.target, pair.target_length);
    random_pair_free(&pair);
  }
  return all;
}

/* The largest factor that the scheme's scores bear. */
static int32_t factor_for(uint64_t seed) {
  static const int32_t factors[] = {1, 1, 1, 3, 40, 4000};
  random_pair pair;
  int32_t largest = 1, factor = factors[seed % 6];
  random_pair_make(&pair, seed, 5);
  const cla_scoring *scoring = &pair.scoring;
  const int32_t sizes[] = {scoring->match, -scoring->mismatch, scoring->gap_first, scoring->gap_first2};
  for (int i = 0; i < 4; i++)
    if (sizes[i] > largest) largest = sizes[i];
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (abs(scoring->matrix[i]) > largest) largest = abs(scoring->matrix[i]);
  random_pair_free(&pair);
  while (factor > 1 && largest > 400000 / factor) factor /= 2;
  return factor > 0 ? factor : 1;
}

static void check_batches(uint64_t first_seed, long long batches, int count, int64_t max_length) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (long long i = 0; i < batches; i++) {
      const uint64_t seed = first_seed + (uint64_t)i;
      batch *all = make_batch(seed, count, max_length, factor_for(seed));
      check_batch(device, all);
      free_batch(all);
    }
    printf("%s: %lld batches of %d pairs of up to %lld letters, seeds from %llu\n",
           cla_device_describe(device)->name, batches, count, (long long)max_length,
           (unsigned long long)first_seed);
    cla_device_close(device);
  }
}

Test(packed, short_pairs_equal_the_oracle, .timeout = 7200) {
  check_batches(8000000, test_count("CLALIGN_TEST_PACKS", 8), 150, 300);
}

Test(packed, a_few_longer_pairs_equal_the_oracle, .timeout = 7200) {
  check_batches(8100000, (test_count("CLALIGN_TEST_PACKS", 8) + 3) / 4, 5, 2000);
}

Test(packed, a_single_pair_equals_the_oracle, .timeout = 7200) {
  check_batches(8200000, (test_count("CLALIGN_TEST_PACKS", 8) + 3) / 4, 1, 200);
}

/* Letters and scheme of a lettered pair; with `one_query` all have the first one's query. */
static batch *make_lettered(uint64_t seed, int count, int64_t max_length, bool one_query) {
  batch *all = calloc(1, sizeof *all);
  lettered_pair scheme;
  cr_assert(all);
  lettered_pair_make(&scheme, seed, max_length);
  all->scoring = scheme.scoring;
  all->mode = scheme.mode;
  all->seed = seed;
  all->kind = scheme.scheme;
  const letter_set *letters = sequence_alphabet(scheme.query);
  score_table_build(&all->table, &all->scoring, letters->letters, letters->unambiguous);
  const int codes = (int)strlen(letters->letters);
  random_stream stream;
  random_stream_init(&stream, seed, 7);
  for (int i = 0; i < count; i++) {
    const int64_t rows = 1 + (int64_t)random_stream_below(&stream, (uint64_t)max_length);
    const int64_t columns = 1 + (int64_t)random_stream_below(&stream, (uint64_t)max_length);
    uint8_t *query = malloc((size_t)rows), *target = malloc((size_t)columns);
    cr_assert(query && target);
    for (int64_t k = 0; k < rows; k++) query[k] = (uint8_t)random_stream_below(&stream, (uint64_t)codes);
    const uint8_t *like = one_query && i > 0 ? all->pairs[0].query : query;
    const int64_t like_letters = one_query && i > 0 ? all->pairs[0].query_letters : rows;
    for (int64_t k = 0; k < columns; k++)
      target[k] = k < like_letters && random_stream_below(&stream, 6) > 0
                      ? like[k]
                      : (uint8_t)random_stream_below(&stream, (uint64_t)codes);
    add_pair(all, query, rows, target, columns);
    if (one_query && i > 0) {
      free((void *)all->pairs[i].query);
      all->pairs[i].query = all->pairs[0].query;
      all->pairs[i].query_letters = all->pairs[0].query_letters;
    }
    free(query);
    free(target);
  }
  lettered_pair_free(&scheme);
  return all;
}

static void check_lettered(uint64_t first_seed, bool one_query) {
  const long long batches = (test_count("CLALIGN_TEST_PACKS", 8) + 1) / 2;
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (long long i = 0; i < batches; i++) {
      batch *all = make_lettered(first_seed + (uint64_t)i, 100, 150, one_query);
      check_batch(device, all);
      free_batch(all);
    }
    printf("%s: %lld batches of 100 pairs of up to 150 letters, seeds from %llu\n",
           cla_device_describe(device)->name, batches, (unsigned long long)first_seed);
    cla_device_close(device);
  }
}

Test(packed, any_letters_and_matrices_equal_the_oracle, .timeout = 7200) {
  check_lettered(8300000, false);
}

Test(packed, one_query_against_many_equals_the_oracle, .timeout = 7200) {
  check_lettered(8400000, true);
}

/* Scores as large as lanes of 8 bits bear, or a little larger, in matrices that rise and fall as fast as they
 * can: the same letter over and over against it, and against another one. */
Test(packed, steep_matrices_equal_the_oracle, .timeout = 7200) {
  static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL, CLA_MODE_OVERLAP};
  static const int schemes[][4] = {{40, -90, 40, 1}, {8, -20, 10, 5}, {1, 0, 90, 0}, {50, 0, 0, 0}};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (int which = 0; which < 12; which++) {
      const int *scores = schemes[which % 4];
      batch *all = calloc(1, sizeof *all);
      uint8_t same[200], other[200];
      cr_assert(all);
      cla_scoring_init(&all->scoring);
      all->scoring.match = scores[0];
      all->scoring.mismatch = scores[1];
      all->scoring.gap_first = scores[2];
      all->scoring.gap_ext = scores[3];
      all->mode = modes[which / 4];
      all->kind = "steep";
      all->seed = (uint64_t)which;
      score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
      memset(same, 1, sizeof same);
      memset(other, 2, sizeof other);
      for (int64_t rows = 1; rows <= 200; rows += 11) {
        add_pair(all, same, rows, same, 201 - rows);
        add_pair(all, same, rows, same, rows);
        add_pair(all, same, 201 - rows, other, rows);
        memset(other, 1, (size_t)rows); /* the next one's begin */
      }
      check_batch(device, all);
      free_batch(all);
    }
    cla_device_close(device);
  }
}

/* Of as good cells of one strip the canonical one is in a later tile, in the same lane or in an upper one. */
Test(packed, ties_in_several_tiles_end_in_the_upper_row, .timeout = 600) {
  enum { BEHIND = 1500, BETWEEN = 300 };
  static uint8_t query[9 + BEHIND], target[5 + 9 + 2 * BETWEEN];
  static const uint8_t never = 8; /* N */
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    batch *all = calloc(1, sizeof *all);
    cr_assert(all);
    cla_scoring_init(&all->scoring);
    all->kind = "ties";
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    for (int lower = 0; lower < 3; lower++) {
      memset(query, never, sizeof query);
      memset(target, never, sizeof target);
      for (int k = 0; k < 5; k++) query[k] = (uint8_t)(k % 4);            /* ACGTA */
      for (int k = 0; k < 4; k++) target[5 + k] = (uint8_t)((k + 1) % 4); /* CGTA, in a row below */
      for (int k = 0; k < 4; k++) target[9 + (lower + 1) * BETWEEN / 2 + k] = (uint8_t)k;
      add_pair(all, query, sizeof query, target, sizeof target);
    }
    check_batch(device, all);
    free_batch(all);
    cla_device_close(device);
  }
}

static bool count_down(void *user) {
  int *left = user;
  return (*left)-- > 0;
}

Test(packed, stops_before_a_launch_when_asked_to, .timeout = 600) {
  cla_device *device = test_device_open(0);
  cla_error error = {0};
  packed *packer = NULL;
  int left = 0;
  batch *all = make_batch(8600000, 20, 60, 1);
  const packed_scheme scheme = {
      .scoring = &all->scoring, .table = &all->table, .ends = path_ends_make(all->mode, all->free_ends)};
  cr_assert_eq(packed_create(&packer, device, &scheme, &error), CLA_OK, "%s", error.message);
  packed_ask(packer, count_down, &left);
  cr_expect_eq(packed_solve(packer, all->pairs, all->count, &error), CLA_ERROR_INTERRUPTED);
  cr_expect_eq(left, -1);
  left = 1;
  cr_expect_eq(packed_solve(packer, all->pairs, all->count, &error), CLA_OK, "%s", error.message);
  for (int i = 0; i < all->count; i++) check_pair(all, &scheme, &all->pairs[i], i);
  packed_free(packer);
  free_batch(all);
  cla_device_close(device);
}

/* Of a matrix' letters the pairs have only some that are plain matches and mismatches: then no score is
 * looked up, and what lies behind a target's end must not be a letter that the query has. */
Test(packed, a_letter_that_no_target_has_may_be_the_querys, .timeout = 600) {
  static const uint8_t query[] = {1, 2, 0, 0, 0, 0}, short_target[] = {1, 2},
                       long_target[] = {1, 2, 1, 1, 2, 2, 3, 3, 3};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    batch *all = calloc(1, sizeof *all);
    cr_assert(all);
    cla_scoring_init(&all->scoring);
    all->scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
    all->mode = CLA_MODE_LOCAL;
    all->kind = "a letter that no target has";
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    cr_assert(all->table.needs_lookup);
    add_pair(all, query, 6, short_target, 2);
    add_pair(all, query, 6, long_target, 9);
    free((void *)all->pairs[1].query);
    all->pairs[1].query = all->pairs[0].query;
    check_batch(device, all);
    free_batch(all);
    cla_device_close(device);
  }
}

/* The codes of the batch are below it. */
static int codes_of(const batch *all) {
  int codes = 0;
  for (int i = 0; i < all->count; i++)
    for (int64_t k = 0; k < all->pairs[i].target_letters; k++)
      if (all->pairs[i].target[k] >= codes) codes = all->pairs[i].target[k] + 1;
  return codes;
}

/* Solves the batch in packs of that layout, whatever the device would get. */
static void check_layout(cla_device *device, batch *all, packed_config config, bool one_query) {
  cla_error error = {0};
  packs *engine = NULL;
  packed_tops_list tops = {0};
  if (!packed_runs_on(&config, cla_device_describe(device)) ||
      !packed_fit(&config, &all->scoring, &all->table))
    return;
  const packed_scheme scheme = {
      .scoring = &all->scoring, .table = &all->table, .ends = path_ends_make(all->mode, all->free_ends)};
  const packs_input input = {.config = config,
                             .scoring = &all->scoring,
                             .table = &all->table,
                             .ends = scheme.ends,
                             .one_query = one_query,
                             .padding = one_query ? UNUSED_CODE : PACKED_TARGET_NEVER};
  leave_too_large_out(device, all, &scheme);
  for (int i = 0; i < all->count; i++) all->pairs[i].score = -9;
  cr_assert_eq(packs_create(&engine, device, &input, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(packed_run(engine, &input, all->pairs, all->count, &tops, NULL, &error), CLA_OK, "%s",
               error.message);
  for (int i = 0; i < all->count; i++) check_pair(all, &scheme, &all->pairs[i], i);
  packs_free(engine);
  packed_tops_free(&tops);
}

/* Vectors of every width, and groups of several work-items as on GPUs. */
Test(packed, every_layout_equals_the_oracle, .timeout = 7200) {
  static const packed_config layouts[] = {
      {.value_bytes = 2, .lanes = 2, .items = 32}, {.value_bytes = 4, .lanes = 2, .items = 32},
      {.value_bytes = 1, .lanes = 16, .items = 1}, {.value_bytes = 1, .lanes = 32, .items = 1},
      {.value_bytes = 2, .lanes = 8, .items = 1},  {.value_bytes = 4, .lanes = 16, .items = 1},
      {.value_bytes = 1, .lanes = 64, .items = 1}};
  const int count = (int)test_count("CLALIGN_TEST_LAYOUTS", 2 * (int)(sizeof layouts / sizeof layouts[0]));
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    for (int i = 0; i < count; i++) {
      const uint64_t seed = 8500000 + (uint64_t)i;
      packed_config config = layouts[i / 2 % (int)(sizeof layouts / sizeof layouts[0])];
      config.alpha = 8;
      config.groups = 2;
      const bool one_query = i % 4 == 3;
      batch *all = i % 2 ? make_lettered(seed, 40, 60, one_query) : make_batch(seed, 40, 60, 1);
      check_layout(device, all, config, one_query && all->table.needs_lookup && UNUSED_CODE >= codes_of(all));
      free_batch(all);
    }
    cla_device_close(device);
  }
}
