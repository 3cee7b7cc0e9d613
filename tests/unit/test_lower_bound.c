/* Lower bounds against the oracle: whatever is found must be an alignment of the pair that scores what it
 * says, and so never above the optimum; on easy pairs it is the optimum. */

#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bound/exact_space.h"
#include "bound/lower_bound.h"
#include "bound/open_space.h"
#include "bound/seed_path.h"
#include "bound/space_cross.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/related_pairs.h"

#define MUCH_MEMORY (INT64_C(1) << 40)
#define A_LONG_TIME 1e9

/* Walks along runs and adds up; fails the test if they leave the matrix, touch, or do not end where they
 * should. */
static int64_t walk(const bound_pair *pair, const cla_run *runs, int64_t count, int64_t query, int64_t target,
                    int64_t query_stop, int64_t target_stop, const char *text) {
  int64_t score = 0;
  cr_assert(
      query >= 0 && target >= 0 && query_stop <= pair->query_length && target_stop <= pair->target_length,
      "%s", text);
  for (int64_t i = 0; i < count; i++) {
    cr_assert_gt(runs[i].length, 0, "%s", text);
    cr_assert(i == 0 || runs[i].kind != runs[i - 1].kind, "%s: runs touch", text);
    if (runs[i].kind != CLA_RUN_PAIR)
      score -= pair->scoring->gap_first + (runs[i].length - 1) * (int64_t)pair->scoring->gap_ext;
    for (int64_t k = 0; k < runs[i].length; k++) {
      cr_assert(runs[i].kind == CLA_RUN_TARGET || query < query_stop, "%s: leaves the query", text);
      cr_assert(runs[i].kind == CLA_RUN_QUERY || target < target_stop, "%s: leaves the target", text);
      if (runs[i].kind == CLA_RUN_PAIR)
        score += pair->table->score[pair->query[query] * CLA_MATRIX_STRIDE + pair->target[target]];
      query += runs[i].kind != CLA_RUN_TARGET;
      target += runs[i].kind != CLA_RUN_QUERY;
    }
  }
  cr_assert(query == query_stop && target == target_stop, "%s: ends at %" PRId64 ", %" PRId64, text, query,
            target);
  return score;
}

static int64_t optimum(const bound_pair *pair, cla_mode mode) {
  reference_alignment best;
  cr_assert_eq(reference_score(&best, pair->query, pair->query_length, pair->target, pair->target_length,
                               pair->table, pair->scoring, mode, NULL),
               CLA_OK);
  return best.score;
}

