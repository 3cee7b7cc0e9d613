#include "bound/space_cross.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/parallel.h"
#include "bound/open_space.h"

#define SMALL_CELLS (INT64_C(1) << 16)   /* so few are always aligned exactly */
#define NARROW_LETTERS 64                /* as are longer areas with a side as short as this */
#define SAMPLED_WORDS (INT64_C(1) << 18) /* of each sequence, about, at most */
#define SHORTEST_WORD 8                  /* letters */
#define SHORTER_WORD 5                   /* letters less for the second try */
#define DEPTH_MOST 8                     /* chains within chains */
#define MATCH_MARGIN 8                   /* letters at a match's ends that may be there by chance */
#define PART_MATCHES 16                  /* of a chain, that a thread takes at a time */
#define THREADS_MOST 64
#define WINDOW_LETTERS 12 /* of so many letters on a diagonal, */
#define WINDOW_UNEQUAL 4  /* no more than so many differ where no gap is needed */
#define MATCH_CORE 4      /* letters of a match that stay */

/* Two unrelated areas of so many cells share cells / 4^word words, about. */
int space_word(const bound_area *area) {
  const double cells = (double)bound_area_rows(area) * (double)bound_area_columns(area);
  int word = SHORTEST_WORD;
  while (word < SEED_WORD_LIMIT && cells > (double)(UINT64_C(1) << 2 * word)) word++;
  return word;
}

int space_sampling(const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  int bits = 0;
  while ((rows > columns ? rows : columns) >> bits > SAMPLED_WORDS) bits++;
  return bits;
}

cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area, bool ends,
                            double hope, cla_error *error) {
  const int word = space_word(area), bits = space_sampling(area);
  const double weight = hope * (1 << bits); /* a match that was found stands for others */
  cla_status status = seeds_find(matches, pair, area, word, bits, error);
  if (status == CLA_OK) status = match_chain(matches, pair, area, ends, weight, error);
  const int shorter = word - SHORTER_WORD;
  if (status != CLA_OK || matches->count > 0 || shorter < SHORTEST_WORD) return status;
  status = seeds_find(matches, pair, area, shorter, bits, error);
  return status == CLA_OK ? match_chain(matches, pair, area, ends, weight, error) : status;
}

/* Letters at either end of a match that do not count. */
static int64_t margin_of(const seed_match *match) {
  const int64_t spare = match->length - MATCH_CORE;
  return spare < 0 ? 0 : smaller(spare / 2, MATCH_MARGIN);
}

/* Follows matches from `begin` to `end` - 1. */
static cla_status follow_part(space_crosser *t, const seed_matches *matches, int64_t begin, int64_t end,
                              int depth, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = begin; i < end && status == CLA_OK; i++) {
    const seed_match *match = &matches->items[i];
    const int64_t margin = margin_of(match);
    const bound_area before = {.query = t->path->query_stop,
                               .target = t->path->target_stop,
                               .query_stop = match->query + margin,
                               .target_stop = match->target + margin};
    status = space_cross(t, &before, depth, error);
    if (status == CLA_OK) status = bound_path_add(t->path, CLA_RUN_PAIR, match->length - 2 * margin, error);
  }
  return status;
}

/* Parts of a chain, which threads take one after the other. */
typedef struct shared_chain {
  const seed_matches *matches;
  const space_crosser *whole;
  bound_path *parts; /* of PART_MATCHES matches each */
  int64_t part_count;
  int depth;
  atomic_llong next;
  atomic_int failed; /* the first cla_status that is not CLA_OK */
} shared_chain;

/* For parallel_run. Thread 0 is the caller's, which alone calls the tick. */
static void follow_parts(void *user, int thread) {
  shared_chain *shared = user;
  const seed_match *matches = shared->matches->items;
  bound_pair pair = *shared->whole->pair;
  space_crosser t = {.pair = &pair, .threads = 1};
  int64_t part;
  if (thread > 0) pair.ticks = false;
  while ((part = atomic_fetch_add(&shared->next, 1)) < shared->part_count) {
    const int64_t begin = part * PART_MATCHES;
    t.path = &shared->parts[part];
    if (part > 0) {
      const seed_match *last = &matches[begin - 1];
      const int64_t letters = last->length - margin_of(last);
      bound_path_begin(t.path, last->query + letters, last->target + letters);
    }
    const int64_t end = smaller(begin + PART_MATCHES, shared->matches->count);
    cla_status status = follow_part(&t, shared->matches, begin, end, shared->depth, NULL);
    if (status != CLA_OK) atomic_store(&shared->failed, (int)status);
  }
  exact_space_free(&t.exact);
}

