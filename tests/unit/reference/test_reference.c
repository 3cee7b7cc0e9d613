/* The oracle itself: cases worked out by hand, and exhaustive search. */

#include "support/reference_path.h"

#include <inttypes.h>

#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

static score_table table_of(const cla_scoring *scoring) {
  score_table table;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  return table;
}

static cla_scoring scheme(int match, int mismatch, int first, int ext) {
  cla_scoring scoring = default_scoring();
  scoring.match = match;
  scoring.mismatch = mismatch;
  scoring.gap_first = first;
  scoring.gap_ext = ext;
  return scoring;
}

static int64_t encode(uint8_t *codes, const char *letters) {
  int64_t length = 0;
  for (; letters[length]; length++)
    codes[length] = (uint8_t)(strchr(SEQUENCE_LETTERS, letters[length]) - SEQUENCE_LETTERS);
  return length;
}

/* `path`: runs such as "2P1Q", P pairs, Q query letters, T target letters. */
static void expect_alignment(cla_scoring scoring, cla_mode mode, const char *query, const char *target,
                             int64_t score, int64_t query_start, int64_t target_start, const char *path) {
  uint8_t query_codes[64], target_codes[64];
  const int64_t rows = encode(query_codes, query), columns = encode(target_codes, target);
  const score_table table = table_of(&scoring);
  reference_alignment found, scored;
  char runs[256] = "";
  assert_ok(reference_align(
      &found,
      &(pair_problem){query_codes, target_codes, rows, columns, {&scoring, &table, path_ends_make(mode, 0)}},
      &why));
  for (size_t i = 0; i < found.run_count; i++)
    snprintf(runs + strlen(runs), sizeof runs - strlen(runs), "%" PRId64 "%c", found.runs[i].length,
             "PQT"[found.runs[i].kind]);
  cr_expect_str_eq(runs, path);
  cr_expect_eq(found.score, score, "score %" PRId64, found.score);
  cr_expect_eq(found.query_start, query_start);
  cr_expect_eq(found.target_start, target_start);
  assert_ok(reference_score(
      &scored,
      &(pair_problem){query_codes, target_codes, rows, columns, {&scoring, &table, path_ends_make(mode, 0)}},
      &why));
  cr_expect_eq(scored.score, score);
  cr_expect_eq(scored.query_end, found.query_end);
  cr_expect_eq(scored.target_end, found.target_end);
  reference_alignment_free(&found);
}

Test(reference, aligns_what_is_plain_to_see) {
  const cla_scoring ours = scheme(1, -3, 5, 2);
  expect_alignment(ours, CLA_MODE_LOCAL, "ACGT", "ACGT", 4, 0, 0, "4P");
  expect_alignment(ours, CLA_MODE_LOCAL, "GGACGT", "TACGTC", 4, 2, 1, "4P");
  expect_alignment(ours, CLA_MODE_GLOBAL, "ACGT", "ACCT", 0, 0, 0, "4P");
  expect_alignment(ours, CLA_MODE_GLOBAL, "ACGT", "AC", -5, 0, 0, "2P2Q");
  expect_alignment(ours, CLA_MODE_GLOBAL, "AC", "ACGGT", -7, 0, 0, "2P3T");
}

Test(reference, opens_gaps_where_they_pay) {
  expect_alignment(scheme(2, -3, 3, 1), CLA_MODE_LOCAL, "ACGTCCCC", "ACGTGGGCCCC", 11, 0, 0, "4P3T4P");
  expect_alignment(scheme(2, -3, 3, 1), CLA_MODE_LOCAL, "ACGTGGGCCCC", "ACGTCCCC", 11, 0, 0, "4P3Q4P");
}

Test(reference, gives_nothing_for_a_local_score_of_0) {
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_LOCAL, "AAAA", "CCC", 0, 0, 0, "");
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_LOCAL, "NN", "NN", 0, 0, 0, "");
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_LOCAL, "", "ACGT", 0, 0, 0, "");
  expect_alignment(scheme(0, -1, 1, 1), CLA_MODE_LOCAL, "ACGT", "ACGT", 0, 0, 0, "");
}

Test(reference, pays_the_borders_of_a_global_alignment) {
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_GLOBAL, "", "", 0, 0, 0, "");
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_GLOBAL, "ACG", "", -9, 0, 0, "3Q");
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_GLOBAL, "", "ACG", -9, 0, 0, "3T");
  expect_alignment(scheme(1, -3, 5, 5), CLA_MODE_GLOBAL, "", "ACG", -15, 0, 0, "3T");
}

