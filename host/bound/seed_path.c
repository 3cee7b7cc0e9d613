#include "bound/seed_path.h"

#include <stdlib.h>

#include "base/extremes.h"
#include "bound/open_space.h"
#include "bound/space_cross.h"
#include "bound/unused_path.h"

#define BEYOND_LETTERS 2000 /* that a local path goes on beyond its chain */

#define LEAST_COVERED 128   /* matches cover at least this part of the shorter sequence, or they are chance */
#define SCREENED_WORDS 4096 /* of the longer sequence, about, to see whether they are alike */
#define SCREENED_LEAST 3    /* words in common */
#define WORD_BYTES 128      /* a sampled word of both sequences, sorted, paired, extended, chained */

/* A local path: from some letters before the chain to some letters after it, on its first and last diagonal.
 */
static cla_status follow_freely(space_crosser *t, const seed_matches *matches, cla_error *error) {
  const seed_match *first = &matches->items[0];
  const int64_t before = smaller(BEYOND_LETTERS, smaller(first->query, first->target));
  bound_path_begin(t->path, first->query - before, first->target - before);
  cla_status status = space_follow(t, matches, 0, error);
  if (status != CLA_OK) return status;
  const int64_t query = t->path->query_stop, target = t->path->target_stop;
  const int64_t after =
      smaller(BEYOND_LETTERS, smaller(t->pair->query_length - query, t->pair->target_length - target));
  const bound_area rest = {
      .query = query, .target = target, .query_stop = query + after, .target_stop = target + after};
  return space_cross(t, &rest, 0, error);
}

/* Whether a chain has more in it than chance: of sequences that are alike enough for a local alignment of
 * some size, matches cover a part that is not tiny. */
static bool is_worth_following(const seed_matches *matches, const bound_pair *pair, const bound_area *whole) {
  int64_t letters = 0;
  for (int64_t i = 0; i < matches->count; i++) letters += matches->items[i].length;
  return (letters << space_sampling(whole)) >=
         smaller(pair->query_length, pair->target_length) / LEAST_COVERED;
}

/* The path along the best chain, cut down to its best part; *score is 0 where there is none worth it. */
static cla_status make_local(bound_path *out, int64_t *score, const bound_pair *pair, double hope,
                             int threads, cla_error *error) {
  const bound_area whole = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  space_crosser t = {.pair = pair, .path = out, .threads = threads};
  seed_matches matches = {0};
  bound_path_begin(out, 0, 0);
  cla_status status = space_find_chain(&matches, pair, &whole, false, hope, error);
  if (status == CLA_OK && matches.count > 0 && is_worth_following(&matches, pair, &whole))
    status = follow_freely(&t, &matches, error);
  if (status == CLA_OK) status = unused_path_make(out, pair, error);
  *score = status == CLA_OK ? bound_path_keep_best_part(out, pair) : 0;
  free(matches.items);
  exact_space_free(&t.exact);
  return status;
}

static cla_status make_global(bound_path *out, const bound_pair *pair, int threads, cla_error *error) {
  const bound_area whole = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  space_crosser t = {.pair = pair, .path = out, .threads = threads};
  bound_path_begin(out, 0, 0);
  cla_status status = space_cross(&t, &whole, 0, error);
  exact_space_free(&t.exact);
  return status;
}

/* Linear time: where no words tell the way, as in tandem repeats, the corners' diagonals still may. */
static cla_status make_plain(bound_path *out, int64_t *score, const bound_pair *pair, bool ends,
                             cla_error *error) {
  const bound_area whole = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  bound_path_begin(out, 0, 0);
  cla_status status = open_space_cross(out, pair, &whole, error);
  if (status == CLA_OK) status = unused_path_make(out, pair, error);
  *score = status == CLA_OK && !ends ? bound_path_keep_best_part(out, pair) : 0;
  return status;
}

/* Whether the sequences have more words in common than chance gives, from a small sample: unrelated ones
 * shall cost next to nothing. */
static cla_status look_alike(bool *alike, const bound_pair *pair, cla_error *error) {
  const bound_area whole = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  seed_matches matches = {0};
  int64_t letters = 0, bits = 0;
  const int64_t longer =
      pair->query_length + pair->target_length - smaller(pair->query_length, pair->target_length);
  while (longer >> bits > SCREENED_WORDS && bits < SEED_SAMPLING_LIMIT) bits++;
  const int word = space_word(&whole);
  cla_status status = seeds_find(&matches, pair, &whole, word, (int)bits, error);
  for (int64_t i = 0; i < matches.count; i++) letters += matches.items[i].length;
  *alike = letters >= SCREENED_LEAST * (int64_t)word;
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

/* The best of several ways. */
static cla_status make_best_local(bound_path *out, const bound_pair *pair, int threads, cla_error *error) {
  bound_path other = {0};
  int64_t score, other_score;
  cla_status status = make_local(out, &score, pair, MATCH_CHAIN_HOPEFUL, threads, error);
  /* Where the best part of a long chain is a small one, a chain of its own may be better. */
  if (status != CLA_OK || bound_pair_stopped(pair) ||
      2 * (out->query_stop - out->query) > smaller(pair->query_length, pair->target_length))
    return status;
  if (score > 0 && !bound_pair_late(pair)) {
    status = make_local(&other, &other_score, pair, MATCH_CHAIN_SOBER, threads, error);
    if (status == CLA_OK) keep_better(out, &score, &other, other_score);
  }
  if (status == CLA_OK) status = make_plain(&other, &other_score, pair, false, error);
  if (status == CLA_OK) keep_better(out, &score, &other, other_score);
  bound_path_free(&other);
  return status;
}

cla_status seed_path_make(bound_path *out, const bound_pair *pair, bool ends, int threads, cla_error *error) {
  bool alike = false;
  int64_t score;
  bound_path_begin(out, 0, 0);
  cla_status status = look_alike(&alike, pair, error);
  if (status != CLA_OK || bound_pair_late(pair)) return status;
  if (!alike) return make_plain(out, &score, pair, ends, error);
  return ends ? make_global(out, pair, threads, error) : make_best_local(out, pair, threads, error);
}

int64_t seed_path_bytes(int64_t query_length, int64_t target_length, int threads) {
  const bound_area whole = {.query_stop = query_length, .target_stop = target_length};
  return threads * EXACT_SPACE_BYTES +
         ((query_length + target_length) >> space_sampling(&whole)) * WORD_BYTES;
}
