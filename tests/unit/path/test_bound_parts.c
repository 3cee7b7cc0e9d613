/* What lower bounds are made of, against the oracle or against trying everything: ways across areas, and the
 * best part of a path. */

#include <inttypes.h>

#include "path/area_cross.h"
#include "path/space_cross.h"
#include "seq/random_stream.h"
#include "support/bound_pairs.h"
#include "support/reference_difference.h"
#include "support/test.h"

/* The way across an area, however it is crossed and whoever does it. */
static void expect_crossing(const bound_pair *pair, int threads, int64_t work, bound_path *path,
                            const char *text) {
  const bound_area area = {.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
  space_crosser t = {.pair = pair, .path = path, .work = work, .threads = threads};
  cr_assert_eq(space_cross(&t, &area, NULL), CLA_OK, "%s", text);
  bound_walk(pair, path->runs, path->count, 0, 0, pair->problem.rows, pair->problem.columns, text);
}

static bool same_path(const bound_path *a, const bound_path *b) {
  return same_runs(a->runs, (size_t)a->count, b->runs, (size_t)b->count);
}

Test(space_cross, leads_from_corner_to_corner_for_any_work) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (int64_t work = 1; work <= BOUND_MUCH_WORK; work <<= 5) {
      OWNED(bound_fixture_tear_down) bound_fixture x;
      OWNED(bound_path_free) bound_path path = {0};
      bound_fixture_set_up(&x, (related_kind)kind, 21, 3000, 0);
      expect_crossing(&x.pair, 1, work, &path, x.related.name);
    }
}

/* With little work only some areas are crossed exactly. */
Test(space_cross, gives_the_same_path_with_any_number_of_threads) {
  OWNED(bound_fixture_tear_down) bound_fixture x;
  bound_path alone[2] = {{0}};
  bound_fixture_set_up(&x, RELATED_TENTH_CHANGED, 4, 40000, 0);
  const int64_t works[] = {BOUND_MUCH_WORK, 25 * (x.pair.problem.rows + x.pair.problem.columns)};
  for (int i = 0; i < 2; i++) {
    expect_crossing(&x.pair, 1, works[i], &alone[i], "one thread");
    for (int threads = 2; threads <= 5; threads++) {
      OWNED(bound_path_free) bound_path path = {0};
      expect_crossing(&x.pair, threads, works[i], &path, "several threads");
      cr_expect(same_path(&alone[i], &path), "%d threads", threads);
    }
  }
  cr_expect_not(same_path(&alone[0], &alone[1]), "little work is enough");
  bound_path_free(&alone[0]);
  bound_path_free(&alone[1]);
}

/* Many matches beside the diagonal of a long chain each go on from it, with all of its value. They do not
 * crowd out a shorter chain on the same diagonal, too far away to be a neighbour. */
Test(match_chain, goes_on_behind_many_branches_of_a_long_chain) {
  enum { BRANCHES = 4000, STEP = 100, LETTERS = 20, FAR = 5000 };
  OWNED(bound_fixture_tear_down) bound_fixture x;
  seed_matches matches = {0};
  bound_fixture_set_up(&x, RELATED_NOT, 1, 2 * BRANCHES * STEP, 0);
  const bound_area whole = {.query_stop = x.pair.problem.rows, .target_stop = x.pair.problem.columns};
  const chain_kind kind = {.hope = 100};
  matches.items = calloc(3 * BRANCHES, sizeof *matches.items);
  cr_assert(matches.items);
  for (int64_t i = 0; i < BRANCHES; i++) {
    const int64_t at = i * STEP;
    matches.items[matches.count++] = (seed_match){.query = at, .target = at, .length = LETTERS};
    if (i > BRANCHES / 2)
      matches.items[matches.count++] =
          (seed_match){.query = at + STEP / 2, .target = at + STEP / 2 + 7, .length = LETTERS};
  }
  const int64_t behind = BRANCHES * STEP + FAR, last = behind + (BRANCHES / 4) * STEP;
  for (int64_t at = behind; at <= last; at += STEP)
    matches.items[matches.count++] = (seed_match){.query = at, .target = at, .length = LETTERS};
  assert_ok(match_chain(&matches, &x.pair, &whole, &kind, &why));
  cr_assert_gt(matches.count, 0);
  cr_expect_eq(matches.items[0].query, 0);
  cr_expect_eq(matches.items[matches.count - 1].query, last, "ends at %" PRId64 " of %" PRId64,
               matches.items[matches.count - 1].query, last);
  free(matches.items);
}

