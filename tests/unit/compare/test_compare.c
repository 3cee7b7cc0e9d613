#include "clalign/compare.h"
#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/made_comparison.h"
#include "support/test.h"

#define COUNT(parts) (sizeof(parts) / sizeof *(parts))
#define NEAR 10 /* letters that an end may be away from the made one: unrelated letters can match there */
#define LETTERS_MOST 40000

/* Inversions, a moved part, one of another record, a copy, and new letters. */
static const made_part first_parts[] = {{.to = 2000, .changed = true},
                                        {.from = 600},
                                        {.from = 2000, .to = 3500, .reverse = true, .changed = true},
                                        {.from = 3500, .to = 6000, .changed = true},
                                        {.record = 1, .from = 1000, .to = 2500, .reverse = true},
                                        {.from = 8000, .to = 9200, .changed = true},
                                        {.from = 6000, .to = 8000, .changed = true},
                                        {.from = 400},
                                        {.from = 300, .to = 900, .role = CLA_BLOCK_QUERY_COPY}};
static const made_part second_parts[] = {{.record = 1, .to = 1000},
                                         {.record = 1, .from = 2500, .to = 4000, .joined = true}};

static void make(made_comparison *made, uint32_t seed, bool turned) {
  *made = (made_comparison){.seed = seed};
  made_comparison_target(made, 9200, false);
  made_comparison_target(made, 4000, false);
  made_comparison_query(made, first_parts, COUNT(first_parts), false, turned);
  made_comparison_query(made, second_parts, COUNT(second_parts), false, turned);
}

static void compare(cla_comparison *out, const made_comparison *made) {
  cla_compare_options how;
  cla_compare_options_init(&how);
  assert_ok(cla_compare(out, NULL, &made->comparison.query, &made->comparison.target, &how, &why));
}

static bool is_near(int64_t a, int64_t b) {
  return a - b <= NEAR && b - a <= NEAR;
}

/* Whether a piece has the letters of a made one, within NEAR, on the same strand. */
static bool is_found(const cla_block *made, const cla_comparison *found) {
  const cla_alignment *wanted = made->pieces[0];
  for (size_t i = 0; i < found->block_count; i++)
    for (size_t k = 0; k < found->blocks[i].piece_count; k++) {
      const cla_block *block = &found->blocks[i];
      const cla_alignment *piece = block->pieces[k];
      if (block->query == made->query && block->target == made->target && block->role == made->role &&
          piece->strand == wanted->strand && is_near(piece->query.start, wanted->query.start) &&
          is_near(piece->query.stop, wanted->query.stop) &&
          is_near(piece->target.start, wanted->target.start) &&
          is_near(piece->target.stop, wanted->target.stop))
        return true;
    }
  return false;
}

Test(compare, finds_what_was_moved_and_turned) {
  for (uint32_t seed = 1; seed <= 6; seed++) {
    OWNED_COMPARISON made;
    OWNED(cla_comparison_free) cla_comparison found;
    make(&made, seed, seed % 2);
    compare(&found, &made);
    size_t pieces = 0;
    for (size_t i = 0; i < found.block_count; i++) pieces += found.blocks[i].piece_count;
    cr_expect_eq(pieces, made.comparison.block_count, "seed %u", seed);
    for (size_t i = 0; i < made.comparison.block_count; i++)
      cr_expect(is_found(&made.comparison.blocks[i], &found), "seed %u, part %zu", seed, i);
  }
}

