#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/made_alignment.h"
#include "tuning/tuning_record.h"

static char *folder, *path;

static void set_up(void) {
  folder = made_folder();
  path = made_path(folder, "record.txt");
}

static void tear_down(void) {
  made_folder_remove(folder);
  free(path);
}

TestSuite(tuning_record, .init = set_up, .fini = tear_down);

/* Lines 1 to 8 of a record that is right; more entries and "end" follow. */
#define HEAD                                     \
  "clalign tuning record 1\n"                    \
  "# a comment\n"                                \
  "platform Portable Computing Language\n"       \
  "device pthread-Intel(R) Xeon(R) #1 @ 2 GHz\n" \
  "driver 3.1\n"                                 \
  "units 2\n"                                    \
  "signature 0123456789abcdef\n"
#define MATRIX_ENTRY "local matrix 100000 vector16 32 4 256 diagonals 0 0.001 0 2.5e-08 6.6e-11\n"
#define PIECES_ENTRY "local two-piece 100000 vector16 16 4 256 diagonals 0 0.001 0 2.5e-08 5e-11\n"
#define BOTH_ENTRY "local matrix two-piece 100000 vector16 8 4 256 diagonals 0 0.001 0 2.5e-08 9e-11\n"
#define ENTRY "local 100000 vector16 16 8 512 diagonals 0 0.001 0 2.5e-08 3.3e-11\n"

/* Expects the file to be refused with a message of one line that holds "PATH:LINE: " and `part`. */
static void expect_refused_file(int line, const char *part) {
  tuning_record record;
  cla_error error = {.message = ""};
  char place[32];
  snprintf(place, sizeof place, "record.txt:%d: ", line);
  cr_assert_eq(tuning_record_read(&record, path, &error), CLA_ERROR_INPUT, "taken, though %s", part);
  cr_expect(record.entry_count == 0 && !record.entries && !record.device[0], "something is left of it");
  cr_expect(strstr(error.message, place), "not at line %d: %s", line, error.message);
  cr_expect(strstr(error.message, part), "not '%s': %s", part, error.message);
  cr_expect(strstr(error.message, "clalign tune"), "no remedy: %s", error.message);
  cr_expect(!strchr(error.message, '\n'));
}

static void expect_refused(const char *text, int line, const char *part) {
  made_write(path, text, strlen(text));
  expect_refused_file(line, part);
}

static void expect_taken(tuning_record *record, const char *text) {
  cla_error error = {.message = ""};
  made_write(path, text, strlen(text));
  cr_assert_eq(tuning_record_read(record, path, &error), CLA_OK, "%s", error.message);
}

static void expect_same(const tuning_record *a, const tuning_record *b) {
  cr_expect_str_eq(a->platform, b->platform);
  cr_expect_str_eq(a->device, b->device);
  cr_expect_str_eq(a->driver, b->driver);
  cr_expect_eq(a->compute_units, b->compute_units);
  cr_expect_eq(a->signature, b->signature);
  cr_assert_eq(a->entry_count, b->entry_count);
  for (int64_t i = 0; i < a->entry_count; i++) {
    const tuning_entry *x = &a->entries[i], *y = &b->entries[i];
    cr_expect(x->local == y->local && x->matrix == y->matrix && x->two_pieces == y->two_pieces &&
                  x->length == y->length,
              "entry %d", (int)i);
    cr_expect(x->config.variant == y->config.variant && x->config.lanes == y->config.lanes &&
                  x->config.alpha == y->config.alpha && x->config.tile_columns == y->config.tile_columns &&
                  x->config.launch == y->config.launch && x->config.groups == y->config.groups,
              "entry %d", (int)i);
    cr_expect(x->model.constant == y->model.constant && x->model.per_row == y->model.per_row &&
                  x->model.per_column == y->model.per_column && x->model.per_cell == y->model.per_cell,
              "entry %d", (int)i);
  }
}

