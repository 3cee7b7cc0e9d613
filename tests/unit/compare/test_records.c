/* Records of other programs, as texts, and whether they fit their sequences. */

#include "clalign/aligned_records.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define QUERY "ACGTTGCATC"
#define TARGET "GACGTAGCATCA"
#define PAF "q\t10\t0\t10\t+\tt\t12\t1\t11\t9\t10\t60\t"
#define CHAIN "chain 9 t 12 + 1 11 q 10 + 0 10 1\n"
#define MAF "##maf version=1\n\na score=9\ns t 1 10 + 12 "
#define DELTA "t.fa q.fa\nNUCMER\n>t q 12 10\n"
#define SAM "@SQ\tSN:t\tLN:12\n"

/* The first record of a text, and whether it fits query and target. */
typedef struct read_case {
  cla_aligned_record *record;
  cla_status read, fits;
} read_case;

static read_case read_text(const char *text) {
  char *folder = made_folder(), *file = made_path(folder, "records");
  cla_aligned_records *records = NULL;
  cla_sequence *query = NULL, *target = NULL;
  read_case out = {.fits = CLA_ERROR_OPTION};
  made_write(file, text, strlen(text));
  assert_ok(cla_sequence_from_letters(&query, "q", QUERY, sizeof QUERY - 1, &why));
  assert_ok(cla_sequence_from_letters(&target, "t", TARGET, sizeof TARGET - 1, &why));
  assert_ok(cla_aligned_records_open(&records, file, &why));
  out.read = cla_aligned_records_next(&out.record, records, &why);
  if (out.read == CLA_OK && out.record) out.fits = cla_aligned_record_check(out.record, query, target, &why);
  cla_aligned_records_close(records);
  cla_sequence_free(query);
  cla_sequence_free(target);
  free(file);
  made_folder_remove(folder);
  return out;
}

/* The record fits, and has the path's runs, each as its length times ten and its kind. */
static void expect_path(const char *text, const int *runs, size_t count) {
  read_case x = read_text(text);
  cr_assert_eq(x.fits, CLA_OK, "%s: %s", text, why.message);
  cr_assert_eq(x.record->path.run_count, count, "%s", text);
  for (size_t i = 0; i < count; i++)
    cr_expect_eq(10 * x.record->path.runs[i].length + (int)x.record->path.runs[i].kind, runs[i], "%s", text);
  cla_aligned_record_free(x.record);
}

/* The record is wrong, and the message has the part. */
static void expect_wrong(const char *text, const char *part) {
  why = (cla_error){0};
  read_case x = read_text(text);
  cr_expect(x.read == CLA_ERROR_INPUT || x.fits == CLA_ERROR_INPUT, "%s", text);
  cr_expect(strstr(why.message, part), "no '%s' in: %s", part, why.message);
  cr_expect(x.record && x.record->number > 0);
  cla_aligned_record_free(x.record);
}

Test(aligned_records, have_the_path_of_their_cigar_or_differences) {
  const int whole[] = {100}, gaps[] = {40, 11, 12, 50};
  expect_path(PAF "cg:Z:10M\n", whole, 1);
  expect_path(PAF "cg:Z:4=1X5=\n", whole, 1);
  expect_path(PAF "NM:i:1\tcs:Z::4*at:5\n", whole, 1);
  expect_path(PAF "cs:Z:=ACGT*at=GCATC\n", whole, 1);
  expect_path(PAF "cs:Z::4+t-a:5\n", gaps, 4);
  expect_path(PAF "cg:Z:4M1I1D5M\tcs:Z::4+t-a:5\n", gaps, 4);
  expect_path(SAM "q\t0\tt\t2\t60\t10M\t*\t0\t0\t" QUERY "\t*\n", whole, 1);
  expect_path(SAM "q\t0\tt\t2\t60\t4=1I1D5=\t*\t0\t0\t*\t*\n", gaps, 4);
}

Test(aligned_records, of_chain_maf_and_delta_have_the_same_paths) {
  const int whole[] = {100}, gaps[] = {40, 12, 11, 50};
  expect_path(CHAIN "10\n\n", whole, 1);
  expect_path("#comment\n" CHAIN "4 1 1\n5\n", gaps, 4);
  expect_path(MAF "ACGTAGCATC\ns q 0 10 + 10 ACGTTGCATC\n\na score=1\n", whole, 1);
  expect_path(MAF "ACGTA-GCATC\ns q 0 10 + 10 ACGT-TGCATC\n", gaps, 4);
  expect_path(DELTA "2 11 1 10 1 1 0\n0\n", whole, 1);
  expect_path(DELTA "2 11 1 10 1 1 0\n5\n-1\n0\n", gaps, 4);
}

