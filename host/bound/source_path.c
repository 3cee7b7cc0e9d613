#include "bound/source_path.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "bound/area_cross.h"
#include "bound/path_mend.h"

#define BEYOND_LETTERS 2000 /* that a local path goes on beyond its chain */

#define LEAST_COVERED 128   /* matches cover at least this part of the shorter sequence, or they are chance */
#define SCREENED_WORDS 4096 /* of the longer sequence, about, to see whether they are alike */
#define SCREENED_LEAST 3    /* words in common */
#define WORD_BYTES 128      /* a sampled word of both sequences, sorted, paired, extended, chained */

/* A local path: from some letters before the chain to some letters after it, on its first and last diagonal.
 */
static cla_status follow_freely(space_crosser *t, const seed_matches *matches, cla_error *error) {
  const seed_match *first = &matches->items[0], *last = &matches->items[matches->count - 1];
  const int64_t query = last->query + last->length, target = last->target + last->length;
  const int64_t before = smaller(BEYOND_LETTERS, smaller(first->query, first->target));
  const int64_t after =
      smaller(BEYOND_LETTERS, smaller(t->pair->problem.rows - query, t->pair->problem.columns - target));
  const bound_area area = {.query = first->query - before,
                           .target = first->target - before,
                           .query_stop = query + after,
                           .target_stop = target + after};
  bound_path_begin(t->path, area.query, area.target);
  return space_follow(t, matches, &area, error);
}

/* Whether a chain has more in it than chance: of sequences that are alike enough for a local alignment of
 * some size, matches cover a part that is not tiny. */
static bool is_worth_following(const seed_matches *matches, const bound_pair *pair, const bound_area *whole) {
  int64_t letters = 0;
  for (int64_t i = 0; i < matches->count; i++) letters += matches->items[i].length;
  return (letters << space_sampling(whole)) >=
         smaller(pair->problem.rows, pair->problem.columns) / LEAST_COVERED;
}

