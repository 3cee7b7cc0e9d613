/* Lines of a live band that are computed together, against the same lines computed one after the other. */

#include "base/extremes.h"
#include "scoring/gap_costs.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "trace/live_band_internal.h"

/* Long letters with the scheme and the mode of a random pair. */
static void make_pair(random_pair *pair, uint64_t seed) {
  random_stream stream;
  random_stream_init(&stream, seed, 5);
  random_pair_make(pair, seed, 40);
  random_pair_choose_mode(pair);
  free(pair->query);
  free(pair->target);
  pair->query_length = 4800 + (int64_t)random_stream_below(&stream, 3000);
  pair->target_length = 4800 + (int64_t)random_stream_below(&stream, 3000);
  pair->query = random_letters(pair->query_length, seed);
  pair->target = random_letters(pair->target_length, seed + 1);
}

static row_values make_top(const pair_problem *problem) {
  row_values top;
  assert_ok(row_values_make(&top, problem->columns + 1, problem->scheme.scoring, "a row", &why));
  known_row_read(&(known_row){.scheme = &problem->scheme}, 0, problem->columns + 1, top);
  return top;
}

/* What the next lines depend on of each of a line's arrays: the rows in which it has values. */
static void rows_of(int64_t *first, int64_t *last, const band_front *front, int array) {
  const bool before = array == 1, across = array == 2 || array == 4, down = array == 3 || array == 5;
  *first = before ? front->before_first - 1 : across ? larger(front->first, 1) : front->first - 1;
  *last = before ? front->before_last + 1 : down ? front->last : front->last + 1;
  *first = larger(*first, 0);
}

/* Those values, one array after the other. Returns how many there are. */
static int64_t take_values(int64_t *out, live_band *band) {
  void *arrays[BAND_KEPT_ARRAYS_MOST];
  const int kept_arrays = band_values_arrays(band, arrays);
  int64_t count = 0, first, last;
  for (int i = 0; i < kept_arrays; i++) {
    rows_of(&first, &last, &band->front, i);
    for (int64_t row = first; row <= last; row++) out[count++] = value_get(band, arrays[i], row);
  }
  return count;
}

#define TILES 5
#define THREADS 3

/* Each second kept line begins several tiles, which threads share. Returns how many times lines were wide. */
static int64_t compare_lines(live_band *band, const char *text) {
  const size_t most = (size_t)(band->rows + 3) * BAND_KEPT_ARRAYS_MOST;
  int64_t *together = calloc(most, sizeof *together), *alone = calloc(most, sizeof *alone);
  int64_t wide = 0;
  cr_assert(together && alone);
  for (int64_t i = 0; i < band->kept.count; i++) {
    const kept_line *kept = band->kept.lines + i;
    const int64_t tiles = i % 2 == 0 ? 1 : TILES;
    if (kept->line + tiles * LINES_BETWEEN_LOOKS > band->rows + band->columns) break;
    band_values_go_back(band, kept, band->rows, band->columns);
    if (!band_is_wide(band)) continue;
    wide++;
    cr_assert(tiles == 1 ? band_next_lines(band) : band_next_tiles(band, tiles, THREADS), "%s", text);
    const band_front front = band->front;
    const int64_t values = take_values(together, band);
    band_values_go_back(band, kept, band->rows, band->columns);
    for (int k = 0; k < tiles * LINES_BETWEEN_LOOKS; k++)
      cr_assert(band_next_line(band, band->rows, band->columns, NULL), "%s", text);
    cr_assert_eq(front.line, band->front.line);
    cr_assert(front.first == band->front.first && front.last == band->front.last, "%s: rows of line %lld",
              text, (long long)front.line);
    cr_assert(front.before_first == band->front.before_first && front.before_last == band->front.before_last);
    cr_assert_eq(values, take_values(alone, band));
    for (int64_t v = 0; v < values; v++)
      cr_assert_eq(together[v], alone[v], "%s: value %lld of line %lld", text, (long long)v,
                   (long long)front.line);
  }
  free(together);
  free(alone);
  return wide;
}

typedef struct counts {
  int64_t wide, bytes[5], two, local, border;
} counts;

static void check(counts *all, uint64_t seed) {
  random_pair pair;
  score_table table;
  row_worth worth;
  char text[RANDOM_PAIR_TEXT_SIZE];
  live_band *band = NULL;
  live_band_outcome outcome = LIVE_BAND_EMPTY;
  make_pair(&pair, seed);
  random_pair_text(&pair, text);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_ends ends = path_ends_make(pair.mode, pair.free_ends);
  assert_ok(row_worth_make(&worth, pair.query, pair.query_length, &table, &why));
  const pair_problem *problem = RANDOM_PAIR_PROBLEM(&pair, &table, ends);
  row_values top = make_top(problem);
  /* So low a value that nearly everything is alive. */
  const band_node goal = {
      .row = pair.query_length,
      .column = pair.target_length,
      .value = -gap_cost(&pair.scoring, pair.query_length) - gap_cost(&pair.scoring, pair.target_length),
      .state = STATE_H};
  band_goals goals;
  band_goals_set_node(&goals, &goal, &worth, &pair.scoring);
  live_band_input input = {
      .problem = problem, .worth = &worth, .top = top, .cells_limit = INT64_MAX, .bytes_limit = INT64_MAX};
  cr_assert(live_band_look(&input, &goals), "%s", text);
  assert_ok_for(live_band_create(&band, &outcome, &input, &goals, &why), "%s", text);
  if (band) {
    const int64_t wide = compare_lines(band, text);
    all->wide += wide;
    if (wide > 0) {
      all->bytes[band->scale.value_bytes]++;
      all->two += band_pieces(band) > 1;
      all->local += ends.floor;
      all->border += ends.query_start;
    }
  }
  live_band_free(band);
  row_values_free(&top);
  row_worth_free(&worth);
  random_pair_free(&pair);
}

Test(band_lines, are_the_same_together_as_one_after_the_other, .timeout = 600) {
  counts all = {0};
  const long long count = test_count("CLALIGN_TEST_PAIRS", 20000) / 400;
  for (long long i = 0; i < count; i++) check(&all, 7200000 + (uint64_t)i);
  printf(
      "%lld times lines were wide; of pairs with such lines %lld had values of 2 bytes, %lld of 4, %lld "
      "two pieces, %lld were local, %lld started anywhere on the left border\n",
      (long long)all.wide, (long long)all.bytes[2], (long long)all.bytes[4], (long long)all.two,
      (long long)all.local, (long long)all.border);
  cr_assert(all.wide > 0 && all.bytes[2] > 0 && all.bytes[4] > 0 && all.two > 0 && all.local > 0 &&
            all.border > 0);
}
