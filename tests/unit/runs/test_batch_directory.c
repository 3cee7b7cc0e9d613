/* What a batch has finished: found again as it was, or not at all. */

#include <unistd.h>

#include "clalign/batch_directory.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define UNITS 6

static made_alignment made[UNITS];
static char *folder, *journal;

static void set_up(void) {
  folder = made_folder();
  journal = made_path(folder, "journal.clj");
  for (int i = 0; i < UNITS; i++) made[i] = made_alignment_random((uint64_t)i + 1, 40);
}

static void tear_down(void) {
  for (int i = 0; i < UNITS; i++) made_alignment_free(&made[i]);
  made_folder_remove(folder);
  free(journal);
}

TestSuite(batch_directory, .init = set_up, .fini = tear_down);

/* Unit i has the pairs 10 i to 10 i + 9. Of these the fifth has an alignment, and the third, in units that
 * are even, none that scores enough. */
static void put_unit(cla_batch_directory *directory, int i) {
  const cla_alignment *alignments[] = {made[i].alignment, made[i].alignment};
  cla_pairs_mark mark = {{0}};
  cla_pairs_mark_add(&mark, made[i].query, made[i].target);
  assert_ok(cla_batch_directory_put(directory, 10 * i + 4, alignments, (size_t)(1 + i % 2), &why));
  if (i % 2 == 0) assert_ok(cla_batch_directory_put(directory, 10 * i + 2, NULL, 0, &why));
  assert_ok(cla_batch_directory_finish_unit(directory, 10 * i, 10 * i + 10, &mark, &why));
}

/* Whether the unit is there; if so it is what was put. */
static bool check_unit(cla_batch_directory *directory, int i) {
  cla_finished_unit *unit = NULL;
  cla_pairs_mark mark = {{0}};
  assert_ok(cla_batch_directory_load(&unit, directory, 10 * i, &why));
  if (!unit) return false;
  cla_pairs_mark_add(&mark, made[i].query, made[i].target);
  cr_assert(unit->first == 10 * i && unit->past == 10 * i + 10);
  cr_assert_arr_eq(&unit->mark, &mark, sizeof mark);
  cr_assert_eq(unit->count, i % 2 == 0 ? 2 : 1);
  cr_assert_eq(unit->pairs[0].index, 10 * i + 4);
  cr_assert_eq(unit->pairs[0].count, 1 + i % 2);
  for (size_t j = 0; j < unit->pairs[0].count; j++)
    cr_assert(made_alignment_same(unit->pairs[0].alignments[j], made[i].alignment));
  if (i % 2 == 0) cr_assert(unit->pairs[1].index == 10 * i + 2 && unit->pairs[1].count == 0);
  cla_finished_unit_free(unit);
  return true;
}

static void begin_batch(void) {
  static const int order[UNITS] = {2, 0, 1, 5, 3, 4}; /* as finished */
  cla_batch_directory *directory = NULL;
  assert_ok(cla_batch_directory_begin(&directory, folder, "what it was", &why));
  for (int i = 0; i < UNITS; i++) put_unit(directory, order[i]);
  assert_ok(cla_batch_directory_close(directory, &why));
}

Test(batch_directory, finds_what_was_finished) {
  cla_batch_directory *directory = NULL;
  int64_t lost_bytes = 1;
  OWNED(free_memory) char *text = NULL;
  cr_expect(!cla_batch_directory_exists(folder));
  begin_batch();
  cr_expect(cla_batch_directory_exists(folder));
  assert_ok(cla_batch_directory_text(&text, folder, &why));
  cr_expect_str_eq(text, "what it was");
  assert_ok(cla_batch_directory_resume(&directory, folder, &lost_bytes, &why));
  cr_expect_eq(lost_bytes, 0);
  cr_expect_eq(cla_batch_directory_units(directory), UNITS);
  for (int i = 0; i < UNITS; i++) cr_expect(check_unit(directory, i));
  cr_expect(!check_unit(directory, UNITS - 1 + 7));
  assert_ok(cla_batch_directory_close(directory, &why));
  cr_expect_eq(cla_batch_directory_begin(&directory, folder, "", &why), CLA_ERROR_OPTION);
}

