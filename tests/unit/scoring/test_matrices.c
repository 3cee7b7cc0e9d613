/* The built-in matrices beside those that others have, and what goes with them. */

#include <unistd.h>

#include "clalign/scoring.h"
#include "support/test.h"

#ifdef HAVE_PARASAIL
#include <parasail.h>
#include <parasail/matrix_lookup.h>
#endif

static cla_scoring built_in(const char *name) {
  cla_scoring scoring = default_scoring();
  assert_ok(cla_scoring_set_matrix(&scoring, name, &why));
  assert_ok(cla_scoring_check(&scoring, &why));
  return scoring;
}

static int32_t score_of(const cla_scoring *scoring, char query, char target) {
  const char *row = strchr(scoring->letters, query), *column = strchr(scoring->letters, target);
  cr_assert(row && column, "no %c or %c", query, target);
  return scoring->matrix[(row - scoring->letters) * CLA_MATRIX_STRIDE + (column - scoring->letters)];
}

/* Every letter of ours with the same score in theirs. */
static void expect_same(const cla_scoring *ours, const cla_scoring *theirs, const char *where) {
  for (const char *query = ours->letters; *query; query++)
    for (const char *target = ours->letters; *target; target++)
      cr_expect_eq(score_of(ours, *query, *target), score_of(theirs, *query, *target), "%s: %c with %c",
                   where, *query, *target);
}

Test(matrices, have_the_scores_of_emboss) {
  const char *const *name = cla_matrix_names();
  int compared = 0;
  if (access("/usr/share/EMBOSS/data/EBLOSUM62", R_OK) != 0) cr_skip("no matrices of EMBOSS here");
  for (; *name; name++) {
    char path[128];
    const cla_scoring ours = built_in(*name);
    cla_scoring theirs = default_scoring();
    const char *file = ours.letters[1] == 'T' ? "DNAFULL" : *name;
    snprintf(path, sizeof path, "/usr/share/EMBOSS/data/E%s", file);
    assert_ok(cla_scoring_read_matrix(&theirs, path, false, &why));
    expect_same(&ours, &theirs, path);
    cr_expect_eq(cla_scoring_alphabet(&ours), cla_scoring_alphabet(&theirs));
    compared++;
  }
  cr_expect_eq(compared, 10);
}

#ifdef HAVE_PARASAIL
Test(matrices, have_the_scores_of_parasail) {
  const char *const names[][2] = {
      {"BLOSUM45", "blosum45"}, {"BLOSUM50", "blosum50"}, {"BLOSUM62", "blosum62"},
      {"BLOSUM80", "blosum80"}, {"BLOSUM90", "blosum90"}, {"PAM30", "pam30"},
      {"PAM70", "pam70"},       {"PAM250", "pam250"},     {"EDNAFULL", "nuc44"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const cla_scoring ours = built_in(names[i][0]);
    const parasail_matrix_t *theirs = parasail_matrix_lookup(names[i][1]);
    cr_assert_not_null(theirs);
    for (const char *query = ours.letters; *query; query++)
      for (const char *target = ours.letters; *target; target++) {
        const int at =
            theirs->mapper[(unsigned char)*query] * theirs->size + theirs->mapper[(unsigned char)*target];
        cr_expect_eq(score_of(&ours, *query, *target), theirs->matrix[at] * ours.units, "%s: %c with %c",
                     names[i][0], *query, *target);
      }
  }
}
#endif

Test(matrices, are_found_by_name_in_either_case_with_their_gap_costs) {
  const struct {
    const char *name, *proper;
    cla_alphabet alphabet;
    int32_t first, ext, units;
  } cases[] = {
      {"blosum62", "BLOSUM62", CLA_ALPHABET_PROTEIN, 12, 1, 1},
      {"BLOSUM45", "BLOSUM45", CLA_ALPHABET_PROTEIN, 16, 2, 1},
      {"Pam250", "PAM250", CLA_ALPHABET_PROTEIN, 16, 2, 1},
      {"PAM30", "PAM30", CLA_ALPHABET_PROTEIN, 10, 1, 1},
      {"ednafull", "EDNAFULL", CLA_ALPHABET_DNA, 20, 1, 2},
      {"NUC.4.4", "EDNAFULL", CLA_ALPHABET_DNA, 20, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const cla_scoring scoring = built_in(cases[i].name);
    cr_expect_str_eq(scoring.matrix_name, cases[i].proper);
    cr_expect_eq(scoring.gap_first, cases[i].first, "%s", cases[i].name);
    cr_expect_eq(scoring.gap_ext, cases[i].ext, "%s", cases[i].name);
    cr_expect_eq(scoring.units, cases[i].units, "%s", cases[i].name);
    cr_expect_eq(cla_scoring_alphabet(&scoring), cases[i].alphabet);
  }
}

Test(matrices, of_unknown_names_are_refused_with_the_list) {
  cla_scoring scoring = default_scoring();
  assert_error(cla_scoring_set_matrix(&scoring, "BLOSUM63", &why), CLA_ERROR_INPUT, "'BLOSUM63'");
  cr_expect(strstr(why.message, "PAM250"), "%s", why.message);
  cr_expect_eq(scoring.matrix_size, 0);
}

Test(matrices, are_the_default_of_proteins_only) {
  cla_scoring scoring;
  cla_scoring_init_for(&scoring, CLA_ALPHABET_PROTEIN);
  cr_expect_str_eq(scoring.matrix_name, "BLOSUM62");
  cr_expect_eq(scoring.gap_first, 12);
  cla_scoring_init_for(&scoring, CLA_ALPHABET_DNA);
  cr_expect_eq(scoring.matrix_size, 0);
  cr_expect_eq(scoring.gap_first, 5);
}

Test(matrices, tell_their_alphabet_by_their_letters) {
  const struct {
    const char *letters;
    cla_alphabet alphabet;
  } cases[] = {{"ACGT", CLA_ALPHABET_DNA},
               {"GUAC*", CLA_ALPHABET_DNA},
               {"ACGTN", CLA_ALPHABET_DNA},
               {"ACGTX", CLA_ALPHABET_OWN},
               {"ACG", CLA_ALPHABET_OWN},
               {"HP", CLA_ALPHABET_OWN},
               {"ACDEFGHIKLMNPQRSTVWY", CLA_ALPHABET_PROTEIN},
               {"ACDEFGHIKLMNPQRSTVWY1", CLA_ALPHABET_OWN},
               {"ACDEFGHIKLMNPQRSTVWYBZXJUO*", CLA_ALPHABET_PROTEIN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_scoring scoring = {.matrix_size = (int32_t)strlen(cases[i].letters)};
    strcpy(scoring.letters, cases[i].letters);
    cr_expect_eq(cla_scoring_alphabet(&scoring), cases[i].alphabet, "%s", cases[i].letters);
  }
}
