/* What paths score: those of alignments, and those that cannot be. */

#include "clalign/lower_bound.h"
#include "support/made_alignment.h"
#include "support/test.h"

static cla_sequence *dna(const char *letters) {
  cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_from_letters_with(
      &sequence, "s", letters, (int64_t)strlen(letters),
      &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA}, &why));
  return sequence;
}

/* The score, or what the error says. */
static cla_status value(int64_t *score, cla_error *error, const char *query_letters,
                        const char *target_letters, const cla_path *path) {
  cla_sequence *query = dna(query_letters), *target = dna(target_letters);
  cla_scoring scoring = default_scoring();
  cla_status status = cla_path_score(score, path, query, target, &scoring, error);
  cla_sequence_free(query);
  cla_sequence_free(target);
  return status;
}

Test(path_value, is_the_score_of_an_alignment) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    OWNED_MADE made = made_alignment_random(seed, 60);
    const cla_alignment *alignment = made.alignment;
    const cla_path path = {.query_start = alignment->query.start,
                           .target_start = alignment->target.start,
                           .runs = alignment->runs,
                           .run_count = alignment->run_count};
    int64_t score = -1;
    assert_ok(cla_path_score(&score, &path, made.query, made.target, &alignment->scoring, &why));
    cr_expect_eq(score, alignment->score, "seed %llu", (unsigned long long)seed);
  }
}

Test(path_value, joins_runs_that_touch) {
  cla_run runs[] = {{2, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}, {2, CLA_RUN_QUERY}, {1, CLA_RUN_PAIR}};
  const cla_path path = {.runs = runs, .run_count = 4};
  int64_t score = 0;
  cr_assert_eq(value(&score, NULL, "ACGGGT", "ACT", &path), CLA_OK);
  cr_expect_eq(score, 3 - (5 + 2 * 2));
}

Test(path_value, of_the_reverse_strand) {
  /* The reverse complement of GGTTACC is GGTAACC; from its third letter on, TAAC. */
  cla_run runs[] = {{4, CLA_RUN_PAIR}};
  const cla_path path = {
      .strand = CLA_STRAND_REVERSE, .query_start = 2, .target_start = 1, .runs = runs, .run_count = 1};
  int64_t score = 0;
  cr_assert_eq(value(&score, NULL, "GGTTACC", "ATAAC", &path), CLA_OK);
  cr_expect_eq(score, 4);
  cr_assert_eq(value(&score, NULL, "GGTTACC", "ATAAG", &path), CLA_OK);
  cr_expect_eq(score, 0);
}

Test(path_value, of_nothing_is_zero) {
  const cla_path path = {.query_start = 4, .target_start = 2};
  int64_t score = -1;
  cr_assert_eq(value(&score, NULL, "ACGT", "AC", &path), CLA_OK);
  cr_expect_eq(score, 0);
}

Test(path_value, refuses_what_leaves_the_sequences) {
  cla_run runs[] = {{3, CLA_RUN_PAIR}};
  const struct {
    int64_t query_start, target_start;
    cla_run run;
    cla_strand strand;
    cla_status status;
  } cases[] = {
      {0, 0, {5, CLA_RUN_PAIR}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {3, 0, {2, CLA_RUN_QUERY}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {0, 3, {2, CLA_RUN_TARGET}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {0, 0, {INT64_MAX, CLA_RUN_TARGET}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {0, 0, {0, CLA_RUN_PAIR}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {0, 0, {1, (cla_run_kind)3}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {-1, 0, {1, CLA_RUN_PAIR}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {INT64_MIN, INT64_MIN, {1, CLA_RUN_PAIR}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {5, 0, {1, CLA_RUN_PAIR}, CLA_STRAND_FORWARD, CLA_ERROR_INPUT},
      {0, 0, {1, CLA_RUN_PAIR}, CLA_STRAND_BOTH, CLA_ERROR_OPTION},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    runs[0] = cases[i].run;
    const cla_path path = {.strand = cases[i].strand,
                           .query_start = cases[i].query_start,
                           .target_start = cases[i].target_start,
                           .runs = runs,
                           .run_count = 1};
    int64_t score = 77;
    why = (cla_error){0};
    cr_expect_eq(value(&score, &why, "ACGT", "ACGT", &path), cases[i].status, "case %zu", i);
    cr_expect_eq(score, 77, "case %zu", i);
    cr_expect(why.message[0], "case %zu", i);
  }
}
