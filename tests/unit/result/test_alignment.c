
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "support/made_alignment.h"
#include "support/test.h"

/*  query   ACGT--ACNTTG
 *  target  ACGTGGACNAT-     with pairs, a mismatch, an N over an N, and both kinds of gap */
#define QUERY "ACGTACNTTG"
#define TARGET "ACGTGGACNAT"

static made_alignment global_example(void) {
  return made_alignment_make(QUERY, TARGET, CLA_MODE_GLOBAL, 0, 0, "4P2T5P1Q");
}

static made_alignment local_example(void) {
  return made_alignment_make("TTACGTACGTT", "GGACGTTACGTGG", CLA_MODE_LOCAL, 2, 2, "4P1T4P");
}

static void expect_failure(const made_alignment *made, const char *part) {
  cla_error error = {.message = ""};
  cr_expect_eq(cla_alignment_verify(made->alignment, made->query, made->target, &error),
               CLA_ERROR_VERIFICATION, "expected a failure with: %s", part);
  cr_expect_eq(error.status, CLA_ERROR_VERIFICATION);
  cr_expect(strncmp(error.message, "verification failed: ", 21) == 0, "message: %s", error.message);
  cr_expect(strstr(error.message, part), "message: %s; expected in it: %s", error.message, part);
  cr_expect_null(strchr(error.message, '\n'));
}

static void expect_success(const made_alignment *made) {
  assert_ok(cla_alignment_verify(made->alignment, made->query, made->target, &why));
}

Test(alignment, is_created_with_the_sequences_names_ranges_and_checksums) {
  OWNED_MADE made = global_example();
  OWNED(free_alignment) cla_alignment *fresh = NULL;
  uint8_t checksum[16];
  cr_assert_eq(
      alignment_create(&fresh, made.query, made.target, CLA_MODE_LOCAL, &made.alignment->scoring, NULL),
      CLA_OK);
  cr_expect_str_eq(fresh->query.name, "q");
  cr_expect_str_eq(fresh->target.location, "");
  cr_expect_eq(fresh->query.length, 10);
  cr_expect_eq(fresh->target.begin, 0);
  cr_expect_eq(fresh->target.end, 11);
  cr_expect_eq(fresh->query.start, -1);
  cr_expect_eq(fresh->score, 0);
  cr_expect_not(fresh->has_path);
  cr_expect_eq(fresh->run_count, 0);
  cr_expect_eq(fresh->metrics.cells, 0);
  cla_sequence_checksum(made.target, checksum);
  cr_expect_arr_eq(fresh->target.checksum, checksum, sizeof checksum);
  cla_alignment_free(NULL);
  cla_alignments_free(NULL, 0);
}

Test(alignment, counts_matches_mismatches_and_gaps) {
  OWNED_MADE made = global_example();
  cla_statistics counts;
  assert_ok(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why));
  cr_expect_eq(counts.matches, 4 + 2 + 1);
  cr_expect_eq(counts.mismatches, 2); /* N over N is one of them */
  cr_expect_eq(counts.gap_opens, 2);
  cr_expect_eq(counts.gap_letters, 3);
  cr_expect_eq(counts.columns, 12);
}

Test(alignment, counts_touching_gaps_of_both_kinds_as_two) {
  OWNED_MADE made = made_alignment_make("ACCA", "AGGGA", CLA_MODE_GLOBAL, 0, 0, "1P2Q3T1P");
  cla_statistics counts;
  assert_ok(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why));
  cr_expect_eq(counts.gap_opens, 2);
  cr_expect_eq(counts.gap_letters, 5);
  expect_success(&made);
}

/* A query and a target of the letter A, but for 45 letters of the target. */
Test(alignment, counts_windows_with_few_matches) {
  char query[401], target[401];
  memset(query, 'A', 400);
  memset(target, 'A', 400);
  query[400] = target[400] = '\0';
  memset(target + 150, 'C', 45);
  OWNED_MADE made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, "400P");
  cla_statistics counts;
  assert_ok(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why));
  cr_expect_eq(counts.compared, 400);
  cr_expect_eq(counts.unlike, 100, "45 of the second window");
}

Test(alignment, counts_ten_letters_of_a_gap_as_unlike) {
  char query[401], target[301];
  memset(query, 'A', 400);
  memset(target, 'A', 300);
  query[400] = target[300] = '\0';
  OWNED_MADE made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, "150P100Q150P");
  cla_statistics counts;
  assert_ok(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why));
  cr_expect_eq(counts.columns, 400);
  cr_expect_eq(counts.compared, 310);
  cr_expect_eq(counts.unlike, 0);
}

