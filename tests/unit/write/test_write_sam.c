#include <htslib/sam.h>

#include "clalign/version.h"
#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

static void expect_refused(const made_alignment *made, const char *part) {
  cla_error error = {.message = ""};
  OWNED(free_memory) char *text = NULL;
  cr_expect_eq(made_alignment_write(&text, made, CLA_FORMAT_SAM, 1, NULL, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, part) && strstr(error.message, "paf or json"), "%s", error.message);
  cr_expect_str_eq(text, "");
}

#define HEADER(target, length)                              \
  "@HD\tVN:1.6\tSO:unknown\n@SQ\tSN:" target "\tLN:" length \
  "\n"                                                      \
  "@PG\tID:clalign\tPN:clalign\tVN:" CLA_VERSION_STRING

/*  query   TTA ACGT-ACGTRACNT GG
 *  target   GG ACGTGACGA-ARNT GG */
static made_alignment example(void) {
  made_alignment made =
      made_alignment_make("TTAACGTACGTRACNTGG", "GGACGTGACGAARNTGG", CLA_MODE_LOCAL, 3, 2, "4P1T4P1Q4P");
  made.alignment->scoring.match = 3;
  made.alignment->score = 4 * 3 - 5 + 3 * 3 - 3 - 5 + 3 - 3 - 3 + 3;
  assert_ok(cla_alignment_verify(made.alignment, made.query, made.target, &why));
  return made;
}

Test(sam, has_header_clips_and_tags) {
  OWNED_MADE made = example();
  OWNED(free_memory)
  char *text = made_alignment_written_with(&made, CLA_FORMAT_SAM, 1, "clalign align --format sam q.fa\tt.fa");
  cr_expect_str_eq(text, HEADER("t", "17") "\tCL:clalign align --format sam q.fa t.fa\n"
                         "q\t0\tt\t3\t255\t3S4=1D3=1X1I1=2X1=2S\t*\t0\t0\tTTAACGTACGTRACNTGG\t*\t"
                         "NM:i:5\tAS:i:8\tMD:Z:4^G3A1R0N1\n");
}

Test(sam, marks_further_alignments_as_secondary) {
  OWNED_MADE made = example();
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_SAM, 2, NULL);
  cr_expect(strstr(text, "\nq\t0\tt\t3\t"));
  cr_expect(strstr(text, "\nq\t256\tt\t3\t"));
}

Test(sam, has_further_pieces_as_supplementary_records_that_name_each_other) {
  OWNED_MADE made = example();
  made.alignment->has_split = true;
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_SAM, 2, NULL);
  cr_expect(strstr(text, "\nq\t0\tt\t3\t255\t3S4=1D3=1X1I1=2X1=2S\t*\t0\t0\tTTAACGTACGTRACNTGG\t*\t"), "%s",
            text);
  cr_expect(strstr(text, "\nq\t2048\tt\t3\t255\t3H4=1D3=1X1I1=2X1=2H\t*\t0\t0\tACGTACGTRACNT\t*\t"), "%s",
            text);
  cr_expect(strstr(text, "\tSA:Z:t,3,+,3S13M2S,255,5;\n"), "%s", text);
}

Test(sam, of_an_empty_alignment_is_an_unmapped_record) {
  OWNED_MADE made = made_alignment_make("AAAA", "CCC", CLA_MODE_LOCAL, 0, 0, "");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_SAM);
  cr_expect_str_eq(text, HEADER("t", "3") "\nq\t4\t*\t0\t0\t*\t*\t0\t0\tAAAA\t*\n");
}

Test(sam, without_a_letter_of_the_target_has_an_unmapped_record) {
  OWNED_MADE made = made_alignment_make("NNNNN", "ACGTACGT", CLA_MODE_GLOBAL, 0, 8, "5Q");
  made.alignment->mode = CLA_MODE_FREE_ENDS;
  made.alignment->free_ends = CLA_FREE_TARGET_START;
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_SAM);
  cr_expect_str_eq(text, HEADER("t", "8") "\nq\t4\t*\t0\t0\t*\t*\t0\t0\tNNNNN\t*\n");
}

