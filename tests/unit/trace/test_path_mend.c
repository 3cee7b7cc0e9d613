/* A lower bound's path, of which stretches through unlike letters are aligned again in bands. */

#include <inttypes.h>

#include "base/error.h"
#include "base/extremes.h"
#include "path/path_mend.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/bound_pairs.h"
#include "support/reference_difference.h"
#include "support/test.h"
#include "trace/banded.h"

static bool same_way(const bound_path *a, const bound_path *b) {
  return same_runs(a->runs, (size_t)a->count, b->runs, (size_t)b->count);
}

static int64_t walk_corners(const bound_pair *pair, const bound_path *way, const char *text) {
  return bound_walk(pair, way->runs, way->count, 0, 0, pair->problem.rows, pair->problem.columns, text);
}

static int64_t mend(bound_path *way, const bound_pair *pair, int64_t work, int threads, const char *text) {
  space_crosser t = {.pair = pair, .path = way, .threads = threads};
  cr_assert_eq(path_mend(&t, work, NULL), CLA_OK, "%s", text);
  return walk_corners(pair, way, text);
}

/* Related letters on either side of unlike ones, which the way leaves out by two gaps. */
static void make_poor_path(bound_fixture *x, bound_path *way, uint64_t seed, int64_t query_unlike,
                           int64_t target_unlike) {
  random_stream random;
  random_stream_init(&random, seed, 0);
  bound_fixture_set_up(x, RELATED_TENTH_CHANGED, seed, 2000 + 2 * larger(query_unlike, target_unlike), 0);
  const int64_t query = x->related.query_length / 2, target = x->related.target_length / 2;
  x->pair.banded = banded_cross;
  for (int64_t i = 0; i < query_unlike; i++)
    x->related.query[query + i] = (uint8_t)random_stream_below(&random, 4);
  for (int64_t i = 0; i < target_unlike; i++)
    x->related.target[target + i] = (uint8_t)random_stream_below(&random, 4);
  const bound_area areas[] = {{.query_stop = query, .target_stop = target},
                              {.query = query + query_unlike,
                               .target = target + target_unlike,
                               .query_stop = x->pair.problem.rows,
                               .target_stop = x->pair.problem.columns}};
  space_crosser t = {.pair = &x->pair, .path = way, .work = BOUND_MUCH_WORK, .threads = 1};
  bound_path_begin(way, 0, 0);
  cr_assert_eq(space_cross(&t, &areas[0], NULL), CLA_OK);
  cr_assert_eq(bound_path_add(way, CLA_RUN_QUERY, query_unlike, NULL), CLA_OK);
  cr_assert_eq(bound_path_add(way, CLA_RUN_TARGET, target_unlike, NULL), CLA_OK);
  cr_assert_eq(space_cross(&t, &areas[1], NULL), CLA_OK);
}

Test(path_mend, aligns_unlike_stretches_again) {
  const int64_t unlike[][2] = {{200, 200}, {300, 210}, {90, 260}, {700, 640}};
  for (uint64_t seed = 1; seed <= 12; seed++) {
    OWNED(bound_fixture_tear_down) bound_fixture x;
    OWNED(bound_path_free) bound_path way = {0};
    make_poor_path(&x, &way, seed, unlike[seed % 4][0], unlike[seed % 4][1]);
    const int64_t before = walk_corners(&x.pair, &way, "before");
    const int64_t after = mend(&way, &x.pair, BOUND_MUCH_WORK, 1, "mended");
    const int64_t best = bound_optimum(&x.pair, CLA_MODE_GLOBAL);
    cr_expect(after <= best && 20 * (best - after) <= best - before, "%lld, then %lld, of %lld",
              (long long)before, (long long)after, (long long)best);
  }
}

/* A stretch of so many cells is cut into pieces; a wide band about all of it is little better. */
Test(path_mend, aligns_long_stretches_in_pieces, .timeout = 600) {
  const int64_t unlike[][2] = {{12000, 12000}, {13000, 11000}};
  for (int i = 0; i < 2; i++) {
    OWNED(bound_fixture_tear_down) bound_fixture x;
    OWNED(bound_path_free) bound_path way = {0}, whole = {0};
    int64_t best;
    make_poor_path(&x, &way, 40 + (uint64_t)i, unlike[i][0], unlike[i][1]);
    const bound_area all = {.query_stop = x.pair.problem.rows, .target_stop = x.pair.problem.columns};
    const int64_t before = walk_corners(&x.pair, &way, "before");
    const int64_t after = mend(&way, &x.pair, BOUND_MUCH_WORK, 2, "mended");
    cr_assert_eq(banded_cross(&whole, &best, &x.pair, &all, 3000, NULL), CLA_OK);
    cr_expect_eq(walk_corners(&x.pair, &whole, "whole"), best);
    cr_expect(after <= best && 50 * (best - after) <= best - before, "%lld, then %lld, of %lld",
              (long long)before, (long long)after, (long long)best);
  }
}

