/* Lower bounds against the oracle. Each must be the score of a real alignment of the pair, and so never above
 * the optimum. On easy pairs it is the optimum. */

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "path/area_cross.h"
#include "path/lower_bound.h"
#include "path/source_path.h"
#include "support/bound_pairs.h"
#include "support/reference_difference.h"
#include "support/reference_path.h"
#include "support/test.h"

#define MUCH_MEMORY (INT64_C(1) << 40)

static lower_bound_input input_of(const bound_pair *pair, cla_mode mode, const cla_lower_bound *wanted) {
  lower_bound_input input = {.problem = pair->problem,
                             .mode = mode,
                             .wanted = wanted,
                             .work_most = BOUND_MUCH_WORK,
                             .threads = 1,
                             .memory_bytes = MUCH_MEMORY};
  input.problem.scheme.ends = path_ends_make(mode, 0);
  return input;
}

/* A path from seeds, for whatever work, is an alignment of the mode's kind. Returns its score; for none, the
 * least. */
static int64_t expect_valid_path(const bound_pair *pair, cla_mode mode, int64_t work, const char *text) {
  const bool global = mode == CLA_MODE_GLOBAL;
  const path_ends ends = path_ends_make(mode, 0);
  bound_path path = {0};
  assert_ok_for(seed_path_make(&path, pair, &ends, work, 1, &why), "%s", text);
  const int64_t score = bound_walk(pair, path.runs, path.count, path.query, path.target, path.query_stop,
                                   path.target_stop, text);
  if (global)
    cr_assert(path.query == 0 && path.target == 0 && path.query_stop == pair->problem.rows &&
                  path.target_stop == pair->problem.columns,
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
    OWNED(random_pair_free) random_pair random;
    score_table table;
    random_pair_make(&random, seed, 400);
    random_pair_text(&random, text);
    const bound_pair pair = bound_pair_of(random.query, random.query_length, random.target,
                                          random.target_length, &random.scoring, &table);
    const int64_t best = bound_optimum(&pair, random.mode);
    for (int64_t work = 1; work <= BOUND_MUCH_WORK; work *= 1 << 10)
      cr_assert_leq(expect_valid_path(&pair, random.mode, work, text), best, "%s", text);
  }
}

Test(lower_bound, is_a_real_alignments_score_for_every_kind_of_change) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (uint64_t seed = 1; seed <= 2; seed++)
      for (int scheme = 0; scheme < RELATED_SCHEMES; scheme++) {
        char text[128];
        OWNED(bound_fixture_tear_down) bound_fixture x;
        bound_fixture_set_up(&x, (related_kind)kind, seed, 1500, scheme);
        snprintf(text, sizeof text, "%s, seed %" PRIu64 ", scheme %d", x.related.name, seed, scheme);
        const cla_mode mode = seed % 2 ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL;
        cr_assert_leq(expect_valid_path(&x.pair, mode, BOUND_MUCH_WORK, text), bound_optimum(&x.pair, mode),
                      "%s", text);
      }
}

/* Takes the oracle's best local alignment away from the pair. */
static void use_best(const bound_pair *pair, used_pairs *used) {
  OWNED(reference_alignment_free) reference_alignment best;
  assert_ok(reference_align(&best,
                            &(pair_problem){pair->problem.query,
                                            pair->problem.target,
                                            pair->problem.rows,
                                            pair->problem.columns,
                                            {pair->problem.scheme.scoring, pair->problem.scheme.table,
                                             path_ends_make(CLA_MODE_LOCAL, 0)}},
                            &why));
  assert_ok(used_pairs_add(used, best.query_start, best.target_start, best.runs, best.run_count, &why));
}

static void expect_unused(const used_pairs *used, const cla_run *runs, int64_t count, int64_t query,
                          int64_t target, const char *text) {
  for (int64_t i = 0; i < count; i++) {
    for (int64_t k = 1; runs[i].kind == CLA_RUN_PAIR && k <= runs[i].length; k++)
      cr_assert_not(used_pairs_has(used, query + k, target + k), "%s: a used pair", text);
    if (runs[i].kind != CLA_RUN_TARGET) query += runs[i].length;
    if (runs[i].kind != CLA_RUN_QUERY) target += runs[i].length;
  }
}

