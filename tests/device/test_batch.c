/* Many pairs: each result is that of cla_align, in the order and to the extent that was asked for. */

#include "support/cases/batch_case.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Every pair that was taken was given back once, if it could be read. */
static void expect_all_given_back(const batch_case *all) {
  for (int i = 0; i < all->count; i++) {
    const batch_case_pair *pair = &all->pairs[i];
    cr_expect_eq(pair->given_back, pair->unreadable ? 0 : pair->taken, "pair %d", i);
    cr_expect_leq(pair->taken, 1);
  }
}

Test(batch, has_the_results_of_cla_align) {
  FOR_EACH_DEVICE (device) {
    OWNED(batch_case_free) batch_case all;
    batch_case_make(&all, 24, 1, 1, 400);
    batch_case_expect(&all, device);
    assert_ok(batch_case_run(&all, &device, 1));
    batch_case_expect_complete(&all, true);
  }
}

/* The same letters have other codes in another alphabet, and a matrix may be of another one than the pairs.
 */
static void expect_letters(const char *type, const char *letters, const char *matrix) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  const int64_t count = (int64_t)strlen(letters);
  batch_case_make(&all, 60, 8, 20, 21);
  for (int i = 0; i < all.count; i++) {
    cla_sequence_free(all.pairs[i].query);
    cla_sequence_free(all.pairs[i].target);
    assert_ok(cla_sequence_from_letters(&all.pairs[i].query, type, letters, count - i % 5, &why));
    assert_ok(cla_sequence_from_letters(&all.pairs[i].target, type, letters + i % 7, count - i % 7, &why));
  }
  cla_scoring_init(&all.options.align.scoring);
  all.options.align.scoring.match = 2;
  all.options.align.scoring.mismatch = -1;
  all.options.align.score_only = true; /* nothing is traced that would show a wrong score */
  if (matrix) assert_ok(cla_scoring_set_matrix(&all.options.align.scoring, matrix, &why));
  batch_case_expect(&all, device);
  cr_expect_not_null(all.pairs[0].want);
  assert_ok(batch_case_run(&all, &device, 1));
  batch_case_expect_complete(&all, true);
  cla_device_close(device);
}

Test(batch, reads_letters_of_every_alphabet) {
  expect_letters("protein", "CCCCCCWYMKVLLAWWHEDNQRST", NULL);
  expect_letters("protein", "CCCCCCWYMKVLLAWWHEDNQRST", "BLOSUM62");
  expect_letters("dna", "ACGTTGCATTAGGACATNACGGTA", "BLOSUM62");
  expect_letters("dna", "ACGTTGCATTAGGACATNACGGTA", NULL);
}

/* One scheme is for all pairs, so it does not follow the letters of each. */
Test(batch, refuses_proteins_where_no_scheme_is_chosen) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 3, 2, 50, 200);
  cla_align_options_init(&all.options.align);
  batch_case_expect(&all, device);
  cla_sequence_free(all.pairs[1].query);
  cla_sequence_free(all.pairs[1].target);
  assert_ok(cla_sequence_from_letters(&all.pairs[1].query, "q", "MKVLLAWWHE", 10, &why));
  assert_ok(cla_sequence_from_letters(&all.pairs[1].target, "t", "MKVLLAWWHE", 10, &why));
  cla_alignment_free(all.pairs[1].want);
  all.pairs[1].want = NULL;
  all.pairs[1].want_status = CLA_ERROR_OPTION;
  assert_ok(batch_case_run(&all, &device, 1));
  batch_case_expect_complete(&all, true);
  cla_device_close(device);
}

Test(batch, has_nothing_of_pairs_that_score_too_little) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 12, 2, 50, 200);
  all.options.align.has_min_score = true;
  all.options.align.min_score = 30;
  batch_case_expect(&all, device);
  cr_expect_null(all.pairs[0].want);
  cr_expect_not_null(all.pairs[1].want);
  assert_ok(batch_case_run(&all, &device, 1));
  batch_case_expect_complete(&all, true);
  cla_device_close(device);
}

Test(batch, goes_on_after_pairs_that_fail) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 6, 3, 50, 200);
  cla_sequence_free(all.pairs[1].target);
  assert_ok(cla_sequence_from_letters(&all.pairs[1].target, "protein", "MKVLLAWWHE", 10, &why));
  all.pairs[4].unreadable = true;
  batch_case_expect(&all, device);
  cr_expect_eq(all.pairs[1].want_status, CLA_ERROR_INPUT);
  assert_ok(batch_case_run(&all, &device, 1));
  batch_case_expect_complete(&all, true);
  cr_expect_eq(all.done.pairs_failed, 2);

  batch_case_again(&all);
  all.options.fail_fast = true;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_INPUT);
  cr_expect_eq(all.result_count, 2);
  cr_expect_eq(all.order[1], 1);
  expect_all_given_back(&all);
  cla_device_close(device);
}