Test(batch_directory, is_for_one_process_and_an_empty_folder) {
  cla_batch_directory *directory = NULL, *other = NULL;
  int64_t lost_bytes;
  assert_ok(cla_batch_directory_begin(&directory, folder, "", &why));
  assert_error(cla_batch_directory_resume(&other, folder, &lost_bytes, &why), CLA_ERROR_OUTPUT,
               "another process");
  assert_ok(cla_batch_directory_close(directory, &why));
  char *elsewhere = made_folder(), *mine = made_path(elsewhere, "mine");
  made_write(mine, "x", 1);
  cr_expect_eq(cla_batch_directory_begin(&other, elsewhere, "", &why), CLA_ERROR_OPTION);
  cr_expect_eq(cla_batch_directory_resume(&other, elsewhere, &lost_bytes, &why), CLA_ERROR_INPUT);
  free(mine);
  made_folder_remove(elsewhere);
}

/* Resumes, and counts the units that are there; each is what it was. */
static int resume_and_count(int64_t *lost_bytes) {
  cla_batch_directory *directory = NULL;
  cla_error error = {.message = ""};
  int there = 0;
  if (cla_batch_directory_resume(&directory, folder, lost_bytes, &error) != CLA_OK) {
    cr_expect_eq(error.status, CLA_ERROR_INPUT);
    return -1;
  }
  for (int i = 0; i < UNITS; i++) there += check_unit(directory, i);
  cr_expect_eq(there, cla_batch_directory_units(directory));
  cr_expect_eq(cla_batch_directory_close(directory, &error), CLA_OK);
  return there;
}

Test(batch_directory, keeps_what_is_whole_before_any_cut) {
  size_t length;
  int64_t lost_bytes;
  int most = 0;
  begin_batch();
  OWNED(free_memory) char *bytes = made_read(journal, &length);
  for (size_t cut = 0; cut <= length; cut++) {
    made_write(journal, bytes, cut);
    const int there = resume_and_count(&lost_bytes);
    cr_assert(there == most || there == most + 1, "%d of %d units at %zu bytes", there, most, cut);
    most = there;
  }
  cr_expect_eq(most, UNITS);
}

Test(batch_directory, takes_no_byte_for_another) {
  size_t length;
  int64_t lost_bytes;
  begin_batch();
  OWNED(free_memory) char *bytes = made_read(journal, &length);
  for (size_t at = 0; at < length; at++) {
    bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
    made_write(journal, bytes, length);
    const int there = resume_and_count(&lost_bytes);
    cr_expect(at < 32 ? there == -1 : there >= 0 && there < UNITS && lost_bytes > 0, "%d units, byte %zu",
              there, at);
    bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
  }
}

Test(batch_directory, goes_on_after_a_cut) {
  cla_batch_directory *directory = NULL;
  size_t length;
  int64_t lost_bytes;
  begin_batch();
  char *bytes = made_read(journal, &length);
  made_write(journal, bytes, length / 2);
  free(bytes);
  const int there = resume_and_count(&lost_bytes);
  cr_assert(there > 0 && there < UNITS);
  assert_ok(cla_batch_directory_resume(&directory, folder, &lost_bytes, &why));
  cr_expect_eq(lost_bytes, 0);
  for (int i = 0; i < UNITS; i++)
    if (!check_unit(directory, i)) put_unit(directory, i);
  assert_ok(cla_batch_directory_close(directory, &why));
  cr_expect_eq(resume_and_count(&lost_bytes), UNITS);
}

