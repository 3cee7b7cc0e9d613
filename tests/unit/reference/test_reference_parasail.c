/* The oracle's scores beside parasail's. */

#ifdef HAVE_PARASAIL
#include <inttypes.h>
#include <parasail.h>

#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/reference_path.h"
#include "support/test.h"

/* Scan, because parasail 2.6's striped functions are wrong for linear gaps (first = ext): seed 159 of the
 * local pairs gives 481, its scalar and scan functions and we 493. */
static void expect_parasail_score(uint64_t seed, cla_mode mode) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  OWNED(random_pair_free) random_pair pair;
  reference_alignment scored;
  random_pair_make_plain(&pair, seed, 300);
  pair.mode = mode;
  random_pair_text(&pair, text);
  const int m = (int)pair.query_length, n = (int)pair.target_length;
  score_table table;
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_ok(reference_score(
      &scored,
      &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, path_ends_make(mode, 0)}},
      &why));
  OWNED(free_memory)
  char *query = random_pair_letters(pair.query, m), *target = random_pair_letters(pair.target, n);
  parasail_matrix_t *matrix = parasail_matrix_create("ACGT", pair.scoring.match, pair.scoring.mismatch);
  parasail_function_t *function = mode == CLA_MODE_LOCAL ? parasail_sw_scan_32 : parasail_nw_scan_32;
  parasail_result_t *result =
      function(query, m, target, n, pair.scoring.gap_first, pair.scoring.gap_ext, matrix);
  cr_assert_eq(parasail_result_get_score(result), scored.score, "%s: parasail %d, reference %" PRId64, text,
               parasail_result_get_score(result), scored.score);
  parasail_result_free(result);
  parasail_matrix_free(matrix);
}

/* Compares free ends, which are parasail's flags. s1 is the query, s2 the target. A flag of a sequence makes
 * its letters free before the other's first letter, or after its last. For parasail a path has at least one
 * letter of each sequence; with us it may end on the border where it begins. Then parasail's score is no
 * higher, and the result is false. */
static bool expect_parasail_free_ends(uint64_t seed, int ends) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  random_pair pair;
  reference_alignment scored, aligned;
  random_pair_make_plain(&pair, seed, 300);
  pair.mode = CLA_MODE_FREE_ENDS;
  pair.free_ends = ends;
  random_pair_text(&pair, text);
  const int m = (int)pair.query_length, n = (int)pair.target_length;
  score_table table;
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_ends free_ends = path_ends_make(CLA_MODE_FREE_ENDS, ends);
  assert_ok(reference_score(
      &scored, &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, free_ends}}, &why));
  assert_ok(reference_align(
      &aligned, &(pair_problem){pair.query, pair.target, m, n, {&pair.scoring, &table, free_ends}}, &why));
  cr_assert(aligned.score == scored.score && aligned.query_end == scored.query_end &&
                aligned.target_end == scored.target_end,
            "%s: two ends", text);
  char *query = random_pair_letters(pair.query, m), *target = random_pair_letters(pair.target, n);
  parasail_matrix_t *matrix = parasail_matrix_create("ACGT", pair.scoring.match, pair.scoring.mismatch);
  parasail_result_t *result =
      parasail_sg_flags(query, m, target, n, pair.scoring.gap_first, pair.scoring.gap_ext, matrix,
                        (ends & CLA_FREE_QUERY_START) != 0, (ends & CLA_FREE_QUERY_END) != 0,
                        (ends & CLA_FREE_TARGET_START) != 0, (ends & CLA_FREE_TARGET_END) != 0);
  const bool on_border = scored.query_end == 0 || scored.target_end == 0;
  const int64_t score = parasail_result_get_score(result);
  cr_assert(on_border ? score <= scored.score : score == scored.score,
            "%s: parasail %" PRId64 ", reference %" PRId64, text, score, scored.score);
  parasail_result_free(result);
  parasail_matrix_free(matrix);
  reference_alignment_free(&aligned);
  free(query);
  free(target);
  random_pair_free(&pair);
  return !on_border;
}

Test(reference_parasail, scores_free_ends_as_parasail_does) {
  int equal = 0;
  for (uint64_t seed = 20001; seed <= 21600; seed++)
    equal += expect_parasail_free_ends(seed, (int)(seed % 16));
  cr_assert_gt(equal, 1200, "hardly any pair has a path");
}

Test(reference_parasail, scores_local_pairs_as_parasail_does) {
  for (uint64_t seed = 1; seed <= 1200; seed++) expect_parasail_score(seed, CLA_MODE_LOCAL);
}

Test(reference_parasail, scores_global_pairs_as_parasail_does) {
  for (uint64_t seed = 5001; seed <= 6200; seed++) expect_parasail_score(seed, CLA_MODE_GLOBAL);
}
#else
Test(reference_parasail, scores_as_parasail_does) {
  cr_skip_test("skipped: built without parasail (libparasail-dev)");
}
#endif
