/* The record of the work in the binary alignment: there when asked for, and never otherwise. */

#include "result/alignment.h"
#include "support/alignment_files.h"
#include "support/made_alignment.h"
#include "support/test.h"

TestSuite(alignment_work, .init = alignment_file_begin, .fini = own_file_end);

/* 15 x 15 letters: the first four rows not known, then two bands, a special row, two crosspoints, and what a
 * level of the bounds left. */
static made_alignment example(void) {
  made_alignment made = alignment_file_example();
  cla_work *work = NULL;
  const work_room room = {.bands = 2, .special_rows = 1, .crosspoints = 2, .levels = 1, .level_bands = 1};
  cr_assert_eq(work_record_create(&work, &room, NULL), CLA_OK);
  work->unknown_rows = 4;
  work->cells = 90;
  work->bands[work->band_count++] = (cla_work_band){.row = 4, .rows = 8, .column = 2, .columns = 10};
  work->bands[work->band_count++] = (cla_work_band){.row = 12, .rows = 3, .column = 8, .columns = 7};
  work->special_rows_kept = 3;
  work->special_rows[work->special_row_count++] = 8;
  work->crosspoints_met = 2;
  work->crosspoints[work->crosspoint_count++] = (cla_crosspoint){.row = 6, .column = 7};
  work->crosspoints[work->crosspoint_count++] = (cla_crosspoint){.row = 8, .column = 9};
  work->levels[work->level_count++] =
      (cla_work_level){.size = CLA_LEVEL_MIDDLE, .edits = true, .cells = 150, .band_count = 1};
  work->level_bands[work->level_band_count++] = (cla_work_band){.rows = 15, .column = 3, .columns = 11};
  made.alignment->work = work;
  return made;
}

typedef cla_status (*save_function)(const char *path, const cla_alignment *const *alignments, size_t count,
                                    cla_error *error);

static char *saved(save_function save, const cla_alignment *alignment, size_t *length) {
  const cla_alignment *alignments[] = {alignment, alignment};
  assert_ok(save(own_path, alignments, 2, &why));
  return made_read(own_path, length);
}

static void expect_work(const cla_work *got, const cla_work *want) {
  cr_assert_not_null(got);
  cr_expect_eq(got->unknown_rows, want->unknown_rows);
  cr_expect_eq(got->cells, want->cells);
  cr_expect_eq(got->band_count, want->band_count);
  cr_expect_eq(memcmp(got->bands, want->bands, want->band_count * sizeof *want->bands), 0);
  cr_expect_eq(got->special_rows_kept, want->special_rows_kept);
  cr_expect_eq(got->special_rows[0], want->special_rows[0]);
  cr_expect_eq(got->crosspoint_count, want->crosspoint_count);
  cr_expect_eq(memcmp(got->crosspoints, want->crosspoints, sizeof *want->crosspoints * 2), 0);
  cr_assert_eq(got->level_count, want->level_count);
  for (size_t i = 0; i < got->level_count; i++)
    cr_expect(got->levels[i].size == CLA_LEVEL_MIDDLE && got->levels[i].edits &&
              got->levels[i].cells == 150 && got->levels[i].band_count == 1);
  cr_expect_eq(memcmp(got->level_bands, want->level_bands, got->level_count * sizeof *got->level_bands), 0);
}

Test(alignment_work, is_kept_when_asked_for_on_either_strand) {
  OWNED_MADE made = example();
  for (int reverse = 0; reverse < 2; reverse++) {
    size_t length = 0, count = 0;
    cla_alignment **loaded = NULL;
    free(saved(cla_alignment_save_with_work, made.alignment, &length));
    assert_ok(cla_alignment_load(&loaded, &count, own_path, &why));
    cr_assert_eq(count, 2);
    for (size_t i = 0; i < count; i++) {
      cr_expect(made_alignment_same(loaded[i], made.alignment));
      expect_work(loaded[i]->work, made.alignment->work);
    }
    cla_alignments_free(loaded, count);
    made.alignment->work->level_count = made.alignment->work->level_band_count = 0; /* then without levels */
    side_turn(&made.alignment->query, false);
    made.alignment->strand = CLA_STRAND_REVERSE;
  }
}

Test(alignment_work, changes_no_byte_of_a_plain_file) {
  OWNED_MADE made = example();
  size_t with = 0, without = 0, count = 0;
  cla_alignment **loaded = NULL;
  OWNED(free_memory) char *first = saved(cla_alignment_save, made.alignment, &with);
  assert_ok(cla_alignment_load(&loaded, &count, own_path, &why));
  cr_expect_null(loaded[0]->work);
  cla_alignments_free(loaded, count);
  free(made.alignment->work);
  made.alignment->work = NULL;
  char *second = saved(cla_alignment_save, made.alignment, &without);
  cr_expect_eq(with, without);
  cr_expect_eq(memcmp(first, second, with), 0);
  free(second);
  second = saved(cla_alignment_save_with_work, made.alignment, &without); /* nothing to keep */
  cr_expect_eq(memcmp(first, second, with), 0);
  free(second);
}

Test(alignment_work, that_leaves_the_matrix_is_rejected) {
  for (int fault = 0; fault < 10; fault++) {
    OWNED_MADE made = example();
    cla_work *work = made.alignment->work;
    switch (fault) {
      case 0: work->unknown_rows = 16; break;
      case 1: work->unknown_rows = 5; break; /* bands follow it */
      case 2: work->bands[0].columns = 14; break;
      case 3: work->bands[1].rows = 4; break;
      case 4: work->special_rows[0] = 16; break;
      case 5: work->crosspoints[1].row = 16; break;
      case 6: work->crosspoints[1].column = 16; break;
      case 7: work->level_bands[0].rows = 16; break;
      case 8: work->levels[0].cells = 226; break;
      default: work->cells = 102; break;
    }
    size_t length = 0, count = 0;
    cla_alignment **loaded = NULL;
    free(saved(cla_alignment_save_with_work, made.alignment, &length));
    why = (cla_error){0};
    cr_expect_eq(cla_alignment_load(&loaded, &count, own_path, &why), CLA_ERROR_INPUT, "fault %d", fault);
    cr_expect(strstr(why.message, "record of the work"), "%s", why.message);
  }
}
