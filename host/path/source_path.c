#include "path/source_path.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "path/area_cross.h"
#include "path/path_mend.h"

#define BEYOND_LETTERS 2000 /* maximum letters by which a local path extends beyond each end of its chain */

/* Matches that cover less than 1 / LEAST_COVERED of the shorter sequence count as chance. */
#define LEAST_COVERED 128
/* If a path's gaps are at most 1 / GAPS_PART of the shorter sequence, no further chain is tried. */
#define GAPS_PART 16
/* Approximate number of words of the longer sequence in the sample that shows whether the sequences are
 * similar. */
#define SCREENED_WORDS 4096
#define SCREENED_LEAST 3 /* minimum number of common words of similar sequences */
#define WORD_BYTES 128   /* memory for each sampled word of either sequence, in all steps together */

/* Makes a local path along the chain. At both ends, the path continues on the diagonal for some letters. */
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

/* True if a chain is not chance: its matches cover more than a tiny part of the shorter sequence. */
static bool is_worth_following(const seed_matches *matches, const bound_pair *pair, const bound_area *whole) {
  int64_t letters = 0;
  for (int64_t i = 0; i < matches->count; i++) letters += matches->items[i].length;
  return (letters << space_sampling(whole)) >=
         smaller(pair->problem.rows, pair->problem.columns) / LEAST_COVERED;
}

/* Makes a path along the corners' diagonals, in linear time. It helps where common words show no path, for
 * example in tandem repeats. */
static cla_status make_plain(bound_path *out, const bound_pair *pair, cla_error *error) {
  const bound_area whole = bound_area_all(pair);
  bound_path_begin(out, 0, 0);
  cla_status status = open_space_cross(out, pair, &whole, error);
  return status == CLA_OK ? unused_path_make(out, pair, error) : status;
}

/* Extends the path to (query_stop, target_stop). */
static cla_status cross(bound_path *path, space_crosser t, int64_t query_stop, int64_t target_stop,
                        cla_error *error) {
  const bound_area area = {path->query_stop, path->target_stop, query_stop, target_stop};
  bound_path way = {0};
  t.path = &way;
  bound_path_begin(&way, area.query, area.target);
  cla_status status = space_cross(&t, &area, error);
  if (status == CLA_OK) status = path_mend(&t, t.work_all, error);
  if (status == CLA_OK) status = unused_path_make(&way, t.pair, error);
  if (status == CLA_OK) status = bound_path_add_all(path, &way, error);
  bound_path_free(&way);
  return status;
}

/* Makes a path along the best chain, including some letters beyond both ends. The path has no runs if no
 * chain is worth following. */
static cla_status make_chained(space_crosser *t, double hope, cla_error *error) {
  const chain_search search = {.kind = {.hope = hope}, .work = t->work, .threads = t->threads};
  const bound_pair *pair = t->pair;
  const bound_area whole = bound_area_all(pair);
  seed_matches matches = {0};
  bound_path_begin(t->path, 0, 0);
  cla_status status = space_find_chain(&matches, pair, &whole, &search, error);
  t->work -= matches.work;
  if (status == CLA_OK && matches.count > 0 && is_worth_following(&matches, pair, &whole))
    status = follow_freely(t, &matches, error);
  if (status == CLA_OK) status = path_mend(t, t->work_all, error);
  if (status == CLA_OK) status = unused_path_make(t->path, pair, error);
  free(matches.items);
  return status;
}

/* Sets *alike if a small sample of words contains more common words than chance explains. So unrelated
 * sequences take almost no time. */
static cla_status look_alike(bool *alike, const bound_pair *pair, int threads, cla_error *error) {
  const bound_area whole = bound_area_all(pair);
  seed_matches matches = {0};
  int64_t letters = 0, bits = 0;
  const int64_t longer = larger(pair->problem.rows, pair->problem.columns);
  while (longer >> bits > SCREENED_WORDS && bits < SEED_SAMPLING_LIMIT) bits++;
  const word_choice choice = {.letters = space_word(&whole), .sampling_bits = (int)bits};
  cla_status status = seeds_find(&matches, pair, &whole, choice, threads, error);
  for (int64_t i = 0; i < matches.count; i++) letters += matches.items[i].length;
  *alike = letters >= SCREENED_LEAST * (int64_t)choice.letters;
  free(matches.items);
  return status;
}