/* Cells (1,2) and (2,1) both have H = 1. */
Test(reference, ends_in_the_first_row_then_the_first_column_of_the_best) {
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_LOCAL, "CA", "AC", 1, 0, 1, "1P");
  expect_alignment(scheme(1, -3, 5, 2), CLA_MODE_LOCAL, "A", "CAA", 1, 0, 1, "1P");
}

/* H(2,2) is 0 inside the diagonal, so the two letters before add nothing. */
Test(reference, starts_a_local_alignment_at_the_last_zero) {
  expect_alignment(scheme(1, -1, 5, 2), CLA_MODE_LOCAL, "AGAA", "ACAA", 2, 2, 2, "2P");
}

/* H(2,1) = 0 both by H(1,0) + 1 and by H(1,1) - 1. */
Test(reference, prefers_a_pair_to_a_gap) {
  expect_alignment(scheme(1, -3, 1, 1), CLA_MODE_GLOBAL, "AA", "A", 0, 0, 0, "1Q1P");
  expect_alignment(scheme(1, -3, 1, 1), CLA_MODE_GLOBAL, "A", "AA", 0, 0, 0, "1T1P");
  expect_alignment(scheme(1, -2, 1, 1), CLA_MODE_GLOBAL, "A", "C", -2, 0, 0, "1P");
}

/* H(1,1) = E(1,1) = F(1,1) = -2: backwards the target's letter goes first. */
Test(reference, prefers_a_gap_in_the_query_to_one_in_the_target) {
  expect_alignment(scheme(1, -5, 1, 1), CLA_MODE_GLOBAL, "A", "C", -2, 0, 0, "1Q1T");
}

/* A/A 1, A/C 0, A/G -5, gaps 2 and 1: E(1,3) = -3 by closing at H(1,2) = -1 (a gap, the pair A/A, a gap) and
 * by extending E(1,2) = -2 (the pair A/C and a gap of two). */
Test(reference, prefers_the_shorter_gap) {
  cla_scoring scoring = scheme(1, -3, 2, 1);
  const int scores[3] = {1, 0, -5};
  strcpy(scoring.letters, "ACG");
  scoring.matrix_size = 3;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      scoring.matrix[row * CLA_MATRIX_STRIDE + column] = scores[abs(row - column)];
  expect_alignment(scoring, CLA_MODE_GLOBAL, "A", "CAG", -3, 0, 0, "1T1P1T");
  expect_alignment(scoring, CLA_MODE_GLOBAL, "CAG", "A", -3, 0, 0, "1Q1P1Q");
}

/* Gaps of 1 and 2 letters cost 4 and 6 by the first piece, of 3 letters 7 by the second and 8 by the first.
 */
Test(reference, takes_the_cheaper_piece_of_gap_costs) {
  cla_scoring scoring = scheme(2, -9, 4, 2);
  scoring.gap_first2 = 7;
  expect_alignment(scoring, CLA_MODE_GLOBAL, "ACGT", "ACCGT", 4, 0, 0, "1P1T3P");
  expect_alignment(scoring, CLA_MODE_LOCAL, "ACGTCCCC", "ACGTGGCCCC", 10, 0, 0, "4P2T4P");
  expect_alignment(scoring, CLA_MODE_LOCAL, "ACGTCCCC", "ACGTGGGGGCCCC", 9, 0, 0, "4P5T4P");
  expect_alignment(scoring, CLA_MODE_GLOBAL, "ACGTGGGGGCCCC", "ACGTCCCC", 9, 0, 0, "4P5Q4P");
  expect_alignment(scoring, CLA_MODE_GLOBAL, "ACGTA", "", -7, 0, 0, "5Q");
  expect_alignment(scoring, CLA_MODE_GLOBAL, "", "AC", -6, 0, 0, "2T");
}

/* With 4 + (k - 1) x 2 and 6 + (k - 1) x 1 both give 8 for three letters, and state E comes before E of the
 * second piece: either is one gap here. */
Test(reference, prefers_the_first_piece) {
  cla_scoring scoring = scheme(3, -9, 4, 2);
  scoring.gap_first2 = 6;
  scoring.gap_ext2 = 1;
  expect_alignment(scoring, CLA_MODE_LOCAL, "ACGTCCCC", "ACGTGGGCCCC", 16, 0, 0, "4P3T4P");
  expect_alignment(scoring, CLA_MODE_GLOBAL, "ACGTGGGCCCC", "ACGTCCCC", 16, 0, 0, "4P3Q4P");
}

