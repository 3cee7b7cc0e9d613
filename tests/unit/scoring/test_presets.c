#include <criterion/criterion.h>
#include <string.h>

#include "clalign/scoring.h"
#include "support/test.h"

Test(presets, have_the_values_of_their_programs) {
  cla_scoring blastn, megablast, blastp, genome;
  assert_ok(cla_scoring_init_preset(&blastn, "blastn", CLA_ALPHABET_DNA, &why));
  cr_expect(blastn.match == 2 && blastn.mismatch == -3 && blastn.gap_first == 7 && blastn.gap_ext == 2);
  cr_expect(blastn.gap_first2 == 0 && blastn.matrix_size == 0 && blastn.units == 1);
  assert_ok(cla_scoring_init_preset(&megablast, "megablast", CLA_ALPHABET_DNA, &why));
  cr_expect(megablast.units == 2 && megablast.match == 2 && megablast.mismatch == -4, "halves of a point");
  cr_expect(megablast.gap_first == 5 && megablast.gap_ext == 5);
  assert_ok(cla_scoring_init_preset(&blastp, "blastp", CLA_ALPHABET_PROTEIN, &why));
  cr_expect(strcmp(blastp.matrix_name, "BLOSUM62") == 0 && blastp.gap_first == 12 && blastp.gap_ext == 1);
  assert_ok(cla_scoring_init_preset(&genome, "genome", CLA_ALPHABET_DNA, &why));
  cr_expect(genome.gap_first2 == 40 && genome.gap_ext2 == 0);
}

Test(presets, follow_the_alphabet) {
  cla_scoring dna, protein;
  assert_ok(cla_scoring_init_preset(&dna, "needle", CLA_ALPHABET_DNA, &why));
  assert_ok(cla_scoring_init_preset(&protein, "needle", CLA_ALPHABET_PROTEIN, &why));
  cr_expect_str_eq(dna.matrix_name, "EDNAFULL");
  cr_expect_str_eq(protein.matrix_name, "EBLOSUM62");
  cr_expect_eq(strlen(protein.letters), (size_t)protein.matrix_size);
  for (const char *letter = "UOJ"; *letter; letter++) {
    const long row = strchr(protein.letters, *letter) - protein.letters;
    for (long other = 0; other < protein.matrix_size; other++)
      cr_expect(protein.matrix[row * CLA_MATRIX_STRIDE + other] == 0 &&
                protein.matrix[other * CLA_MATRIX_STRIDE + row] == 0);
  }
  cr_expect(protein.units == 2 && protein.gap_first == 20 && protein.gap_ext == 1, "10 and 0.5 points");
}

Test(presets, are_schemes_for_all_that_they_say) {
  int count = 0;
  for (const cla_preset *preset; (preset = cla_preset_describe(count)); count++)
    for (int protein = 0; protein < 2; protein++) {
      cla_scoring scoring;
      memset(&scoring, 7, sizeof scoring);
      const cla_scoring before = scoring;
      const cla_alphabet alphabet = protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
      const cla_status status = cla_scoring_init_preset(&scoring, preset->name, alphabet, &why);
      cr_expect_eq(status, (protein ? preset->protein : preset->dna) ? CLA_OK : CLA_ERROR_OPTION, "%s",
                   preset->name);
      if (status == CLA_OK)
        assert_ok(cla_scoring_check(&scoring, &why));
      else
        cr_expect_eq(memcmp(&scoring, &before, sizeof scoring), 0, "%s", preset->name);
    }
  cr_expect_gt(count, 5);
  cr_expect_null(cla_preset_describe(-1));
}

Test(presets, of_unknown_names_and_other_letters_are_refused) {
  cla_scoring scoring;
  assert_error(cla_scoring_init_preset(&scoring, "blast", CLA_ALPHABET_DNA, &why), CLA_ERROR_OPTION,
               "'blast'");
  for (int i = 0; cla_preset_describe(i); i++)
    cr_expect(strstr(why.message, cla_preset_describe(i)->name), "the list lacks one");
  assert_error(cla_scoring_init_preset(&scoring, "needle", CLA_ALPHABET_OWN, &why), CLA_ERROR_OPTION,
               "needle");
}
