/* Alignments of the query's reverse complement: checked, saved and written. */

#include "clalign/write.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "support/made_alignment.h"
#include "support/test.h"

/*  query   TTAACGTRCAGG, its reverse complement   CCTGYACGTTAA
 *  from letter 10 down to letter 2               .CTGYACGT-TA.
 *  target                                        ACTGTACGTATAC */
static made_alignment example(void) {
  made_alignment made = made_alignment_make("CCTGYACGTTAA", "ACTGTACGTATAC", CLA_MODE_LOCAL, 1, 1, "8P1T2P");
  cla_sequence *forward = NULL;
  assert_ok(cla_sequence_from_letters_with(
      &forward, "q", "TTAACGTRCAGG", 12, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
      &why));
  cla_sequence_free(made.query);
  made.query = forward;
  side_turn(&made.alignment->query, false);
  made.alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(forward, made.alignment->query.checksum);
  return made;
}

Test(strand, coordinates_are_of_the_forward_strand_and_the_score_of_the_reverse_one) {
  OWNED_MADE made = example();
  cla_statistics counts;
  cr_expect_eq(made.alignment->query.start, 1);
  cr_expect_eq(made.alignment->query.stop, 11);
  assert_ok(cla_alignment_verify(made.alignment, made.query, made.target, &why));
  assert_ok(cla_alignment_count(&counts, made.alignment, made.query, made.target, &why));
  cr_expect_eq(counts.matches, 9);
  cr_expect_eq(counts.mismatches, 1);
  cr_expect_eq(counts.gap_letters, 1);
  made.alignment->strand = CLA_STRAND_FORWARD; /* the same letters the other way */
  cr_expect_eq(cla_alignment_verify(made.alignment, made.query, made.target, &why), CLA_ERROR_VERIFICATION);
}

Test(strand, is_in_every_format) {
  OWNED_MADE made = example();
  made_alignment_expect(&made, CLA_FORMAT_CIGAR, "3=1X4=1D2=\n");
  made_alignment_expect(&made, CLA_FORMAT_PAF, "q\t12\t1\t11\t-\tt\t13\t1\t12\t9\t11\t255\t");
  made_alignment_expect(&made, CLA_FORMAT_PAF, "cg:Z:3=1X4=1D2=\tcs:Z::3*ty:4-a:2\n");
  made_alignment_expect(&made, CLA_FORMAT_MAF, "s t 1 11 + 13 CTGTACGTATA\ns q 1 10 - 12 CTGYACGT-TA\n");
  made_alignment_expect(
      &made, CLA_FORMAT_FASTA,
      ">q start=1 end=11 strand=- length=12\nCTGYACGT-TA\n>t start=1 end=12 strand=+ length=13\n");
  made_alignment_expect(&made, CLA_FORMAT_CHAIN, "t 13 + 1 12 q 12 - 1 11 1\n8\t1\t0\n2\n\n");
  made_alignment_expect(&made, CLA_FORMAT_VCF,
                        "t\t5\t.\tT\tN\t.\t.\t.\tGT\t1\nt\t9\t.\tTA\tT\t.\t.\t.\tGT\t1\n");
  made_alignment_expect(&made, CLA_FORMAT_BLAST, "\t2\t11\t12\t2\t");
  made_alignment_expect(&made, CLA_FORMAT_SAM,
                        "q\t16\tt\t2\t255\t1S3=1X4=1D2=1S\t*\t0\t0\tCCTGYACGTTAA\t*\t");
  made_alignment_expect(&made, CLA_FORMAT_SAM, "MD:Z:3T4^A2\n");
  made_alignment_expect(
      &made, CLA_FORMAT_JSON,
      "\"query\":{\"name\":\"q\",\"length\":12,\"start\":1,\"end\":11,\"strand\":\"-\",\"rotation\":0},"
      "\"target\":{\"name\":\"t\",\"length\":13,\"start\":1,\"end\":12,\"strand\":\"+\",\"rotation\":0},");
  made_alignment_expect(&made, CLA_FORMAT_PAIR,
                        "q                 11 CTGYACGT-TA      2\n"
                        "                     |||.|||| ||\n"
                        "t                  2 CTGTACGTATA     12\n");
}

static cla_alignment *through_file(const made_alignment *made, int *version) {
  const cla_alignment *alignments[] = {made->alignment};
  cla_alignment **loaded = NULL;
  char *folder = made_folder(), *path = made_path(folder, "a.cla");
  size_t count = 0, length = 0;
  assert_ok(cla_alignment_save(path, alignments, 1, &why));
  assert_ok(cla_alignment_load(&loaded, &count, path, &why));
  char *bytes = made_read(path, &length);
  *version = bytes[8];
  cla_alignment *first = loaded[0];
  free(loaded);
  free(bytes);
  free(path);
  made_folder_remove(folder);
  return first;
}

Test(strand, is_saved_in_version_3_and_only_there) {
  OWNED_MADE made = example(),
             forward = made_alignment_make("ACGTACGT", "ACGTACGT", CLA_MODE_LOCAL, 0, 0, "8P");
  int version = 0;
  cla_alignment *loaded = through_file(&made, &version);
  cr_expect_eq(version, 3);
  cr_expect_eq(loaded->strand, CLA_STRAND_REVERSE);
  cr_expect(made_alignment_same(loaded, made.alignment));
  cla_alignment_free(loaded);
  loaded = through_file(&forward, &version);
  cr_expect_eq(version, 1);
  cr_expect_eq(loaded->strand, CLA_STRAND_FORWARD);
  cla_alignment_free(loaded);
}

Test(strand, of_a_score_alone_has_the_query_s_start) {
  OWNED_MADE made = example();
  cla_alignment *alignment = made.alignment;
  int version = 0;
  free(alignment->runs);
  alignment->runs = NULL;
  alignment->run_count = 0;
  alignment->has_path = false;
  alignment->query.stop = alignment->target.start = -1;
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"start\":1,\"end\":null,\"strand\":\"-\"");
  OWNED(free_alignment) cla_alignment *loaded = through_file(&made, &version);
  cr_expect(made_alignment_same(loaded, alignment));
}

static void expect_fault(cla_alignment *alignment, const char *part) {
  char fault[PATH_FAULT_SIZE] = "";
  cr_expect_not(path_is_consistent(alignment, fault));
  cr_expect(strstr(fault, part), "fault: %s; expected in it: %s", fault, part);
}

Test(strand, that_cannot_be_is_a_fault) {
  OWNED_MADE made = example();
  cla_alignment *alignment = made.alignment;
  alignment->query.start = INT64_MIN;
  expect_fault(alignment, "a position of the query");
  alignment->query.start = 1;
  alignment->query.stop = 13;
  expect_fault(alignment, "a position of the query");
  alignment->query.stop = 10;
  expect_fault(alignment, "passes the query's stop");
  alignment->query.stop = 11;
  alignment->alphabet = CLA_ALPHABET_PROTEIN;
  expect_fault(alignment, "no reverse strand");
  alignment->alphabet = CLA_ALPHABET_DNA;
  alignment->strand = CLA_STRAND_BOTH;
  expect_fault(alignment, "strand 2 is unknown");
}
