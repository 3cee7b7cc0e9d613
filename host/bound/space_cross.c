#include "bound/space_cross.h"

#include <stdlib.h>

#include "bound/open_space.h"

#define SMALL_CELLS (INT64_C(1) << 16)   /* so few are always aligned exactly */
#define NARROW_LETTERS 64                /* as are longer areas with a side as short as this */
#define SAMPLED_WORDS (INT64_C(1) << 20) /* of each sequence, about, at most */
#define SHORTEST_WORD 8                  /* letters */
#define SHORTER_WORD 5                   /* letters less for the second try */
#define DEPTH_MOST 8                     /* chains within chains */
#define MATCH_MARGIN 8                   /* letters at a match's ends that may be there by chance */
#define MATCH_CORE 4                     /* letters of a match that stay */

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The shortest word that two unrelated sequences of these lengths share about once. */
static int word_for(const bound_area *area) {
  int word = 0;
  for (double cells = (double)bound_area_rows(area) * (double)bound_area_columns(area); cells > 1; cells /= 4)
    word++;
  if (word < SHORTEST_WORD) word = SHORTEST_WORD;
  return word < SEED_WORD_LIMIT ? word : SEED_WORD_LIMIT;
}

int space_sampling(const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  int bits = 0;
  while ((rows > columns ? rows : columns) >> bits > SAMPLED_WORDS) bits++;
  return bits;
}

cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area, bool ends,
                            int hope, cla_error *error) {
  const int word = word_for(area), bits = space_sampling(area);
  cla_status status = seeds_find(matches, pair, area, word, bits, error);
  if (status == CLA_OK) status = match_chain(matches, pair, area, ends, hope, error);
  const int shorter = word - SHORTER_WORD;
  if (status != CLA_OK || matches->count > 0 || shorter < SHORTEST_WORD) return status;
  status = seeds_find(matches, pair, area, shorter, bits, error);
  return status == CLA_OK ? match_chain(matches, pair, area, ends, hope, error) : status;
}

cla_status space_follow(space_crosser *t, const seed_matches *matches, int depth, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < matches->count && status == CLA_OK; i++) {
    const seed_match *match = &matches->items[i];
    const int64_t spare = match->length - MATCH_CORE;
    const int64_t margin = spare < 0 ? 0 : smaller(spare / 2, MATCH_MARGIN);
    const bound_area before = {.query = t->path->query_stop,
                               .target = t->path->target_stop,
                               .query_stop = match->query + margin,
                               .target_stop = match->target + margin};
    status = space_cross(t, &before, depth, error);
    if (status == CLA_OK) status = bound_path_add(t->path, CLA_RUN_PAIR, match->length - 2 * margin, error);
  }
  return status;
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

cla_status space_cross(space_crosser *t, const bound_area *area, int depth, cla_error *error) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  const double cells = (double)rows * (double)columns;
  const bool late = bound_pair_late(t->pair);
  const bool narrow = smaller(rows, columns) <= NARROW_LETTERS;
  bool found = false;
  if (cells == 0 || late) return open_space_cross(t->path, t->pair, area, error);
  if (cells > (double)SMALL_CELLS && !narrow && depth < DEPTH_MOST) {
    cla_status status = cross_by_chain(&found, t, area, depth, error);
    if (found || status != CLA_OK) return status;
  }
  if (cells <= (double)EXACT_SPACE_CELLS) return exact_space_cross(&t->exact, t->path, t->pair, area, error);
  return open_space_cross(t->path, t->pair, area, error);
}
