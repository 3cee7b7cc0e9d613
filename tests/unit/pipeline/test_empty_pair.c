/* Pairs of which one sequence has no letters, beside the oracle. */

#include "pipeline/pipeline_internal.h"
#include "seq/sequence.h"
#include "support/reference_path.h"
#include "support/test.h"

#define LETTERS "ACGTTGCA"

static cla_sequence *sequence_of(int64_t length) {
  cla_sequence *whole = NULL;
  if (length > 0) {
    assert_ok(cla_sequence_from_letters_with(
        &whole, "s", LETTERS, length, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
        &why));
    return whole;
  }
  FILE *file = fopen("empty_pair.fa", "w");
  cr_assert_not_null(file);
  fputs(">none\n", file);
  fclose(file);
  const cla_sequence_options how = {.known = true, .alphabet = CLA_ALPHABET_DNA, .allow_empty = true};
  assert_ok(cla_sequence_read_with(&whole, "empty_pair.fa", &how, &why));
  remove("empty_pair.fa");
  return whole;
}

static void expect_reference(const cla_align_options *options, int64_t rows, int64_t columns) {
  static const cla_device_info device = {.name = "none"};
  OWNED(free_sequence) cla_sequence *query = sequence_of(rows), *target = sequence_of(columns);
  OWNED(free_alignment) cla_alignment *got = NULL;
  OWNED(reference_alignment_free) reference_alignment expected;
  score_table table;
  score_table_build(&table, &options->scoring, SEQUENCE_LETTERS, 4);
  assert_ok(reference_align(
      &expected,
      &(pair_problem){sequence_codes(query),
                      sequence_codes(target),
                      rows,
                      columns,
                      {&options->scoring, &table, path_ends_make(options->mode, options->free_ends)}},
      &why));
  const align_job job = {.query = query, .target = target, .options = options};
  assert_ok(empty_pair_check(&job, &why));
  assert_ok(empty_pair_align(&got, &device, &job, &why));
  assert_ok_for(cla_alignment_verify(got, query, target, &why), "mode %d, ends %d", options->mode,
                options->free_ends);
  cr_expect_eq(got->score, expected.score);
  cr_expect_eq(got->query.start, expected.query_start);
  cr_expect_eq(got->query.stop, expected.query_end);
  cr_expect_eq(got->target.start, expected.target_start, "mode %d, ends %d", options->mode,
               options->free_ends);
  cr_expect_eq(got->target.stop, expected.target_end, "mode %d, ends %d", options->mode, options->free_ends);
  cr_expect_eq(got->run_count, expected.run_count);
  for (size_t i = 0; i < got->run_count && i < expected.run_count; i++) {
    cr_expect_eq(got->runs[i].length, expected.runs[i].length);
    cr_expect_eq(got->runs[i].kind, expected.runs[i].kind);
  }
}

Test(align_input, cells_are_counted_in_63_bits) {
  const char *const files[] = {"a.fa:chr1", "b.fa:chr2"};
  assert_ok(align_cells_check((int64_t[]){3000000000, 3000000000}, files, &why));
  assert_ok(align_cells_check((int64_t[]){INT64_MAX, 1}, files, &why));
  assert_ok(align_cells_check((int64_t[]){INT64_MAX, 0}, files, &why));
  assert_error(align_cells_check((int64_t[]){3100000000, 3000000000}, files, &why), CLA_ERROR_INPUT,
               "a.fa:chr1 with 3100000000 letters and b.fa:chr2 with 3000000000");
}

Test(empty_pair, is_aligned_as_the_oracle_does_in_every_mode) {
  static const int64_t lengths[][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 8}, {8, 0}};
  int count = 0;
  for (int mode = 0; mode < CLA_MODE_COUNT; mode++)
    for (int ends = 0; ends <= CLA_FREE_ENDS_ALL; ends++) {
      cla_align_options options;
      cla_align_options_init(&options);
      options.mode = (cla_mode)mode;
      options.free_ends = ends;
      options.allow_empty = true;
      const bool fits =
          mode == CLA_MODE_FREE_ENDS ? ends > 0 && cla_free_ends_mode(ends) == CLA_MODE_FREE_ENDS : ends == 0;
      for (size_t i = 0; fits && i < sizeof lengths / sizeof *lengths; i++, count++)
        expect_reference(&options, lengths[i][0], lengths[i][1]);
    }
  cr_expect_gt(count, 80);
}

Test(empty_pair, is_refused_unless_it_is_allowed) {
  cla_align_options options;
  cla_align_options_init(&options);
  OWNED(free_sequence) cla_sequence *none = sequence_of(0), *some = sequence_of(4);
  align_job job = {.query = some, .target = some, .options = &options};
  assert_ok(empty_pair_check(&job, &why));
  job.target = none;
  assert_error(empty_pair_check(&job, &why), CLA_ERROR_INPUT, "the target has no letters");
  options.allow_empty = true;
  options.run.directory = "folder";
  job = (align_job){.query = none, .target = some, .options = &options};
  cr_expect_eq(empty_pair_check(&job, &why), CLA_ERROR_OPTION);
}