/* Where a path is led round used pairs, the gaps of either kind may touch. */
Test(lower_bound, is_that_of_a_path_without_used_pairs) {
  const path_ends ends = path_ends_make(CLA_MODE_LOCAL, 0);
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      char text[128];
      OWNED(bound_fixture_tear_down) bound_fixture x;
      bound_path path = {0};
      used_pairs *used = NULL;
      bound_fixture_set_up(&x, (related_kind)kind, seed, 700, (int)seed - 1);
      assert_ok(used_pairs_create(&used, &why));
      score_table_use(&x.table, &x.scoring, used);
      for (int round = 1; round <= 3; round++) {
        snprintf(text, sizeof text, "%s, seed %" PRIu64 ", %d used", x.related.name, seed, round);
        use_best(&x.pair, used);
        cr_assert_eq(seed_path_make(&path, &x.pair, &ends, BOUND_MUCH_WORK, 1, NULL), CLA_OK);
        const int64_t score = bound_walk(&x.pair, path.runs, path.count, path.query, path.target,
                                         path.query_stop, path.target_stop, text);
        expect_unused(used, path.runs, path.count, path.query, path.target, text);
        cr_assert_leq(score, bound_optimum(&x.pair, CLA_MODE_LOCAL), "%s", text);
        bound_path_free(&path);
      }
      used_pairs_free(used);
    }
}

Test(lower_bound, is_near_the_second_optimum_of_sequences_in_another_order) {
  const related_kind kinds[] = {RELATED_TRANSLOCATION, RELATED_DUPLICATION};
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    OWNED(bound_fixture_tear_down) bound_fixture x;
    OWNED(lower_bound_free) lower_bound bound;
    used_pairs *used = NULL;
    bound_fixture_set_up(&x, kinds[i], 11, 6000, 0);
    assert_ok(used_pairs_create(&used, &why));
    use_best(&x.pair, used);
    score_table_use(&x.table, &x.scoring, used);
    const lower_bound_input input = input_of(&x.pair, CLA_MODE_LOCAL, &automatic);
    const int64_t best = bound_optimum(&x.pair, CLA_MODE_LOCAL);
    cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
    cr_expect_eq(bound.source, LOWER_BOUND_SEEDS, "%s", x.related.name);
    cr_expect_leq(bound.score, best, "%s", x.related.name);
    cr_expect_geq(bound.score, best * 9 / 10, "%s: %" PRId64 " of %" PRId64, x.related.name, bound.score,
                  best);
    used_pairs_free(used);
  }
}

/* Finds the bound of a related pair with the default scheme and compares it with `part` of the optimum. */
static void expect_part(related_kind kind, cla_mode mode, double part) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  OWNED(bound_fixture_tear_down) bound_fixture x;
  OWNED(lower_bound_free) lower_bound bound;
  bound_fixture_set_up(&x, kind, 11, 6000, 0);
  const char *name = x.related.name;
  const lower_bound_input input = input_of(&x.pair, mode, &automatic);
  const int64_t best = bound_optimum(&x.pair, mode);
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  cr_assert_eq(bound.source, LOWER_BOUND_SEEDS, "%s", name);
  cr_assert(bound.has_path);
  cr_expect_eq(bound_walk(&x.pair, bound.runs, (int64_t)bound.run_count, bound.query_start,
                          bound.target_start, bound.query_stop, bound.target_stop, name),
               bound.score);
  cr_expect_leq(bound.score, best, "%s", name);
  cr_expect_geq(bound.score, (int64_t)(part * (double)best), "%s: %" PRId64 " of %" PRId64, name, bound.score,
                best);
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
static lower_bound_source source_with(int64_t work, int64_t memory_bytes, int64_t letters,
                                      cla_lower_bound_kind kind) {
  const cla_lower_bound wanted = {.kind = kind};
  bound_fixture x;
  lower_bound bound;
  bound_fixture_set_up(&x, RELATED_EQUAL, 5, letters, 0);
  lower_bound_input input = input_of(&x.pair, CLA_MODE_LOCAL, &wanted);
  input.work_most = work;
  input.memory_bytes = memory_bytes;
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  const lower_bound_source source = bound.source;
  lower_bound_free(&bound);
  bound_fixture_tear_down(&x);
  return source;
}

