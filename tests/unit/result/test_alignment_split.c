/* Alignments cut where they are not worth having. */

#include "clalign/alignment.h"
#include "result/alignment.h"
#include "scoring/gap_costs.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define MOST_EVENTS 13

/* What the pieces of a path are worth: the more the better, then the fewer, then the shorter. */
typedef struct worth {
  int64_t sum;    /* of the scores, less the drop for each */
  int64_t pieces; /* how many */
  int64_t events; /* pairs and gaps in them */
} worth;

static bool is_better(const worth *a, const worth *b) {
  if (a->sum != b->sum) return a->sum > b->sum;
  if (a->pieces != b->pieces) return a->pieces < b->pieces;
  return a->events < b->events;
}

/* Tries every set of parts of scores[from], scores[from + 1], ... */
static void try_all(worth *best, worth so_far, const int64_t *scores, int from, int count, int64_t drop) {
  if (is_better(&so_far, best)) *best = so_far;
  for (int begin = from; begin < count; begin++) {
    worth more = {so_far.sum - drop, so_far.pieces + 1, so_far.events};
    for (int end = begin; end < count; end++) {
      more.sum += scores[end];
      more.events++;
      try_all(best, more, scores, end + 1, count, drop);
    }
  }
}

/* What each pair and each gap along the path scores; returns how many, or one more than there is room for. */
static int list_scores(int64_t scores[MOST_EVENTS + 1], const made_alignment *made) {
  const cla_scoring *scoring = &made->alignment->scoring;
  int64_t i = made->alignment->query.start, j = made->alignment->target.start;
  int count = 0;
  for (size_t index = 0; index < made->alignment->run_count; index++) {
    const cla_run *run = &made->alignment->runs[index];
    const bool pairs = run->kind == CLA_RUN_PAIR;
    for (int64_t letter = 0; letter < (pairs ? run->length : 1); letter++) {
      if (count > MOST_EVENTS) return count;
      const uint8_t query = pairs ? sequence_codes(made->query)[i + letter] : 0;
      const bool match =
          pairs && query < SEQUENCE_UNAMBIGUOUS && query == sequence_codes(made->target)[j + letter];
      scores[count++] = !pairs ? -gap_cost(scoring, run->length) : match ? scoring->match : scoring->mismatch;
    }
    if (run->kind != CLA_RUN_TARGET) i += run->length;
    if (run->kind != CLA_RUN_QUERY) j += run->length;
  }
  return count;
}

static worth worth_of(const cla_alignment *const *pieces, size_t count, int64_t drop) {
  worth sum = {.pieces = (int64_t)count};
  for (size_t i = 0; i < count; i++) {
    sum.sum += pieces[i]->score - drop;
    for (size_t k = 0; k < pieces[i]->run_count; k++)
      sum.events += pieces[i]->runs[k].kind == CLA_RUN_PAIR ? pieces[i]->runs[k].length : 1;
  }
  return sum;
}

Test(alignment_split, finds_the_best_of_all_sets_of_parts) {
  int cut = 0, many = 0;
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    OWNED_MADE made = made_alignment_random(seed, 12);
    int64_t scores[MOST_EVENTS + 1];
    made.alignment->scoring.match = 1 + (int32_t)(seed % 6);
    made.alignment->scoring.mismatch = -(int32_t)(seed % 3);
    made.alignment->scoring.gap_first = 1 + (int32_t)(seed % 4);
    made.alignment->scoring.gap_ext = (int32_t)(seed % 2);
    const int count = list_scores(scores, &made);
    if (count > MOST_EVENTS) continue;
    for (int64_t drop = 0; drop < 8; drop++) {
      cla_results pieces;
      worth best = {0};
      assert_ok(cla_alignment_split(&pieces, made.alignment, drop, made.query, made.target, &why));
      try_all(&best, (worth){0}, scores, 0, count, drop);
      const worth here = worth_of(pieces.alignments, pieces.count, drop);
      cr_assert(here.sum == best.sum && here.pieces == best.pieces && here.events == best.events,
                "seed %llu, drop %lld: %lld in %lld pieces of %lld, not %lld in %lld of %lld",
                (unsigned long long)seed, (long long)drop, (long long)here.sum, (long long)here.pieces,
                (long long)here.events, (long long)best.sum, (long long)best.pieces, (long long)best.events);
      for (size_t i = 0; i < pieces.count; i++) {
        assert_ok(cla_alignment_verify(pieces.alignments[i], made.query, made.target, &why));
        cr_expect(pieces.alignments[i]->score > drop && pieces.alignments[i]->has_split &&
                  pieces.alignments[i]->split_drop == drop);
        cr_expect(i == 0 || pieces.alignments[i]->score <= pieces.alignments[i - 1]->score);
      }
      cut += pieces.count > 0;
      many += pieces.count > 1;
      cla_results_free(&pieces);
    }
  }
  cr_expect_gt(cut, 1000);
  cr_expect_gt(many, 200);
}

/*  query   ACGTACGT------ACGTAC--TTTTTACGTACGTA
 *  target  ACGTACGTGGGGGGACGTACGG-----ACGTACGTA   by match 1, mismatch -3, gap 5 + 2 (k - 1) */
static made_alignment example(void) {
  return made_alignment_make("ACGTACGTACGTACTTTTTACGTACGTA", "ACGTACGTGGGGGGACGTACGGACGTACGTA",
                             CLA_MODE_GLOBAL, 0, 0, "8P6T6P2T5Q9P");
}

static size_t split(cla_results *pieces, const made_alignment *made, int64_t drop) {
  assert_ok(cla_alignment_split(pieces, made->alignment, drop, made->query, made->target, &why));
  return pieces->count;
}