static bound_pair pair_of(const uint8_t *query, int64_t query_length, const uint8_t *target,
                          int64_t target_length, const cla_scoring *scoring, score_table *table) {
  score_table_build(table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  return (bound_pair){.query = query,
                      .target = target,
                      .query_length = query_length,
                      .target_length = target_length,
                      .scoring = scoring,
                      .table = table,
                      .hurry = A_LONG_TIME,
                      .deadline = A_LONG_TIME};
}

/* A related pair with one of the schemes for such pairs, of which 0 is the default. */
typedef struct fixture {
  related_pair related;
  cla_scoring scoring;
  score_table table;
  bound_pair pair; /* of the above */
} fixture;

static void set_up(fixture *x, related_kind kind, uint64_t seed, int64_t letters, int scheme) {
  const related_pair *related = &x->related;
  related_pair_make(&x->related, kind, seed, letters);
  related_scheme(&x->scoring, scheme);
  x->pair = pair_of(related->query, related->query_length, related->target, related->target_length,
                    &x->scoring, &x->table);
}

static void tear_down(fixture *x) {
  related_pair_free(&x->related);
}

static lower_bound_input input_of(const bound_pair *pair, cla_mode mode, const cla_lower_bound *wanted) {
  return (lower_bound_input){.query = pair->query,
                             .target = pair->target,
                             .query_length = pair->query_length,
                             .target_length = pair->target_length,
                             .scoring = pair->scoring,
                             .table = pair->table,
                             .mode = mode,
                             .wanted = wanted,
                             .seconds_most = A_LONG_TIME,
                             .threads = 1,
                             .memory_bytes = MUCH_MEMORY};
}

/* A path from seeds, in time or late, is an alignment of the mode's kind. Returns its score; for none, the
 * least. */
static int64_t expect_valid_path(const bound_pair *pair, cla_mode mode, const char *text) {
  const bool global = mode == CLA_MODE_GLOBAL;
  bound_path path = {0};
  cla_error error = {.message = ""};
  cr_assert_eq(seed_path_make(&path, pair, global, 1, &error), CLA_OK, "%s: %s", text, error.message);
  const int64_t score =
      walk(pair, path.runs, path.count, path.query, path.target, path.query_stop, path.target_stop, text);
  if (global && path.count == 0)
    cr_assert_eq(pair->deadline, 0, "%s: no path in time", text);
  else if (global)
    cr_assert(path.query == 0 && path.target == 0 && path.query_stop == pair->query_length &&
                  path.target_stop == pair->target_length,
              "%s: not from corner to corner", text);
  else if (path.count > 0)
    cr_assert(
        score > 0 && path.runs[0].kind == CLA_RUN_PAIR && path.runs[path.count - 1].kind == CLA_RUN_PAIR,
        "%s: ends of a local path", text);
  const bool found = path.count > 0;
  bound_path_free(&path);
  return found ? score : INT64_MIN;
}

Test(lower_bound, is_a_real_alignments_score_for_random_pairs) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 500; seed++) {
    random_pair random;
    score_table table;
    random_pair_make(&random, seed, 400);
    random_pair_text(&random, text);
    bound_pair pair = pair_of(random.query, random.query_length, random.target, random.target_length,
                              &random.scoring, &table);
    for (int late = 0; late < 2; late++) {
      pair.deadline = late ? 0 : A_LONG_TIME;
      cr_assert_leq(expect_valid_path(&pair, random.mode, text), optimum(&pair, random.mode), "%s", text);
    }
    random_pair_free(&random);
  }
}

Test(lower_bound, is_a_real_alignments_score_for_every_kind_of_change) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (uint64_t seed = 1; seed <= 4; seed++)
      for (int scheme = 0; scheme < RELATED_SCHEMES; scheme++) {
        char text[128];
        fixture x;
        set_up(&x, (related_kind)kind, seed, 1500, scheme);
        snprintf(text, sizeof text, "%s, seed %" PRIu64 ", scheme %d", x.related.name, seed, scheme);
        const cla_mode mode = seed % 2 ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL;
        cr_assert_leq(expect_valid_path(&x.pair, mode, text), optimum(&x.pair, mode), "%s", text);
        tear_down(&x);
      }
}

/* Finds the bound of a related pair with the default scheme and compares it with `part` of the optimum. */
static void expect_part(related_kind kind, cla_mode mode, double part) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  fixture x;
  lower_bound bound;
  set_up(&x, kind, 11, 6000, 0);
  const char *name = x.related.name;
  const lower_bound_input input = input_of(&x.pair, mode, &automatic);
  const int64_t best = optimum(&x.pair, mode);
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  cr_assert_eq(bound.source, LOWER_BOUND_SEEDS, "%s", name);
  cr_assert(bound.has_path);
  cr_expect_eq(walk(&x.pair, bound.runs, (int64_t)bound.run_count, bound.query_start, bound.target_start,
                    bound.query_stop, bound.target_stop, name),
               bound.score);
  cr_expect_leq(bound.score, best, "%s", name);
  cr_expect_geq(bound.score, (int64_t)(part * (double)best), "%s: %" PRId64 " of %" PRId64, name, bound.score,
                best);
  lower_bound_free(&bound);
  tear_down(&x);
}

