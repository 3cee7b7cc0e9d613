/* Many pairs of one scheme, in bands that are proven, against the oracle. */

#include "dp/pair_solver.h"
#include "seq/alphabet.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/reference_path.h"
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
  for (int32_t k = 0; k < x->run_count[i]; k++) {
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

/* Scores and ends that lanes could not tell. */
static void find_unsolved(case_pairs *x) {
  for (int i = 0; i < PAIRS; i++) {
    random_pair pair = x->pairs[i];
    pair.scoring = x->pairs[0].scoring;
    reference_alignment want;
    if (x->solved[i]) continue;
    assert_ok(reference_align(&want, RANDOM_PAIR_PROBLEM(&pair, &x->table, x->scheme.ends), &why));
    x->score[i] = want.score;
    x->end_row[i] = (int32_t)want.query_end;
    x->end_column[i] = (int32_t)want.target_end;
    reference_alignment_free(&want);
  }
}

/* Paths or scores of pairs of which only a bound is known at first. */
static int solve_with_scouts(case_pairs *x, pair_solver *solver, uint64_t seed) {
  pair_solver_scouts(solver, seed % 2 ? 1 : 64);
  x->solver.paths = seed % 3 != 0;
  assert_ok_for(pair_solver_solve(solver, &x->solver, &why), "seed %llu", (unsigned long long)seed);
  return check_pairs(x, solver, seed);
}

static int solve_all(uint64_t first, int cases, bool global, int64_t most) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  static case_pairs x;
  int solved = 0, solved_by_scouts = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    const int before = solved;
    pair_solver *solver = NULL;
    make_pairs(&x, seed, global, most);
    assert_ok(pair_solver_create(&solver, &x.scheme, matches, 1 << 24, &why));
    pair_solver_widest(solver, seed % 3 == 0 ? 16 : seed % 3 == 1 ? 32 : 64);
    for (int round = 0; round < 2; round++) { /* the second time it has seen these pairs */
      x.solver.paths = (seed + (uint64_t)round) % 4 != 0;
      x.solver.scores_only = round == 0 && !x.solver.paths && seed % 3 != 0;
      assert_ok_for(pair_solver_solve(solver, &x.solver, &why), "seed %llu", (unsigned long long)seed);
      solved += check_pairs(&x, solver, seed);
    }
    find_unsolved(&x);
    x.solver.paths = true;
    pair_solver_large(solver, seed % 2 ? 0 : 4000);
    assert_ok_for(pair_solver_trace(solver, &x.solver, &why), "seed %llu", (unsigned long long)seed);
    cr_assert(2 * check_pairs(&x, solver, seed) >= solved - before, "seed %llu", (unsigned long long)seed);
    if (global) solved_by_scouts += solve_with_scouts(&x, solver, seed);
    pair_solver_free(solver);
    for (int i = 0; i < PAIRS; i++) random_pair_free(&x.pairs[i]);
  }
  cr_assert(!global || solved_by_scouts > cases * PAIRS / 2, "%d pairs solved", solved_by_scouts);
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

/* Some tiles lie below others, and bases pass a byte. */
Test(pair_solver, longer_pairs_of_all_modes_give_the_oracles_paths) {
  const int solved = solve_all(FIRST_SEED + 3000, 9, false, LENGTH_MOST);
  cr_assert(solved > 9 * PAIRS, "%d pairs solved", solved);
}

/* Queries of proteins with targets that are unlike, or have a part of the query, or are the query. */
static void make_proteins(case_pairs *x, uint64_t seed, int targets_of_query, cla_mode mode) {
  random_stream stream;
  random_stream_init(&stream, seed, 3);
  cla_scoring *scoring = &x->pairs[0].scoring;
  for (int i = 0; i < PAIRS; i++) {
    random_pair *pair = &x->pairs[i];
    random_pair_make(pair, seed * 1000 + (uint64_t)i, SHORT);
    for (int64_t k = 0; k < pair->query_length; k++)
      pair->query[k] = (uint8_t)random_stream_below(&stream, 23);
    const random_pair *of = &x->pairs[i / targets_of_query * targets_of_query];
    const int64_t like = (int64_t)random_stream_below(&stream, 3) * of->query_length / 2;
    for (int64_t k = 0; k < pair->target_length; k++)
      pair->target[k] = k < like && random_stream_below(&stream, 8)
                            ? of->query[k]
                            : (uint8_t)random_stream_below(&stream, 23);
    x->query[i] = of->query;
    x->rows[i] = (int32_t)of->query_length;
    x->target[i] = pair->target;
    x->columns[i] = (int32_t)pair->target_length;
  }
  cla_scoring_init_for(scoring, CLA_ALPHABET_PROTEIN);
  assert_ok(cla_scoring_set_matrix(scoring, seed % 2 ? "BLOSUM62" : "PAM30", &why));
  score_table_build(&x->table, scoring, alphabet_protein.letters, alphabet_protein.unambiguous);
  x->scheme = (path_scheme){scoring, &x->table, path_ends_make(mode, 0)};
}

/* Scores of a search, which groups have of one query or of many, and of pairs with ends. */
static void search(uint64_t seed, int targets_of_query, cla_mode mode, bool scores_only) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  static case_pairs x;
  pair_solver *solver = NULL;
  make_pairs(&x, seed, true, SHORT);
  for (int i = 0; i < PAIRS; i++) random_pair_free(&x.pairs[i]);
  make_proteins(&x, seed, targets_of_query, mode);
  x.solver.scores_only = scores_only;
  x.solver.paths = !scores_only;
  assert_ok(pair_solver_create(&solver, &x.scheme, matches, 1 << 24, &why));
  pair_solver_widest(solver, seed % 3 == 0 ? 16 : seed % 3 == 1 ? 32 : 64);
  assert_ok(pair_solver_solve(solver, &x.solver, &why));
  for (int i = 0; i < PAIRS; i++) {
    const pair_problem problem = {x.query[i], x.target[i], x.rows[i], x.columns[i], x.scheme};
    reference_alignment want;
    assert_ok(reference_align(&want, &problem, &why));
    cr_assert(x.solved[i] && x.score[i] == want.score, "seed %llu pair %d: %lld instead of %lld",
              (unsigned long long)seed, i, (long long)x.score[i], (long long)want.score);
    cr_assert(scores_only || (x.end_row[i] == want.query_end && x.end_column[i] == want.target_end),
              "seed %llu pair %d: another end", (unsigned long long)seed, i);
    cr_assert(scores_only || is_path(&x, i, pair_solver_runs(solver), &want),
              "seed %llu pair %d: another path", (unsigned long long)seed, i);
    reference_alignment_free(&want);
  }
  pair_solver_free(solver);
  for (int i = 0; i < PAIRS; i++) random_pair_free(&x.pairs[i]);
}

Test(pair_solver, a_search_gives_the_oracles_scores) {
  for (uint64_t seed = FIRST_SEED + 4000; seed < FIRST_SEED + 4024; seed++)
    search(seed, seed % 4 < 2 ? PAIRS / 2 : seed % 4 == 2 ? 7 : 1, CLA_MODE_LOCAL, seed % 3 != 1);
}

Test(pair_solver, proteins_of_other_modes_have_the_oracles_ends) {
  for (uint64_t seed = FIRST_SEED + 5000; seed < FIRST_SEED + 5012; seed++)
    search(seed, seed % 2 ? PAIRS / 2 : 1, seed % 4 < 2 ? CLA_MODE_SEMI_GLOBAL : CLA_MODE_OVERLAP, false);
}