Test(alignment, is_not_counted_without_a_path) {
  OWNED_MADE made = made_alignment_make("ACGT", "ACGT", CLA_MODE_LOCAL, 0, 0, "");
  cla_statistics counts;
  made.alignment->has_path = false;
  made.alignment->score = 4;
  made.alignment->query.start = made.alignment->target.start = -1;
  made.alignment->query.stop = made.alignment->target.stop = 4;
  assert_error(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why), CLA_ERROR_OPTION,
               "no path");
}

Test(alignment, is_read_as_an_extended_cigar) {
  OWNED_MADE made = global_example();
  cigar_reader reader;
  cigar_step step;
  char text[128] = "";
  cigar_reader_begin(&reader, made.alignment, made.query, made.target);
  while (cigar_reader_next(&reader, &step)) {
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%lld%c@%lld,%lld ", (long long)step.length, step.operation,
             (long long)step.query, (long long)step.target);
  }
  cr_expect_str_eq(text, "4=@0,0 2D@4,4 2=@4,6 2X@6,8 1=@8,10 1I@9,11 ");
}

Test(verify, accepts_right_alignments) {
  OWNED_MADE global = global_example(), local = local_example();
  OWNED_MADE empty = made_alignment_make("AAAA", "CCCC", CLA_MODE_LOCAL, 0, 0, "");
  OWNED_MADE gaps = made_alignment_make("AAAA", "CC", CLA_MODE_GLOBAL, 0, 0, "2T4Q");
  expect_success(&global);
  expect_success(&local);
  expect_success(&empty);
  expect_success(&gaps);
}

Test(verify, accepts_random_alignments_and_no_other_score_of_theirs) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    OWNED_MADE made = made_alignment_random(seed, 60);
    assert_ok_for(cla_alignment_verify(made.alignment, made.query, made.target, &why), "seed %llu",
                  (unsigned long long)seed);
    made.alignment->score += seed % 2 ? 1 : -1;
    cr_assert_eq(cla_alignment_verify(made.alignment, made.query, made.target, &why), CLA_ERROR_VERIFICATION,
                 "seed %llu", (unsigned long long)seed);
  }
}

Test(verify, rejects_another_score) {
  OWNED_MADE made = global_example();
  int64_t right = made.alignment->score;
  for (int64_t wrong = right - 2; wrong <= right + 2; wrong++) {
    made.alignment->score = wrong;
    if (wrong == right)
      expect_success(&made);
    else
      expect_failure(&made, "scores");
  }
}

Test(verify, rejects_a_path_of_another_score_with_equal_ends) {
  OWNED_MADE made = global_example();
  made.alignment->runs[0].length = 5;
  made.alignment->runs[2].length = 4;
  expect_failure(&made, "scores");
}

Test(verify, scores_a_matrix_by_query_rows) {
  OWNED_MADE made = made_alignment_make("AC", "CA", CLA_MODE_GLOBAL, 0, 0, "2P");
  cla_scoring *scoring = &made.alignment->scoring;
  scoring->matrix_size = 2;
  strcpy(scoring->letters, "AC");
  scoring->matrix[0 * CLA_MATRIX_STRIDE + 1] = 7;  /* query A, target C */
  scoring->matrix[1 * CLA_MATRIX_STRIDE + 0] = 20; /* query C, target A */
  made.alignment->score = 27;
  expect_success(&made);
  made.alignment->score = 14;
  expect_failure(&made, "scores 27, not 14");
}

Test(verify, rejects_other_sequences) {
  OWNED_MADE made = global_example(), other = local_example();
  OWNED(free_sequence) cla_sequence *query = NULL, *target = NULL;
  assert_error(cla_alignment_verify(made.alignment, other.query, made.target, &why), CLA_ERROR_VERIFICATION,
               "query has 11 letters");
  assert_ok(cla_sequence_from_letters(&query, "q", "ACGTACNTTC", 10, &why));
  assert_error(cla_alignment_verify(made.alignment, query, made.target, &why), CLA_ERROR_VERIFICATION,
               "query's letters");
  assert_ok(cla_sequence_from_letters(&target, "t", "ACGTGGACNAA", 11, &why));
  assert_error(cla_alignment_verify(made.alignment, made.query, target, &why), CLA_ERROR_VERIFICATION,
               "target's letters");
}

Test(verify, tells_when_query_and_target_are_exchanged) {
  OWNED_MADE made = made_alignment_make("ACGT", "ACGA", CLA_MODE_LOCAL, 0, 0, "3P");
  assert_error(cla_alignment_verify(made.alignment, made.target, made.query, &why), CLA_ERROR_VERIFICATION,
               "exchanged");
}

Test(verify, rejects_coordinates_outside_the_record_or_range) {
  OWNED_MADE made = local_example();
  made.alignment->query.end = 12;
  expect_failure(&made, "outside its 11 letters");
  made.alignment->query.end = 11;
  made.alignment->query.begin = -1;
  expect_failure(&made, "query's range");
  made.alignment->query.begin = 3;
  expect_failure(&made, "query's aligned part 2 to 10 is outside its range 3 to 11");
  made.alignment->query.begin = 11;
  expect_failure(&made, "is empty");
  made.alignment->query.begin = 2;
  made.alignment->target.end = 10;
  expect_failure(&made, "target's aligned part");
  made.alignment->target.end = 11;
  expect_success(&made);
}