Test(lower_bound, is_the_optimum_of_easy_pairs) {
  const related_kind easy[] = {RELATED_EQUAL, RELATED_FEW_CHANGES, RELATED_LONG_INSERTION,
                               RELATED_LONG_DELETION};
  for (size_t i = 0; i < sizeof easy / sizeof *easy; i++)
    for (int mode = CLA_MODE_LOCAL; mode <= CLA_MODE_GLOBAL; mode++) expect_part(easy[i], (cla_mode)mode, 1);
}

Test(lower_bound, is_near_the_optimum_of_divergent_pairs) {
  for (int mode = CLA_MODE_LOCAL; mode <= CLA_MODE_GLOBAL; mode++) {
    expect_part(RELATED_TENTH_CHANGED, (cla_mode)mode, 0.95);
    expect_part(RELATED_WITH_N, (cla_mode)mode, 0.95);
  }
}

/* What a bound of a large, easy pair is when something forbids to look for it. */
static lower_bound_source source_with(double seconds, int64_t memory_bytes, int64_t letters,
                                      cla_lower_bound_kind kind) {
  const cla_lower_bound wanted = {.kind = kind};
  fixture x;
  lower_bound bound;
  set_up(&x, RELATED_EQUAL, 5, letters, 0);
  lower_bound_input input = input_of(&x.pair, CLA_MODE_LOCAL, &wanted);
  input.seconds_most = seconds;
  input.memory_bytes = memory_bytes;
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  const lower_bound_source source = bound.source;
  lower_bound_free(&bound);
  tear_down(&x);
  return source;
}

