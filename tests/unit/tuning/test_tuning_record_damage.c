/* Tuning records with mistakes, cut or altered are refused, with the line and a remedy. */

#include <sys/stat.h>
#include <unistd.h>

#include "support/made_alignment.h"
#include "support/test.h"
#include "support/tuning_texts.h"

TestSuite(tuning_record_damage, .init = tuning_text_begin, .fini = own_file_end);

/* Expects the file to be refused with a message of one line that holds "PATH:LINE: " and `part`. */
static void expect_refused_file(int line, const char *part) {
  tuning_record record;
  cla_error error = {.message = ""};
  char place[32];
  snprintf(place, sizeof place, "record.txt:%d: ", line);
  cr_assert_eq(tuning_record_read(&record, own_path, &error), CLA_ERROR_INPUT, "taken, though %s", part);
  cr_expect(record.entry_count == 0 && !record.entries && !record.device[0], "something is left of it");
  cr_expect(strstr(error.message, place), "not at line %d: %s", line, error.message);
  cr_expect(strstr(error.message, part), "not '%s': %s", part, error.message);
  cr_expect(strstr(error.message, "clalign tune"), "no remedy: %s", error.message);
  cr_expect(!strchr(error.message, '\n'));
}

static void expect_refused(const char *text, int line, const char *part) {
  made_write(own_path, text, strlen(text));
  expect_refused_file(line, part);
}