Test(aligned_records, of_chain_maf_and_delta_on_the_reverse_strand) {
  static const char *const texts[] = {"chain 4 t 12 + 3 7 q 10 - 4 8 1\n4\n",
                                      "a\ns t 3 4 + 12 GTAG\ns q 4 4 - 10 CAAC\n",
                                      DELTA "4 7 6 3 0 0 0\n0\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    read_case x = read_text(texts[i]);
    cr_assert_eq(x.fits, CLA_OK, "%s: %s", texts[i], why.message);
    cr_expect_eq(x.record->path.strand, CLA_STRAND_REVERSE);
    cr_expect(x.record->start[0] == 2 && x.record->end[0] == 6 && x.record->start[1] == 3, "%s", texts[i]);
    cla_aligned_record_free(x.record);
  }
}

Test(aligned_records, on_the_reverse_strand_lie_on_the_forward_one) {
  read_case x = read_text("q\t10\t2\t6\t-\tt\t12\t3\t7\t4\t4\t60\tcg:Z:4M\n");
  cr_assert_eq(x.fits, CLA_OK);
  cr_expect_eq(x.record->path.strand, CLA_STRAND_REVERSE);
  cr_expect_eq(x.record->path.query_start, 4);
  cr_expect(x.record->start[0] == 2 && x.record->end[0] == 6 && x.record->start[1] == 3);
  cla_aligned_record_free(x.record);
  x = read_text(SAM "q\t16\tt\t4\t60\t3H4M3S\t*\t0\t0\t*\t*\n");
  cr_assert_eq(x.fits, CLA_OK);
  cr_expect(x.record->start[0] == 3 && x.record->end[0] == 7 && x.record->start[1] == 3);
  cla_aligned_record_free(x.record);
}

Test(aligned_records, that_are_wrong_say_why) {
  expect_wrong("q\t10\t0\t10\t+\tt\t12\t1\n", "12 columns");
  expect_wrong("q\t10\t0\tx\t+\tt\t12\t1\t11\t9\t10\t60\tcg:Z:10M\n", "whole number");
  expect_wrong("q\t10\t0\t10\t?\tt\t12\t1\t11\t9\t10\t60\tcg:Z:10M\n", "neither + nor -");
  expect_wrong("q\t10\t0\t11\t+\tt\t12\t1\t12\t9\t10\t60\tcg:Z:11M\n", "not within 10");
  expect_wrong("q\t10\t5\t5\t+\tt\t12\t1\t11\t9\t10\t60\tcg:Z:10D\n", "empty");
  expect_wrong("q\t11\t0\t10\t+\tt\t12\t1\t11\t9\t10\t60\tcg:Z:10M\n", "11 letters");
  expect_wrong(PAF "\n", "no path");
  expect_wrong(PAF "cg:Z:9M\n", "takes 9 query");
  expect_wrong(PAF "cg:Z:10Q\n", "operation");
  expect_wrong(PAF "cg:Z:10=\n", "letter 6 of the target, which is A");
  expect_wrong(PAF "cg:Z:4=2X4=\n", "letter 7 of the target");
  expect_wrong(PAF "cs:Z::10\n", "letter 6 of the target");
  expect_wrong(PAF "cs:Z::4*gt:5\n", "letter 6 of the target, which is A");
  expect_wrong(PAF "cs:Z::4*ac:5\n", "letter 5 of the query, which is T");
  expect_wrong(PAF "cs:Z::4*a:5\n", "cannot be read");
  expect_wrong(PAF "cg:Z:10M\tcs:Z::9\n", "does not lead");
  expect_wrong(SAM "q\t0\tt\t2\t60\t10M\t*\t0\t0\tACGTAGCATC\t*\n", "SEQ");
  expect_wrong("chain 9 t 12 + 1 11 q 10 + 0\n10\n", "its head");
  expect_wrong("chain 9 t 12 - 1 11 q 10 + 0 10 1\n10\n", "its head");
  expect_wrong(CHAIN "4 1 1\n4\n", "its blocks");
  expect_wrong(CHAIN "4 1\n", "its blocks");
  expect_wrong(MAF "ACGTAGCATC\ns q 0 10 + 10 ACGTAGCATC\n", "letter 5 of the query");
  expect_wrong(MAF "ACGTAGCATC\ns q 0 10 + 10 ACGTTGCAT\n", "other numbers");
  expect_wrong(MAF "ACGTAGCATC\n\na score=1\n", "no two lines");
  expect_wrong(DELTA "2 11 1 10 1 1 0\n5\n0\n", "its distances");
  expect_wrong(DELTA "2 13 1 10 1 1 0\n0\n", "its region");
  expect_wrong("t.fa q.fa\nNUCMER\n>t q\n2 11 1 10 1 1 0\n0\n", "its region");
  expect_wrong(SAM "q\t0\tt\t4\t60\t10M\t*\t0\t0\t*\t*\n", "letter 13");
}

Test(aligned_records, without_a_place_are_passed_over) {
  read_case x = read_text("q\t10\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n" PAF "cg:Z:10M\n");
  cr_assert_eq(x.fits, CLA_OK);
  cr_expect_eq(x.record->number, 2);
  cla_aligned_record_free(x.record);
  x = read_text(SAM "q\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n");
  cr_expect(x.read == CLA_OK && !x.record);
}
