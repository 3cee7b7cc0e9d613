/* Tuning records as they are meant to be: read, written, changed. */

#include <locale.h>
#include <unistd.h>

#include "support/made_alignment.h"
#include "support/test.h"
#include "support/tuning_texts.h"

TestSuite(tuning_record, .init = tuning_text_begin, .fini = own_file_end);

static void expect_taken(tuning_record *record, const char *text) {
  made_write(own_path, text, strlen(text));
  assert_ok(tuning_record_read(record, own_path, &why));
}

Test(tuning_record, is_read_as_it_stands) {
  tuning_record record;
  expect_taken(&record,
               TUNING_HEAD "\n" TUNING_ENTRY
                           "  global 20000000 vector32 8 4 8 persistent 3 0 0 0 1 \r\n end \n\n# bye\n");
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
  OWNED(tuning_record_free) tuning_record record;
  expect_taken(&record, TUNING_HEAD TUNING_ENTRY TUNING_MATRIX_ENTRY "end\n");
  cr_assert_eq(record.entry_count, 2);
  cr_expect(!record.entries[0].matrix && record.entries[0].config.lanes == 16);
  cr_expect(record.entries[1].matrix && record.entries[1].config.lanes == 32 && record.entries[1].local &&
            record.entries[1].length == 100000 && record.entries[1].model.per_cell == 6.6e-11);
}

Test(tuning_record, entries_for_gap_costs_in_two_pieces_say_so) {
  OWNED(tuning_record_free) tuning_record record;
  expect_taken(&record,
               TUNING_HEAD TUNING_PIECES_ENTRY TUNING_ENTRY TUNING_BOTH_ENTRY TUNING_MATRIX_ENTRY "end\n");
  cr_assert_eq(record.entry_count, 4);
  const int lanes[4] = {16, 16, 8, 32};
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(record.entries[i].two_pieces, i % 2 == 0, "entry %d", i);
    cr_expect_eq(record.entries[i].matrix, i >= 2, "entry %d", i);
    cr_expect_eq(record.entries[i].config.lanes, lanes[i], "entry %d", i);
  }
}

Test(tuning_record, comes_back_as_it_was_written) {
  OWNED(tuning_record_free) tuning_record made, read;
  tuning_text_example(&made);
  cr_expect_str_eq(made.device, "NVIDIA H200");
  cr_expect_str_eq(made.platform, "NVIDIA CUDA");
  cr_expect_str_eq(made.driver, "unknown");
  assert_ok(tuning_record_write(own_path, &made, &why));
  assert_ok(tuning_record_read(&read, own_path, &why));
  tuning_text_expect_same(&read, &made);
}

Test(tuning_record, numbers_have_a_point_in_every_locale) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
    cr_skip_test("no locale with a decimal comma is installed");
  OWNED(tuning_record_free) tuning_record made, read;
  tuning_text_example(&made);
  char *text = tuning_text_written(&made, NULL);
  cr_expect(!strchr(text, ','), "%s", text);
  free(text);
  assert_ok(tuning_record_read(&read, own_path, &why));
  tuning_text_expect_same(&read, &made);
}

Test(tuning_record, writing_makes_the_folders_and_says_where_it_cannot) {
  OWNED(tuning_record_free) tuning_record made;
  tuning_text_example(&made);
  OWNED(free_memory)
  char *deep = made_path(own_folder, "a/b/record.txt"),
       *below = made_path(own_folder, "record.txt/c/record.txt");
  OWNED(free_memory) char *first = made_path(own_folder, "a"), *second = made_path(own_folder, "a/b");
  assert_ok(tuning_record_write(deep, &made, &why));
  cr_expect_eq(access(deep, R_OK), 0);
  made_write(own_path, "x", 1);
  assert_error(tuning_record_write(below, &made, &why), CLA_ERROR_OUTPUT, "record.txt");
  assert_error(tuning_record_write("/dev/full", &made, &why), CLA_ERROR_OUTPUT, "/dev/full");
  unlink(deep);
  rmdir(second);
  rmdir(first);
}

Test(tuning_record, an_entry_of_the_same_mode_scores_size_and_kernel_takes_the_place_of_the_old_one) {
  OWNED(tuning_record_free) tuning_record made;
  tuning_text_example(&made);
  tuning_entry entry = made.entries[1];
  entry.config.alpha = 16;
  assert_ok(tuning_record_put(&made, &entry, &why));
  cr_expect_eq(made.entry_count, 4);
  cr_expect_eq(made.entries[1].config.alpha, 16);
  entry.local = false;
  assert_ok(tuning_record_put(&made, &entry, &why));
  cr_expect_eq(made.entry_count, 5);
  entry.matrix = !entry.matrix;
  assert_ok(tuning_record_put(&made, &entry, &why));
  cr_expect_eq(made.entry_count, 6);
  entry.two_pieces = !entry.two_pieces;
  assert_ok(tuning_record_put(&made, &entry, &why));
  cr_expect_eq(made.entry_count, 7);
  entry.config.alpha = 5;
  assert_error(tuning_record_put(&made, &entry, &why), CLA_ERROR_OPTION, "alpha");
  cr_expect_eq(made.entry_count, 7);
}

Test(tuning_record, the_signature_is_the_same_twice_and_never_any) {
  cr_expect_neq(tuning_signature(), 0);
  cr_expect_eq(tuning_signature(), tuning_signature());
}
