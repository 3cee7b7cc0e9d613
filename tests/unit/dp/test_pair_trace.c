/* Paths of related pairs whose score and end are known, found by lanes at once and forth and back, against
 * the oracle. */

#include "dp/pair_solver.h"
#include "support/reference_difference.h"
#include "support/reference_path.h"
#include "support/repeat_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "support/traced_pair.h"

#define FIRST_SEED 8700000

/* Sets what H is at most in some rows, as kernels for CPUs do. */
static int32_t *find_rows(row_tops *rows, const repeat_pair *x) {
  reference_borders borders;
  reference_matrix matrix;
  const int64_t step = 8, count = x->pair.end_query / step + 1;
  int32_t *most = malloc((size_t)count * sizeof *most);
  cr_assert(most);
  assert_ok(reference_borders_make(&borders, x->rows, x->columns, &x->scoring, x->scheme.ends, &why));
  assert_ok(reference_fill(
      &matrix,
      &(pair_problem){x->query, x->target, x->rows, x->columns, {&x->scoring, &x->table, x->scheme.ends}},
      &borders, &why));
  for (int64_t k = 0; k < count; k++) {
    most[k] = INT32_MIN;
    for (int64_t j = 1; j <= x->columns && (k + 1) * step <= x->rows; j++) {
      const int32_t h = (int32_t)reference_at(&matrix, matrix.h, (k + 1) * step, j);
      if (h > most[k]) most[k] = h;
    }
  }
  reference_borders_free(&borders);
  reference_matrix_free(&matrix);
  *rows = (row_tops){.most = most, .stride = 1, .step = step};
  return most;
}

static void check_path(const repeat_pair *x, int64_t large_cells, int widest) {
  reference_alignment want;
  traced_pair traced;
  const pair_problem problem = {x->query, x->target, x->rows, x->columns, x->scheme};
  assert_ok(reference_align(&want, &problem, &why));
  cr_assert(traced_pair_find(&traced, &x->scheme, &x->pair, large_cells, widest),
            "seed %llu: lanes cannot tell", x->seed);
  cr_assert(traced.start_query == want.query_start && traced.start_target == want.target_start &&
                same_runs(traced.runs, traced.run_count, want.runs, want.run_count),
            "seed %llu: another path, %s, vectors of %d bytes", x->seed,
            large_cells > 0     ? "at once"
            : x->pair.rows.most ? "with rows known"
                                : "forth and back",
            widest);
  free(traced.runs);
  reference_alignment_free(&want);
}

static void check_pairs(repeat_scheme scheme, long long count, int length) {
  static const int widths[] = {16, 32, 64};
  static repeat_pair x;
  long long made = 0;
  for (long long k = 0; k < count; k++) {
    if (!repeat_pair_make(&x, scheme, FIRST_SEED + (uint64_t)k, length)) continue;
    check_path(&x, 0, widths[k % 3]);
    check_path(&x, INT64_MAX, widths[k % 3]);
    OWNED(free_memory) int32_t *most = find_rows(&x.pair.rows, &x);
    check_path(&x, 0, widths[k % 3]);
    made++;
  }
  printf("%lld paths, seeds from %d\n", made, FIRST_SEED);
  cr_expect(made > count / 2);
}

Test(pair_trace, paths_among_repeats_are_those_of_the_oracle, .timeout = 600) {
  check_pairs(REPEAT_PLAIN, test_count("CLALIGN_TEST_PAIRS", 300), 500);
}

Test(pair_trace, paths_of_two_pieces_of_gap_costs_are_those_of_the_oracle, .timeout = 600) {
  check_pairs(REPEAT_TWO_PIECES, test_count("CLALIGN_TEST_PAIRS", 300), 400);
}

Test(pair_trace, paths_of_penalties_are_those_of_the_oracle, .timeout = 600) {
  check_pairs(REPEAT_PENALTIES, test_count("CLALIGN_TEST_PAIRS", 300), 500);
}

Test(pair_trace, paths_of_matrices_are_those_of_the_oracle, .timeout = 600) {
  check_pairs(REPEAT_MATRIX, test_count("CLALIGN_TEST_PAIRS", 300) / 2, 400);
}

