/* Certificates within bounds and in parts are those of the whole matrix. */

#include <math.h>

#include "certain/certain_internal.h"
#include "support/random_pairs.h"
#include "support/related_pairs.h"
#include "support/test.h"

#define CASES_OF_ONE_RUN 150
#define LETTERS_MOST 700
#define WIDE_PAIRS 16
#define WIDE_LETTERS 7000

static void free_certificate(cla_certificate **certificate) {
  cla_certificate_free(*certificate);
}

static void expect_equal(const cla_certificate *got, const cla_certificate *want, const char *of) {
  const size_t columns = (size_t)want->column_count;
  cr_assert_eq(got->column_count, want->column_count, "%s", of);
  for (size_t i = 0; i < columns; i++)
    cr_assert(got->margins[i] == want->margins[i] && fabsf(got->supports[i] - want->supports[i]) < 1e-4F,
              "%s: column %zu has margin %lld and support %g, not %lld and %g", of, i,
              (long long)got->margins[i], got->supports[i], (long long)want->margins[i], want->supports[i]);
  for (int64_t k = 0; k < want->displacement_count; k++)
    cr_assert_arr_eq(got->displacements[k].margins, want->displacements[k].margins,
                     columns * sizeof *want->displacements[k].margins, "%s: displacement %lld", of,
                     (long long)want->displacements[k].diagonals);
  cr_assert(fabs(got->log10_alignments - want->log10_alignments) < 1e-6 * (1 + want->log10_alignments) &&
                got->unique == want->unique,
            "%s: 10^%g alignments, not 10^%g", of, got->log10_alignments, want->log10_alignments);
  cr_assert(got->optimal_count == want->optimal_count && got->optimal_all == want->optimal_all, "%s", of);
  for (int64_t i = 0; i < want->optimal_count; i++) {
    const cla_alignment *a = got->optimal[i], *b = want->optimal[i];
    cr_assert(a->run_count == b->run_count && a->query.start == b->query.start &&
                  memcmp(a->runs, b->runs, a->run_count * sizeof *a->runs) == 0,
              "%s: optimal alignment %lld differs", of, (long long)i);
  }
  cr_assert_eq(got->block_count, want->block_count, "%s: %lld blocks, not %lld", of,
               (long long)got->block_count, (long long)want->block_count);
  for (int64_t i = 0; i < want->block_count; i++) {
    const cla_ambiguous_block *a = &got->blocks[i], *b = &want->blocks[i];
    cr_assert(a->query_start == b->query_start && a->query_stop == b->query_stop &&
                  a->target_start == b->target_start && a->target_stop == b->target_stop &&
                  a->kind == b->kind && a->margin == b->margin && a->first_column == b->first_column &&
                  a->columns == b->columns,
              "%s: block %lld differs", of, (long long)i);
  }
}

/* Checks a pair. Returns 1 if bounds left cells out, 0 if not, -1 if there is no alignment. */
static int check_pair(uint64_t seed, int64_t letters) {
  static const int64_t diagonals[] = {3, 40};
  random_pair pair;
  char text[RANDOM_PAIR_TEXT_SIZE];
  related_pair_make_random(&pair, seed, letters);
  random_pair_choose_mode(&pair);
  random_pair_add_piece(&pair);
  random_pair_text(&pair, text);
  OWNED(free_sequence) cla_sequence *query = random_pair_sequence("q", pair.query, pair.query_length);
  OWNED(free_sequence) cla_sequence *target = random_pair_sequence("t", pair.target, pair.target_length);
  OWNED(free_alignment) cla_alignment *alignment = NULL;
  OWNED(free_certificate) cla_certificate *want = NULL, *got = NULL, *in_regions = NULL;
  cla_align_options options;
  cla_align_options_init(&options);
  options.scoring = pair.scoring;
  options.mode = pair.mode;
  options.free_ends = pair.free_ends;
  options.host_cells = 1 << 26;
  const cla_status aligned = cla_align(&alignment, NULL, query, target, &options, &why);
  random_pair_free(&pair);
  if (aligned != CLA_OK || alignment->run_count == 0) return -1;
  cla_certify_options how;
  cla_certify_options_init(&how);
  how.delta = seed % 3 == 0 ? -1 : (int64_t)(seed % 60);
  how.displacements = diagonals;
  how.displacement_count = 2;
  how.optimal_most = (int64_t)(seed % 40);
  how.threads = 1 + (int)(seed % 3);
  const cla_results results = {
      .alignments = (const cla_alignment *const *)&alignment, .count = 1, .query = query, .target = target};
  const certify_bounds whole = {.letters = INT64_MAX, .regions = 1};
  const certify_bounds whole_in_regions = {.letters = INT64_MAX, .regions = 2 + (int64_t)(seed % 6)};
  const certify_bounds bounded = {
      .letters = 1,
      .shape = {.chunk_rows = 24, .bucket = 4, .word_least = 3, .word_most = 6, .turns = 1},
      .parts = 1 + (int64_t)(seed % 5),
      .line_interval = 8 * (1 + (int64_t)(seed % 4)),
      .regions = 1 + (int64_t)(seed % 9)};
  assert_ok_for(certificate_make(&want, &results, &how, &whole, &why), "%s", text);
  assert_ok_for(certificate_make(&got, &results, &how, &bounded, &why), "%s", text);
  assert_ok_for(certificate_make(&in_regions, &results, &how, &whole_in_regions, &why), "%s", text);
  expect_equal(got, want, text);
  expect_equal(in_regions, want, text);
  return got->cells < want->cells;
}

Test(bounded, certificates_within_bounds_are_those_of_the_whole_matrix) {
  const char *cases = getenv("CASES"), *first = getenv("FIRST");
  const uint64_t count = cases ? strtoull(cases, NULL, 10) : CASES_OF_ONE_RUN;
  const uint64_t from = first ? strtoull(first, NULL, 10) : 1;
  uint64_t checked = 0, bounded = 0;
  for (uint64_t seed = from; seed < from + count; seed++) {
    const int outcome = check_pair(seed, LETTERS_MOST);
    checked += outcome >= 0;
    bounded += outcome == 1;
  }
  fprintf(stderr, "%llu certificates, %llu of them within bounds\n", (unsigned long long)checked,
          (unsigned long long)bounded);
  cr_assert(count < CASES_OF_ONE_RUN || bounded > checked / 4);
}

/* Lines of the whole matrix are so wide that many are computed together. */
Test(bounded, wide_lines_give_the_same_certificates) {
  int checked = 0;
  for (uint64_t seed = 1; seed <= WIDE_PAIRS; seed++) checked += check_pair(seed, WIDE_LETTERS) >= 0;
  cr_assert(checked > WIDE_PAIRS / 2, "%d certificates", checked);
}