Test(batch_directory, marks_say_letters_ranges_names_and_order) {
  cla_pairs_mark marks[5] = {{{0}}};
  OWNED(free_sequence) cla_sequence *other_name = NULL, *other_letter = NULL, *same = NULL;
  assert_ok(cla_sequence_from_letters(&same, "x", "ACGT", 4, &why));
  assert_ok(cla_sequence_from_letters(&other_name, "y", "ACGT", 4, &why));
  assert_ok(cla_sequence_from_letters(&other_letter, "x", "ACGA", 4, &why));
  cla_pairs_mark_add(&marks[0], same, other_name);
  cla_pairs_mark_add(&marks[1], other_name, same);
  cla_pairs_mark_add(&marks[2], same, same);
  cla_pairs_mark_add(&marks[3], same, other_letter);
  marks[4] = marks[0];
  cla_pairs_mark_add(&marks[4], same, other_name);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < i; j++) cr_expect_neq(memcmp(&marks[i], &marks[j], sizeof *marks), 0);
}

static void check_block(cla_batch_directory *directory, int64_t first, const char *want) {
  uint8_t *bytes = NULL;
  int64_t length = 0;
  assert_ok(cla_batch_directory_find(&bytes, &length, directory, first, &why));
  cr_assert_eq(bytes != NULL, want != NULL);
  if (want) cr_assert_eq(length, (int64_t)strlen(want));
  if (want) cr_assert_arr_eq(bytes, want, (size_t)length);
  free(bytes);
}

/* Blocks come back as they were, the last one of the same pairs, and nothing is known of pairs between. */
Test(batch_directory, keeps_blocks) {
  cla_batch_directory *directory = NULL;
  int64_t lost_bytes = 0, first = 0, past = 0;
  assert_ok(cla_batch_directory_begin(&directory, folder, "", &why));
  cr_expect(!cla_batch_directory_of_blocks(directory));
  assert_ok(cla_batch_directory_keep(directory, 30, 45, "third", 5, &why));
  assert_ok(cla_batch_directory_keep(directory, 0, 20, "with a fault", 12, &why));
  assert_ok(cla_batch_directory_keep(directory, 0, 20, "first", 5, &why));
  assert_ok(cla_batch_directory_keep(directory, 45, 46, "", 0, &why));
  assert_ok(cla_batch_directory_close(directory, &why));
  assert_ok(cla_batch_directory_resume(&directory, folder, &lost_bytes, &why));
  cr_assert_eq(lost_bytes, 0);
  cr_expect(cla_batch_directory_of_blocks(directory));
  check_block(directory, 0, "first");
  check_block(directory, 20, NULL);
  check_block(directory, 30, "third");
  check_block(directory, 45, "");
  cr_assert(cla_batch_directory_next(&first, &past, directory, 0) && first == 0 && past == 20);
  cr_assert(cla_batch_directory_next(&first, &past, directory, 1) && first == 30 && past == 45);
  cr_assert(cla_batch_directory_next(&first, &past, directory, 45) && first == 45 && past == 46);
  cr_assert(!cla_batch_directory_next(&first, &past, directory, 46));
  assert_ok(cla_batch_directory_close(directory, &why));
}

/* Units of pairs are no blocks. */
Test(batch_directory, tells_units_from_blocks) {
  cla_batch_directory *directory = NULL;
  uint8_t *bytes = NULL;
  int64_t lost_bytes = 0, length = 0;
  assert_ok(cla_batch_directory_begin(&directory, folder, "", &why));
  put_unit(directory, 0);
  assert_ok(cla_batch_directory_close(directory, &why));
  assert_ok(cla_batch_directory_resume(&directory, folder, &lost_bytes, &why));
  cr_expect(!cla_batch_directory_of_blocks(directory));
  assert_error(cla_batch_directory_find(&bytes, &length, directory, 0, &why), CLA_ERROR_INPUT, "impossible");
  cr_expect_null(bytes);
  assert_ok(cla_batch_directory_close(directory, &why));
}