Test(lower_bound, is_not_looked_for_without_work_memory_need_or_wish) {
  const int64_t enough = LOWER_BOUND_LEAST_LETTERS;
  cr_expect_eq(source_with(BOUND_MUCH_WORK, MUCH_MEMORY, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_SEEDS);
  cr_expect_eq(source_with(0, MUCH_MEMORY, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(BOUND_MUCH_WORK, 1 << 20, enough, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(BOUND_MUCH_WORK, MUCH_MEMORY, enough - 1, CLA_LOWER_BOUND_AUTO), LOWER_BOUND_NONE);
  cr_expect_eq(source_with(BOUND_MUCH_WORK, MUCH_MEMORY, enough, CLA_LOWER_BOUND_OFF), LOWER_BOUND_NONE);
}

Test(lower_bound, is_none_for_unrelated_sequences_in_local_mode) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  OWNED(bound_fixture_tear_down) bound_fixture x;
  OWNED(lower_bound_free) lower_bound bound;
  bound_fixture_set_up(&x, RELATED_NOT, 3, 60000, 0);
  const lower_bound_input input = input_of(&x.pair, CLA_MODE_LOCAL, &automatic);
  cr_assert_eq(lower_bound_find(&bound, &input, NULL), CLA_OK);
  cr_expect_eq(bound.source, LOWER_BOUND_NONE);
}

/* What may slow a search down. */

static cla_status slow_tick(void *user, cla_error *error) {
  const struct timespec pause = {.tv_nsec = 2000000};
  (void)error;
  if (++*(int *)user <= 50) nanosleep(&pause, NULL); /* 0.1 s in all */
  return CLA_OK;
}

static void *keep_busy(void *user) {
  for (atomic_bool *done = user; !atomic_load(done);) {
  }
  return NULL;
}

static void expect_same(const lower_bound *expected, const lower_bound_input *input, const char *text) {
  OWNED(lower_bound_free) lower_bound bound;
  cr_assert_eq(lower_bound_find(&bound, input, NULL), CLA_OK);
  cr_expect_eq(bound.score, expected->score, "%s: %" PRId64 ", not %" PRId64, text, bound.score,
               expected->score);
  cr_expect(same_runs(bound.runs, bound.run_count, expected->runs, expected->run_count), "%s", text);
}

/* The bound with so much work is the same on however many threads, slow ones and busy ones, and with memory
 * for one of them. Returns it. */
static int64_t expect_one_bound(const bound_pair *pair, cla_mode mode, int64_t work) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  const int64_t letters = pair->problem.rows + pair->problem.columns;
  lower_bound first;
  lower_bound_input input = input_of(pair, mode, &automatic);
  input.work_most = work;
  cr_assert_eq(lower_bound_find(&first, &input, NULL), CLA_OK);
  cr_assert(first.has_path);
  for (input.threads = 1; input.threads <= 4; input.threads *= 2) {
    int ticks = 0;
    pthread_t busy;
    atomic_bool done = false;
    expect_same(&first, &input, "threads");
    input.tick = slow_tick;
    input.tick_user = &ticks;
    expect_same(&first, &input, "a slow thread");
    input.tick = NULL;
    cr_assert_eq(pthread_create(&busy, NULL, keep_busy, &done), 0);
    expect_same(&first, &input, "beside a busy thread");
    atomic_store(&done, true);
    pthread_join(busy, NULL);
  }
  input.memory_bytes = EXACT_SPACE_BYTES + 200 * letters;
  cr_assert_eq(seed_path_threads(pair->problem.rows, pair->problem.columns, 4, input.memory_bytes), 1);
  expect_same(&first, &input, "memory for one thread");
  const int64_t score = first.score;
  lower_bound_free(&first);
  return score;
}

Test(lower_bound, depends_on_counted_work_alone) {
  OWNED(bound_fixture_tear_down) bound_fixture x;
  bound_fixture_set_up(&x, RELATED_TENTH_CHANGED, 4, 20000, 0);
  const int64_t letters = x.pair.problem.rows + x.pair.problem.columns;
  for (int mode = CLA_MODE_LOCAL; mode <= CLA_MODE_GLOBAL; mode++) {
    const int64_t best = expect_one_bound(&x.pair, (cla_mode)mode, BOUND_MUCH_WORK);
    cr_expect_lt(expect_one_bound(&x.pair, (cla_mode)mode, 25 * letters), best);
  }
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
static int search_until(int stops_at, const bound_fixture *x, const cla_lower_bound *wanted, cla_mode mode,
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
  OWNED(bound_fixture_tear_down) bound_fixture x;
  cla_run diagonal = {100, CLA_RUN_PAIR};
  const cla_path path = {.query_start = 9000, .target_start = 9000, .runs = &diagonal, .run_count = 1};
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO},
                        given = {.kind = CLA_LOWER_BOUND_PATH, .path = &path};
  bound_fixture_set_up(&x, RELATED_TENTH_CHANGED, 8, 20000, 0);
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
}

/* Users' bounds. */

/* Makes the bound from a path of a small pair, ranges beginning where the test says. */
static cla_status bound_of_path(lower_bound *bound, const cla_path *path, int64_t begin, cla_mode mode,
                                cla_error *error) {
  static const uint8_t query[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, target[] = {0, 1, 2, 3, 1, 2, 3, 0, 1};
  const cla_lower_bound wanted = {.kind = CLA_LOWER_BOUND_PATH, .path = path};
  score_table table;
  cla_scoring scoring = default_scoring();
  const bound_pair pair =
      bound_pair_of(query + begin, 10 - begin, target + begin, 9 - begin, &scoring, &table);
  lower_bound_input input = input_of(&pair, mode, &wanted);
  input.query_begin = input.target_begin = begin;
  cla_status status = lower_bound_find(bound, &input, error);
  if (status == CLA_OK && bound->has_path)
    cr_expect_eq(bound_walk(&pair, bound->runs, (int64_t)bound->run_count, bound->query_start,
                            bound->target_start, bound->query_stop, bound->target_stop, "a user's path"),
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
    assert_ok(bound_of_path(&bound, &path, 0, (cla_mode)mode, &why));
    cr_expect_eq(bound.source, LOWER_BOUND_PATH);
    cr_expect_eq(bound.score, mode == CLA_MODE_LOCAL ? 5 : 9 - 5, "mode %d: %" PRId64, mode, bound.score);
    lower_bound_free(&bound);
  }
}

Test(lower_bound, takes_what_lies_in_the_ranges_of_a_users_path) {
  cla_run runs[] = {{4, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}, {5, CLA_RUN_PAIR}};
  cla_path path = {.runs = runs, .run_count = 3};
  lower_bound bound;
  assert_ok(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, &why));
  cr_expect_eq(bound.score, 7 - 5);
  lower_bound_free(&bound);
  path.query_start = 3; /* now it also leaves the matrix */
  assert_ok(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, &why));
  cr_expect_eq(bound.source, LOWER_BOUND_PATH);
  lower_bound_free(&bound);
  path.query_start = 50;
  assert_ok(bound_of_path(&bound, &path, 2, CLA_MODE_GLOBAL, &why));
  cr_expect_eq(bound.source, LOWER_BOUND_NONE);
  lower_bound_free(&bound);
}