/* AC against A, default scheme, every value by hand. */
Test(reference, fills_the_matrices_of_the_recurrence) {
  const uint8_t query[] = {0, 1}, target[] = {0};
  const cla_scoring scoring = scheme(1, -3, 5, 2);
  const score_table table = table_of(&scoring);
  OWNED(reference_borders_free) reference_borders borders;
  OWNED(reference_matrix_free) reference_matrix matrix;
  assert_ok(reference_borders_make(&borders, 2, 1, &scoring, path_ends_make(CLA_MODE_GLOBAL, 0), &why));
  assert_ok(
      reference_fill(&matrix, &(pair_problem){query, target, 2, 1, {&scoring, &table, {0}}}, &borders, &why));
  const int64_t none = REFERENCE_MINUS_INFINITY;
  const int64_t h[] = {0, -5, -5, 1, -7, -4}, e[] = {none, -5, none, -10, none, -12},
                f[] = {none, none, -5, -10, -7, -4};
  for (int i = 0; i < 6; i++) {
    cr_expect_eq(matrix.h[i], h[i], "H %d is %" PRId64, i, matrix.h[i]);
    cr_expect_eq(matrix.e[0][i], e[i], "E %d is %" PRId64, i, matrix.e[0][i]);
    cr_expect_eq(matrix.f[0][i], f[i], "F %d is %" PRId64, i, matrix.f[0][i]);
  }
}

Test(reference, refuses_matrices_beyond_its_limit) {
  const cla_scoring scoring = scheme(1, -3, 5, 2);
  const score_table table = table_of(&scoring);
  const reference_borders borders = {0};
  reference_matrix matrix;
  assert_error(
      reference_fill(&matrix,
                     &(pair_problem){
                         NULL, NULL, INT64_C(1) << 14, INT64_C(1) << 13, {&scoring, &table, {.floor = true}}},
                     &borders, &why),
      CLA_ERROR_MEMORY, "16384 x 8192");
  cr_expect_null(matrix.h);
}

/* A region computed from another one's values as borders has the same values: what the wavefront relies on.
 */
Test(reference, continues_from_any_border) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    random_pair pair;
    reference_borders borders;
    reference_matrix whole, part;
    random_pair_make(&pair, seed, 40);
    const score_table table = table_of(&pair.scoring);
    const int64_t m = pair.query_length, n = pair.target_length, i0 = m / 3, j0 = n / 2, width = n + 1;
    const bool local = pair.mode == CLA_MODE_LOCAL;
    int64_t left_h[42], left_e[CLA_GAP_PIECES][42];
    const int pieces = gap_pieces(&pair.scoring);
    assert_ok(reference_borders_make(&borders, m, n, &pair.scoring, path_ends_make(pair.mode, 0), &why));
    assert_ok(reference_fill(
        &whole, &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, {.floor = local}}},
        &borders, &why));
    for (int64_t i = i0; i <= m; i++) {
      left_h[i - i0] = reference_at(&whole, whole.h, i, j0);
      for (int k = 0; k < pieces; k++) left_e[k][i - i0] = reference_at(&whole, whole.e[k], i, j0);
    }
    reference_borders inner = {.top_h = whole.h + i0 * width + j0, .left_h = left_h};
    for (int k = 0; k < pieces; k++) {
      inner.top_f[k] = whole.f[k] + i0 * width + j0;
      inner.left_e[k] = left_e[k];
    }
    assert_ok(reference_fill(
        &part,
        &(pair_problem){
            pair.query + i0, pair.target + j0, m - i0, n - j0, {&pair.scoring, &table, {.floor = local}}},
        &inner, &why));
    for (int64_t i = 1; i <= m - i0; i++)
      for (int64_t j = 1; j <= n - j0; j++) {
        cr_assert_eq(reference_at(&part, part.h, i, j), reference_at(&whole, whole.h, i0 + i, j0 + j),
                     "seed %" PRIu64, seed);
        for (int k = 0; k < pieces; k++) {
          cr_assert_eq(reference_at(&part, part.e[k], i, j), reference_at(&whole, whole.e[k], i0 + i, j0 + j),
                       "seed %" PRIu64, seed);
          cr_assert_eq(reference_at(&part, part.f[k], i, j), reference_at(&whole, whole.f[k], i0 + i, j0 + j),
                       "seed %" PRIu64, seed);
        }
      }
    reference_matrix_free(&part);
    reference_matrix_free(&whole);
    reference_borders_free(&borders);
    random_pair_free(&pair);
  }
}

/* The best score over every path from (i,j) to (m,n), by trying them all; the `length` steps before are of
 * `kind`, so that a gap knows what one more letter costs. No recurrence of Gotoh's, no table. */
