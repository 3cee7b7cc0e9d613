#include "support/sequence_files.h"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/made_alignment.h"
#include "support/test.h"

static char *folder, *file, location[4096];

void sequence_files_set_up(void) {
  folder = made_folder();
  file = made_path(folder, "s.fa");
}

void sequence_files_tear_down(void) {
  made_folder_remove(folder);
  free(file);
}

void write_bytes(const void *bytes, int64_t length) {
  made_write(file, bytes, (size_t)length);
}

void write_text(const char *text) {
  write_bytes(text, (int64_t)strlen(text));
}

void write_compressed(const char *mode, const char *text, int64_t length) {
  BGZF *stream = bgzf_open(file, mode);
  cr_assert_not_null(stream);
  cr_assert_eq(bgzf_write(stream, text, (size_t)length), length);
  cr_assert_eq(bgzf_close(stream), 0);
}

const char *location_of(const char *selection) {
  cr_assert_lt(strlen(file) + strlen(selection), sizeof location);
  return strcat(strcpy(location, file), selection);
}

void expect_letters(const char *selection, const char *name, const char *expected) {
  cla_sequence *sequence = NULL;
  assert_ok(cla_sequence_read(&sequence, location_of(selection), &why));
  cr_expect_str_eq(cla_sequence_name(sequence), name);
  cr_expect_str_eq(cla_sequence_location(sequence), location);
  const int64_t begin = cla_sequence_begin(sequence), end = cla_sequence_end(sequence);
  cr_expect(begin >= 0 && begin < end && end <= cla_sequence_length(sequence));
  cr_assert_eq(end - begin, (int64_t)strlen(expected), "%lld letters", (long long)(end - begin));
  for (int64_t i = begin; i < end; i++)
    cr_assert_eq(cla_sequence_letter(sequence, i), expected[i - begin], "position %lld", (long long)i);
  cla_sequence_free(sequence);
}

/* Reads with stderr redirected to a file; returns the number of bytes written there. */
static int64_t read_listening(cla_status *status, cla_sequence **out, const char *from, cla_error *error) {
  struct stat facts;
  char *log = made_path(folder, "stderr.txt");
  const int saved = dup(STDERR_FILENO), into = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  cr_assert(saved >= 0 && into >= 0);
  dup2(into, STDERR_FILENO);
  *status = cla_sequence_read(out, from, error);
  dup2(saved, STDERR_FILENO);
  fstat(into, &facts);
  close(saved);
  close(into);
  unlink(log);
  free(log);
  return facts.st_size;
}

void expect_refused(const char *selection, const char *part) {
  cla_sequence *sequence = (cla_sequence *)&folder;
  cla_error error = {.message = ""};
  cla_status status;
  cr_expect_eq(read_listening(&status, &sequence, location_of(selection), &error), 0,
               "stderr was written to");
  cr_assert_eq(status, CLA_ERROR_INPUT, "'%s' gave %s", selection, cla_status_name(status));
  cr_expect_eq(error.status, CLA_ERROR_INPUT);
  cr_expect_null(sequence);
  cr_expect_not_null(strstr(error.message, part), "no '%s' in: %s", part, error.message);
  cr_expect_not_null(strstr(error.message, file), "no file in: %s", error.message);
  cr_expect_null(strchr(error.message, '\n'));
}
