/* Tables of all pairs: what the program cannot bring about. */

#include "clalign/sequence_file.h"
#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define RECORDS 3

/* Puts the pairs of records that are named, as in "12 13", and writes the table. */
static cla_status write_table(char **text, const char *pairs, cla_format format, bool one_file) {
  static char letters[] = "ACGT";
  const cla_write_options how = {.one_file = one_file,
                                 .columns = format == CLA_FORMAT_MATRIX ? "identity" : NULL};
  char *folder = made_folder(), *path = made_path(folder, "a.fa");
  const char *records = ">a\nACGT\n>b\nACGA\n>c\nACTA\n";
  cla_sequence_file *file = NULL;
  cla_sequence *of[RECORDS] = {NULL};
  cla_writer *writer = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(text, &bytes);
  made_write(path, records, strlen(records));
  assert_ok(cla_sequence_file_open(&file, path, &why));
  for (int i = 0; i < RECORDS; i++) assert_ok(cla_sequence_file_read(&of[i], file, i, NULL, &why));
  assert_ok(cla_writer_open(&writer, format, NULL, stream, &how, &why));
  for (const char *at = pairs; *at; at += at[2] ? 3 : 2) {
    OWNED_MADE made = made_alignment_make(letters, letters, CLA_MODE_GLOBAL, 0, 0, "4P");
    const cla_sequence *query = of[at[0] - '1'], *target = of[at[1] - '1'];
    const cla_alignment *alignment = made.alignment;
    cla_sequence_checksum(query, made.alignment->query.checksum);
    cla_sequence_checksum(target, made.alignment->target.checksum);
    made_alignment_rename(&made.alignment->query, cla_sequence_name(query));
    made_alignment_rename(&made.alignment->target, cla_sequence_name(target));
    assert_ok(cla_writer_put(
        writer, &(cla_results){.alignments = &alignment, .count = 1, .query = query, .target = target},
        &why));
  }
  const cla_status status = cla_writer_finish(writer, &why);
  fclose(stream);
  for (int i = 0; i < RECORDS; i++) cla_sequence_free(of[i]);
  cla_sequence_file_close(file);
  made_folder_remove(folder);
  free(path);
  return status;
}

Test(pair_table, has_cells_in_any_order) {
  OWNED(free_memory) char *text = NULL;
  assert_ok(write_table(&text, "23 13 12", CLA_FORMAT_PHYLIP, true));
  cr_expect_str_eq(text,
                   "3\na 0.000000 0.250000 0.500000\nb 0.250000 0.000000 0.250000\n"
                   "c 0.500000 0.250000 0.000000\n");
}

Test(pair_table, says_which_pairs_are_missing) {
  OWNED(free_memory) char *matrix = NULL, *phylip = NULL;
  assert_ok(write_table(&matrix, "12 31", CLA_FORMAT_MATRIX, false));
  cr_expect_str_eq(matrix, "\ta\tb\na\tNA\t75.000\nc\t50.000\tNA\n");
  assert_error(write_table(&phylip, "12 13", CLA_FORMAT_PHYLIP, true), CLA_ERROR_INPUT,
               "records 2 and 3 have no distance");
}

Test(pair_table, is_of_records_of_files) {
  OWNED_MADE made = made_alignment_make("ACGT", "ACGT", CLA_MODE_GLOBAL, 0, 0, "4P");
  const cla_alignment *alignment = made.alignment;
  cla_writer *writer = NULL;
  assert_ok(cla_writer_open(&writer, CLA_FORMAT_MATRIX, NULL, stdout, NULL, &why));
  assert_error(
      cla_writer_put(
          writer,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          &why),
      CLA_ERROR_OPTION, "use the format tsv");
  cla_writer_discard(writer);
  assert_error(cla_writer_open(&writer, CLA_FORMAT_PHYLIP, NULL, stdout, NULL, &why), CLA_ERROR_OPTION,
               "all pairs of one file");
}
