
#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

static const char *after_head(const char *text) {
  const char *line = "#=======================================\n";
  const char *first = strstr(text, line);
  cr_assert_not_null(first);
  const char *second = strstr(first + 1, line);
  cr_assert_not_null(second);
  return second + strlen(line);
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at++) count++;
  return count;
}

Test(pair, has_the_layout_of_emboss) {
  OWNED_MADE made = made_alignment_make("TTACGTACGTACGTACGTACGTNACGTACGTACGTACGTACGTACGTACGTACGTACGG",
                                        "ACGTACGTACGTACACGTNACGTACGTACGCACGTACGTACGTATTTCGTACGTACG",
                                        CLA_MODE_LOCAL, 2, 0, "14P2Q30P3T10P");
  made.alignment->scoring.mismatch = -2;
  made.alignment->score = 52 - 4 - 7 - 9;
  assert_ok(cla_alignment_verify(made.alignment, made.query, made.target, &why));
  made_alignment_rename(&made.alignment->target, "a_very_long_name");
  OWNED(free_memory)
  char *text = made_alignment_written_with(&made, CLA_FORMAT_PAIR, 1, "clalign align\tq.fa t.fa");
  cr_expect_str_eq(text,
                   "########################################\n"
                   "# Program: clalign\n"
                   "# Commandline: clalign align q.fa t.fa\n"
                   "# Align_format: pair\n"
                   "########################################\n"
                   "\n"
                   "#=======================================\n"
                   "#\n"
                   "# Aligned_sequences: 2\n"
                   "# 1: q\n"
                   "# 2: a_very_long_name\n"
                   "# Matrix: match 1 mismatch -2\n"
                   "# Gap_penalty: 5.0\n"
                   "# Extend_penalty: 2.0\n"
                   "#\n"
                   "# Length: 59\n"
                   "# Identity:      52/59 (88.1%)\n"
                   "# Similarity:    52/59 (88.1%)\n"
                   "# Gaps:           5/59 ( 8.5%)\n"
                   "# Score: 32.0\n"
                   "# \n"
                   "#\n"
                   "#=======================================\n"
                   "\n"
                   "q                  3 ACGTACGTACGTACGTACGTNACGTACGTACGTACGTACGTACGTA---C     49\n"
                   "                     ||||||||||||||  ||||.|||||||||||.|||||||||||||   |\n"
                   "a_very_long_n      1 ACGTACGTACGTAC--ACGTNACGTACGTACGCACGTACGTACGTATTTC     48\n"
                   "\n"
                   "q                 50 GTACGTACG     58\n"
                   "                     |||||||||\n"
                   "a_very_long_n     49 GTACGTACG     57\n"
                   "\n"
                   "\n"
                   "#---------------------------------------\n"
                   "#---------------------------------------\n");
}

Test(pair, numbers_a_row_of_gaps_only_by_the_next_letter_and_the_last) {
  char query[106], target[6] = "AAAAA";
  memset(query, 'A', 105);
  query[105] = 0;
  OWNED_MADE made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, "100Q5P");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_PAIR);
  cr_expect(strstr(text, "\nq                  1 AAAAA"));
  cr_expect(
      strstr(text, "\nt                  1 --------------------------------------------------      0\n"));
  cr_expect(strstr(text,
                   "\nq                101 AAAAA    105\n                     |||||\nt                  1 "
                   "AAAAA      5\n"),
            "%s", text);
  cr_expect_null(strstr(text, "Commandline"));
  OWNED(free_memory) char *simple = made_alignment_written(&made, CLA_FORMAT_SRSPAIR);
  cr_expect(
      strstr(simple, "\nt                  0 --------------------------------------------------      0\n"));
}

Test(pair, begins_letters_at_column_22_whatever_the_positions) {
  int64_t length = 12345678;
  OWNED(free_memory) char *letters = malloc((size_t)length + 1);
  memset(letters, 'C', (size_t)length);
  letters[length] = 0;
  OWNED_MADE made = made_alignment_make(letters, "GGCCC", CLA_MODE_LOCAL, length - 3, 2, "3P");
  made_alignment_rename(&made.alignment->query, "chromosome_one");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_PAIR);
  cr_expect_str_eq(after_head(text),
                   "\n"
                   "chromosome_ 12345676 CCC 12345678\n"
                   "                     |||\n"
                   "t                  3 CCC      5\n"
                   "\n"
                   "\n"
                   "#---------------------------------------\n"
                   "#---------------------------------------\n");
}

Test(pair, of_an_empty_alignment_is_an_empty_block) {
  OWNED_MADE made = made_alignment_make("AAAA", "CCC", CLA_MODE_LOCAL, 0, 0, "");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_PAIR);
  cr_expect(strstr(text, "# Length: 0\n# Identity:       0/0 ( 0.0%)\n"), "%s", text);
  cr_expect(strstr(text, "# Score: 0.0\n"));
  cr_expect_str_eq(
      after_head(text),
      "\n\n#---------------------------------------\n#---------------------------------------\n");
}

Test(pair, puts_several_alignments_under_one_head) {
  OWNED_MADE made = made_alignment_make("ACGT", "ACGT", CLA_MODE_GLOBAL, 0, 0, "4P");
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_PAIR, 2, NULL);
  cr_expect_eq(occurrences(text, "# Program:"), 1);
  cr_expect_eq(occurrences(text, "# Aligned_sequences: 2\n"), 2);
  cr_expect_eq(occurrences(text, "q                  1 ACGT      4\n"), 2);
  cr_expect_eq(occurrences(text, "#---------------------------------------\n"), 2);
}
