#include "bound/seed_path.h"

#include <stdlib.h>

#include "base/extremes.h"
#include "bound/exact_space.h"
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
  const seed_match *first = &matches->items[0], *last = &matches->items[matches->count - 1];
  const int64_t query = last->query + last->length, target = last->target + last->length;
  const int64_t before = smaller(BEYOND_LETTERS, smaller(first->query, first->target));
  const int64_t after =
      smaller(BEYOND_LETTERS, smaller(t->pair->query_length - query, t->pair->target_length - target));
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
         smaller(pair->query_length, pair->target_length) / LEAST_COVERED;
}

/* The path along the best chain, cut down to its best part; *score is 0 where there is none worth it. */
static cla_status make_local(int64_t *score, space_crosser *t, double hope, cla_error *error) {
  const bound_pair *pair = t->pair;
  const bound_area whole = {.query_stop = pair->query_length, .target_stop = pair->target_length};
  seed_matches matches = {0};
  bound_path_begin(t->path, 0, 0);
  cla_status status = space_find_chain(&matches, pair, &whole, false, hope, t->work, error);
  t->work -= matches.work;
  if (status == CLA_OK && matches.count > 0 && is_worth_following(&matches, pair, &whole))
    status = follow_freely(t, &matches, error);
  if (status == CLA_OK) status = unused_path_make(t->path, pair, error);
  *score = status == CLA_OK ? bound_path_keep_best_part(t->path, pair) : 0;
  free(matches.items);
  return status;
}

static cla_status make_global(space_crosser *t, cla_error *error) {
  const bound_area whole = {.query_stop = t->pair->query_length, .target_stop = t->pair->target_length};
  bound_path_begin(t->path, 0, 0);
  return space_cross(t, &whole, error);
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

/* The best of several ways; what work the first leaves is the second's. */
static cla_status make_best_local(space_crosser *t, cla_error *error) {
  const bound_pair *pair = t->pair;
  bound_path *out = t->path, other = {0};
  int64_t score, other_score;
  cla_status status = make_local(&score, t, MATCH_CHAIN_HOPEFUL, error);
  /* Where the best part of a long chain is a small one, a chain of its own may be better. */
  if (status != CLA_OK || bound_pair_stopped(pair) ||
      2 * (out->query_stop - out->query) > smaller(pair->query_length, pair->target_length))
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
  space_crosser t = {.pair = pair, .path = out, .work = work, .threads = threads};
  bool alike = false;
  int64_t score;
  bound_path_begin(out, 0, 0);
  cla_status status = look_alike(&alike, pair, error);
  if (status != CLA_OK || bound_pair_stopped(pair)) return status;
  if (!alike) return make_plain(out, &score, pair, ends, error);
  return ends ? make_global(&t, error) : make_best_local(&t, error);
}

int seed_path_threads(int64_t query_length, int64_t target_length, int threads, int64_t memory_bytes) {
  const bound_area whole = {.query_stop = query_length, .target_stop = target_length};
  const int64_t words = ((query_length + target_length) >> space_sampling(&whole)) * WORD_BYTES;
  return (int)smaller(threads, larger(memory_bytes - words, 0) / EXACT_SPACE_BYTES);
}
