/* The oracle's scores beside those of edlib and WFA2, where these are installed. (parasail: test_reference.c;
 * EMBOSS: the tests of the program.)
 *
 * edlib counts edits: the score with match 0, mismatch -1 and 1 for each gap letter is the negative distance.
 * Its modes NW, SHW (prefix: nothing for target letters behind the query) and HW (infix: nor for those before
 * it) are global, a free target end, and semi-global.
 *
 * WFA2: peers/wfa2_scores.c. */

#include <unistd.h>

#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/random_pairs.h"
#include "support/test.h"

#ifdef HAVE_EDLIB
#include <edlib.h>
#endif
typedef struct lettered {
  random_pair pair;
  char *query, *target;
  char text[RANDOM_PAIR_TEXT_SIZE];
} lettered;

static inline lettered make_lettered(uint64_t seed, int64_t max_length) {
  lettered made;
  random_pair_make_plain(&made.pair, seed, max_length);
  random_pair_text(&made.pair, made.text);
  made.query = random_pair_letters(made.pair.query, made.pair.query_length);
  made.target = random_pair_letters(made.pair.target, made.pair.target_length);
  return made;
}

static inline void free_lettered(lettered *made) {
  free(made->query);
  free(made->target);
  random_pair_free(&made->pair);
}

static inline reference_alignment score_of(const random_pair *pair, const cla_scoring *scoring,
                                           path_ends ends) {
  score_table table;
  reference_alignment scored;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_ok(reference_score(
      &scored,
      &(pair_problem){
          pair->query, pair->target, pair->query_length, pair->target_length, {scoring, &table, ends}},
      &why));
  return scored;
}

#ifdef HAVE_EDLIB
static void expect_distance(uint64_t seed, EdlibAlignMode mode, path_ends ends) {
  lettered made = make_lettered(seed, 300);
  const random_pair *pair = &made.pair;
  cla_scoring scoring = default_scoring();
  scoring.match = 0;
  scoring.mismatch = -1;
  scoring.gap_first = scoring.gap_ext = 1;
  const reference_alignment scored = score_of(pair, &scoring, ends);
  const EdlibAlignConfig config = edlibNewAlignConfig(-1, mode, EDLIB_TASK_DISTANCE, NULL, 0);
  const EdlibAlignResult result =
      edlibAlign(made.query, (int)pair->query_length, made.target, (int)pair->target_length, config);
  cr_assert_eq(result.status, EDLIB_STATUS_OK);
  cr_assert_eq(-result.editDistance, scored.score, "%s: edlib %d, reference %lld", made.text,
               -result.editDistance, (long long)scored.score);
  cr_assert_gt(result.numLocations, 0);
  /* edlib has no end before the first letter: a query that is all gap. */
  if (scored.target_end > 0)
    cr_assert_eq(result.endLocations[0] + 1, scored.target_end, "%s: edlib ends at %d, reference at %lld",
                 made.text, result.endLocations[0] + 1, (long long)scored.target_end);
  edlibFreeAlignResult(result);
  free_lettered(&made);
}

Test(other_aligners, edlib_has_the_same_distances) {
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    expect_distance(seed, EDLIB_MODE_NW, path_ends_make(CLA_MODE_GLOBAL, 0));
    expect_distance(seed, EDLIB_MODE_SHW, path_ends_make(CLA_MODE_FREE_ENDS, CLA_FREE_TARGET_END));
    expect_distance(seed, EDLIB_MODE_HW, path_ends_make(CLA_MODE_SEMI_GLOBAL, 0));
  }
}
#else
Test(other_aligners, edlib_has_the_same_distances) {
  cr_skip_test("skipped: built without edlib (libedlib-dev)");
}
#endif

/* WFA2's steps are penalties: costs are kept low, and none may be 0, with two pieces no opening either. Every
 * fourth scheme has linear costs, every fourth two pieces. */
static cla_scoring moderate(const cla_scoring *given, uint64_t seed) {
  const bool linear = seed % 4 == 0, two = seed % 4 == 1;
  cla_scoring scoring = *given;
  if (scoring.match > 50) scoring.match = 50;
  if (scoring.mismatch < -50) scoring.mismatch = -50;
  if (scoring.match == scoring.mismatch) scoring.match++;
  if (scoring.gap_ext < 1) scoring.gap_ext = 1;
  if (scoring.gap_ext > 20) scoring.gap_ext = 20;
  if (scoring.gap_first > 60) scoring.gap_first = 60;
  if (linear || scoring.gap_first < scoring.gap_ext) scoring.gap_first = scoring.gap_ext;
  if (!two) return scoring;
  if (scoring.match < 1) scoring.match = 1;
  scoring.gap_first = scoring.gap_ext + 1 + (int32_t)(seed / 4 % 12);
  scoring.gap_first2 = scoring.gap_first + 1 + (int32_t)(seed / 4 % 37);
  scoring.gap_ext2 = (int32_t)(seed / 4) % scoring.gap_ext;
  return scoring;
}

Test(other_aligners, wfa2_has_the_same_global_scores) {
#ifndef WFA2_SCORES
  cr_skip_test("skipped: built without WFA2 (libwfa2-dev)");
#else
  const uint64_t pairs = 700;
  char command[1024], *folder = made_folder(), *input = made_path(folder, "pairs");
  FILE *lines = fopen(input, "w");
  cr_assert_not_null(lines);
  for (uint64_t seed = 1; seed <= pairs; seed++) {
    lettered made = make_lettered(seed, 300);
    const cla_scoring s = moderate(&made.pair.scoring, seed);
    assert_ok(cla_scoring_check(&s, &why));
    fprintf(lines, "%d %d %d %d %d %d %s %s\n", s.match, s.mismatch, s.gap_first, s.gap_ext, s.gap_first2,
            s.gap_ext2, made.query, made.target);
    free_lettered(&made);
  }
  cr_assert_eq(fclose(lines), 0);
  snprintf(command, sizeof command, "%s < %s", WFA2_SCORES, input);
  FILE *scores = popen(command, "r");
  cr_assert_not_null(scores);
  for (uint64_t seed = 1; seed <= pairs; seed++) {
    long long score = 0;
    lettered made = make_lettered(seed, 300);
    const cla_scoring s = moderate(&made.pair.scoring, seed);
    const reference_alignment scored = score_of(&made.pair, &s, path_ends_make(CLA_MODE_GLOBAL, 0));
    cr_assert_eq(fscanf(scores, "%lld", &score), 1, "no score of pair %llu", (unsigned long long)seed);
    cr_assert_eq(score, scored.score, "%s: WFA2 %lld, reference %lld", made.text, score,
                 (long long)scored.score);
    free_lettered(&made);
  }
  cr_assert_eq(pclose(scores), 0);
  free(input);
  made_folder_remove(folder);
#endif
}