Test(path_mend, depends_on_work_but_not_on_threads) {
  for (uint64_t seed = 20; seed < 24; seed++) {
    OWNED(bound_fixture_tear_down) bound_fixture x;
    bound_path paths[4] = {{0}};
    int64_t scores[4];
    for (int i = 0; i < 4; i++) {
      if (i > 0) bound_fixture_tear_down(&x);
      make_poor_path(&x, &paths[i], seed, 400, 300);
      const int64_t work = i < 3 ? BOUND_MUCH_WORK : 1;
      scores[i] = mend(&paths[i], &x.pair, work, 1 + i % 3, "threads");
    }
    cr_expect(same_way(&paths[0], &paths[1]) && same_way(&paths[0], &paths[2]));
    cr_expect(scores[3] < scores[0], "little work is enough");
    for (int i = 0; i < 4; i++) bound_path_free(&paths[i]);
  }
}

Test(path_mend, never_makes_a_path_worse) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (int64_t work = 1; work <= BOUND_MUCH_WORK; work <<= 6) {
      OWNED(bound_fixture_tear_down) bound_fixture x;
      OWNED(bound_path_free) bound_path way = {0};
      bound_fixture_set_up(&x, (related_kind)kind, 33, 3000, 0);
      x.pair.banded = banded_cross;
      const bound_area whole = {.query_stop = x.pair.problem.rows, .target_stop = x.pair.problem.columns};
      space_crosser t = {.pair = &x.pair, .path = &way, .work = work, .threads = 1};
      cr_assert_eq(space_cross(&t, &whole, NULL), CLA_OK);
      const int64_t before = walk_corners(&x.pair, &way, x.related.name);
      const int64_t after = mend(&way, &x.pair, BOUND_MUCH_WORK, 2, x.related.name);
      cr_expect(after >= before, "%s: %lld, then %lld", x.related.name, (long long)before, (long long)after);
    }
}

/* Lines of a band hold 32 bits. */
Test(path_mend, leaves_alone_what_bands_do_not_hold) {
  OWNED(bound_fixture_tear_down) bound_fixture x;
  OWNED(bound_path_free) bound_path way = {0};
  make_poor_path(&x, &way, 3, 400, 300);
  const int64_t before = walk_corners(&x.pair, &way, "before");
  x.scoring.match = CLA_SCORE_LIMIT;
  x.scoring.mismatch = -CLA_SCORE_LIMIT;
  x.scoring.gap_first = x.scoring.gap_ext = CLA_SCORE_LIMIT;
  score_table_build(&x.table, &x.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const int64_t large = walk_corners(&x.pair, &way, "large scores");
  cr_expect_neq(large, before);
  cr_expect_eq(mend(&way, &x.pair, BOUND_MUCH_WORK, 2, "large scores"), large);
}

/* Goes on so many times. */
static cla_status stop(void *user, cla_error *error) {
  int *times = user;
  return --*times >= 0 ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "enough");
}

Test(path_mend, ends_when_it_is_stopped) {
  for (int times = 0; times < 4; times++) {
    OWNED(bound_fixture_tear_down) bound_fixture x;
    OWNED(bound_path_free) bound_path way = {0};
    int left = times;
    make_poor_path(&x, &way, 3, 400, 300);
    bound_stop ended = {.tick = stop, .user = &left, .error = &why};
    x.pair.stop = &ended;
    x.pair.ticks = true;
    const int64_t before = walk_corners(&x.pair, &way, "before");
    const int64_t after = mend(&way, &x.pair, BOUND_MUCH_WORK, 1, "stopped");
    cr_expect(times == 0 ? after == before : after > before, "%d: %lld, then %lld", times, (long long)before,
              (long long)after);
    if (times == 0) cr_expect_eq(atomic_load(&ended.status), (int)CLA_ERROR_INTERRUPTED);
  }
}