Test(alignment_split, cuts_at_drops_above_the_given_one_only) {
  OWNED_MADE made = example();
  cla_results pieces;
  size_t count = split(&pieces, &made, 5);
  cr_assert_eq(count, 3);
  cr_expect_eq(pieces.alignments[0]->score, 9);
  cr_expect_eq(pieces.alignments[0]->query.start, 19);
  cr_expect_eq(pieces.alignments[0]->target.start, 22);
  cr_expect_eq(pieces.alignments[0]->query.begin, 0, "the range stays");
  cr_expect_eq(pieces.alignments[1]->score, 8);
  cr_expect_eq(pieces.alignments[2]->score, 6);
  cr_expect_eq(pieces.alignments[2]->query.start, 8);
  cr_expect_eq(pieces.alignments[2]->query.stop, 14);
  cr_expect_eq(pieces.alignments[2]->target.start, 14);
  cla_results_free(&pieces);
  count = split(&pieces, &made, 6); /* a piece scores more than the drop */
  cr_expect_eq(count, 2);
  cla_results_free(&pieces);
  count = split(&pieces, &made, 9);
  cr_expect_eq(count, 0);
  cla_results_free(&pieces);
}

Test(alignment_split, ends_a_piece_where_it_is_best) {
  /* The drop is 3 + 3 = 6 within and at the ends. */
  OWNED_MADE made = made_alignment_make("AGACGTACGTTTACGTACGTACGTA", "CCACGTACGTGGACGTACGTACGGC",
                                        CLA_MODE_GLOBAL, 0, 0, "25P");
  cla_results pieces;
  size_t count = split(&pieces, &made, 6);
  cr_assert_eq(count, 1);
  cr_expect_eq(pieces.alignments[0]->query.start, 2);
  cr_expect_eq(pieces.alignments[0]->query.stop, 23);
  cr_expect_eq(pieces.alignments[0]->score, 8 - 6 + 11);
  cla_results_free(&pieces);
  count = split(&pieces, &made, 5);
  cr_expect_eq(count, 2);
  cla_results_free(&pieces);
}

Test(alignment_split, counts_along_the_strand_that_was_aligned) {
  OWNED_MADE made = example();
  cla_results pieces;
  made_alignment_turn(&made);
  const size_t count = split(&pieces, &made, 5);
  cr_assert_eq(count, 3);
  cr_expect_eq(pieces.alignments[0]->strand, CLA_STRAND_REVERSE);
  cr_expect_eq(pieces.alignments[0]->query.start, 0);
  cr_expect_eq(pieces.alignments[0]->query.stop, 9);
  cr_expect_eq(pieces.alignments[0]->target.start, 22);
  for (size_t i = 0; i < count; i++)
    assert_ok(cla_alignment_verify(pieces.alignments[i], made.query, made.target, &why));
  cla_results_free(&pieces);
}

Test(alignment_split, refuses_what_cannot_be_cut) {
  OWNED_MADE made = example();
  cla_results pieces = {.count = 1};
  cr_expect_eq(cla_alignment_split(&pieces, made.alignment, -1, made.query, made.target, &why),
               CLA_ERROR_OPTION);
  cr_expect_null(pieces.alignments);
  cr_expect_eq(pieces.count, 0);
  cr_expect_eq(cla_alignment_split(&pieces, made.alignment, 5, made.target, made.query, &why),
               CLA_ERROR_VERIFICATION);
  made.alignment->has_path = false;
  cr_expect_eq(cla_alignment_split(&pieces, made.alignment, 5, made.query, made.target, &why),
               CLA_ERROR_OPTION);
}

Test(alignment_split, has_a_drop_for_each_scheme) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  cr_expect_eq(cla_split_drop(&scoring), CLA_SPLIT_MATCHES);
  assert_ok(cla_scoring_init_preset(&scoring, "genome", CLA_ALPHABET_DNA, &why));
  cr_expect_eq(cla_split_drop(&scoring), 60, "one gap costs 40, two cost 80");
  assert_ok(cla_scoring_init_preset(&scoring, "strain", CLA_ALPHABET_DNA, &why));
  cr_expect_eq(cla_split_drop(&scoring), 45, "one gap costs 30, two cost 60");
  scoring.gap_first2 = scoring.gap_first + 1;
  cr_expect_eq(cla_split_drop(&scoring), 40);
  assert_ok(cla_scoring_init_preset(&scoring, "needle", CLA_ALPHABET_DNA, &why));
  cr_expect_eq(cla_split_drop(&scoring), CLA_SPLIT_MATCHES * 5 * scoring.units,
               "EDNAFULL has 5 for each of A, C, G, T");
}

Test(alignment_split, keeps_pieces_in_files) {
  OWNED_MADE made = example();
  cla_alignment **loaded = NULL;
  cla_results pieces;
  uint8_t *bytes = NULL;
  int64_t length = 0;
  size_t loaded_count = 0;
  const size_t count = split(&pieces, &made, 5);
  assert_ok(cla_alignments_pack(&bytes, &length, pieces.alignments, count, &why));
  assert_ok(cla_alignments_unpack(&loaded, &loaded_count, bytes, length, "memory", &why));
  cr_assert_eq(loaded_count, count);
  for (size_t i = 0; i < count; i++) {
    cr_expect(made_alignment_same(pieces.alignments[i], loaded[i]));
    cr_expect(loaded[i]->has_split && loaded[i]->split_drop == 5);
    assert_ok(cla_alignment_verify(loaded[i], made.query, made.target, &why));
  }
  free(bytes);
  cla_alignments_free(loaded, loaded_count);
  cla_results_free(&pieces);
}
