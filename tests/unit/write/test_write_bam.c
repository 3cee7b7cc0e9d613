#include <htslib/bgzf.h>
#include <htslib/sam.h>

#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define OPERATIONS 70000 /* more than the 65,535 of a BAM record's own count */

/* A path of single letters, a match and a mismatch in turn. */
static made_alignment many_operations(void) {
  char *query = malloc(OPERATIONS + 1), *target = malloc(OPERATIONS + 1), path[32];
  for (int column = 0; column < OPERATIONS; column++) query[column] = column % 2 ? 'C' : 'A';
  memset(target, 'A', OPERATIONS);
  query[OPERATIONS] = target[OPERATIONS] = 0;
  snprintf(path, sizeof path, "%dP", OPERATIONS);
  made_alignment made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, path);
  free(query);
  free(target);
  return made;
}

static void write_to(const char *path, const made_alignment *made) {
  const cla_alignment *alignment = made->alignment;
  assert_ok(cla_write_file(
      path, CLA_FORMAT_BAM,
      &(cla_results){.alignments = &alignment, .count = 1, .query = made->query, .target = made->target},
      NULL, &why));
}

/* The record's bytes as they stand in the file, behind the header. */
static uint8_t *raw_record(const char *path, int64_t *length) {
  uint8_t *bytes = malloc(8000000);
  BGZF *file = bgzf_open(path, "r");
  cr_assert_not_null(file);
  const ssize_t read = bgzf_read(file, bytes, 8000000);
  cr_assert_gt(read, 12);
  cr_assert_eq(bgzf_close(file), 0);
  int64_t at = 8 + le_to_u32(bytes + 4); /* magic, length of the text, the text */
  cr_assert_eq(le_to_u32(bytes + at), 1, "references");
  at += 4;
  at += 4 + le_to_u32(bytes + at) + 4;
  *length = le_to_u32(bytes + at);
  memmove(bytes, bytes + at + 4, (size_t)*length);
  return bytes;
}

Test(bam, holds_more_operations_than_a_record_counts) {
  OWNED_MADE made = many_operations();
  char *folder = made_folder(), *path = made_path(folder, "out.bam");
  write_to(path, &made);
  int64_t length;
  uint8_t *record = raw_record(path, &length);
  cr_expect_eq(le_to_u16(record + 12), 2, "operations that stand for the CG tag");
  bool tagged = false;
  for (int64_t at = length - 8; at > 0 && !tagged; at--)
    tagged = memcmp(record + at, "CGBI", 4) == 0 && le_to_u32(record + at + 4) == OPERATIONS;
  cr_expect(tagged);
  samFile *bam = sam_open(path, "r");
  sam_hdr_t *header = sam_hdr_read(bam);
  bam1_t *read = bam_init1();
  cr_assert_geq(sam_read1(bam, header, read), 0);
  cr_assert_eq(read->core.n_cigar, OPERATIONS);
  for (int index = 0; index < OPERATIONS; index++)
    cr_assert_eq(bam_get_cigar(read)[index], bam_cigar_gen(1, index % 2 ? BAM_CDIFF : BAM_CEQUAL));
  cr_expect_eq(bam_aux2i(bam_aux_get(read, "NM")), OPERATIONS / 2);
  cr_expect_eq(bam_aux2i(bam_aux_get(read, "AS")), made.alignment->score);
  cr_expect_eq(sam_read1(bam, header, read), -1, "one record");
  bam_destroy1(read);
  sam_hdr_destroy(header);
  sam_close(bam);
  free(record);
  free(path);
  made_folder_remove(folder);
}

Test(bam, is_the_same_in_memory_and_in_a_file) {
  OWNED_MADE made = made_alignment_make("ACGTACGTTT", "ACGTCGTTT", CLA_MODE_GLOBAL, 0, 0, "4P1Q5P");
  const cla_alignment *alignment = made.alignment;
  char *folder = made_folder(), *path = made_path(folder, "out.bam"), *text = NULL;
  size_t size = 0, length = 0;
  write_to(path, &made);
  char *bytes = made_read(path, &length);
  FILE *file = open_memstream(&text, &size);
  fputs("before", file);
  assert_ok(cla_write(
      file, CLA_FORMAT_BAM,
      &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target}, NULL,
      &why));
  fclose(file);
  cr_expect_eq(size, length + 6);
  cr_expect_arr_eq(text + 6, bytes, length);
  free(text);
  free(bytes);
  free(path);
  made_folder_remove(folder);
}

/* One of many, whose target has a name of its own; the middle one is large. */
static made_alignment one_of_many(int number, int count) {
  char name[16];
  made_alignment made =
      number == count / 2 ? many_operations() : made_alignment_random((uint64_t)number, 300);
  snprintf(name, sizeof name, "t%d", number);
  made_alignment_rename(&made.alignment->target, name);
  snprintf(name, sizeof name, "q%d", number); /* each of a query of its own: else one would be the primary */
  made_alignment_rename(&made.alignment->query, name);
  return made;
}

/* Of many pairs records are kept until the head is known: more of them than one block holds, and one that
 * needs two. */
Test(bam, of_many_pairs_holds_each_record) {
  enum { PAIRS = 700 };
  cla_writer *writer = NULL;
  char *folder = made_folder(), *path = made_path(folder, "out.bam");
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file);
  assert_ok(cla_writer_open(&writer, CLA_FORMAT_BAM, path, file, NULL, &why));
  for (int pair = 0; pair < PAIRS; pair++) {
    OWNED_MADE made = one_of_many(pair, PAIRS);
    const cla_alignment *alignment = made.alignment;
    assert_ok_for(
        cla_writer_put(
            writer,
            &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
            &why),
        "pair %d", pair);
  }
  assert_ok(cla_writer_finish(writer, &why));
  cr_assert_eq(fclose(file), 0);
  samFile *bam = sam_open(path, "r");
  sam_hdr_t *header = sam_hdr_read(bam);
  bam1_t *read = bam_init1();
  for (int pair = 0; pair < PAIRS; pair++) {
    OWNED_MADE made = one_of_many(pair, PAIRS);
    cr_assert_geq(sam_read1(bam, header, read), 0, "record %d", pair);
    cr_assert_eq(read->core.l_qseq, made.alignment->query.length, "record %d", pair);
    if (!(read->core.flag & BAM_FUNMAP)) {
      cr_assert_eq(read->core.pos, made.alignment->target.start, "record %d", pair);
      cr_assert_eq(bam_aux2i(bam_aux_get(read, "AS")), made.alignment->score, "record %d", pair);
    }
  }
  cr_expect_eq(sam_read1(bam, header, read), -1, "more than %d records", PAIRS);
  bam_destroy1(read);
  sam_hdr_destroy(header);
  sam_close(bam);
  free(path);
  made_folder_remove(folder);
}