Test(lower_bound, is_not_looked_for_without_time_memory_need_or_wish) {
  const int64_t enough = LOWER_BOUND_LEAST_LETTERS;
  cr_expect_eq(source_with(A_LONG_TIME, MUCH_MEMORY, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_SEEDS);
  cr_expect_eq(source_with(0, MUCH_MEMORY, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(A_LONG_TIME, 1 << 20, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(A_LONG_TIME, MUCH_MEMORY, enough - 1, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(A_LONG_TIME, MUCH_MEMORY, enough, CLA_LOWER_BOUND_OFF), LOWER_BOUND_NONE);
}

Test(lower_bound, is_none_for_unrelated_sequences_in_local_mode) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  fixture x;
  lower_bound bound;
  set_up(&x, RELATED_NOT, 3, 60000, 0);
  const lower_bound_input input = input_of(&x.pair, CLA_MODE_LOCAL, &automatic);
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  cr_expect_eq(bound.source, LOWER_BOUND_NONE);
  lower_bound_free(&bound);
  tear_down(&x);
}

/* A caller that stops the search. */

typedef struct caller {
  pthread_t thread;
  int ticks, stops_at; /* 0: never */
} caller;

static cla_status tick(void *user, cla_error *error) {
  caller *who = user;
  cr_assert(pthread_equal(who->thread, pthread_self()), "a tick from another thread");
  if (++who->ticks != who->stops_at) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "tick %d", who->ticks);
}

/* Looks for a bound until tick `stops_at`; returns how many ticks there were. */
static int search_until(int stops_at, const fixture *x, const cla_lower_bound *wanted, cla_mode mode,
                        int threads) {
  caller who = {.thread = pthread_self(), .stops_at = stops_at};
  char text[32];
  cla_error error = {.message = ""};
  lower_bound bound;
  lower_bound_input input = input_of(&x->pair, mode, wanted);
  input.threads = threads;
  input.tick = tick;
  input.tick_user = &who;
  cla_status status = lower_bound_find(&bound, &input, &error);
  snprintf(text, sizeof text, "tick %d", stops_at);
  if (stops_at == 0)
    cr_assert(status == CLA_OK && bound.has_path, "%s", error.message);
  else
    cr_assert(status == CLA_ERROR_INTERRUPTED && strcmp(error.message, text) == 0 &&
                  bound.source == LOWER_BOUND_NONE && !bound.runs && who.ticks == stops_at,
              "%s, %d ticks: %s", text, who.ticks, error.message);
  lower_bound_free(&bound);
  return who.ticks;
}

Test(lower_bound, is_looked_for_until_the_caller_stops_it) {
  fixture x;
  cla_run diagonal = {100, CLA_RUN_PAIR};
  const cla_path path = {.query_start = 9000, .target_start = 9000, .runs = &diagonal, .run_count = 1};
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO},
                        given = {.kind = CLA_LOWER_BOUND_PATH, .path = &path};
  set_up(&x, RELATED_TENTH_CHANGED, 8, 20000, 0);
  for (int mode = CLA_MODE_LOCAL; mode <= CLA_MODE_GLOBAL; mode++) {
    const int ticks = search_until(0, &x, &automatic, (cla_mode)mode, 1);
    cr_assert_gt(ticks, 100, "%d ticks", ticks);
    for (int stops_at = 1; stops_at <= ticks; stops_at += 1 + ticks / 9)
      search_until(stops_at, &x, &automatic, (cla_mode)mode, 1);
    /* How many ticks come after the chain depends on how the threads share the work. */
    for (int stops_at = 0; stops_at <= 3; stops_at++)
      search_until(stops_at, &x, &automatic, (cla_mode)mode, 4);
  }
  search_until(1, &x, &given, CLA_MODE_GLOBAL, 1); /* on the way from corner to corner */
  tear_down(&x);
}

/* Users' bounds. */

/* Makes the bound from a path of a small pair, ranges beginning where the test says. */
static cla_status bound_of_path(lower_bound *bound, const cla_path *path, int64_t begin, cla_mode mode,
                                cla_error *error) {
  static const uint8_t query[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, target[] = {0, 1, 2, 3, 1, 2, 3, 0, 1};
  const cla_lower_bound wanted = {.kind = CLA_LOWER_BOUND_PATH, .path = path};
  cla_scoring scoring;
  score_table table;
  cla_scoring_init(&scoring);
  const bound_pair pair = pair_of(query + begin, 10 - begin, target + begin, 9 - begin, &scoring, &table);
  lower_bound_input input = input_of(&pair, mode, &wanted);
  input.query_begin = input.target_begin = begin;
  cla_status status = lower_bound_find(bound, &input, error);
  if (status == CLA_OK && bound->has_path)
    cr_expect_eq(walk(&pair, bound->runs, (int64_t)bound->run_count, bound->query_start, bound->target_start,
                      bound->query_stop, bound->target_stop, "a user's path"),
                 bound->score);
  return status;
}

/* ACGTACGTAC   A query letter without a partner: 9 matches and a gap of one. */
/* ACGT-CGTAC */
Test(lower_bound, comes_from_a_users_path) {
  cla_run runs[] = {{2, CLA_RUN_PAIR}, {2, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}, {5, CLA_RUN_PAIR}};
  cla_path path = {.runs = runs, .run_count = 4};
  lower_bound bound;
  for (int mode = CLA_MODE_LOCAL; mode <= CLA_MODE_GLOBAL; mode++) {
    cr_assert_eq(bound_of_path(&bound, &path, 0, (cla_mode)mode, NULL), CLA_OK);
    cr_expect_eq(bound.source, LOWER_BOUND_PATH);
    cr_expect_eq(bound.score, mode == CLA_MODE_LOCAL ? 5 : 9 - 5, "mode %d: %" PRId64, mode, bound.score);
    lower_bound_free(&bound);
  }
}

Test(lower_bound, takes_what_lies_in_the_ranges_of_a_users_path) {
  cla_run runs[] = {{4, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}, {5, CLA_RUN_PAIR}};
  cla_path path = {.runs = runs, .run_count = 3};
  lower_bound bound;
  cr_assert_eq(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, NULL), CLA_OK);
  cr_expect_eq(bound.score, 7 - 5);
  lower_bound_free(&bound);
  path.query_start = 3; /* now it also leaves the matrix */
  cr_assert_eq(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, NULL), CLA_OK);
  cr_expect_eq(bound.source, LOWER_BOUND_PATH);
  lower_bound_free(&bound);
  path.query_start = 50;
  cr_assert_eq(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, NULL), CLA_OK);
  cr_expect_eq(bound.source, LOWER_BOUND_NONE);
  lower_bound_free(&bound);
}