Test(lower_bound, refuses_a_users_path_that_cannot_be) {
  cla_run runs[] = {{4, CLA_RUN_PAIR}, {1, CLA_RUN_QUERY}};
  cla_path path = {.runs = runs, .run_count = 2};
  lower_bound bound;
  const cla_run wrong[] = {
      {0, CLA_RUN_PAIR}, {-3, CLA_RUN_PAIR}, {INT64_MAX, CLA_RUN_TARGET}, {1, (cla_run_kind)7}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    runs[1] = wrong[i];
    cr_expect_eq(bound_of_path(&bound, &path, 0, CLA_MODE_LOCAL, &why), CLA_ERROR_OPTION, "run %zu", i);
    cr_expect(strstr(why.message, "path for the lower bound"));
    lower_bound_free(&bound);
  }
}

Test(lower_bound, is_compared_with_the_optimum) {
  const cla_scoring whole = {.units = 1}, halves = {.units = 2};
  const lower_bound none = {.source = LOWER_BOUND_NONE, .score = 100};
  lower_bound bound = {.source = LOWER_BOUND_CLAIM, .score = 100};
  cr_expect_eq(lower_bound_check(&none, 5, &whole, &why), CLA_OK);
  cr_expect_eq(lower_bound_check(&bound, 100, &whole, &why), CLA_OK);
  cr_expect_eq(lower_bound_check(&bound, 99, &whole, &why), CLA_ERROR_OPTION);
  cr_expect(strstr(why.message, "lower bound 100 is above the optimum"), "%s", why.message);
  bound.score = 201;
  cr_expect_eq(lower_bound_check(&bound, 200, &halves, &why), CLA_ERROR_OPTION);
  cr_expect(strstr(why.message, "lower bound 100.5 is above the optimum"), "%s", why.message);
  bound.source = LOWER_BOUND_SEEDS;
  cr_expect_eq(lower_bound_check(&bound, 99, &whole, &why), CLA_ERROR_VERIFICATION);
}