/* Replaces *best and *score by the best part of `other`, if this part scores more. `other` is first
 * extended along its diagonals to the matrix' borders, then cut down. */
static cla_status keep_better(bound_path *best, int64_t *score, bound_path *other, const bound_pair *pair,
                              cla_error *error) {
  const path_ends anywhere = path_ends_make(CLA_MODE_OVERLAP, 0);
  cla_status status = CLA_OK;
  if (bound_path_keep_best_part(other, pair) <= 0) return CLA_OK;
  status = bound_path_complete(other, pair, &anywhere, error);
  if (status == CLA_OK) status = unused_path_make(other, pair, error);
  if (status != CLA_OK) return status;
  const int64_t other_score = bound_path_keep_best_part(other, pair);
  if (other_score <= *score) return CLA_OK;
  const bound_path swap = *best;
  *best = *other;
  *other = swap;
  *score = other_score;
  return CLA_OK;
}

/* True if the part covers most of the shorter sequence with few gaps, so that no other chain is sought. */
static bool is_nearly_all(const bound_path *part, const bound_pair *pair) {
  const int64_t shorter = smaller(pair->problem.rows, pair->problem.columns);
  int64_t gaps = 0;
  for (int64_t i = 0; i < part->count; i++)
    if (part->runs[i].kind != CLA_RUN_PAIR) gaps += part->runs[i].length;
  return 4 * (part->query_stop - part->query) >= 3 * shorter && GAPS_PART * gaps <= shorter;
}

/* Makes a path from corner to corner: through `part` if is_nearly_all(part) is true, else along another
 * chain. */
static cla_status make_whole(bound_path *out, space_crosser t, const bound_path *part, cla_error *error) {
  const int64_t rows = t.pair->problem.rows, columns = t.pair->problem.columns;
  cla_status status = CLA_OK;
  bound_path_begin(out, 0, 0);
  if (is_nearly_all(part, t.pair)) {
    status = cross(out, t, part->query, part->target, error);
    if (status == CLA_OK) status = bound_path_add_all(out, part, error);
  } else {
    t.work = t.work_all;
  }
  return status == CLA_OK ? cross(out, t, rows, columns, error) : status;
}

static cla_status try_chain(bound_path *best, int64_t *score, space_crosser *t, double hope,
                            cla_error *error) {
  bound_path other = {0};
  t->path = &other;
  cla_status status = make_chained(t, hope, error);
  if (status == CLA_OK) status = keep_better(best, score, &other, t->pair, error);
  t->path = NULL;
  bound_path_free(&other);
  return status;
}

/* Makes `whole`, a path from corner to corner, and `best`, the best part of several paths. The second chain
 * gets the work that the first chain did not use. */
static cla_status make_paths(bound_path *whole, bound_path *best, space_crosser t, bool alike,
                             cla_error *error) {
  const bound_pair *pair = t.pair;
  bound_path other = {0};
  int64_t score = 0;
  cla_status status = alike ? try_chain(best, &score, &t, MATCH_CHAIN_HOPEFUL, error) : CLA_OK;
  if (status == CLA_OK) status = alike ? make_whole(whole, t, best, error) : make_plain(whole, pair, error);
  bound_path_begin(&other, whole->query, whole->target);
  if (status == CLA_OK) status = bound_path_add_all(&other, whole, error);
  if (status == CLA_OK) status = keep_better(best, &score, &other, pair, error);
  /* If the best part covers at most half of the shorter sequence, another chain may be better. */
  const bool small =
      2 * (best->query_stop - best->query) <= smaller(pair->problem.rows, pair->problem.columns);
  if (status == CLA_OK && alike && score > 0 && small && !bound_pair_stopped(pair)) {
    status = try_chain(best, &score, &t, MATCH_CHAIN_SOBER, error);
    if (status == CLA_OK) status = make_plain(&other, pair, error);
    if (status == CLA_OK) status = keep_better(best, &score, &other, pair, error);
  }
  bound_path_free(&other);
  return status;
}

