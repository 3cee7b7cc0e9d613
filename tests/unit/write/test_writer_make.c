
#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

/* What a writer gives for three pairs: put one by one, or made before and added. */
static char *written(cla_format format, bool make, bool *made_all) {
  made_alignment made =
      made_alignment_make("TTACGTACGTTACNTG", "GGACGTGACGTAGNTGG", CLA_MODE_LOCAL, 2, 2, "4P1T4P1Q4P");
  made.alignment->scoring =
      (cla_scoring){.match = 1, .mismatch = -1, .gap_first = 2, .gap_ext = 1, .units = 1};
  made.alignment->score = 4 + 4 - 4 + 1 - 1 - 1 + 1;
  const cla_alignment *alignments[] = {made.alignment};
  cla_writer *writer = NULL;
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  cr_assert(stream);
  assert_ok(cla_writer_open(&writer, format, NULL, stream, NULL, &why));
  *made_all = make;
  for (int i = 0; i < 3; i++) {
    const size_t count = i != 1; /* the second has none */
    OWNED(free_memory) char *record = NULL;
    size_t record_bytes = 0;
    bool is_made = false;
    FILE *aside = open_memstream(&record, &record_bytes);
    cr_assert(aside);
    if (make)
      assert_ok(cla_writer_make(
          &is_made, writer, aside,
          &(cla_results){
              .alignments = alignments, .count = count, .query = made.query, .target = made.target},
          &why));
    fclose(aside);
    if (!is_made) cr_expect_eq(record_bytes, 0);
    *made_all = *made_all && is_made;
    const cla_status status =
        is_made
            ? cla_writer_add(
                  writer,
                  &(cla_results){
                      .alignments = alignments, .count = count, .query = made.query, .target = made.target},
                  record, record_bytes, &why)
            : cla_writer_put(
                  writer,
                  &(cla_results){
                      .alignments = alignments, .count = count, .query = made.query, .target = made.target},
                  &why);
    assert_ok(status);
  }
  assert_ok(cla_writer_finish(writer, &why));
  fclose(stream);
  made_alignment_free(&made);
  return text;
}

Test(writer_make, gives_what_put_gives) {
  static const cla_format by_pair[] = {CLA_FORMAT_JSON,  CLA_FORMAT_PAF,   CLA_FORMAT_CIGAR,
                                       CLA_FORMAT_BLAST, CLA_FORMAT_FASTA, CLA_FORMAT_BED};
  static const cla_format others[] = {CLA_FORMAT_PAIR, CLA_FORMAT_SAM, CLA_FORMAT_CHAIN, CLA_FORMAT_VCF};
  bool made = false, put = false;
  for (size_t i = 0; i < sizeof by_pair / sizeof *by_pair + sizeof others / sizeof *others; i++) {
    const bool is_by_pair = i < sizeof by_pair / sizeof *by_pair;
    const cla_format format = is_by_pair ? by_pair[i] : others[i - sizeof by_pair / sizeof *by_pair];
    OWNED(free_memory) char *one = written(format, false, &put), *other = written(format, true, &made);
    cr_expect_str_eq(one, other);
    cr_expect_eq(made, is_by_pair, "%s", cla_format_describe(format)->name);
    cr_expect_gt(strlen(one), 0);
  }
}

Test(writer_make, refuses_what_put_refuses) {
  OWNED_MADE made = made_alignment_make("AAAA", "CCC", CLA_MODE_GLOBAL, 0, 0, "3P1Q");
  const cla_alignment *alignments[] = {made.alignment};
  cla_writer *writer = NULL;
  bool is_made = false;
  made.alignment->has_path = false;
  assert_ok(cla_writer_open(&writer, CLA_FORMAT_PAF, NULL, stdout, NULL, &why));
  assert_error(
      cla_writer_make(
          &is_made, writer, stdout,
          &(cla_results){.alignments = alignments, .count = 1, .query = made.query, .target = made.target},
          &why),
      CLA_ERROR_OPTION, "paf");
  cla_writer_discard(writer);
}