static int64_t best_of_all(const random_pair *pair, const score_table *table, int64_t i, int64_t j, int64_t m,
                           int64_t n, cla_run_kind kind, int64_t length) {
  const cla_scoring *scoring = &pair->scoring;
  int64_t best = i == m && j == n ? 0 : INT64_MIN;
  if (i < m && j < n) {
    const int64_t pair_score = table->score[pair->query[i] * CLA_MATRIX_STRIDE + pair->target[j]];
    best = pair_score + best_of_all(pair, table, i + 1, j + 1, m, n, CLA_RUN_PAIR, 0);
  }
  if (i < m) {
    const int64_t before = kind == CLA_RUN_QUERY ? length : 0;
    const int64_t cost = gap_cost(scoring, before + 1) - gap_cost(scoring, before);
    const int64_t value = best_of_all(pair, table, i + 1, j, m, n, CLA_RUN_QUERY, before + 1) - cost;
    if (value > best) best = value;
  }
  if (j < n) {
    const int64_t before = kind == CLA_RUN_TARGET ? length : 0;
    const int64_t cost = gap_cost(scoring, before + 1) - gap_cost(scoring, before);
    const int64_t value = best_of_all(pair, table, i, j + 1, m, n, CLA_RUN_TARGET, before + 1) - cost;
    if (value > best) best = value;
  }
  return best;
}

/* Local: the best over all parts, with the canonical end. */
static reference_alignment best_of_all_parts(const random_pair *pair, const score_table *table) {
  reference_alignment best = {0};
  for (int64_t m = 1; m <= pair->query_length; m++)
    for (int64_t n = 1; n <= pair->target_length; n++)
      for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
          const int64_t score = best_of_all(pair, table, i, j, m, n, CLA_RUN_PAIR, 0);
          if (score > best.score)
            best = (reference_alignment){.score = score, .query_end = m, .target_end = n};
        }
  return best;
}

Test(reference, finds_the_best_of_all_alignments_of_tiny_pairs) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    OWNED(random_pair_free) random_pair pair;
    reference_alignment scored, expected = {0};
    random_pair_make(&pair, seed, 4);
    random_pair_text(&pair, text);
    const score_table table = table_of(&pair.scoring);
    if (pair.mode == CLA_MODE_LOCAL) {
      expected = best_of_all_parts(&pair, &table);
    } else {
      expected.query_end = pair.query_length;
      expected.target_end = pair.target_length;
      expected.score =
          best_of_all(&pair, &table, 0, 0, pair.query_length, pair.target_length, CLA_RUN_PAIR, 0);
    }
    assert_ok(
        reference_score(&scored, RANDOM_PAIR_PROBLEM(&pair, &table, path_ends_make(pair.mode, 0)), &why));
    cr_assert_eq(scored.score, expected.score, "%s", text);
    cr_assert_eq(scored.query_end, expected.query_end, "%s", text);
    cr_assert_eq(scored.target_end, expected.target_end, "%s", text);
  }
}

/* Adds up an alignment's runs from its start; checks that they are well formed and reach its end. */
static int64_t rescore(const reference_alignment *alignment, const random_pair *pair,
                       const score_table *table, const char *text) {
  int64_t i = alignment->query_start, j = alignment->target_start, score = 0;
  for (size_t k = 0; k < alignment->run_count; k++) {
    const cla_run run = alignment->runs[k];
    cr_assert(run.length >= 1 && (k == 0 || run.kind != alignment->runs[k - 1].kind), "%s", text);
    if (run.kind != CLA_RUN_PAIR) score -= gap_cost(&pair->scoring, run.length);
    for (int64_t step = 0; step < run.length; step++) {
      if (run.kind == CLA_RUN_PAIR)
        score += table->score[pair->query[i] * CLA_MATRIX_STRIDE + pair->target[j]];
      i += run.kind != CLA_RUN_TARGET;
      j += run.kind != CLA_RUN_QUERY;
    }
  }
  cr_assert(i == alignment->query_end && j == alignment->target_end, "%s", text);
  return score;
}

Test(reference, gives_runs_that_add_up_to_the_score) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    OWNED(random_pair_free) random_pair pair;
    reference_alignment aligned, scored;
    random_pair_make(&pair, seed, 120);
    random_pair_text(&pair, text);
    const score_table table = table_of(&pair.scoring);
    const int64_t m = pair.query_length, n = pair.target_length;
    assert_ok(reference_align(
        &aligned,
        &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, path_ends_make(pair.mode, 0)}},
        &why));
    assert_ok(reference_score(
        &scored,
        &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, path_ends_make(pair.mode, 0)}},
        &why));
    cr_assert_eq(rescore(&aligned, &pair, &table, text), aligned.score, "%s", text);
    cr_assert_eq(scored.score, aligned.score, "%s", text);
    cr_assert_eq(scored.query_end, aligned.query_end, "%s", text);
    cr_assert_eq(scored.target_end, aligned.target_end, "%s", text);
    if (pair.mode == CLA_MODE_GLOBAL)
      cr_assert(aligned.query_start == 0 && aligned.target_start == 0, "%s", text);
    reference_alignment_free(&aligned);
  }
}
