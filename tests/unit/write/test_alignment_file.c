/* What a binary alignment holds comes back as it was, in few bytes. */

#include <sys/stat.h>

#include "support/alignment_files.h"
#include "support/made_alignment.h"
#include "support/test.h"

TestSuite(alignment_file, .init = alignment_file_begin, .fini = own_file_end);

Test(alignment_file, gives_back_random_alignments) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    char what[64];
    OWNED_MADE made = made_alignment_random(seed, seed % 10 == 0 ? 5000 : 40);
    const cla_alignment *alignment = made.alignment;
    snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
    alignment_file_expect_same(&alignment, 1, what);
  }
}

Test(alignment_file, holds_several_alignments_matrices_and_score_only_results) {
  OWNED_MADE first = alignment_file_example(), matrix = alignment_file_example(),
             bare = alignment_file_example();
  cla_scoring *scoring = &matrix.alignment->scoring;
  scoring->matrix_size = 5;
  strcpy(scoring->letters, "ACGT*");
  for (int row = 0; row < 5; row++)
    for (int column = 0; column < 5; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = 100000 * (row - 2) - 77 * column;
  free(matrix.alignment->query.location);
  matrix.alignment->query.location = strdup("some folder/genome.fa.gz:chr1:3-17");
  bare.alignment->has_path = false;
  bare.alignment->run_count = 0;
  free(bare.alignment->runs);
  bare.alignment->runs = NULL;
  bare.alignment->query.start = bare.alignment->target.start = -1;
  const cla_alignment *alignments[] = {first.alignment, matrix.alignment, bare.alignment};
  alignment_file_expect_same(alignments, 3, "three");
}

/* A program that knows version 1 only goes on reading what it can understand. */
Test(alignment_file, has_the_lowest_version_that_holds_its_alignments) {
  static const char versions[] = {1, 2, 4};
  OWNED_MADE plain = alignment_file_example(), protein = alignment_file_example(),
             halves = alignment_file_example();
  const cla_alignment *alignments[] = {plain.alignment, protein.alignment, halves.alignment};
  cla_scoring *scoring = &protein.alignment->scoring;
  protein.alignment->alphabet = CLA_ALPHABET_PROTEIN;
  scoring->matrix_size = 1;
  strcpy(scoring->letters, "A");
  memset(scoring->matrix_name, 'm', sizeof scoring->matrix_name - 1);
  halves.alignment->scoring.units = 2;
  for (size_t count = 1; count <= 3; count++) {
    size_t length = 0;
    alignment_file_expect_same(alignments, count, "version");
    OWNED(free_memory) char *bytes = made_read(own_path, &length);
    cr_expect_eq(bytes[ALIGNMENT_FILE_MAGIC_BYTES], versions[count - 1]);
  }
}

Test(alignment_file, tells_how_the_gaps_were_placed) {
  OWNED_MADE left = alignment_file_example(), right = alignment_file_example();
  const cla_alignment *alignments[] = {left.alignment, right.alignment};
  left.alignment->gap_placement = CLA_GAPS_LEFT;
  right.alignment->gap_placement = CLA_GAPS_RIGHT;
  alignment_file_expect_same(alignments, 2, "placement");
}

Test(alignment_file, keeps_both_pieces_of_gap_costs) {
  OWNED_MADE two = alignment_file_example(), flat = alignment_file_example(),
             wrong = alignment_file_example();
  const cla_alignment *alignments[] = {two.alignment, flat.alignment};
  two.alignment->scoring.gap_first2 = flat.alignment->scoring.gap_first2 =
      two.alignment->scoring.gap_first + 7;
  two.alignment->scoring.gap_ext2 = two.alignment->scoring.gap_ext - 1;
  alignment_file_expect_same(alignments, 2, "two pieces");
  wrong.alignment->scoring.gap_ext2 = 1; /* no first letter */
  alignments[0] = wrong.alignment;
  cr_expect_neq(cla_alignment_save(own_path, alignments, 1, &why), CLA_OK);
}

Test(alignment_file, tells_the_rotation_of_either_sequence) {
  OWNED_MADE query = alignment_file_example(), target = alignment_file_example();
  const cla_alignment *alignments[] = {query.alignment, target.alignment};
  query.alignment->query.rotation = 1;
  target.alignment->target.rotation = 3;
  alignment_file_expect_same(alignments, 2, "rotation");
  target.alignment->target.rotation = target.alignment->target.length;
  cr_expect_neq(cla_alignment_save(own_path, alignments, 2, &why), CLA_OK);
}

Test(alignment_file, keeps_the_order_of_touching_gaps) {
  static const char *const paths[] = {"1P2Q3T2P", "1P3T2Q2P", "3T1Q2P1Q", "1Q2T1Q3P1T1Q1P", "2Q3T3P"};
  for (size_t index = 0; index < sizeof paths / sizeof paths[0]; index++) {
    /* Lengths follow from the path: letters are A throughout. */
    char query[32] = "", target[32] = "";
    for (const char *at = paths[index]; *at; at += 2) {
      if (at[1] != 'T') strncat(query, "AAAAAAAA", (size_t)(at[0] - '0'));
      if (at[1] != 'Q') strncat(target, "AAAAAAAA", (size_t)(at[0] - '0'));
    }
    OWNED_MADE made = made_alignment_make(query, target, CLA_MODE_GLOBAL, 0, 0, paths[index]);
    const cla_alignment *alignment = made.alignment;
    alignment_file_expect_same(&alignment, 1, paths[index]);
  }
}

Test(alignment_file, holds_coordinates_and_scores_up_to_63_bits) {
  OWNED_MADE made = alignment_file_example();
  const cla_alignment *alignment = made.alignment;
  cla_side *query = &made.alignment->query;
  query->length = query->end = INT64_MAX;
  query->begin = query->start = INT64_MAX - 20;
  query->stop = query->start + 13;
  made.alignment->score = INT64_MAX;
  alignment_file_expect_same(&alignment, 1, "large");
}

Test(alignment_file, has_the_same_bytes_whatever_the_metrics) {
  OWNED_MADE made = alignment_file_example();
  size_t length = 0, again_length = 0;
  alignment_file_save(made.alignment);
  OWNED(free_memory) char *bytes = made_read(own_path, &length);
  made.alignment->metrics = (cla_metrics){.cells = 5, .seconds = 1.5, .device = "some device"};
  alignment_file_save(made.alignment);
  OWNED(free_memory) char *again = made_read(own_path, &again_length);
  cr_assert_eq(length, again_length);
  cr_expect_arr_eq(bytes, again, length);
}

Test(alignment_file, takes_a_few_bytes_a_gap) {
  enum { GAPS = 20000 };
  int64_t length = 50 * GAPS + GAPS;
  OWNED(free_memory) char *letters = malloc((size_t)length + 1);
  memset(letters, 'A', (size_t)length);
  letters[length] = 0;
  OWNED_MADE made = made_alignment_make(letters, letters, CLA_MODE_LOCAL, 0, 0, "");
  cla_alignment *alignment = made.alignment;
  alignment->runs = calloc(2 * GAPS + 1, sizeof(cla_run));
  for (int gap = 0; gap < GAPS; gap++) {
    int64_t pairs = 20 + (gap * 7919) % 31;
    alignment->runs[alignment->run_count++] = (cla_run){.length = pairs, .kind = CLA_RUN_PAIR};
    alignment->runs[alignment->run_count++] =
        (cla_run){.length = 1, .kind = gap % 3 ? CLA_RUN_QUERY : CLA_RUN_TARGET};
    alignment->query.stop += pairs + (gap % 3 != 0);
    alignment->target.stop += pairs + (gap % 3 == 0);
  }
  alignment->runs[alignment->run_count++] = (cla_run){.length = 1, .kind = CLA_RUN_PAIR};
  alignment->query.stop++;
  alignment->target.stop++;
  alignment->score = 1;
  const cla_alignment *view = alignment;
  struct stat state;
  alignment_file_expect_same(&view, 1, "many gaps");
  cr_assert_eq(stat(own_path, &state), 0);
  cr_expect_lt(state.st_size, 3 * GAPS + 300);
}

Test(alignment_file, stores_plainly_what_would_be_compressed_too_much) {
  enum { GAPS = 600000 }; /* all alike: a payload of 1.8 MB that zstd would shrink to nearly nothing */
  OWNED_MADE made = made_alignment_make("A", "A", CLA_MODE_GLOBAL, 0, 0, "1P");
  cla_alignment *alignment = made.alignment;
  free(alignment->runs);
  alignment->runs = calloc(2 * GAPS, sizeof(cla_run));
  alignment->run_count = 2 * GAPS;
  for (int gap = 0; gap < GAPS; gap++) {
    alignment->runs[2 * gap] = (cla_run){.length = 1, .kind = CLA_RUN_PAIR};
    alignment->runs[2 * gap + 1] = (cla_run){.length = 1, .kind = CLA_RUN_QUERY};
  }
  alignment->query.length = alignment->query.end = alignment->query.stop = 2 * GAPS;
  alignment->target.length = alignment->target.end = alignment->target.stop = GAPS;
  const cla_alignment *view = alignment;
  struct stat state;
  alignment_file_expect_same(&view, 1, "uniform gaps");
  cr_assert_eq(stat(own_path, &state), 0);
  cr_expect_gt(state.st_size, 3 * GAPS);
}

Test(alignment_file, is_not_written_from_an_inconsistent_alignment) {
  OWNED_MADE made = alignment_file_example();
  const cla_alignment *alignment = made.alignment;
  made.alignment->runs[0].length++;
  cr_expect_eq(cla_alignment_save(own_path, &alignment, 1, &why), CLA_ERROR_VERIFICATION);
  cr_expect(strstr(why.message, "passes the query's stop") || strstr(why.message, "passes the target's stop"),
            "%s", why.message);
  cr_expect_eq(cla_alignment_save(own_path, &alignment, 0, &why), CLA_ERROR_OPTION);
  cr_expect_eq(made_folder_entries(own_folder), 0);
}

Test(alignment_file, in_a_missing_folder_is_an_output_error) {
  OWNED_MADE made = alignment_file_example();
  const cla_alignment *alignment = made.alignment;
  OWNED(free_memory) char *missing = made_path(own_folder, "no/a.cla");
  assert_error(cla_alignment_save(missing, &alignment, 1, &why), CLA_ERROR_OUTPUT, missing);
  cr_expect(strstr(why.message, "create the folder"), "%s", why.message);
}
