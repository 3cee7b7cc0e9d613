/* Many pairs of one scheme, in bands that are proven, against the oracle. */

#include "dp/pair_solver.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

#define FIRST_SEED 9300000
#define PAIRS 150
#define LENGTH_MOST 640
#define SHORT 160

typedef struct case_pairs {
  random_pair pairs[PAIRS];
  score_table table;
  path_scheme scheme;
  const uint8_t *query[PAIRS], *target[PAIRS];
  int32_t rows[PAIRS], columns[PAIRS];
  int64_t score[PAIRS], runs[PAIRS];
  int32_t end_row[PAIRS], end_column[PAIRS], start_row[PAIRS], start_column[PAIRS], run_count[PAIRS];
  bool solved[PAIRS];
  solver_pairs solver;
} case_pairs;

/* The query with changes: few for some pairs, many for others, and sometimes a long gap. */
static void relate(random_pair *pair, int64_t most, random_stream *stream) {
  const uint64_t rarely = 4 + random_stream_below(stream, 60);
  int64_t from = 0, to = 0;
  pair->target_length = 0;
  for (; to < most && from < pair->query_length; to++) {
    const uint64_t change = random_stream_below(stream, rarely);
    pair->target[to] = change == 0 ? (uint8_t)random_stream_below(stream, 4) : pair->query[from];
    if (change == 1) from += (int64_t)random_stream_below(stream, random_stream_below(stream, 8) ? 3 : 40);
    from += change != 2;
  }
  pair->target_length = to;
}

/* Pairs with the scheme of the first one. */
static void make_pairs(case_pairs *x, uint64_t seed, bool global, int64_t most) {
  random_stream stream;
  random_stream_init(&stream, seed, 2);
  for (int i = 0; i < PAIRS; i++) {
    random_pair *pair = &x->pairs[i];
    random_pair_make(pair, seed * 1000 + (uint64_t)i, most);
    if (!global) random_pair_choose_mode(pair);
    if (random_stream_below(&stream, 5) > 0) {
      free(pair->target);
      pair->target = malloc(LENGTH_MOST);
      cr_assert(pair->target);
      relate(pair, most, &stream);
    }
    x->query[i] = pair->query;
    x->target[i] = pair->target;
    x->rows[i] = (int32_t)pair->query_length;
    x->columns[i] = (int32_t)pair->target_length;
  }
  score_table_build(&x->table, &x->pairs[0].scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  x->scheme = (path_scheme){
      &x->pairs[0].scoring, &x->table,
      path_ends_make(global ? CLA_MODE_GLOBAL : x->pairs[0].mode, global ? 0 : x->pairs[0].free_ends)};
  x->solver = (solver_pairs){.query = x->query,
                             .target = x->target,
                             .rows = x->rows,
                             .columns = x->columns,
                             .count = PAIRS,
                             .score = x->score,
                             .end_row = x->end_row,
                             .end_column = x->end_column,
                             .start_row = x->start_row,
                             .start_column = x->start_column,
                             .runs = x->runs,
                             .run_count = x->run_count,
                             .solved = x->solved};
}

static bool is_path(const case_pairs *x, int i, const uint32_t *runs, const reference_alignment *want) {
  size_t run = 0;
  int64_t in_run = 0;
  for (int32_t k = x->run_count[i] - 1; k >= 0; k--) {
    const uint32_t operation = runs[x->runs[i] + k] & 15;
    const cla_run_kind kind = operation == CLA_PACKED_QUERY    ? CLA_RUN_QUERY
                              : operation == CLA_PACKED_TARGET ? CLA_RUN_TARGET
                                                               : CLA_RUN_PAIR;
    if (run == want->run_count || want->runs[run].kind != kind) return false;
    in_run += runs[x->runs[i] + k] >> 4;
    if (in_run < want->runs[run].length) continue;
    if (in_run > want->runs[run].length) return false;
    in_run = 0;
    run++;
  }
  return run == want->run_count && x->start_row[i] == want->query_start &&
         x->start_column[i] == want->target_start;
}

static int check_pairs(const case_pairs *x, const pair_solver *solver, uint64_t seed) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  int solved = 0;
  for (int i = 0; i < PAIRS; i++) {
    random_pair pair = x->pairs[i];
    pair.scoring = x->pairs[0].scoring;
    reference_alignment want;
    if (!x->solved[i]) continue;
    solved++;
    assert_ok(reference_align(&want, RANDOM_PAIR_PROBLEM(&pair, &x->table, x->scheme.ends), &why));
    cr_assert(x->score[i] == want.score && (x->solver.scores_only || (x->end_row[i] == want.query_end &&
                                                                      x->end_column[i] == want.target_end)),
              "seed %llu pair %d (%s): %lld at (%d, %d) instead of %lld at (%lld, %lld)",
              (unsigned long long)seed, i, random_pair_text(&pair, text), (long long)x->score[i],
              x->end_row[i], x->end_column[i], (long long)want.score, (long long)want.query_end,
              (long long)want.target_end);
    cr_assert(!x->solver.paths || is_path(x, i, pair_solver_runs(solver), &want),
              "seed %llu pair %d (%s): another path", (unsigned long long)seed, i,
              random_pair_text(&pair, text));
    reference_alignment_free(&want);
  }
  return solved;
}

static int solve_all(uint64_t first, int cases, bool global, int64_t most) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  static case_pairs x;
  int solved = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    pair_solver *solver = NULL;
    make_pairs(&x, seed, global, most);
    assert_ok(pair_solver_create(&solver, &x.scheme, matches, 1 << 24, &why));
    pair_solver_widest(solver, seed % 3 == 0 ? 16 : seed % 3 == 1 ? 32 : 64);
    for (int round = 0; round < 2; round++) { /* the second time it has seen these pairs */
      x.solver.paths = (seed + (uint64_t)round) % 4 != 0;
      x.solver.scores_only = !x.solver.paths && seed % 3 != 0;
      assert_ok_for(pair_solver_solve(solver, &x.solver, &why), "seed %llu", (unsigned long long)seed);
      solved += check_pairs(&x, solver, seed);
    }
    pair_solver_free(solver);
    for (int i = 0; i < PAIRS; i++) random_pair_free(&x.pairs[i]);
  }
  return solved;
}

Test(pair_solver, proven_bands_give_the_oracles_paths) {
  const int solved = solve_all(FIRST_SEED, 120, true, SHORT);
  cr_assert(solved > 120 * PAIRS, "%d pairs solved", solved);
}

Test(pair_solver, all_modes_give_the_oracles_paths) {
  const int solved = solve_all(FIRST_SEED + 1000, 60, false, SHORT);
  cr_assert(solved > 60 * PAIRS, "%d pairs solved", solved);
}

/* Losses of these pass what eight bits tell. */
Test(pair_solver, longer_pairs_in_bands_give_the_oracles_paths) {
  const int solved = solve_all(FIRST_SEED + 2000, 16, true, LENGTH_MOST);
  cr_assert(solved > 16 * PAIRS, "%d pairs solved", solved);
}