Test(batch, ends_with_what_the_source_ends_with) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 3, 4, 50, 200);
  all.end_status = CLA_ERROR_MEMORY;
  batch_case_expect(&all, device);
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_MEMORY);
  cr_expect_str_eq(why.message, "the source ends with an error");
  batch_case_expect_complete(&all, true);
  cla_device_close(device);
}

Test(batch, stops_when_its_caller_wants_no_more) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 40, 5, 1000, 3000);
  batch_case_expect(&all, device);
  all.stop_after = 3;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_INTERRUPTED);
  cr_expect_eq(all.result_count, 3);
  expect_all_given_back(&all);
  batch_case_again(&all);
  all.stop_after = 0;
  all.cancel_after = 1;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_INTERRUPTED);
  cr_expect_eq(all.progress_calls, 1);
  cr_expect_eq(all.differences, 0, "%s", all.difference);
  expect_all_given_back(&all);
  /* The device still works. */
  batch_case_again(&all);
  all.cancel_after = 0;
  assert_ok(batch_case_run(&all, &device, 1));
  batch_case_expect_complete(&all, true);
  cla_device_close(device);
}

/* Sorts the pairs as the results of best_of_group are to come. */
static int compare_wanted(const void *left, const void *right) {
  const batch_case_pair *const *a = left, *const *b = right;
  if ((*a)->group != (*b)->group) return (*a)->group < (*b)->group ? -1 : 1;
  if ((*a)->want->score != (*b)->want->score) return (*a)->want->score > (*b)->want->score ? -1 : 1;
  return *a < *b ? -1 : 1;
}

/* The best of each group are those of all pairs sorted by score. */
static void expect_best(const batch_case *all) {
  const batch_case_pair *sorted[BATCH_PAIRS_MOST];
  int found = 0, rank = 0;
  for (int i = 0; i < all->count; i++) sorted[i] = &all->pairs[i];
  qsort(sorted, (size_t)all->count, sizeof *sorted, compare_wanted);
  for (int i = 0; i < all->count; i++) {
    rank = i > 0 && sorted[i]->group == sorted[i - 1]->group ? rank + 1 : 0;
    if (rank >= all->options.best_of_group) continue;
    cr_assert_lt(found, all->result_count);
    cr_expect_eq(all->order[found], sorted[i] - all->pairs, "result %d is of pair %lld", found,
                 (long long)all->order[found]);
    found++;
  }
  cr_expect_eq(found, all->result_count);
  cr_expect_eq(all->differences, 0, "%s", all->difference);
}

Test(batch, finds_the_best_of_each_group) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  for (int best = 1; best <= 9; best += 4)
    for (int score_only = 0; score_only <= 1; score_only++) {
      OWNED(batch_case_free) batch_case all;
      batch_case_make(&all, 40, 6, 5, 60); /* short ones: many scores are equal */
      for (int i = 0; i < all.count; i++) all.pairs[i].group = i < 5 ? 7 : i < 30 ? 8 : 11;
      all.options.best_of_group = best;
      all.options.align.score_only = score_only;
      batch_case_expect(&all, device);
      assert_ok(batch_case_run(&all, &device, 1));
      expect_best(&all);
      cr_expect_eq(all.done.pairs_done, 40);
      expect_all_given_back(&all);
    }
}

Test(batch, refuses_what_is_about_one_pair) {
  OWNED(batch_case_free) batch_case all;
  cla_device *device = test_device_open(0);
  batch_case_make(&all, 1, 7, 5, 6);
  const cla_batch_options plain = all.options;
  all.options.align.keep_work = true;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_OPTION);
  all.options = plain;
  all.options.align.run.directory = "folder";
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_OPTION);
  all.options = plain;
  all.options.align.several.most = 0;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_OPTION);
  all.options.align.several.most = 2;
  all.options.align.score_only = true;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_OPTION);
  all.options.align.score_only = false;
  all.options.align.mode = CLA_MODE_GLOBAL;
  cr_expect_eq(batch_case_run(&all, &device, 1), CLA_ERROR_OPTION);
  all.options = plain;
  cr_expect_eq(batch_case_run(&all, NULL, 0), CLA_ERROR_OPTION);
  cla_device *const twice[] = {device, device};
  cr_expect_eq(batch_case_run(&all, twice, 2), CLA_ERROR_OPTION);
  cla_device *many[65];
  for (int i = 0; i < 65; i++) many[i] = device;
  cr_expect_eq(batch_case_run(&all, many, 65), CLA_ERROR_OPTION);
  cr_expect_not_null(strstr(why.message, "64"), "%s", why.message);
  cr_expect_eq(all.pairs[0].taken, 0);
  cla_device_close(device);
}
