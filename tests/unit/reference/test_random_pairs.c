/* The generator of random pairs (support/random_pairs.h). */

#include "scoring/gap_costs.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

Test(random_pairs, repeat_from_the_seed_and_pass_the_scoring_check) {
  char text[RANDOM_PAIR_TEXT_SIZE], again_text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    OWNED(random_pair_free) random_pair pair, again;
    const int64_t longest = (int64_t)(seed % 150) + 1;
    random_pair_make(&pair, seed, longest);
    random_pair_make(&again, seed, longest);
    cr_assert_str_eq(random_pair_text(&pair, text), random_pair_text(&again, again_text));
    assert_ok_for(cla_scoring_check(&pair.scoring, &why), "%s", text);
    cr_assert(pair.query_length >= 1 && pair.query_length <= longest, "%s", text);
    cr_assert(pair.target_length >= 1 && pair.target_length <= longest, "%s", text);
    cr_assert_arr_eq(pair.query, again.query, (size_t)pair.query_length);
    cr_assert_arr_eq(pair.target, again.target, (size_t)pair.target_length);
    for (int64_t i = 0; i < pair.query_length; i++) cr_assert_lt(pair.query[i], SEQUENCE_LETTER_COUNT);
    for (int64_t i = 0; i < pair.target_length; i++) cr_assert_lt(pair.target[i], SEQUENCE_LETTER_COUNT);
  }
}

Test(random_pairs, cover_every_kind_scheme_and_mode) {
  const char *names[64];
  int count = 0, modes[2] = {0}, two_pieces = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    OWNED(random_pair_free) random_pair pair;
    random_pair_make(&pair, seed, 20);
    const char *of_pair[] = {pair.kind, pair.scheme};
    for (int k = 0; k < 2; k++) {
      int i = 0;
      while (i < count && strcmp(names[i], of_pair[k]) != 0) i++;
      cr_assert_lt(i, 64);
      if (i == count) names[count++] = of_pair[k];
    }
    modes[pair.mode]++;
    two_pieces += gap_pieces(&pair.scoring) > 1;
  }
  cr_expect_eq(count, 10 + 13, "%d names", count); /* kinds and schemes */
  cr_expect(modes[0] > 800 && modes[1] > 800);
  cr_expect_gt(two_pieces, 300, "%d", two_pieces);
}