Test(lower_bound, refuses_a_users_path_that_cannot_be) {
  cla_run runs[] = {{4, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}};
  cla_path path = {.runs = runs, .run_count = 2};
  lower_bound bound;
  cla_error error;
  const cla_run wrong[] = {
      {0, CLA_RUN_PAIR}, {-3, CLA_RUN_PAIR}, {INT64_MAX, CLA_RUN_TARGET}, {1, (cla_run_kind)7}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    runs[1] = wrong[i];
    cr_expect_eq(bound_of_path(&bound, &path, 0, CLA_MODE_LOCAL, &error), CLA_ERROR_OPTION, "run %zu", i);
    cr_expect(strstr(error.message, "path for the lower bound"));
    lower_bound_free(&bound);
  }
}

Test(lower_bound, is_compared_with_the_optimum) {
  cla_error error;
  const lower_bound none = {.source = LOWER_BOUND_NONE, .score = 100};
  lower_bound bound = {.source = LOWER_BOUND_CLAIM, .score = 100};
  cr_expect_eq(lower_bound_check(&none, 5, &error), CLA_OK);
  cr_expect_eq(lower_bound_check(&bound, 100, &error), CLA_OK);
  cr_expect_eq(lower_bound_check(&bound, 99, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, "lower bound 100 is above the optimum"), "%s", error.message);
  bound.source = LOWER_BOUND_SEEDS;
  cr_expect_eq(lower_bound_check(&bound, 99, &error), CLA_ERROR_VERIFICATION);
}

/* The parts. */

/* The way across an area, however it is crossed and whoever does it. */
static void expect_crossing(const bound_pair *pair, int threads, int depth, bound_path *path,
                            const char *text) {
  const bound_area area = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  space_crosser t = {.pair = pair, .path = path, .threads = threads};
  cr_assert_eq(space_cross(&t, &area, depth, NULL), CLA_OK, "%s", text);
  exact_space_free(&t.exact);
  walk(pair, path->runs, path->count, 0, 0, pair->query_length, pair->target_length, text);
}

static bool same_path(const bound_path *a, const bound_path *b) {
  if (a->count != b->count) return false;
  for (int64_t i = 0; i < a->count; i++)
    if (a->runs[i].kind != b->runs[i].kind || a->runs[i].length != b->runs[i].length) return false;
  return true;
}

Test(space_cross, leads_from_corner_to_corner_in_time_and_late) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (int late = 0; late < 3; late++) {
      fixture x;
      bound_path path = {0};
      set_up(&x, (related_kind)kind, 21, 3000, 0);
      if (late > 0) x.pair.hurry = 0;
      if (late > 1) x.pair.deadline = 0;
      expect_crossing(&x.pair, 1, 0, &path, x.related.name);
      bound_path_free(&path);
      tear_down(&x);
    }
}

Test(space_cross, gives_the_same_path_with_any_number_of_threads) {
  fixture x;
  set_up(&x, RELATED_TENTH_CHANGED, 4, 40000, 0);
  bound_path alone = {0};
  expect_crossing(&x.pair, 1, 0, &alone, "one thread");
  for (int threads = 2; threads <= 5; threads++) {
    bound_path path = {0};
    expect_crossing(&x.pair, threads, 0, &path, "several threads");
    cr_expect(same_path(&alone, &path), "%d threads", threads);
    bound_path_free(&path);
  }
  bound_path_free(&alone);
  tear_down(&x);
}