/* A record with numbers that need all their digits. */
static void make_record(tuning_record *record) {
  const cla_device_info device = {
      .name = " NVIDIA H200\t", .platform = "NVIDIA CUDA\n", .driver = "", .compute_units = 132};
  const tuning_entry entries[] = {
      {true,
       false,
       false,
       10000,
       {&kernel_vector16, 16, 8, 512, KERNEL_DIAGONALS, 0},
       {1.0 / 3, 0, 1e-300, 5e-324}},
      {true,
       true,
       true,
       10000,
       {&kernel_vector32, 8, 4, 2048, KERNEL_DIAGONALS, 0},
       {0, 0.1 + 0.2, 0, 1.7e308}},
      {false, false, true, 10000, {&kernel_nvidia16, 64, 12, 64, KERNEL_PERSISTENT, 264}, {0, 0, 0, 2.2e-13}},
      {false,
       true,
       false,
       3000000000,
       {&kernel_group32, 32, 4, 32, KERNEL_DIAGONALS, 0},
       {123456789.123456789, 0, 0, 0}}};
  cla_error error = {.message = ""};
  tuning_record_head(record, &device);
  for (int i = 0; i < 4; i++)
    cr_assert_eq(tuning_record_put(record, &entries[i], &error), CLA_OK, "%s", error.message);
}

Test(tuning_record, is_read_as_it_stands) {
  tuning_record record;
  expect_taken(&record,
               HEAD "\n" ENTRY "  global 20000000 vector32 8 4 8 persistent 3 0 0 0 1 \r\n end \n\n# bye\n");
  cr_expect_str_eq(record.platform, "Portable Computing Language");
  cr_expect_str_eq(record.device, "pthread-Intel(R) Xeon(R) #1 @ 2 GHz");
  cr_expect_str_eq(record.driver, "3.1");
  cr_expect_eq(record.compute_units, 2);
  cr_expect_eq(record.signature, 0x0123456789abcdef);
  cr_assert_eq(record.entry_count, 2);
  const tuning_entry *first = &record.entries[0], *second = &record.entries[1];
  cr_expect(first->local && first->length == 100000 && first->config.variant == &kernel_vector16 &&
            first->config.lanes == 16 && first->config.alpha == 8 && first->config.tile_columns == 512 &&
            first->config.launch == KERNEL_DIAGONALS && first->config.groups == 0);
  cr_expect(first->model.constant == 0.001 && first->model.per_row == 0 &&
            first->model.per_column == 2.5e-8 && first->model.per_cell == 3.3e-11);
  cr_expect(!second->local && second->length == 20000000 && second->config.launch == KERNEL_PERSISTENT &&
            second->config.groups == 3 && second->model.per_cell == 1);
  tuning_record_free(&record);
  expect_taken(&record,
               "clalign tuning record 1\nunits any\nsignature any\nplatform *\ndevice *\ndriver *\nend\n");
  cr_expect(record.compute_units == 0 && record.signature == 0 && record.entry_count == 0);
  tuning_record_free(&record);
}

Test(tuning_record, entries_for_score_matrices_say_so_and_others_are_for_match_and_mismatch) {
  tuning_record record;
  expect_taken(&record, HEAD ENTRY MATRIX_ENTRY "end\n");
  cr_assert_eq(record.entry_count, 2);
  cr_expect(!record.entries[0].matrix && record.entries[0].config.lanes == 16);
  cr_expect(record.entries[1].matrix && record.entries[1].config.lanes == 32 && record.entries[1].local &&
            record.entries[1].length == 100000 && record.entries[1].model.per_cell == 6.6e-11);
  tuning_record_free(&record);
}

Test(tuning_record, entries_for_gap_costs_in_two_pieces_say_so) {
  tuning_record record;
  expect_taken(&record, HEAD PIECES_ENTRY ENTRY BOTH_ENTRY MATRIX_ENTRY "end\n");
  cr_assert_eq(record.entry_count, 4);
  const int lanes[4] = {16, 16, 8, 32};
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(record.entries[i].two_pieces, i % 2 == 0, "entry %d", i);
    cr_expect_eq(record.entries[i].matrix, i >= 2, "entry %d", i);
    cr_expect_eq(record.entries[i].config.lanes, lanes[i], "entry %d", i);
  }
  tuning_record_free(&record);
}

