/* FASTA files that are written: read back alike, and all of them or none. */

#include <dirent.h>
#include <unistd.h>

#include "clalign/sequence_file.h"
#include "support/sequence_files.h"
#include "support/test.h"

TestSuite(fasta_files, .init = sequence_files_set_up, .fini = sequence_files_tear_down);

/* A path beside that of location_of(""); the caller frees it. */
static char *path_beside(const char *name) {
  const char *path = location_of("");
  char *beside = NULL;
  cr_assert(asprintf(&beside, "%.*s/%s", (int)(strrchr(path, '/') - path), path, name) > 0);
  return beside;
}

static int files_there(void) {
  OWNED(free_memory) char *folder = path_beside(".");
  DIR *directory = opendir(folder);
  int count = 0;
  cr_assert_not_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(directory);
  return count;
}

Test(fasta_files, are_read_back_with_any_number_of_lines) {
  OWNED(free_memory) char *path = path_beside("out.fa");
  char letters[2 * CLA_FASTA_LINE_LETTERS + 2];
  for (size_t i = 0; i < sizeof letters; i++) letters[i] = "ACGTN"[i * i % 5];
  for (int64_t length = 0; length <= (int64_t)sizeof letters; length++) {
    const cla_fasta_record record = {.path = path, .name = "r words", .letters = letters, .length = length};
    const cla_sequence_options options = {.known = true, .alphabet = CLA_ALPHABET_DNA, .allow_empty = true};
    OWNED(free_sequence) cla_sequence *read = NULL;
    char found[sizeof letters];
    assert_ok(cla_fasta_write(&record, 1, NULL, &why));
    assert_ok(cla_sequence_read_with(&read, path, &options, &why));
    cr_assert_str_eq(cla_sequence_name(read), "r");
    cr_assert_eq(cla_sequence_length(read), length);
    cla_sequence_letters(found, read, 0, length);
    cr_assert_arr_eq(found, letters, (size_t)length);
  }
}

Test(fasta_files, have_lines_of_their_length) {
  OWNED(free_memory) char *path = path_beside("out.fa");
  char letters[CLA_FASTA_LINE_LETTERS + 1], text[100] = "";
  memset(letters, 'A', sizeof letters);
  const cla_fasta_record record = {path, "r", letters, sizeof letters};
  assert_ok(cla_fasta_write(&record, 1, NULL, &why));
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file);
  const size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  cr_assert_eq(size, 3 + sizeof letters + 2);
  cr_assert_arr_eq(text, ">r\n", 3);
  cr_assert_arr_eq(text + 3, letters, CLA_FASTA_LINE_LETTERS);
  cr_assert_str_eq(text + 3 + CLA_FASTA_LINE_LETTERS, "\nA\n");
}

static bool always(void) {
  return true;
}

Test(fasta_files, appear_all_or_not_at_all) {
  OWNED(free_memory) char *path = path_beside("out.fa"), *nowhere = path_beside("no/out.fa");
  const cla_fasta_record records[] = {{path, "r", "AC", 2}, {nowhere, "s", "GT", 2}};
  const cla_fasta_record bad = {path, "two\nlines", "AC", 2};
  const int before = files_there();
  assert_error(cla_fasta_write(records, 2, NULL, &why), CLA_ERROR_OUTPUT, "no/out.fa");
  assert_error(cla_fasta_write(records, 1, always, &why), CLA_ERROR_INTERRUPTED, "out.fa");
  assert_error(cla_fasta_write(&bad, 1, NULL, &why), CLA_ERROR_OPTION, "control");
  cr_assert_eq(files_there(), before);
  assert_ok(cla_fasta_write(records, 1, NULL, &why));
  cr_assert_eq(files_there(), before + 1);
}
