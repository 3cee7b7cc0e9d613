/* Expected numbers and bits beside those that BLAST+ 2.12 prints. The commands: blastp -comp_based_stats 0
 * -seg no, and blastn -task blastn -dust no -strand plus. OLD_FSC=1 in the environment keeps the edge effect
 * of Altschul and Gish (1996). BLAST's gap costs are open and extend: a gap's first letter costs both. */

#include "support/test.h"
#include "write/formats/karlin_altschul.h"

typedef struct blast_case {
  const char *matrix; /* "": match and mismatch */
  int match, mismatch, open, extend;
  int64_t score, query, target;
  double expect, bits; /* as printed: two or three digits, bits from 100 on cut to whole ones */
} blast_case;

static cla_alignment alignment_of(const blast_case *it, int units) {
  cla_alignment alignment = {.mode = CLA_MODE_LOCAL, .score = it->score * units};
  cla_scoring *scoring = &alignment.scoring;
  cla_scoring_init(scoring);
  if (it->matrix[0]) assert_ok(cla_scoring_set_matrix(scoring, it->matrix, &why));
  if (!it->matrix[0]) scoring->match = it->match, scoring->mismatch = it->mismatch;
  scoring->gap_first = it->open + it->extend;
  scoring->gap_ext = it->extend;
  if (units > 1) assert_ok(cla_scoring_set_units(scoring, units, &why));
  return alignment;
}

static bool near(double value, double wanted, double share) {
  return value >= wanted * (1 - share) && value <= wanted * (1 + share);
}

static void expect_figures(const blast_case *it, int units) {
  const cla_alignment alignment = alignment_of(it, units);
  karlin_altschul parameters;
  cr_assert(karlin_altschul_find(&parameters, &alignment), "%s %d %d", it->matrix, it->match, it->mismatch);
  const double bits = karlin_altschul_bits(&parameters, alignment.score);
  const cla_database target = {.letters = it->target, .records = 1};
  const double expect = karlin_altschul_expect(&parameters, alignment.score, it->query, &target);
  cr_expect(bits > it->bits - 0.051 && bits < it->bits + (it->bits < 100 ? 0.051 : 1), "%s %d: %g bits",
            it->matrix, it->match, bits);
  cr_expect(near(expect, it->expect, it->expect < 1e-3 ? 0.006 : 0.03), "%s %d: %g expected", it->matrix,
            it->match, expect);
}

static const blast_case cases[] = {
    {"BLOSUM62", 0, 0, 11, 1, 36, 60, 190, 0.024, 18.5},
    {"BLOSUM45", 0, 0, 15, 2, 48, 60, 190, 0.018, 18.7},
    {"PAM250", 0, 0, 14, 2, 42, 60, 190, 0.093, 16.4},
    {"BLOSUM62", 0, 0, 11, 1, 255, 150, 277, 3.65e-27, 102},
    {"BLOSUM45", 0, 0, 15, 2, 317, 150, 277, 1.41e-25, 97.4},
    {"PAM250", 0, 0, 14, 2, 285, 150, 277, 1.96e-20, 80.2},
    {"", 1, -3, 3, 2, 16, 60, 638, 6.73e-06, 32.2},
    {"", 1, -2, 2, 1, 23, 60, 638, 2.05e-09, 43.8},
    {"", 2, -3, 5, 2, 49, 60, 638, 1.20e-09, 45.5},
    {"", 4, -5, 6, 5, 107, 60, 638, 6.28e-10, 45.5},
    {"", 1, -1, 3, 2, 28, 60, 638, 4.95e-10, 45.7},
    {"", 5, -4, 25, 10, 148, 60, 638, 1.96e-09, 43.4},
    {"", 2, -6, 4, 4, 34, 60, 638, 1.76e-06, 34.1},
    {"", 3, -4, 6, 3, 77, 60, 638, 1.11e-09, 45.2},
};

Test(karlin_altschul, agrees_with_blast) {
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) expect_figures(&cases[index], 1);
}

Test(karlin_altschul, does_not_depend_on_units) {
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) expect_figures(&cases[index], 2);
}

static bool is_known(const cla_alignment *alignment) {
  karlin_altschul parameters;
  return karlin_altschul_find(&parameters, alignment);
}

Test(karlin_altschul, says_what_is_not_known) {
  const blast_case protein = {"BLOSUM62", 0, 0, 11, 1, 50, 100, 100, 0, 0};
  const blast_case odd = {"", 7, -9, 3, 1, 50, 100, 100, 0, 0}, cheap = {"", 1, -3, 0, 1, 50, 100, 100, 0, 0};
  cla_alignment alignment = alignment_of(&protein, 1);
  cr_expect(is_known(&alignment));
  alignment.mode = CLA_MODE_GLOBAL;
  cr_expect_not(is_known(&alignment));
  alignment = alignment_of(&protein, 1);
  alignment.scoring.matrix[0]++; /* another matrix of that name */
  cr_expect_not(is_known(&alignment));
  alignment = alignment_of(&protein, 1);
  alignment.scoring.gap_first = 40, alignment.scoring.gap_ext = 1; /* not in BLAST's table */
  cr_expect_not(is_known(&alignment));
  alignment = alignment_of(&protein, 1);
  alignment.scoring.gap_first2 = 30;
  cr_expect_not(is_known(&alignment));
  alignment = alignment_of(&odd, 1);
  cr_expect_not(is_known(&alignment));
  alignment = alignment_of(&cheap, 1);
  cr_expect_not(is_known(&alignment));
  cr_expect_not(is_known(&(cla_alignment){.mode = CLA_MODE_LOCAL, .scoring = {.units = 1}}));
}