Test(tuning_record, comes_back_as_it_was_written) {
  tuning_record made, read;
  cla_error error = {.message = ""};
  make_record(&made);
  cr_expect_str_eq(made.device, "NVIDIA H200");
  cr_expect_str_eq(made.platform, "NVIDIA CUDA");
  cr_expect_str_eq(made.driver, "unknown");
  cr_assert_eq(tuning_record_write(path, &made, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(tuning_record_read(&read, path, &error), CLA_OK, "%s", error.message);
  expect_same(&read, &made);
  tuning_record_free(&made);
  tuning_record_free(&read);
}

Test(tuning_record, numbers_have_a_point_in_every_locale) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
    cr_skip_test("no locale with a decimal comma is installed");
  tuning_record made, read;
  cla_error error = {.message = ""};
  make_record(&made);
  cr_assert_eq(tuning_record_write(path, &made, &error), CLA_OK, "%s", error.message);
  char *text = made_read(path, NULL);
  cr_expect(!strchr(text, ','), "%s", text);
  free(text);
  cr_assert_eq(tuning_record_read(&read, path, &error), CLA_OK, "%s", error.message);
  expect_same(&read, &made);
  tuning_record_free(&made);
  tuning_record_free(&read);
}

Test(tuning_record, refuses_each_mistake_with_its_line) {
  const struct {
    const char *text;
    int line;
    const char *part;
  } cases[] = {
      {"", 1, "'end' is missing"},
      {"\n# only this\n", 3, "'end' is missing"},
      {"clalign\n", 1, "begins with the line 'clalign tuning record 1'"},
      {"platform x\n" HEAD "end\n", 1, "begins with"},
      {"clalign tuning record 2\nend\n", 1, "of another version"},
      {HEAD ENTRY, 9, "'end' is missing"},
      {HEAD ENTRY "en", 9, "'en' is unknown here"},
      {HEAD ENTRY "end\nend\n", 10, "something follows"},
      {HEAD "speed 3\nend\n", 8, "'speed' is unknown here"},
      {HEAD "platform again\nend\n", 8, "platform stands twice"},
      {HEAD ENTRY "driver 4\nend\n", 9, "driver belongs before the first entry"},
      {"clalign tuning record 1\ndevice\nend\n", 2, "device has no value"},
      {"clalign tuning record 1\nunits 0\nend\n", 2, "units is a whole number from 1"},
      {"clalign tuning record 1\nunits 2.5\nend\n", 2, "units is a whole number from 1"},
      {"clalign tuning record 1\nunits -2\nend\n", 2, "not '-2'"},
      {"clalign tuning record 1\nsignature 123\nend\n", 2, "a signature is 16"},
      {"clalign tuning record 1\nsignature 0123456789ABCDEF\nend\n", 2, "a signature is 16"},
      {"clalign tuning record 1\nsignature 0000000000000000\nend\n", 2, "write any"},
      {"clalign tuning record 1\nplatform p\ndevice d\nunits 1\nsignature any\nend\n", 6,
       "driver is missing"},
      {"clalign tuning record 1\nplatform p\ndevice d\n" ENTRY "end\n", 4, "driver is missing before"},
      {HEAD "local 1000 vector16\nend\n", 8, "an entry has 12 words"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 1 1\nend\n", 8, "this has 13"},
      {HEAD "local 1000 vector17 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "no kernel is called 'vector17'"},
      {HEAD ENTRY "local x vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 9,
       "length is a whole number, not 'x'"},
      {HEAD "local 0 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "a length is 1 to"},
      {HEAD "local 3000000001 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "a length is 1 to"},
      {HEAD "local 99999999999999999999 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "whole number"},
      {HEAD "local 1000 vector16 12 8 512 diagonals 0 1 1 1 1\nend\n", 8, "lanes 8, 16, 32, not 12"},
      {HEAD "local 1000 vector16 4294967296 8 512 diagonals 0 1 1 1 1\nend\n", 8, "lanes is a whole number"},
      {HEAD "local 1000 vector16 0 8 512 diagonals 0 1 1 1 1\nend\n", 8, "not 0"},
      {HEAD "local 1000 vector16 16 3 512 diagonals 0 1 1 1 1\nend\n", 8, "alpha 2, 4, 8, 16, not 3"},
      {HEAD "local 1000 vector16 16 8 500 diagonals 0 1 1 1 1\nend\n", 8, "multiple of the lanes, 16"},
      {HEAD "local 1000 vector16 16 8 4096 diagonals 0 1 1 1 1\nend\n", 8, "at most 2048, not 4096"},
      {HEAD "local 1000 vector16 16 8 0 diagonals 0 1 1 1 1\nend\n", 8, "not 0"},
      {HEAD "local 1000 vector16 16 8 512 sideways 0 1 1 1 1\nend\n", 8, "not 'sideways'"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 2 1 1 1 1\nend\n", 8, "0 for groups, not 2"},
      {HEAD "local 1000 vector16 16 8 512 persistent 0 1 1 1 1\nend\n", 8, "1 to 1000000 groups, not 0"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 -1 1 1 1\nend\n", 8, "c1 is seconds"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 1 nan 1 1\nend\n", 8, "c2 is seconds"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1e999 1\nend\n", 8, "c3 is seconds"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 0x1\nend\n", 8, "c4 is seconds"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 1 1 1 1,5\nend\n", 8, "c4 is seconds"},
      {HEAD "local 1000 vector16 16 8 512 diagonals 0 0 0 0 0\nend\n", 8, "c1 to c4 are all 0"},
      {HEAD ENTRY ENTRY "end\n", 9, "a second entry for local 100000 vector16"},
      {HEAD MATRIX_ENTRY ENTRY MATRIX_ENTRY "end\n", 10, "a second entry for local matrix 100000 vector16"},
      {HEAD "local matrix 1000 vector16\nend\n", 8, "this has 4"},
      {HEAD "local matrix matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 14"},
      {HEAD "local 1000 matrix vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 13"},
      {HEAD BOTH_ENTRY BOTH_ENTRY "end\n", 9, "a second entry for local matrix two-piece 100000 vector16"},
      {HEAD "local two-piece matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 14"},
      {HEAD "local two-piece two-piece 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "this has 14"},
      {HEAD "local matrices 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "matrix after the mode"},
      {HEAD "matrix 1000 vector16 16 8 512 diagonals 0 1 1 1 1\nend\n", 8, "'matrix' is unknown here"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_refused(cases[i].text, cases[i].line, cases[i].part);
}

Test(tuning_record, refuses_names_that_are_too_long_and_zero_bytes) {
  char text[1024] = "clalign tuning record 1\ndevice ";
  memset(text + strlen(text), 'x', 300);
  strcat(text, "\nend\n");
  expect_refused(text, 2, "longer than 255 letters");
  char bytes[] = HEAD ENTRY "end\n";
  bytes[strlen(HEAD) + 3] = '\0';
  made_write(path, bytes, sizeof bytes - 1);
  expect_refused_file(8, "a zero byte");
}

Test(tuning_record, refuses_more_entries_than_a_record_holds) {
  FILE *file = fopen(path, "w");
  cr_assert(file);
  fprintf(file, HEAD);
  for (int i = 1; i <= TUNING_ENTRY_LIMIT + 1; i++)
    fprintf(file, "local %d vector16 16 8 512 diagonals 0 1 1 1 1\n", i);
  fprintf(file, "end\n");
  cr_assert_eq(fclose(file), 0);
  expect_refused_file(7 + TUNING_ENTRY_LIMIT + 1, "at most 4096 entries");
}

Test(tuning_record, a_truncated_file_is_refused_wherever_it_ends) {
  tuning_record made, read;
  cla_error error = {.message = ""};
  size_t length = 0;
  make_record(&made);
  cr_assert_eq(tuning_record_write(path, &made, &error), CLA_OK, "%s", error.message);
  char *text = made_read(path, &length);
  for (size_t kept = 0; kept < length; kept++) {
    made_write(path, text, kept);
    const cla_status status = tuning_record_read(&read, path, &error);
    if (kept == length - 1) { /* the newline after "end" is all that is missing */
      cr_assert_eq(status, CLA_OK, "%s", error.message);
      expect_same(&read, &made);
      tuning_record_free(&read);
    } else {
      cr_assert_eq(status, CLA_ERROR_INPUT, "%d of %d bytes are taken", (int)kept, (int)length);
      cr_assert(strstr(error.message, "record.txt:"), "%s", error.message);
    }
  }
  free(text);
  tuning_record_free(&made);
}

Test(tuning_record, any_changed_byte_is_refused_or_read_without_harm) {
  tuning_record made, read;
  cla_error error = {.message = ""};
  size_t length = 0;
  make_record(&made);
  cr_assert_eq(tuning_record_write(path, &made, &error), CLA_OK, "%s", error.message);
  char *text = made_read(path, &length);
  static const char others[] = {'\0', '\n', ' ', '#', '0', '9', 'e', '-', (char)0xff};
  int refused = 0;
  for (size_t at = 0; at < length; at++)
    for (size_t i = 0; i < sizeof others; i++) {
      const char before = text[at];
      text[at] = others[i];
      made_write(path, text, length);
      text[at] = before;
      const cla_status status = tuning_record_read(&read, path, &error);
      cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT);
      for (int64_t e = 0; e < read.entry_count; e++) {
        char reason[256];
        cr_assert(tuning_entry_check(&read.entries[e], reason, sizeof reason), "%s", reason);
      }
      refused += status != CLA_OK;
      tuning_record_free(&read);
    }
  cr_expect_gt(refused, 1000);
  free(text);
  tuning_record_free(&made);
}

Test(tuning_record, what_is_no_readable_file_is_refused_with_its_path) {
  tuning_record record;
  cla_error error = {.message = ""};
  cr_expect_eq(tuning_record_read(&record, path, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, path) && strstr(error.message, "No such file"), "%s", error.message);
  cr_expect_eq(tuning_record_read(&record, folder, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, folder) && strstr(error.message, "no regular file"), "%s", error.message);
  cr_assert_eq(mkfifo(path, 0600), 0);
  cr_expect_eq(tuning_record_read(&record, path, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, "no regular file"), "%s", error.message);
  cr_assert_eq(unlink(path), 0);
  made_write(path, "x", 1);
  cr_assert_eq(truncate(path, (1 << 20) + 1), 0);
  cr_expect_eq(tuning_record_read(&record, path, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, "1048576 bytes"), "%s", error.message);
}

Test(tuning_record, writing_makes_the_folders_and_says_where_it_cannot) {
  tuning_record made;
  cla_error error = {.message = ""};
  make_record(&made);
  char *deep = made_path(folder, "a/b/record.txt"), *below = made_path(folder, "record.txt/c/record.txt");
  char *first = made_path(folder, "a"), *second = made_path(folder, "a/b");
  cr_expect_eq(tuning_record_write(deep, &made, &error), CLA_OK, "%s", error.message);
  cr_expect_eq(access(deep, R_OK), 0);
  made_write(path, "x", 1);
  cr_expect_eq(tuning_record_write(below, &made, &error), CLA_ERROR_OUTPUT);
  cr_expect(strstr(error.message, "record.txt"), "%s", error.message);
  cr_expect_eq(tuning_record_write("/dev/full", &made, &error), CLA_ERROR_OUTPUT);
  cr_expect(strstr(error.message, "/dev/full"), "%s", error.message);
  unlink(deep);
  rmdir(second);
  rmdir(first);
  free(deep);
  free(below);
  free(first);
  free(second);
  tuning_record_free(&made);
}

Test(tuning_record, an_entry_of_the_same_mode_scores_size_and_kernel_takes_the_place_of_the_old_one) {
  tuning_record made;
  cla_error error = {.message = ""};
  make_record(&made);
  tuning_entry entry = made.entries[1];
  entry.config.alpha = 16;
  cr_expect_eq(tuning_record_put(&made, &entry, &error), CLA_OK);
  cr_expect_eq(made.entry_count, 4);
  cr_expect_eq(made.entries[1].config.alpha, 16);
  entry.local = false;
  cr_expect_eq(tuning_record_put(&made, &entry, &error), CLA_OK);
  cr_expect_eq(made.entry_count, 5);
  entry.matrix = !entry.matrix;
  cr_expect_eq(tuning_record_put(&made, &entry, &error), CLA_OK);
  cr_expect_eq(made.entry_count, 6);
  entry.two_pieces = !entry.two_pieces;
  cr_expect_eq(tuning_record_put(&made, &entry, &error), CLA_OK);
  cr_expect_eq(made.entry_count, 7);
  entry.config.alpha = 5;
  cr_expect_eq(tuning_record_put(&made, &entry, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, "alpha"), "%s", error.message);
  cr_expect_eq(made.entry_count, 7);
  tuning_record_free(&made);
}

Test(tuning_record, the_signature_is_the_same_twice_and_never_any) {
  cr_expect_neq(tuning_signature(), 0);
  cr_expect_eq(tuning_signature(), tuning_signature());
}
