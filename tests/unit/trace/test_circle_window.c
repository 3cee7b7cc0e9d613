/* Bounds of ranges of rotations against a textbook of each rotation. */

#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "trace/circle_window.h"

#define NONE (INT64_MIN / 4)
#define LETTERS_MOST 40

static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The score of a global alignment, by gaps of every length. */
static int64_t global_score(const pair_problem *pair) {
  static int64_t h[LETTERS_MOST + 1][LETTERS_MOST + 1];
  const cla_scoring *scoring = pair->scheme.scoring;
  for (int64_t i = 0; i <= pair->rows; i++)
    for (int64_t j = 0; j <= pair->columns; j++) {
      int64_t best = i + j == 0 ? 0 : NONE;
      if (i > 0 && j > 0)
        best = h[i - 1][j - 1] +
               pair->scheme.table->score[pair->query[i - 1] * CLA_MATRIX_STRIDE + pair->target[j - 1]];
      for (int64_t k = 1; k <= i; k++) best = most(best, h[i - k][j] - gap_cost(scoring, k));
      for (int64_t k = 1; k <= j; k++) best = most(best, h[i][j - k] - gap_cost(scoring, k));
      h[i][j] = best;
    }
  return h[pair->rows][pair->columns];
}

/* The problem with the circle's letters from `first` on. */
static pair_problem turned_problem(uint8_t *letters, const pair_problem *whole, bool query_is_circle,
                                   int64_t first, int64_t count) {
  pair_problem out = *whole;
  const uint8_t *circle = query_is_circle ? whole->query : whole->target;
  const int64_t length = query_is_circle ? whole->rows : whole->columns;
  for (int64_t i = 0; i < count; i++) letters[i] = circle[(first + i) % length];
  *(query_is_circle ? &out.query : &out.target) = letters;
  *(query_is_circle ? &out.rows : &out.columns) = count;
  return out;
}

typedef struct tally {
  int reached, above, alone;
} tally;

static void check_range(tally *counts, const random_pair *pair, const pair_problem *whole,
                        bool query_is_circle, int64_t first, int64_t last) {
  uint8_t letters[2 * LETTERS_MOST];
  int64_t scores[LETTERS_MOST], best = INT64_MIN;
  const int64_t length = query_is_circle ? whole->rows : whole->columns;
  for (int64_t rotation = first; rotation <= last; rotation++) {
    const pair_problem one = turned_problem(letters, whole, query_is_circle, rotation, length);
    scores[rotation - first] = global_score(&one);
    best = most(best, scores[rotation - first]);
  }
  circle_window_bound bound;
  const circle_window window = {
      .problem = turned_problem(letters, whole, query_is_circle, first, length + last - first),
      .query_is_circle = query_is_circle,
      .last = last - first};
  assert_ok(circle_window_compute(&bound, &window, &why));
  cr_expect_geq(bound.most, best, "seed %llu, %lld to %lld", (unsigned long long)pair->seed, (long long)first,
                (long long)last);
  if (bound.known) {
    cr_assert(bound.rotation >= 0 && bound.rotation <= last - first);
    cr_expect_geq(scores[bound.rotation], bound.score, "seed %llu", (unsigned long long)pair->seed);
    cr_expect_leq(bound.score, bound.most);
  }
  if (first < last) cr_expect(bound.split >= 0 && bound.split < last - first);
  if (first == last) {
    cr_expect_eq(bound.most, best);
    cr_expect(bound.known && bound.score == best);
    counts->alone++;
  }
  counts->reached += bound.known && bound.score == bound.most && first < last;
  counts->above += bound.most > best;
}

Test(circle_window, bounds_every_rotation_of_its_range) {
  tally counts = {0};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    random_pair pair;
    random_stream stream;
    score_table table;
    random_pair_make(&pair, 7300000 + seed, 24);
    if (seed % 3 == 0) random_pair_add_piece(&pair);
    random_stream_init(&stream, seed, 9);
    if (pair.query_length < 1 || pair.target_length < 1 || pair.query_length > LETTERS_MOST ||
        pair.target_length > LETTERS_MOST || cla_scoring_check(&pair.scoring, NULL) != CLA_OK) {
      random_pair_free(&pair);
      continue;
    }
    score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    const pair_problem whole = {.query = pair.query,
                                .target = pair.target,
                                .rows = pair.query_length,
                                .columns = pair.target_length,
                                .scheme = {.scoring = &pair.scoring, .table = &table}};
    const bool query_is_circle = seed % 2;
    const int64_t length = query_is_circle ? whole.rows : whole.columns;
    const int64_t first = (int64_t)random_stream_below(&stream, (uint64_t)length);
    const int64_t last = first + (int64_t)random_stream_below(&stream, (uint64_t)(length - first));
    check_range(&counts, &pair, &whole, query_is_circle, 0, length - 1);
    check_range(&counts, &pair, &whole, query_is_circle, first, last);
    check_range(&counts, &pair, &whole, query_is_circle, first, first);
    random_pair_free(&pair);
  }
  cr_expect(counts.reached > 20 && counts.above > 20 && counts.alone > 100, "%d %d %d", counts.reached,
            counts.above, counts.alone);
}