/* The best score of a piece's letters from end to end, by the oracle. */
static int64_t oracle_score(const cla_alignment *piece, const cla_sequence *query,
                            const cla_sequence *target) {
  static uint8_t turned[LETTERS_MOST];
  score_table table;
  reference_alignment best;
  const int64_t rows = piece->query.stop - piece->query.start;
  const uint8_t *codes = sequence_codes(query) + piece->query.start;
  cr_assert_leq(rows, LETTERS_MOST);
  if (piece->strand == CLA_STRAND_REVERSE) {
    reverse_complement_codes(turned, codes, rows);
    codes = turned;
  }
  score_table_build(&table, &piece->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const pair_problem problem = {
      .query = codes,
      .target = sequence_codes(target) + piece->target.start,
      .rows = rows,
      .columns = piece->target.stop - piece->target.start,
      .scheme = {.scoring = &piece->scoring, .table = &table, .ends = path_ends_make(CLA_MODE_GLOBAL, 0)}};
  assert_ok(reference_score(&best, &problem, &why));
  return best.score;
}

Test(compare, pieces_are_the_best_alignments_of_their_letters) {
  OWNED_COMPARISON made;
  OWNED(cla_comparison_free) cla_comparison found;
  make(&made, 11, true);
  compare(&found, &made);
  cr_assert_gt(found.block_count, 0);
  for (size_t i = 0; i < found.block_count; i++)
    for (size_t k = 0; k < found.blocks[i].piece_count; k++) {
      const cla_sequence *query = found.query.records[found.blocks[i].query];
      const cla_sequence *target = found.target.records[found.blocks[i].target];
      const cla_alignment *piece = found.blocks[i].pieces[k];
      assert_ok(cla_alignment_verify(piece, query, target, &why));
      cr_expect_eq(piece->score, oracle_score(piece, query, target));
    }
}

/* Counts the letters of one side that a primary piece pairs, and fails if another one pairs them, too. */
static void mark(uint8_t *marks, const cla_alignment *piece, bool query) {
  const bool down = query && piece->strand == CLA_STRAND_REVERSE;
  const cla_run_kind own = query ? CLA_RUN_QUERY : CLA_RUN_TARGET;
  int64_t at = query ? (down ? piece->query.stop : piece->query.start) : piece->target.start;
  for (size_t i = 0; i < piece->run_count; i++) {
    const cla_run *run = &piece->runs[i];
    if (run->kind != CLA_RUN_PAIR && run->kind != own) continue;
    for (int64_t k = 0; k < run->length; k++, at += down ? -1 : 1)
      if (run->kind == CLA_RUN_PAIR) cr_expect_eq(marks[down ? at - 1 : at]++, 0);
  }
}

Test(compare, no_letter_is_in_two_primary_pieces) {
  /* Parts that meet share their last letters: both of two neighbours could have them. */
  static const made_part parts[] = {{.to = 3000, .changed = true},
                                    {.from = 2700, .to = 6000, .changed = true},
                                    {.from = 5900, .to = 8000, .reverse = true, .changed = true},
                                    {.from = 7500, .to = 9000, .changed = true}};
  for (uint32_t seed = 21; seed < 25; seed++) {
    static uint8_t marks[2][LETTERS_MOST];
    OWNED_COMPARISON made;
    OWNED(cla_comparison_free) cla_comparison found;
    made = (made_comparison){.seed = seed};
    made_comparison_target(&made, 9000, false);
    made_comparison_query(&made, parts, COUNT(parts), false, seed % 2);
    compare(&found, &made);
    memset(marks, 0, sizeof marks);
    cr_assert_gt(found.block_count, 0);
    for (size_t i = 0; i < found.block_count; i++)
      for (size_t k = 0; k < found.blocks[i].piece_count; k++) {
        if (found.blocks[i].role != CLA_BLOCK_PRIMARY) continue;
        mark(marks[0], found.blocks[i].pieces[k], true);
        mark(marks[1], found.blocks[i].pieces[k], false);
      }
  }
}

Test(compare, unrelated_genomes_have_no_block) {
  static const made_part parts[] = {{.from = 5000}};
  OWNED_COMPARISON made;
  OWNED(cla_comparison_free) cla_comparison found;
  made = (made_comparison){.seed = 31};
  made_comparison_target(&made, 5000, false);
  made_comparison_query(&made, parts, COUNT(parts), false, false);
  compare(&found, &made);
  cr_expect_eq(found.block_count, 0);
}

Test(compare, a_copy_beside_its_original_ends_where_its_letters_end) {
  static const made_part parts[] = {{.to = 13000},
                                    {.from = 12000, .to = 12500, .role = CLA_BLOCK_QUERY_COPY},
                                    {.from = 13000, .to = 26000}};
  OWNED_COMPARISON made;
  OWNED(cla_comparison_free) cla_comparison found;
  size_t copies = 0;
  made = (made_comparison){.seed = 41};
  made_comparison_target(&made, 26000, false);
  made_comparison_query(&made, parts, COUNT(parts), false, false);
  compare(&found, &made);
  for (size_t i = 0; i < found.block_count; i++) {
    if (found.blocks[i].role != CLA_BLOCK_QUERY_COPY) continue;
    copies++;
    cr_expect(is_near(found.blocks[i].target_end - found.blocks[i].target_begin, 500));
  }
  cr_expect_eq(copies, 1);
}