Test(exact_area, crosses_by_an_optimal_alignment) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 300; seed++) {
    OWNED(random_pair_free) random_pair random;
    score_table table;
    OWNED(bound_path_free) bound_path path = {0};
    random_pair_make(&random, seed, 120);
    random.scoring.gap_first2 = random.scoring.gap_ext2 = 0; /* exact_area_cross knows one piece only */
    random_pair_text(&random, text);
    const bound_pair pair = bound_pair_of(random.query, random.query_length, random.target,
                                          random.target_length, &random.scoring, &table);
    const bound_area area = {.query_stop = pair.problem.rows, .target_stop = pair.problem.columns};
    cr_assert_eq(exact_area_cross(&path, &pair, &area, NULL), CLA_OK);
    cr_assert_eq(
        bound_walk(&pair, path.runs, path.count, 0, 0, pair.problem.rows, pair.problem.columns, text),
        bound_optimum(&pair, CLA_MODE_GLOBAL), "%s", text);
  }
}

/* The best of all ways to go along the first corner's diagonal, then gaps, then the last corner's diagonal.
 */
static int64_t best_crossing_with_one_gap(const bound_pair *pair) {
  const int64_t m = pair->problem.rows, n = pair->problem.columns, common = m < n ? m : n;
  int64_t best = INT64_MIN;
  for (int64_t before = 0; before <= common; before++) {
    int64_t score = -gap_cost(pair->problem.scheme.scoring, m - common) -
                    gap_cost(pair->problem.scheme.scoring, n - common);
    for (int64_t i = 0; i < before; i++) score += bound_pair_score(pair, i, i);
    for (int64_t i = 1; i <= common - before; i++) score += bound_pair_score(pair, m - i, n - i);
    if (score > best) best = score;
  }
  return best;
}

Test(open_space, crosses_at_least_as_well_as_with_one_gap_or_with_nothing_but_gaps) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 300; seed++) {
    OWNED(random_pair_free) random_pair random;
    score_table table;
    OWNED(bound_path_free) bound_path path = {0};
    random_pair_make(&random, seed, 120);
    random_pair_text(&random, text);
    const bound_pair pair = bound_pair_of(random.query, random.query_length, random.target,
                                          random.target_length, &random.scoring, &table);
    const bound_area area = {.query_stop = pair.problem.rows, .target_stop = pair.problem.columns};
    cr_assert_eq(open_space_cross(&path, &pair, &area, NULL), CLA_OK);
    const int64_t score =
        bound_walk(&pair, path.runs, path.count, 0, 0, pair.problem.rows, pair.problem.columns, text);
    cr_assert_geq(score, best_crossing_with_one_gap(&pair), "%s", text);
    cr_assert_geq(score,
                  -gap_cost(pair.problem.scheme.scoring, pair.problem.rows) -
                      gap_cost(pair.problem.scheme.scoring, pair.problem.columns),
                  "%s", text);
  }
}

/* The largest sum over all parts of a path that begin and end with a pair, by trying them. */
static int64_t best_part_by_trying(const bound_pair *pair, const bound_path *path) {
  int64_t best = 0, steps = 0, values[256];
  bool pairs[256];
  int64_t query = path->query, target = path->target;
  for (int64_t i = 0; i < path->count; i++)
    for (int64_t k = 0; k < path->runs[i].length; k++, steps++) {
      cr_assert_lt(steps, 256);
      pairs[steps] = path->runs[i].kind == CLA_RUN_PAIR;
      values[steps] = pairs[steps] ? bound_pair_score(pair, query, target)
                                   : -(int64_t)(k == 0 ? pair->problem.scheme.scoring->gap_first
                                                       : pair->problem.scheme.scoring->gap_ext);
      query += path->runs[i].kind != CLA_RUN_TARGET;
      target += path->runs[i].kind != CLA_RUN_QUERY;
    }
  for (int64_t from = 0; from < steps; from++) {
    int64_t sum = 0;
    for (int64_t to = from; to < steps && pairs[from]; to++) {
      sum += values[to];
      if (pairs[to] && sum > best) best = sum;
    }
  }
  return best;
}

Test(bound_path, is_cut_down_to_its_best_part) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    random_stream stream;
    cla_scoring scoring;
    score_table table;
    OWNED(bound_path_free) bound_path path = {0};
    uint8_t query[128], target[128];
    char text[64];
    snprintf(text, sizeof text, "seed %" PRIu64, seed);
    random_stream_init(&stream, seed, 1);
    related_scheme(&scoring, (int)(seed % RELATED_SCHEMES));
    random_stream_codes(&stream, query, 128, 2);
    random_stream_codes(&stream, target, 128, 2);
    const bound_pair pair = bound_pair_of(query, 128, target, 128, &scoring, &table);
    bound_path_begin(&path, 3, 5);
    for (int run = 0; run < 9; run++)
      assert_ok(bound_path_add(&path, (cla_run_kind)random_stream_below(&stream, 3),
                               (int64_t)random_stream_below(&stream, 13), &why));
    const int64_t best = best_part_by_trying(&pair, &path);
    cr_assert_eq(bound_path_keep_best_part(&path, &pair), best, "%s", text);
    cr_assert_eq(bound_walk(&pair, path.runs, path.count, path.query, path.target, path.query_stop,
                            path.target_stop, text),
                 best, "%s", text);
  }
}
