#include <unistd.h>

#include "clalign/run_directory.h"
#include "rows/row_file.h"
#include "rows/special_rows.h"
#include "runs/run_state.h"
#include "runs/sealed_json.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

/* The files of a run directory: what was written comes back, and no damage passes. */

static const sealed_kind kind = {.name = {'T', 'E', 'S', 'T'}, .key = {1, 2, 3}};

static cla_status read_sealed(const char *path, const sealed_kind *expected, char *bytes, int64_t count,
                              cla_error *error) {
  sealed_reader *reader = NULL;
  cla_status status = sealed_reader_open(&reader, path, expected, error);
  if (status == CLA_OK) status = sealed_reader_get(reader, bytes, count, error);
  sealed_reader_close(reader);
  return status;
}

static void write_sealed(const char *path, const char *bytes, int64_t count) {
  sealed_writer *writer = NULL;
  assert_ok(sealed_writer_open(&writer, path, &kind, &why));
  sealed_writer_put(writer, bytes, count / 2);
  sealed_writer_put(writer, bytes + count / 2, count - count / 2);
  assert_ok(sealed_writer_commit(writer, &why));
}

Test(run_files, sealed_files_give_back_what_was_put) {
  enum { BYTES = 1 << 20 };
  char *folder = made_folder(), *path = made_path(folder, "file"), *bytes = malloc(BYTES),
       *got = malloc(BYTES);
  random_stream stream;
  random_stream_init(&stream, 5, 0);
  for (int i = 0; i < BYTES; i++) bytes[i] = (char)random_stream_below(&stream, i % 3 ? 4 : 256);
  write_sealed(path, bytes, BYTES);
  assert_ok(read_sealed(path, &kind, got, BYTES, &why));
  cr_assert_arr_eq(bytes, got, BYTES);
  cr_assert_eq(made_folder_entries(folder), 1);
  sealed_reader *reader = NULL;
  assert_ok(sealed_reader_open(&reader, path, &kind, &why));
  for (int i = 0; i < 8; i++) assert_ok(sealed_reader_get(reader, got, BYTES / 8, &why));
  cr_assert_eq(sealed_reader_get(reader, got, 1, &why), CLA_ERROR_INPUT, "there is no more");
  sealed_reader_close(reader);
  free(bytes);
  free(got);
  free(path);
  made_folder_remove(folder);
}

Test(run_files, no_bit_of_a_sealed_file_can_be_altered) {
  char *folder = made_folder(), *path = made_path(folder, "file"), got[40];
  const char bytes[] = "the content of a small file, which is short";
  size_t length = 0;
  write_sealed(path, bytes, sizeof got);
  char *file = made_read(path, &length);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    file[bit / 8] ^= (char)(1 << bit % 8);
    made_write(path, file, length);
    cr_assert_eq(read_sealed(path, &kind, got, sizeof got, &why), CLA_ERROR_INPUT, "bit %zu", bit);
    file[bit / 8] ^= (char)(1 << bit % 8);
  }
  for (size_t kept = 0; kept < length; kept++) {
    made_write(path, file, kept);
    cr_assert_eq(read_sealed(path, &kind, got, sizeof got, &why), CLA_ERROR_INPUT, "cut to %zu", kept);
  }
  made_write(path, file, length);
  assert_ok(read_sealed(path, &kind, got, sizeof got, &why));
  free(file);
  free(path);
  made_folder_remove(folder);
}

Test(run_files, sealed_files_say_what_they_are) {
  char *folder = made_folder(), *path = made_path(folder, "file"), got[4];
  size_t length = 0;
  sealed_kind other = kind;
  write_sealed(path, "abcd", 4);
  other.name[0] = 'X';
  assert_error(read_sealed(path, &other, got, 4, &why), CLA_ERROR_INPUT, "another kind");
  other = kind;
  other.key[15] = 1;
  assert_error(read_sealed(path, &other, got, 4, &why), CLA_ERROR_INPUT, "another run");
  char *file = made_read(path, &length);
  file[8] = 2;
  made_write(path, file, length);
  assert_error(read_sealed(path, &kind, got, 4, &why), CLA_ERROR_INPUT, "format version 2");
  assert_error(read_sealed("/nowhere/file", &kind, got, 4, &why), CLA_ERROR_INPUT, "cannot be read");
  free(file);
  free(path);
  made_folder_remove(folder);
}

static void fill_run(cla_run_directory *run) {
  memset(run, 0, sizeof *run);
  run->program = "0.1";
  run->text = "a text with \"quotes\",\nlines and bytes \xff\xc3\xa9";
  run->mode = CLA_MODE_GLOBAL;
  run->score_only = true;
  run->claimed = true;
  run->claimed_score = 77;
  cla_scoring_init(&run->scoring);
  run->scoring.matrix_size = 2;
  strcpy(run->scoring.letters, "AC");
  run->scoring.matrix[CLA_MATRIX_STRIDE] = -7;
  run->query = (cla_side){.name = "a name \x80", .location = "q.fa", .length = 10, .begin = 2, .end = 9};
  run->target = (cla_side){.name = "t", .location = "t.fa:x", .length = INT64_C(1) << 40, .end = 3};
  run->query.checksum[3] = 200;
}