/* The path along the best chain, cut down to its best part; *score is 0 where there is none worth it. */
static cla_status make_local(int64_t *score, space_crosser *t, double hope, cla_error *error) {
  const chain_search search = {.kind = {.hope = hope}, .work = t->work, .threads = t->threads};
  const bound_pair *pair = t->pair;
  const bound_area whole = {.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
  seed_matches matches = {0};
  bound_path_begin(t->path, 0, 0);
  cla_status status = space_find_chain(&matches, pair, &whole, &search, error);
  t->work -= matches.work;
  if (status == CLA_OK && matches.count > 0 && is_worth_following(&matches, pair, &whole))
    status = follow_freely(t, &matches, error);
  if (status == CLA_OK) status = path_mend(t, t->work_all, error);
  if (status == CLA_OK) status = unused_path_make(t->path, pair, error);
  *score = status == CLA_OK ? bound_path_keep_best_part(t->path, pair) : 0;
  free(matches.items);
  return status;
}

static cla_status make_global(space_crosser *t, cla_error *error) {
  const bound_area whole = {.query_stop = t->pair->problem.rows, .target_stop = t->pair->problem.columns};
  bound_path_begin(t->path, 0, 0);
  cla_status status = space_cross(t, &whole, error);
  return status == CLA_OK ? path_mend(t, t->work_all, error) : status;
}

/* Linear time: where no words tell the way, as in tandem repeats, the corners' diagonals still may. */
static cla_status make_plain(bound_path *out, int64_t *score, const bound_pair *pair, bool ends,
                             cla_error *error) {
  const bound_area whole = {.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
  bound_path_begin(out, 0, 0);
  cla_status status = open_space_cross(out, pair, &whole, error);
  if (status == CLA_OK) status = unused_path_make(out, pair, error);
  *score = status == CLA_OK && !ends ? bound_path_keep_best_part(out, pair) : 0;
  return status;
}

/* Whether the sequences have more words in common than chance gives, from a small sample: unrelated ones
 * shall cost next to nothing. */
static cla_status look_alike(bool *alike, const bound_pair *pair, int threads, cla_error *error) {
  const bound_area whole = {.query_stop = pair->problem.rows, .target_stop = pair->problem.columns};
  seed_matches matches = {0};
  int64_t letters = 0, bits = 0;
  const int64_t longer =
      pair->problem.rows + pair->problem.columns - smaller(pair->problem.rows, pair->problem.columns);
  while (longer >> bits > SCREENED_WORDS && bits < SEED_SAMPLING_LIMIT) bits++;
  const word_choice choice = {.letters = space_word(&whole), .sampling_bits = (int)bits};
  cla_status status = seeds_find(&matches, pair, &whole, choice, threads, error);
  for (int64_t i = 0; i < matches.count; i++) letters += matches.items[i].length;
  *alike = letters >= SCREENED_LEAST * (int64_t)choice.letters;
  free(matches.items);
  return status;
}

/* The better of two paths becomes the first. */
static void keep_better(bound_path *best, int64_t *score, bound_path *other, int64_t other_score) {
  if (other_score <= *score) return;
  const bound_path swap = *best;
  *best = *other;
  *other = swap;
  *score = other_score;
}

/* The best of several ways; what work the first leaves is the second's. */
static cla_status make_best_local(space_crosser *t, cla_error *error) {
  const bound_pair *pair = t->pair;
  bound_path *out = t->path, other = {0};
  int64_t score, other_score;
  cla_status status = make_local(&score, t, MATCH_CHAIN_HOPEFUL, error);
  /* Where the best part of a long chain is a small one, a chain of its own may be better. */
  if (status != CLA_OK || bound_pair_stopped(pair) ||
      2 * (out->query_stop - out->query) > smaller(pair->problem.rows, pair->problem.columns))
    return status;
  if (score > 0) {
    t->path = &other;
    status = make_local(&other_score, t, MATCH_CHAIN_SOBER, error);
    t->path = out;
    if (status == CLA_OK) keep_better(out, &score, &other, other_score);
  }
  if (status == CLA_OK) status = make_plain(&other, &other_score, pair, false, error);
  if (status == CLA_OK) keep_better(out, &score, &other, other_score);
  bound_path_free(&other);
  return status;
}

cla_status seed_path_make(bound_path *out, const bound_pair *pair, bool ends, int64_t work, int threads,
                          cla_error *error) {
  space_crosser t = {.pair = pair, .path = out, .work = work, .work_all = work, .threads = threads};
  bool alike = false;
  int64_t score;
  bound_path_begin(out, 0, 0);
  cla_status status = look_alike(&alike, pair, threads, error);
  if (status != CLA_OK || bound_pair_stopped(pair)) return status;
  if (!alike) return make_plain(out, &score, pair, ends, error);
  return ends ? make_global(&t, error) : make_best_local(&t, error);
}

int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes) {
  const bound_area whole = {.query_stop = query_length, .target_stop = target_length};
  const int64_t words = ((query_length + target_length) >> space_sampling(&whole)) * WORD_BYTES;
  return (int)smaller(threads, larger(memory_bytes - words, 0) / EXACT_SPACE_BYTES);
}

/* Positions never pass 2^62, so that later sums cannot overflow. */
static bool runs_are_possible(const cla_path *given) {
  const int64_t limit = INT64_MAX / 2;
  int64_t query = given->query_start, target = given->target_start;
  if (query < 0 || target < 0 || query > limit || target > limit) return false;
  for (size_t i = 0; i < given->run_count; i++) {
    const cla_run *run = &given->runs[i];
    const int kind = (int)run->kind;
    if (kind < CLA_RUN_PAIR || kind > CLA_RUN_TARGET || run->length < 1) return false;
    if (run->length > limit - larger(query, target)) return false;
    if (kind != CLA_RUN_TARGET) query += run->length;
    if (kind != CLA_RUN_QUERY) target += run->length;
  }
  return true;
}

/* The part of a run that starts at (query, target) and lies within the matrix: steps from .. to - 1. A gap's
 * own letters must lie in it, and the other sequence's position too. */
static void clip(int64_t *from, int64_t *to, const cla_run *run, int64_t query, int64_t target,
                 const bound_pair *pair) {
  const bool moves_query = run->kind != CLA_RUN_TARGET, moves_target = run->kind != CLA_RUN_QUERY;
  *from = 0;
  *to = run->length;
  if (moves_query) {
    *from = larger(*from, -query);
    *to = smaller(*to, pair->problem.rows - query);
  } else if (query < 0 || query > pair->problem.rows) {
    *to = 0;
  }
  if (moves_target) {
    *from = larger(*from, -target);
    *to = smaller(*to, pair->problem.columns - target);
  } else if (target < 0 || target > pair->problem.columns) {
    *to = 0;
  }
}

/* A path only moves on, so what lies in the matrix is in one piece. */
static cla_status take_runs(space_crosser *t, bool *found, const cla_path *given, const given_place *at,
                            cla_error *error) {
  int64_t query = given->query_start - at->query_begin, target = given->target_start - at->target_begin;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < given->run_count && status == CLA_OK; i++) {
    const cla_run *run = &given->runs[i];
    const bool moves_query = run->kind != CLA_RUN_TARGET, moves_target = run->kind != CLA_RUN_QUERY;
    int64_t from, to;
    clip(&from, &to, run, query, target, t->pair);
    if (from < to) {
      const int64_t q = query + (moves_query ? from : 0), d = target + (moves_target ? from : 0);
      const bound_area before = {.query_stop = q, .target_stop = d};
      if (!*found && at->ends)
        status = space_cross(t, &before, error);
      else if (!*found)
        bound_path_begin(t->path, q, d);
      *found = true;
      if (status == CLA_OK) status = bound_path_add(t->path, run->kind, to - from, error);
    }
    if (moves_query) query += run->length;
    if (moves_target) target += run->length;
  }
  return status;
}

cla_status given_path_make(bool *found, space_crosser *t, const cla_path *given, const given_place *at,
                           cla_error *error) {
  const pair_problem *problem = &t->pair->problem;
  *found = false;
  bound_path_begin(t->path, 0, 0);
  if (!runs_are_possible(given))
    return error_set(
        error, CLA_ERROR_OPTION,
        "the path for the lower bound has a run of an unknown kind, without letters, or beyond any "
        "sequence; give runs of at least one letter");
  cla_status status = take_runs(t, found, given, at, error);
  if (status == CLA_OK && *found && at->ends) {
    const bound_area after = {.query = t->path->query_stop,
                              .target = t->path->target_stop,
                              .query_stop = problem->rows,
                              .target_stop = problem->columns};
    status = space_cross(t, &after, error);
  }
  return status;
}