/* Extends a path to the ends. A path that may end anywhere is cut where its score is largest. */
static cla_status lead_to_ends(int64_t *score, bound_path *path, const bound_pair *pair,
                               const path_ends *ends, cla_error *error) {
  cla_status status = bound_path_complete(path, pair, ends, error);
  if (status == CLA_OK) *score = bound_path_score(path, pair);
  if (status == CLA_OK && ends->anywhere) *score = bound_path_keep_best_start(path, pair);
  return status;
}

/* The kinds of paths from which the result is chosen.
 *
 * - WAY_WHOLE: from corner to corner, without end gaps
 * - WAY_PART: the part with the largest score of all paths
 * - WAY_START: WAY_WHOLE, cut down to the best part that begins at the first corner */
enum { WAY_WHOLE, WAY_PART, WAY_START, WAY_KINDS };

static cla_status make_start(bound_path *ways, const bound_pair *pair, cla_error *error) {
  const path_ends ends = path_ends_make(CLA_MODE_EXTEND, 0);
  int64_t score;
  bound_path_begin(&ways[WAY_START], ways[WAY_WHOLE].query, ways[WAY_WHOLE].target);
  cla_status status = bound_path_add_all(&ways[WAY_START], &ways[WAY_WHOLE], error);
  if (status == CLA_OK) status = lead_to_ends(&score, &ways[WAY_START], pair, &ends, error);
  bound_path_strip(&ways[WAY_START]);
  return status;
}

/* Extends each kind of path to the ends, and returns the one that scores most. Only if paths lead from
 * corner to corner may the result score less than an empty path. */
static cla_status choose_way(bound_path *out, bound_path *ways, const bound_pair *pair, const path_ends *ends,
                             cla_error *error) {
  const bool corners =
      !ends->anywhere && !ends->query_end && !ends->target_end && !ends->query_start && !ends->target_start;
  int best = -1;
  int64_t most = 0, score;
  bound_path_strip(&ways[WAY_WHOLE]);
  if (ways[WAY_PART].count == 0 && !corners) return CLA_OK;
  cla_status status = make_start(ways, pair, error);
  for (int i = 0; i < WAY_KINDS && status == CLA_OK; i++) {
    if (i != WAY_WHOLE && ways[i].count == 0) continue;
    status = lead_to_ends(&score, &ways[i], pair, ends, error);
    if (status != CLA_OK || (best >= 0 && score <= most)) continue;
    best = i;
    most = score;
  }
  return best >= 0 ? bound_path_take(out, &ways[best], status) : status;
}

cla_status seed_path_make(bound_path *out, const bound_pair *pair, const path_ends *ends, int64_t work,
                          int threads, cla_error *error) {
  const space_crosser t = {.pair = pair, .work = work, .work_all = work, .threads = threads};
  bound_path ways[WAY_KINDS] = {{0}};
  bool alike = false;
  bound_path_begin(out, 0, 0);
  cla_status status = look_alike(&alike, pair, threads, error);
  if (status == CLA_OK && !bound_pair_stopped(pair))
    status = make_paths(&ways[WAY_WHOLE], &ways[WAY_PART], t, alike, error);
  if (ends->floor)
    status = bound_path_take(out, &ways[WAY_PART], status);
  else if (status == CLA_OK && !bound_pair_stopped(pair))
    status = choose_way(out, ways, pair, ends, error);
  for (int i = 0; i < WAY_KINDS; i++) bound_path_free(&ways[i]);
  return status;
}

int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes) {
  const bound_area whole = {.query_stop = query_length, .target_stop = target_length};
  const int64_t words = ((query_length + target_length) >> space_sampling(&whole)) * WORD_BYTES;
  return (int)smaller(threads, larger(memory_bytes - words, 0) / EXACT_SPACE_BYTES);
}

/* True if positions stay below 2^62, so that later sums cannot overflow. */
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

/* Sets [*from, *to) to the steps of a run that lie within the matrix. The run starts at (query, target). A
 * step of a gap lies within the matrix if its letter and its position in the other sequence do. */
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

/* Takes the part of the user's path that lies within the matrix. It is a single part, because paths never
 * go back. */
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