/* Letters and scores are part of what defines a result; a matrix' name is not. */
Test(run_files, the_manifest_holds_alphabet_and_ambiguity) {
  char *folder = made_folder();
  cla_run_directory run, *got = NULL;
  uint8_t keys[4][16];
  fill_run(&run);
  assert_ok(run_manifest_key(keys[0], &run, &why));
  strcpy(run.scoring.matrix_name, "renamed");
  assert_ok(run_manifest_key(keys[1], &run, &why));
  cr_expect_arr_eq(keys[0], keys[1], sizeof keys[0]);
  run.alphabet = CLA_ALPHABET_PROTEIN;
  assert_ok(run_manifest_key(keys[1], &run, &why));
  run.scoring.matrix_size = 0;
  run.alphabet = CLA_ALPHABET_DNA;
  assert_ok(run_manifest_key(keys[2], &run, &why));
  run.scoring.ambiguity = CLA_AMBIGUITY_EXPECTED;
  run.alphabet = CLA_ALPHABET_OWN;
  assert_ok(run_manifest_key(keys[3], &run, &why));
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < a; b++) cr_expect_neq(memcmp(keys[a], keys[b], sizeof keys[a]), 0, "%d and %d", a, b);
  assert_ok(run_manifest_write(folder, &run, &why));
  assert_ok(cla_run_directory_read(&got, folder, &why));
  cr_expect_eq(got->alphabet, CLA_ALPHABET_OWN);
  cr_expect_eq(got->scoring.ambiguity, CLA_AMBIGUITY_EXPECTED);
  cla_run_directory_free(got);
  made_folder_remove(folder);
}

Test(run_files, the_manifest_comes_back_and_bears_no_altered_bit) {
  char *folder = made_folder(), *path = made_path(folder, "manifest.json");
  cla_run_directory run, *got = NULL;
  uint8_t key[16], got_key[16];
  size_t length = 0;
  fill_run(&run);
  cr_assert(!run_manifest_exists(folder));
  assert_ok(run_manifest_write(folder, &run, &why));
  assert_ok(cla_run_directory_read(&got, folder, &why));
  cr_assert(strcmp(got->text, run.text) == 0 && strcmp(got->query.name, run.query.name) == 0);
  cr_assert(got->score_only && got->claimed && got->claimed_score == 77 && got->mode == CLA_MODE_GLOBAL);
  cr_assert_eq(got->scoring.matrix[CLA_MATRIX_STRIDE], -7);
  cr_assert_eq(got->target.length, run.target.length);
  assert_ok(run_manifest_key(key, &run, &why));
  assert_ok(run_manifest_key(got_key, got, &why));
  cr_assert_arr_eq(key, got_key, sizeof key);
  got->scoring.matrix[1] = 1;
  assert_ok(run_manifest_key(got_key, got, &why));
  cr_assert(memcmp(key, got_key, sizeof key) != 0, "another matrix has another key");
  cla_run_directory_free(got);
  char *file = made_read(path, &length);
  int harmless = 0;
  for (size_t bit = 0; bit < 8 * length; bit++) {
    file[bit / 8] ^= (char)(1 << bit % 8);
    made_write(path, file, length);
    const cla_status status = cla_run_directory_read(&got, folder, &why);
    if (status == CLA_OK) { /* white space became other white space */
      cr_assert(strcmp(got->text, run.text) == 0 && got->claimed_score == 77 && got->query.length == 10);
      cla_run_directory_free(got);
      harmless++;
    } else {
      cr_assert_eq(status, CLA_ERROR_INPUT, "bit %zu", bit);
    }
    file[bit / 8] ^= (char)(1 << bit % 8);
  }
  cr_assert_lt(harmless, (int)length);
  for (size_t kept = 0; kept + 1 < length; kept++) {
    made_write(path, file, kept);
    cr_assert_eq(cla_run_directory_read(&got, folder, &why), CLA_ERROR_INPUT, "cut to %zu", kept);
  }
  free(file);
  free(path);
  made_folder_remove(folder);
}

