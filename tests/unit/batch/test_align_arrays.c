/* Pairs as arrays against cla_align of each pair. */

#include "support/cases/arrays_case.h"
#include "support/test.h"

#define FIRST_SEED 9500000

static void check_seed(uint64_t seed) {
  static arrays_case x;
  arrays_case_make(&x, seed);
  assert_ok_for(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why), "seed %llu",
                (unsigned long long)seed);
  arrays_case_check_all(&x, seed);
  arrays_case_end(&x);
}

Test(align_arrays, gives_what_cla_align_gives) {
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 60; seed++) check_seed(seed);
}

Test(align_arrays, a_letter_that_is_none_fails_its_pair_alone) {
  static arrays_case x;
  arrays_case_make(&x, FIRST_SEED);
  x.arrays.alphabet = CLA_ALPHABET_DNA;
  x.options.mode = CLA_MODE_GLOBAL;
  x.options.strand = CLA_STRAND_FORWARD;
  for (int side = 0; side < 2; side++) memset(x.letters[side], 'A', (size_t)x.offsets[side][ARRAYS_PAIRS]);
  int64_t pair = 3;
  while (x.offsets[0][pair] == x.offsets[0][pair + 1] || x.offsets[1][pair] == x.offsets[1][pair + 1]) pair++;
  x.letters[0][x.offsets[0][pair]] = '!';
  assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
  cr_assert_eq(x.status[pair], CLA_ERROR_INPUT);
  cr_assert_eq(x.score[pair], 0);
  assert_error(cla_pair_arrays_tell(&x.arrays, pair, NULL, &x.options, &why), CLA_ERROR_INPUT, "'!'");
  for (int64_t other = 0; other < pair; other++)
    cr_assert(x.status[other] == CLA_OK || x.offsets[1][other] == x.offsets[1][other + 1]);
  arrays_case_end(&x);
}

Test(align_arrays, indices_choose_sequences) {
  static arrays_case x;
  int64_t of[2][ARRAYS_PAIRS];
  arrays_case_make(&x, FIRST_SEED + 7);
  static int64_t want[ARRAYS_PAIRS];
  assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
  memcpy(want, x.score, sizeof want);
  for (int i = 0; i < ARRAYS_PAIRS; i++) of[0][i] = of[1][i] = ARRAYS_PAIRS - 1 - i;
  x.arrays.of[0] = of[0];
  x.arrays.of[1] = of[1];
  assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
  for (int i = 0; i < ARRAYS_PAIRS; i++) cr_assert_eq(x.score[i], want[ARRAYS_PAIRS - 1 - i]);
  of[1][4] = ARRAYS_PAIRS;
  assert_error(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why), CLA_ERROR_OPTION, "pair 4");
  arrays_case_end(&x);
}

Test(align_arrays, too_little_room_for_runs_says_how_much) {
  static arrays_case x;
  arrays_case_make(&x, FIRST_SEED + 9);
  x.options.score_only = false;
  x.results.runs_capacity = 3;
  assert_error(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why), CLA_ERROR_OPTION,
               "room for 3");
  cr_assert_gt(x.results.runs_wanted, 3);
  arrays_case_end(&x);
}

Test(align_arrays, a_scheme_is_that_of_cla_align) {
  static arrays_case x;
  arrays_case_make(&x, FIRST_SEED + 11);
  x.arrays.alphabet = CLA_ALPHABET_PROTEIN;
  x.options.strand = CLA_STRAND_FORWARD;
  cla_align_options_init(&x.options);
  x.options.scoring.match = 2; /* of DNA, as nobody has chosen a scheme of proteins */
  assert_error(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why), CLA_ERROR_OPTION, "proteins");
  x.arrays.alphabet = CLA_ALPHABET_DNA;
  memset(x.letters[0], 'A', (size_t)x.offsets[0][ARRAYS_PAIRS]);
  memset(x.letters[1], 'A', (size_t)x.offsets[1][ARRAYS_PAIRS]);
  assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
  for (int64_t pair = 0; pair < ARRAYS_PAIRS; pair++) arrays_case_check(&x, FIRST_SEED + 11, pair);
  arrays_case_end(&x);
}

Test(align_arrays, a_letter_without_a_score_fails_its_pair) {
  static arrays_case x;
  arrays_case_make(&x, FIRST_SEED + 12);
  cla_align_options_init(&x.options);
  x.options.mode = CLA_MODE_GLOBAL;
  x.arrays.alphabet = CLA_ALPHABET_DNA;
  cla_scoring_init(&x.options.scoring);
  x.options.scoring.matrix_size = 4;
  strcpy(x.options.scoring.letters, "ACGT");
  for (int i = 0; i < 4; i++) x.options.scoring.matrix[i * CLA_MATRIX_STRIDE + i] = 3;
  for (int side = 0; side < 2; side++) memset(x.letters[side], 'A', (size_t)x.offsets[side][ARRAYS_PAIRS]);
  int64_t pair = 5;
  while (x.offsets[0][pair] == x.offsets[0][pair + 1] || x.offsets[1][pair] == x.offsets[1][pair + 1]) pair++;
  x.letters[1][x.offsets[1][pair]] = 'N';
  assert_ok(cla_align_arrays(&x.results, &x.arrays, NULL, &x.options, &why));
  for (int64_t i = 0; i < ARRAYS_PAIRS; i++) arrays_case_check(&x, FIRST_SEED + 12, i);
  cr_assert_neq(x.status[pair], CLA_OK);
  arrays_case_end(&x);
}
