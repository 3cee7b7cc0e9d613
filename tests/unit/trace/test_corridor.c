/* Paths of related pairs, looked for in a corridor, against the oracle: where there is a proof, the path is
 * the canonical one. */

#include "reference/reference.h"
#include "support/reference_difference.h"
#include "support/repeat_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "trace/pack_corridor.h"

#define FIRST_SEED 8700000

/* Tells the host what H is at most in some rows, as kernels for GPUs do. */
static int32_t *find_rows(pack_rows *rows, const repeat_pair *x) {
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
  *rows = (pack_rows){.most = most, .stride = 1, .step = step};
  return most;
}

static void check_path(const repeat_pair *x, const reference_alignment *want, const char *how) {
  pack_path traced;
  assert_ok_for(pack_trace(&traced, &x->scheme, &x->pair, 0, &why), "seed %llu", x->seed);
  cr_assert(traced.start_query == want->query_start && traced.start_target == want->target_start &&
                same_runs(traced.runs, traced.run_count, want->runs, want->run_count),
            "seed %llu: another path, %s", x->seed, how);
  free(traced.runs);
}

/* Whether there was a proof. */
static bool check_pair(repeat_scheme scheme, uint64_t seed, int length) {
  static repeat_pair x;
  reference_alignment want;
  path steps = {0};
  corridor_start start;
  bool done = false;
  if (!repeat_pair_make(&x, scheme, seed, length)) return false;
  assert_ok(reference_align(&want, &(pair_problem){x.query, x.target, x.rows, x.columns, x.scheme}, &why));
  assert_ok(pack_corridor_trace(&done, &start, &steps, &x.scheme, &x.pair, &why));
  path_free(&steps);
  check_path(&x, &want, done ? "proven" : "by another way");
  if (!done) {
    OWNED(free_memory) int32_t *most = find_rows(&x.pair.rows, &x);
    check_path(&x, &want, "with rows known");
  }
  reference_alignment_free(&want);
  return done;
}

static void check_pairs(repeat_scheme scheme, long long count, int length, long long proven_least) {
  long long proven = 0;
  for (long long k = 0; k < count; k++) proven += check_pair(scheme, FIRST_SEED + (uint64_t)k, length);
  printf("%lld of %lld paths were proven in a corridor, seeds from %d\n", proven, count, FIRST_SEED);
  cr_expect(proven >= proven_least && proven < count);
}

Test(corridor, paths_among_repeats_are_those_of_the_oracle, .timeout = 600) {
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 400);
  check_pairs(REPEAT_PLAIN, pairs, 500, pairs / 4);
}

Test(corridor, paths_of_two_pieces_of_gap_costs_are_those_of_the_oracle, .timeout = 600) {
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 400) * 3 / 2;
  check_pairs(REPEAT_TWO_PIECES, pairs, 400, pairs / 4);
}

Test(corridor, paths_of_penalties_are_those_of_the_oracle, .timeout = 600) {
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 400);
  check_pairs(REPEAT_PENALTIES, pairs, 500, pairs / 4);
}

Test(corridor, paths_of_matrices_are_those_of_the_oracle, .timeout = 600) {
  check_pairs(REPEAT_MATRIX, test_count("CLALIGN_TEST_PAIRS", 400) / 2, 400, 0);
}

/* A path may start on the left border where all nodes beside have less. */
Test(corridor, paths_start_on_borders_that_are_better_than_their_rows, .timeout = 600) {
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
  OWNED(free_memory) int32_t *most = find_rows(&x.pair.rows, &x);
  check_path(&x, &want, "with rows known");
}

/* Two ways that score the same, far from each other: the canonical one has to be found. */
Test(corridor, ways_outside_that_are_as_good_leave_no_proof, .timeout = 600) {
  static repeat_pair x;
  bool done = true;
  corridor_start start;
  OWNED(path_free) path steps = {0};
  repeat_pair_begin(&x, 400, 1);
  repeat_pair_put(&x, x.query, 300); /* the query's letters from 100 on occur twice, 200 columns apart */
  repeat_pair_put(&x, x.query + 100, 300);
  cr_assert(repeat_pair_score(&x));
  assert_ok(pack_corridor_trace(&done, &start, &steps, &x.scheme, &x.pair, &why));
  cr_expect_not(done);
}