/* Each mistake, its line, and what the message must say. */
static const struct {
  const char *text;
  int line;
  const char *part;
} mistakes[] = {
    {"", 1, "'end' is missing"},
    {"\n# only this\n", 3, "'end' is missing"},
    {"clalign\n", 1, "begins with the line 'clalign tuning record 1'"},
    {"platform x\n" TUNING_HEAD "end\n", 1, "begins with"},
    {"clalign tuning record 2\nend\n", 1, "of another version"},
    {TUNING_HEAD TUNING_ENTRY, 9, "'end' is missing"},
    {TUNING_HEAD TUNING_ENTRY "en", 9, "'en' is unknown here"},
    {TUNING_HEAD TUNING_ENTRY "end\nend\n", 10, "something follows"},
    {TUNING_HEAD "speed 3\nend\n", 8, "'speed' is unknown here"},
    {TUNING_HEAD "platform again\nend\n", 8, "platform stands twice"},
    {TUNING_HEAD TUNING_ENTRY "driver 4\nend\n", 9, "driver belongs before the first entry"},
    {"clalign tuning record 1\ndevice\nend\n", 2, "device has no value"},
    {"clalign tuning record 1\nunits 0\nend\n", 2, "units is a whole number from 1"},
    {"clalign tuning record 1\nunits 2.5\nend\n", 2, "units is a whole number from 1"},
    {"clalign tuning record 1\nunits -2\nend\n", 2, "not '-2'"},
    {"clalign tuning record 1\nsignature 123\nend\n", 2, "a signature is 16"},
    {"clalign tuning record 1\nsignature 0123456789ABCDEF\nend\n", 2, "a signature is 16"},
    {"clalign tuning record 1\nsignature 0000000000000000\nend\n", 2, "write any"},
    {"clalign tuning record 1\nplatform p\ndevice d\nunits 1\nsignature any\nend\n", 6, "driver is missing"},
    {"clalign tuning record 1\nplatform p\ndevice d\n" TUNING_ENTRY "end\n", 4, "driver is missing before"},
    {TUNING_HEAD "rate band-cells 1e-10\nend\n", 8, "no rate is called 'band-cells'"},
    {TUNING_HEAD "rate\nend\n", 8, "a rate has a name and a value"},
    {TUNING_HEAD "rate band-cell\nend\n", 8, "a rate has a name and a value"},
    {TUNING_HEAD "rate band-cell 1e-10 s\nend\n", 8, "a rate has a name and a value"},
    {TUNING_HEAD "rate band-cell 0\nend\n", 8, "rate band-cell is a number above 0, not '0'"},
    {TUNING_HEAD "rate band-cell -1\nend\n", 8, "rate band-cell is a number above 0"},
    {TUNING_HEAD "rate band-cell inf\nend\n", 8, "rate band-cell is a number above 0"},
    {TUNING_HEAD "rate band-cell 1e-10\nrate band-cell 2e-10\nend\n", 9, "a second rate band-cell"},
    {TUNING_HEAD "local 1000 vector16\nend\n", 8, "an entry has 12 words"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 1 1\nend\n", 8, "this has 13"},
    {TUNING_HEAD "local 1000 vector17 16 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "no kernel is called 'vector17'"},
    {TUNING_HEAD TUNING_ENTRY "local x vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 9,
     "length is a whole number, not 'x'"},
    {TUNING_HEAD "local 0 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "a length is 1 to"},
    {TUNING_HEAD "local 3000000001 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "a length is 1 to"},
    {TUNING_HEAD "local 99999999999999999999 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "whole number"},
    {TUNING_HEAD "local 1000 vector16 12 8 512 diagonals 0 1 1 1 1\nend\n", 8, "lanes 8, 16, 32, not 12"},
    {TUNING_HEAD "local 1000 vector16 4294967296 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "lanes is a whole number"},
    {TUNING_HEAD "local 1000 vector16 0 8 512 diagonals 0 1 1 1 1\nend\n", 8, "not 0"},
    {TUNING_HEAD "local 1000 vector16 16 3 512 diagonals 0 1 1 1 1\nend\n", 8, "alpha 2, 4, 8, 16, not 3"},
    {TUNING_HEAD "local 1000 vector16 16 8 500 diagonals 0 1 1 1 1\nend\n", 8, "multiple of the lanes, 16"},
    {TUNING_HEAD "local 1000 vector16 16 8 4096 diagonals 0 1 1 1 1\nend\n", 8, "at most 2048, not 4096"},
    {TUNING_HEAD "local 1000 vector16 16 8 0 diagonals 0 1 1 1 1\nend\n", 8, "not 0"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 sideways 0 1 1 1 1\nend\n", 8, "not 'sideways'"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 2 1 1 1 1\nend\n", 8, "0 for groups, not 2"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 persistent 0 1 1 1 1\nend\n", 8, "1 to 1000000 groups, not 0"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 -1 1 1 1\nend\n", 8, "c1 is seconds"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 1 nan 1 1\nend\n", 8, "c2 is seconds"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1e999 1\nend\n", 8, "c3 is seconds"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 0x1\nend\n", 8, "c4 is seconds"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 1,5\nend\n", 8, "c4 is seconds"},
    {TUNING_HEAD "local 1000 vector16 16 8 512 diagonals 0 0 0 0 0\nend\n", 8, "c1 to c4 are all 0"},
    {TUNING_HEAD TUNING_ENTRY TUNING_ENTRY "end\n", 9, "a second entry for local 100000 vector16"},
    {TUNING_HEAD TUNING_MATRIX_ENTRY TUNING_ENTRY TUNING_MATRIX_ENTRY "end\n", 10,
     "a second entry for local matrix 100000 vector16"},
    {TUNING_HEAD "local matrix 1000 vector16\nend\n", 8, "this has 4"},
    {TUNING_HEAD "local matrix matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 14"},
    {TUNING_HEAD "local 1000 matrix vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 13"},
    {TUNING_HEAD TUNING_BOTH_ENTRY TUNING_BOTH_ENTRY "end\n", 9,
     "a second entry for local matrix two-piece 100000 vector16"},
    {TUNING_HEAD "local two-piece matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "this has 14"},
    {TUNING_HEAD "local two-piece two-piece 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "this has 14"},
    {TUNING_HEAD "local matrices 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8,
     "matrix after the mode"},
    {TUNING_HEAD "matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "'matrix' is unknown here"},
};

Test(tuning_record_damage, refuses_each_mistake_with_its_line) {
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
    expect_refused(mistakes[i].text, mistakes[i].line, mistakes[i].part);
}

Test(tuning_record_damage, refuses_names_that_are_too_long_and_zero_bytes) {
  char text[1024] = "clalign tuning record 1\ndevice ";
  memset(text + strlen(text), 'x', 300);
  strcat(text, "\nend\n");
  expect_refused(text, 2, "longer than 255 letters");
  char bytes[] = TUNING_HEAD TUNING_ENTRY "end\n";
  bytes[strlen(TUNING_HEAD) + 3] = '\0';
  made_write(own_path, bytes, sizeof bytes - 1);
  expect_refused_file(8, "a zero byte");
}

Test(tuning_record_damage, refuses_more_entries_than_a_record_holds) {
  FILE *file = fopen(own_path, "w");
  cr_assert(file);
  fprintf(file, TUNING_HEAD);
  for (int i = 1; i <= TUNING_ENTRY_LIMIT + 1; i++)
    fprintf(file, "local %d vector16 16 8 512 diagonals 0 1 1 1 1\n", i);
  fprintf(file, "end\n");
  cr_assert_eq(fclose(file), 0);
  expect_refused_file(7 + TUNING_ENTRY_LIMIT + 1, "at most 4096 entries");
}

Test(tuning_record_damage, a_truncated_file_is_refused_wherever_it_ends) {
  tuning_record made, read;
  size_t length = 0;
  tuning_text_example(&made);
  OWNED(free_memory) char *text = tuning_text_written(&made, &length);
  for (size_t kept = 0; kept < length; kept++) {
    made_write(own_path, text, kept);
    const cla_status status = tuning_record_read(&read, own_path, &why);
    if (kept == length - 1) { /* the newline after "end" is all that is missing */
      assert_ok(status);
      tuning_text_expect_same(&read, &made);
      tuning_record_free(&read);
    } else {
      cr_assert_eq(status, CLA_ERROR_INPUT, "%d of %d bytes are taken", (int)kept, (int)length);
      cr_assert(strstr(why.message, "record.txt:"), "%s", why.message);
    }
  }
  tuning_record_free(&made);
}

Test(tuning_record_damage, any_changed_byte_is_refused_or_read_without_harm) {
  tuning_record made, read;
  size_t length = 0;
  tuning_text_example(&made);
  OWNED(free_memory) char *text = tuning_text_written(&made, &length);
  static const char others[] = {'\0', '\n', ' ', '#', '0', '9', 'e', '-', (char)0xff};
  int refused = 0;
  for (size_t at = 0; at < length; at++)
    for (size_t i = 0; i < sizeof others; i++) {
      const char before = text[at];
      text[at] = others[i];
      made_write(own_path, text, length);
      text[at] = before;
      const cla_status status = tuning_record_read(&read, own_path, &why);
      cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT);
      for (int64_t e = 0; e < read.entry_count; e++) {
        char reason[256];
        cr_assert(tuning_entry_check(&read.entries[e], reason, sizeof reason), "%s", reason);
      }
      refused += status != CLA_OK;
      tuning_record_free(&read);
    }
  cr_expect_gt(refused, 1000);
  tuning_record_free(&made);
}

Test(tuning_record_damage, what_is_no_readable_file_is_refused_with_its_path) {
  tuning_record record;
  assert_error(tuning_record_read(&record, own_path, &why), CLA_ERROR_INPUT, own_path);
  cr_expect(strstr(why.message, "No such file"), "%s", why.message);
  assert_error(tuning_record_read(&record, own_folder, &why), CLA_ERROR_INPUT, own_folder);
  cr_expect(strstr(why.message, "no regular file"), "%s", why.message);
  cr_assert_eq(mkfifo(own_path, 0600), 0);
  assert_error(tuning_record_read(&record, own_path, &why), CLA_ERROR_INPUT, "no regular file");
  cr_assert_eq(unlink(own_path), 0);
  made_write(own_path, "x", 1);
  cr_assert_eq(truncate(own_path, (1 << 20) + 1), 0);
  assert_error(tuning_record_read(&record, own_path, &why), CLA_ERROR_INPUT, "1048576 bytes");
}