Test(sam, replaces_letters_that_names_may_not_have) {
  OWNED_MADE made = example();
  made_alignment_rename(&made.alignment->query, "@q(1)\xc3\xa9 x");
  made_alignment_rename(&made.alignment->target, "=t,(1)*");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_SAM);
  cr_expect(strstr(text, "@SQ\tSN:_t__1_*\t"), "%s", text);
  cr_expect(strstr(text, "\n_q(1)___x\t0\t_t__1_*\t"), "%s", text);
}

Test(formats, with_positions_of_32_bits_refuse_longer_records) {
  const int64_t most = (INT64_C(1) << 31) - 1;
  const cla_format short_ones[] = {CLA_FORMAT_SAM, CLA_FORMAT_BAM, CLA_FORMAT_VCF};
  for (int i = 0; i < 3; i++) {
    assert_ok(cla_format_check_letters(short_ones[i], most, "record 'chr1' of a.fa", &why));
    assert_error(cla_format_check_letters(short_ones[i], most + 1, "record 'chr1' of a.fa", &why),
                 CLA_ERROR_OPTION, "cannot hold record 'chr1' of a.fa of 2147483648 letters");
  }
  assert_ok(cla_format_check_letters(CLA_FORMAT_PAF, 2 * most, "record 'chr1' of a.fa", &why));
}

Test(sam, refuses_what_the_format_cannot_hold) {
  char name[256];
  OWNED_MADE made = example();
  cla_side *query = &made.alignment->query, kept = *query;
  memset(name, 'n', 255);
  name[255] = 0;
  made.alignment->score = INT64_C(1) << 31;
  expect_refused(&made, "score 2147483648");
  made.alignment->score = 8;
  made_alignment_rename(query, name);
  expect_refused(&made, "query's name of 255 letters");
  query->name[254] = 0;
  char *text = made_alignment_written(&made, CLA_FORMAT_SAM);
  cr_expect(strstr(text, query->name));
  free(text);
  kept.name = query->name;
  *query = kept;
}

/* The text means the same to htslib as to the alignment. */
Test(sam, of_random_alignments_is_read_back_by_htslib) {
  char *folder = made_folder(), *path = made_path(folder, "a.sam");
  for (uint64_t seed = 1; seed <= 100; seed++) {
    OWNED_MADE made = made_alignment_random(seed, 200);
    const cla_alignment *alignment = made.alignment;
    cla_statistics counts;
    assert_ok(cla_alignment_count(&counts, alignment, made.query, made.target, &why));
    assert_ok_for(
        cla_write_file(
            path, CLA_FORMAT_SAM,
            &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
            NULL, &why),
        "seed %llu", (unsigned long long)seed);
    samFile *file = sam_open(path, "r");
    sam_hdr_t *header = sam_hdr_read(file);
    bam1_t *record = bam_init1();
    cr_assert_geq(sam_read1(file, header, record), 0, "seed %llu", (unsigned long long)seed);
    cr_assert_eq(record->core.l_qseq, alignment->query.length);
    if (alignment->run_count > 0) {
      cr_assert_eq(record->core.pos, alignment->target.start, "seed %llu", (unsigned long long)seed);
      cr_assert_eq(bam_endpos(record), alignment->target.stop, "seed %llu", (unsigned long long)seed);
      cr_assert_eq(bam_aux2i(bam_aux_get(record, "NM")), counts.mismatches + counts.gap_letters);
      cr_assert_eq(bam_aux2i(bam_aux_get(record, "AS")), alignment->score);
    }
    cr_assert_eq(sam_read1(file, header, record), -1);
    bam_destroy1(record);
    sam_hdr_destroy(header);
    sam_close(file);
  }
  made_folder_remove(folder);
  free(path);
}