Test(exact_space, crosses_by_an_optimal_alignment) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  exact_space space = {0};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    random_pair random;
    score_table table;
    bound_path path = {0};
    random_pair_make(&random, seed, 120);
    random_pair_text(&random, text);
    const bound_pair pair = pair_of(random.query, random.query_length, random.target, random.target_length,
                                    &random.scoring, &table);
    const bound_area area = {.query_stop = pair.query_length, .target_stop = pair.target_length};
    cr_assert_eq(exact_space_cross(&space, &path, &pair, &area, NULL), CLA_OK);
    cr_assert_eq(walk(&pair, path.runs, path.count, 0, 0, pair.query_length, pair.target_length, text),
                 optimum(&pair, CLA_MODE_GLOBAL), "%s", text);
    bound_path_free(&path);
    random_pair_free(&random);
  }
  exact_space_free(&space);
}

/* The best of all ways to go along the first corner's diagonal, then gaps, then the last corner's diagonal.
 */
static int64_t best_crossing_with_one_gap(const bound_pair *pair) {
  const int64_t m = pair->query_length, n = pair->target_length, common = m < n ? m : n;
  int64_t best = INT64_MIN;
  for (int64_t before = 0; before <= common; before++) {
    int64_t score = -gap_cost(pair->scoring, m - common) - gap_cost(pair->scoring, n - common);
    for (int64_t i = 0; i < before; i++) score += bound_pair_score(pair, i, i);
    for (int64_t i = 1; i <= common - before; i++) score += bound_pair_score(pair, m - i, n - i);
    if (score > best) best = score;
  }
  return best;
}

Test(open_space, crosses_at_least_as_well_as_with_one_gap_or_with_nothing_but_gaps) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  for (uint64_t seed = 1; seed <= 300; seed++) {
    random_pair random;
    score_table table;
    bound_path path = {0};
    random_pair_make(&random, seed, 120);
    random_pair_text(&random, text);
    const bound_pair pair = pair_of(random.query, random.query_length, random.target, random.target_length,
                                    &random.scoring, &table);
    const bound_area area = {.query_stop = pair.query_length, .target_stop = pair.target_length};
    cr_assert_eq(open_space_cross(&path, &pair, &area, NULL), CLA_OK);
    const int64_t score =
        walk(&pair, path.runs, path.count, 0, 0, pair.query_length, pair.target_length, text);
    cr_assert_geq(score, best_crossing_with_one_gap(&pair), "%s", text);
    cr_assert_geq(score,
                  -gap_cost(pair.scoring, pair.query_length) - gap_cost(pair.scoring, pair.target_length),
                  "%s", text);
    bound_path_free(&path);
    random_pair_free(&random);
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
                                   : -(int64_t)(k == 0 ? pair->scoring->gap_first : pair->scoring->gap_ext);
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
    bound_path path = {0};
    uint8_t query[128], target[128];
    char text[64];
    snprintf(text, sizeof text, "seed %" PRIu64, seed);
    random_stream_init(&stream, seed, 1);
    related_scheme(&scoring, (int)(seed % RELATED_SCHEMES));
    for (int i = 0; i < 128; i++) query[i] = (uint8_t)random_stream_below(&stream, 2);
    for (int i = 0; i < 128; i++) target[i] = (uint8_t)random_stream_below(&stream, 2);
    const bound_pair pair = pair_of(query, 128, target, 128, &scoring, &table);
    bound_path_begin(&path, 3, 5);
    for (int run = 0; run < 9; run++)
      cr_assert_eq(bound_path_add(&path, (cla_run_kind)random_stream_below(&stream, 3),
                                  (int64_t)random_stream_below(&stream, 13), NULL),
                   CLA_OK);
    const int64_t best = best_part_by_trying(&pair, &path);
    cr_assert_eq(bound_path_keep_best_part(&path, &pair), best, "%s", text);
    cr_assert_eq(
        walk(&pair, path.runs, path.count, path.query, path.target, path.query_stop, path.target_stop, text),
        best, "%s", text);
    bound_path_free(&path);
  }
}