Test(run_files, state_and_path_come_back) {
  char *folder = made_folder();
  bool there = true;
  run_state state = {.score = -5,
                     .row = 7,
                     .column = INT64_C(1) << 40,
                     .cells = 9,
                     .sweep_seconds = 0.1,
                     .seconds = 1.25,
                     .finished = true},
            got = {0};
  assert_ok(run_state_read(&got, &there, folder, &kind, &why));
  cr_assert(!there);
  assert_ok(run_state_write(folder, &kind, &state, &why));
  assert_ok(run_state_read(&got, &there, folder, &kind, &why));
  cr_assert(there && got.score == -5 && got.row == 7 && got.column == state.column && got.cells == 9);
  cr_assert(got.finished && got.seconds == 1.25 && got.sweep_seconds == 0.1);
  sealed_kind other = kind;
  other.key[0] = 9;
  cr_assert_eq(run_state_read(&got, &there, folder, &other, &why), CLA_ERROR_INPUT);

  enum { RUNS = 10000 };
  cla_run *runs = malloc(RUNS * sizeof *runs);
  for (int i = 0; i < RUNS; i++)
    runs[i] = (cla_run){.length = 1 + i * INT64_C(3), .kind = (cla_run_kind)(i % 3)};
  saved_path path = {.row = 3, .column = 4, .value = -9, .in_query_gap = true, .runs = runs, .count = RUNS},
             back;
  assert_ok(saved_path_read(&back, &there, folder, &kind, &why));
  cr_assert(!there);
  assert_ok(saved_path_write(folder, &kind, &path, &why));
  assert_ok(saved_path_read(&back, &there, folder, &kind, &why));
  cr_assert(there && back.row == 3 && back.column == 4 && back.value == -9 && back.in_query_gap &&
            !back.at_start);
  cr_assert_eq(back.count, RUNS);
  for (int i = 0; i < RUNS; i++)
    cr_assert(back.runs[i].length == runs[i].length && back.runs[i].kind == runs[i].kind);
  free(back.runs);
  free(runs);
  made_folder_remove(folder);
}

/* A sealed path of `count` runs by its head, of which `stored` follow, all as `run` has it. */
static cla_status read_made_path(const char *folder, int64_t count, int stored, int64_t run, int64_t gap) {
  const int64_t head[] = {3, 4, -9, gap, 0, count};
  char *name = made_path(folder, SAVED_PATH_NAME);
  sealed_kind path = kind;
  sealed_writer *writer = NULL;
  saved_path back;
  bool there = false;
  memcpy(path.name, "PATH", sizeof path.name);
  assert_ok(sealed_writer_open(&writer, name, &path, &why));
  sealed_writer_put(writer, head, sizeof head);
  for (int i = 0; i < stored; i++) sealed_writer_put(writer, &run, sizeof run);
  assert_ok(sealed_writer_commit(writer, &why));
  const cla_status status = saved_path_read(&back, &there, folder, &kind, &why);
  cr_assert(there);
  free(back.runs);
  free(name);
  return status;
}

/* Sealed all the same: by a program that is wrong, or by hand. */
Test(run_files, paths_that_cannot_be_are_refused) {
  char *folder = made_folder();
  cr_expect_eq(read_made_path(folder, 2, 2, 5 * 4 + CLA_RUN_QUERY, 1), CLA_OK);
  cr_expect_eq(read_made_path(folder, 3, 2, 5 * 4, 0), CLA_ERROR_INPUT, "runs are missing");
  cr_expect_eq(read_made_path(folder, -1, 2, 5 * 4, 0), CLA_ERROR_INPUT, "less than no runs");
  cr_expect_eq(read_made_path(folder, INT64_C(1) << 55, 2, 5 * 4, 0), CLA_ERROR_INPUT,
               "more than memory holds");
  cr_expect_eq(read_made_path(folder, INT64_MAX, 2, 5 * 4, 0), CLA_ERROR_INPUT, "more than can be counted");
  cr_expect_eq(read_made_path(folder, 2, 2, 5 * 4 + 3, 0), CLA_ERROR_INPUT, "an unknown kind");
  cr_expect_eq(read_made_path(folder, 2, 2, -5 * 4, 0), CLA_ERROR_INPUT, "a negative length");
  cr_expect_eq(read_made_path(folder, 2, 2, CLA_RUN_QUERY, 0), CLA_ERROR_INPUT, "no length");
  cr_expect_eq(read_made_path(folder, 2, 2, 5 * 4, 3), CLA_ERROR_INPUT, "an unknown gap");
  made_folder_remove(folder);
}

/* No digit of a real number is written that can be another without altering it. */
Test(run_files, every_digit_of_a_state_counts) {
  char *folder = made_folder(), *path = made_path(folder, RUN_STATE_NAME);
  bool there = false;
  size_t length = 0;
  run_state got;
  const run_state state = {.sweep_seconds = 1234.1,
                           .seconds = 2.7}; /* 17 digits would be 2.7000000000000002 */
  assert_ok(run_state_write(folder, &kind, &state, &why));
  char *file = made_read(path, &length);
  for (size_t i = 0; i < length; i++) {
    if (file[i] < '0' || file[i] > '9') continue;
    file[i] ^= 1;
    made_write(path, file, length);
    cr_assert_eq(run_state_read(&got, &there, folder, &kind, &why), CLA_ERROR_INPUT, "byte %zu", i);
    file[i] ^= 1;
  }
  free(file);
  free(path);
  made_folder_remove(folder);
}