/* A path may start on the left border where all nodes beside have less. */
Test(pair_trace, paths_start_on_borders_that_are_better_than_their_rows) {
  enum { BEFORE = 96, ROWS = 156 };
  static repeat_pair x;
  OWNED(reference_alignment_free) reference_alignment want;
  repeat_pair_begin(&x, ROWS, 5);
  for (int i = 0; i < ROWS; i++) /* letters of the target do not occur before */
    x.query[i] = (uint8_t)(i < BEFORE ? 0 : 1 + repeat_pair_below(&x.stream, 3));
  repeat_pair_put(&x, x.query + BEFORE, ROWS - BEFORE);
  x.scoring.mismatch = -9;
  x.scoring.gap_first = 9;
  x.scheme.ends = path_ends_make(CLA_MODE_FREE_ENDS, CLA_FREE_QUERY_START);
  cr_assert(repeat_pair_score(&x));
  assert_ok(reference_align(
      &want, &(pair_problem){x.query, x.target, x.rows, x.columns, {&x.scoring, &x.table, x.scheme.ends}},
      &why));
  cr_assert_eq(want.query_start, BEFORE);
  check_path(&x, 0, 64);
  OWNED(free_memory) int32_t *most = find_rows(&x.pair.rows, &x);
  check_path(&x, 0, 64);
}

/* A short local path below many rows, whose letters do not occur in the target. Gaps and pairs that do not
 * match cost far more than the matches of these rows. */
Test(pair_trace, rows_above_a_local_start_lose_a_match_each) {
  enum { BEFORE = 400, ROWS = 440 };
  static repeat_pair x;
  repeat_pair_begin(&x, ROWS, 6);
  for (int i = 0; i < ROWS; i++)
    x.query[i] = (uint8_t)(i < BEFORE ? i % 2 : 2 + repeat_pair_below(&x.stream, 2));
  for (int i = 0; i < 300; i++) x.target[i] = (uint8_t)(2 * (i / 7 % 2) + (i % 7 == 3));
  x.columns = 300;
  repeat_pair_put(&x, x.query + BEFORE, ROWS - BEFORE);
  x.scoring.mismatch = -19;
  x.scoring.gap_first = 42;
  x.scoring.gap_ext = 3;
  x.scheme.ends = path_ends_make(CLA_MODE_LOCAL, 0);
  cr_assert(repeat_pair_score(&x));
  check_path(&x, 0, 64);
}

/* Two ways that score the same, far from each other: the canonical one has to be found. */
Test(pair_trace, ways_far_from_each_other_score_the_same) {
  static repeat_pair x;
  repeat_pair_begin(&x, 400, 1);
  repeat_pair_put(&x, x.query, 300); /* the query's letters from 100 on occur twice, 200 columns apart */
  repeat_pair_put(&x, x.query + 100, 300);
  cr_assert(repeat_pair_score(&x));
  check_path(&x, 0, 64);
  check_path(&x, INT64_MAX, 64);
}

/* A score that no path has is an error. */
Test(pair_trace, a_score_that_no_path_has_is_told) {
  static repeat_pair x;
  static const uint32_t matches[32] = {1, 2, 4, 8};
  repeat_pair_begin(&x, 300, 2);
  repeat_pair_put(&x, x.query, 300);
  x.query[150] ^= 1;
  cr_assert(repeat_pair_score(&x));
  for (int large = 0; large < 2; large++) {
    const int32_t letters = 300;
    int32_t end = letters, start[2], run_count;
    int64_t score = x.pair.score + 1, runs;
    bool solved;
    pair_solver *solver = NULL;
    const solver_pairs pairs = {.query = &x.pair.query,
                                .target = &x.pair.target,
                                .rows = &letters,
                                .columns = &letters,
                                .count = 1,
                                .paths = true,
                                .score = &score,
                                .end_row = &end,
                                .end_column = &end,
                                .start_row = &start[0],
                                .start_column = &start[1],
                                .runs = &runs,
                                .run_count = &run_count,
                                .solved = &solved};
    assert_ok(pair_solver_create(&solver, &x.scheme, matches, INT64_C(1) << 24, &why));
    pair_solver_large(solver, large ? 0 : INT64_MAX);
    cr_expect_eq(pair_solver_trace(solver, &pairs, &why), CLA_ERROR_DEVICE);
    pair_solver_free(solver);
  }
}