Test(verify, rejects_runs_that_miss_the_stops) {
  OWNED_MADE made = local_example();
  made.alignment->runs[2].length = 3;
  expect_failure(&made, "the runs end at query position 9, not at its stop 10");
  made.alignment->runs[2].length = 5;
  expect_failure(&made, "run 2 of 5 letters at query position 6 passes the query's stop 10");
  made.alignment->runs[2].length = 4;
  made.alignment->runs[1].length = 2;
  expect_failure(&made, "passes the target's stop");
  made.alignment->runs[1].length = INT64_MAX;
  expect_failure(&made, "passes the target's stop");
  made.alignment->runs[1].length = 0;
  expect_failure(&made, "has the length 0");
  made.alignment->runs[1].length = -1;
  expect_failure(&made, "has the length -1");
  made.alignment->runs[1] = (cla_run){.length = 1, .kind = (cla_run_kind)3};
  expect_failure(&made, "unknown kind 3");
}

Test(verify, rejects_touching_runs_of_one_kind) {
  OWNED_MADE made = made_alignment_make("ACGTA", "ACGTA", CLA_MODE_GLOBAL, 0, 0, "2P3P");
  expect_failure(&made, "runs 0 and 1 at query position 2 are of the same kind");
}

Test(verify, rejects_a_global_path_that_leaves_ends_out) {
  OWNED_MADE late = made_alignment_make("ACGT", "ACGT", CLA_MODE_GLOBAL, 1, 1, "3P");
  OWNED_MADE early = made_alignment_make("ACGT", "ACGT", CLA_MODE_GLOBAL, 0, 0, "3P");
  expect_failure(&late, "must span the query's range 0 to 4, not 1 to 4");
  expect_failure(&early, "must span the query's range 0 to 4, not 0 to 3");
}

Test(verify, rejects_a_local_path_with_a_gap_at_an_end) {
  OWNED_MADE front = made_alignment_make("TACGTACG", "ACGTACG", CLA_MODE_LOCAL, 0, 0, "1Q7P");
  OWNED_MADE back = made_alignment_make("ACGTACG", "ACGTACGT", CLA_MODE_LOCAL, 0, 0, "7P1T");
  expect_failure(&front, "must begin with a pair");
  expect_failure(&back, "must end with a pair");
}

Test(verify, rejects_an_empty_path_with_a_score_and_the_reverse) {
  OWNED_MADE empty = made_alignment_make("ACGT", "ACGT", CLA_MODE_LOCAL, 0, 0, "");
  OWNED_MADE mismatch = made_alignment_make("A", "C", CLA_MODE_LOCAL, 0, 0, "1P");
  empty.alignment->score = 1;
  expect_failure(&empty, "a local path of score 1 has no runs");
  expect_failure(&mismatch, "the local score -3 is below 0");
  mismatch.alignment->score = 0;
  expect_failure(&mismatch, "a local score of 0 has no aligned part");
}

Test(verify, rejects_an_unknown_mode_and_a_scheme_out_of_range) {
  OWNED_MADE made = local_example();
  made.alignment->mode = (cla_mode)6;
  expect_failure(&made, "mode 6");
  made.alignment->mode = CLA_MODE_LOCAL;
  made.alignment->scoring.gap_ext = 6;
  expect_failure(&made, "below the cost 6");
}

Test(verify, checks_score_and_stops_without_a_path) {
  OWNED_MADE made = made_alignment_make("ACGTA", "ACGTA", CLA_MODE_LOCAL, 0, 0, "");
  cla_alignment *alignment = made.alignment;
  alignment->has_path = false;
  alignment->query.start = alignment->target.start = -1;
  expect_success(&made); /* a score of 0 that stops at 0 */
  alignment->score = 4;
  alignment->query.stop = 5;
  alignment->target.stop = 4;
  expect_success(&made);
  alignment->score = 5; /* four letters of the target cannot score 5 */
  expect_failure(&made, "score 5 is above 4");
  alignment->score = 4;
  alignment->target.start = 0;
  expect_failure(&made, "there is no path");
  alignment->target.start = -1;
  alignment->mode = CLA_MODE_GLOBAL;
  expect_failure(&made, "must stop at the target's end 5, not at 4");
  alignment->target.stop = 6;
  expect_failure(&made, "target's stop 6 is outside");
}

Test(verify, allows_a_null_error) {
  OWNED_MADE made = local_example();
  made.alignment->score++;
  cr_expect_eq(cla_alignment_verify(made.alignment, made.query, made.target, NULL), CLA_ERROR_VERIFICATION);
}