static cla_status join_parts(bound_path *path, const shared_chain *shared, cla_error *error) {
  cla_status status = CLA_OK;
  if (atomic_load(&shared->failed) != CLA_OK)
    return error_set(error, CLA_ERROR_MEMORY,
                     "out of memory for the lower bound; free some, or leave it out "
                     "(--lower-bound off)");
  for (int64_t part = 0; part < shared->part_count && status == CLA_OK; part++)
    for (int64_t i = 0; i < shared->parts[part].count && status == CLA_OK; i++)
      status =
          bound_path_add(path, shared->parts[part].runs[i].kind, shared->parts[part].runs[i].length, error);
  return status;
}

static cla_status follow_together(space_crosser *t, const seed_matches *matches, int depth,
                                  cla_error *error) {
  shared_chain shared = {.matches = matches,
                         .whole = t,
                         .part_count = (matches->count + PART_MATCHES - 1) / PART_MATCHES,
                         .depth = depth};
  cla_status status = allocate_zeros((void **)&shared.parts, shared.part_count, sizeof *shared.parts,
                                     "parts of the lower bound's path", error);
  if (status != CLA_OK) return status;
  bound_path_begin(&shared.parts[0], t->path->query_stop, t->path->target_stop);
  parallel_run((int)smaller(smaller(t->threads, shared.part_count), THREADS_MOST), follow_parts, &shared);
  status = join_parts(t->path, &shared, error);
  for (int64_t part = 0; part < shared.part_count; part++) bound_path_free(&shared.parts[part]);
  free(shared.parts);
  return status;
}

cla_status space_follow(space_crosser *t, const seed_matches *matches, int depth, cla_error *error) {
  if (t->threads > 1 && matches->count > PART_MATCHES) return follow_together(t, matches, depth, error);
  return follow_part(t, matches, 0, matches->count, depth, error);
}

/* From matches to matches within an area; *found is false, and nothing done, where there are none. */
static cla_status cross_by_chain(bool *found, space_crosser *t, const bound_area *area, int depth,
                                 cla_error *error) {
  seed_matches matches = {0};
  cla_status status = space_find_chain(&matches, t->pair, area, true, MATCH_CHAIN_SOBER, error);
  *found = status == CLA_OK && matches.count > 0;
  if (*found) status = space_follow(t, &matches, depth + 1, error);
  if (*found && status == CLA_OK) {
    const bound_area after = {.query = t->path->query_stop,
                              .target = t->path->target_stop,
                              .query_stop = area->query_stop,
                              .target_stop = area->target_stop};
    status = space_cross(t, &after, depth + 1, error);
  }
  free(matches.items);
  return status;
}

/* Whether an area needs no gap as far as can be told in linear time: a square whose diagonal has unequal
 * letters only here and there, and a scheme in which gaps cost more than unequal letters. */
static bool diagonal_is_clean(const bound_pair *pair, const bound_area *area) {
  const uint8_t *query = pair->query + area->query, *target = pair->target + area->target;
  const int64_t letters = bound_area_rows(area), dear = pair->scoring->gap_first;
  int64_t unequal = 0; /* of the last WINDOW_LETTERS */
  if (letters != bound_area_columns(area)) return false;
  if (dear < pair->table->maximum || 2 * dear < -(int64_t)pair->table->minimum) return false;
  for (int64_t i = 0; i < letters; i++) {
    unequal += query[i] != target[i];
    if (i >= WINDOW_LETTERS) unequal -= query[i - WINDOW_LETTERS] != target[i - WINDOW_LETTERS];
    if (unequal > WINDOW_UNEQUAL) return false;
  }
  return true;
}

cla_status space_cross(space_crosser *t, const bound_area *area, int depth, cla_error *error) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  const double cells = (double)rows * (double)columns;
  const bool late = bound_pair_late(t->pair);
  const bool narrow = smaller(rows, columns) <= NARROW_LETTERS;
  bool found = false;
  if (cells == 0 || late) return open_space_cross(t->path, t->pair, area, error);
  if (diagonal_is_clean(t->pair, area)) return bound_path_add(t->path, CLA_RUN_PAIR, rows, error);
  if (cells > (double)SMALL_CELLS && !narrow && depth < DEPTH_MOST) {
    cla_status status = cross_by_chain(&found, t, area, depth, error);
    if (found || status != CLA_OK) return status;
  }
  const double most = (double)(bound_pair_hurried(t->pair) ? SMALL_CELLS : EXACT_SPACE_CELLS);
  if (cells <= most && rows <= EXACT_SPACE_SIDE && columns <= EXACT_SPACE_SIDE)
    return exact_space_cross(&t->exact, t->path, t->pair, area, error);
  return open_space_cross(t->path, t->pair, area, error);
}
