/* Finds which records are homologous, and the roles of their segments. */

#include <stdlib.h>

#include "base/allocate.h"
#include "compare/events/events_internal.h"

/* The segments of a pair of records, with their letters on each strand. */
typedef struct record_pair {
  size_t query, target;
  size_t first, count; /* range in `order` */
  int64_t letters[2];
} record_pair;

typedef struct pair_list {
  size_t *order;      /* segments sorted by query record, target record and place in the target; owned */
  record_pair *pairs; /* owned */
  size_t count;
  size_t *best_target, *best_query; /* for each query and each target: index, plus 1, of its pair with the
                                       most letters; owned */
} pair_list;

static int64_t pair_letters(const record_pair *pair) {
  return pair->letters[0] + pair->letters[1];
}

static cla_strand pair_strand(const record_pair *pair) {
  return pair->letters[1] > pair->letters[0] ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
}

static int compare_pairs(const void *left, const void *right, void *items) {
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const segment *one = (const segment *)items + a, *other = (const segment *)items + b;
  if (one->query != other->query) return one->query < other->query ? -1 : 1;
  if (one->target != other->target) return one->target < other->target ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void list_pairs(pair_list *list, const segments *all) {
  for (size_t i = 0; i < all->count; i++) {
    const segment *it = &all->items[list->order[i]];
    record_pair *last = list->count > 0 ? &list->pairs[list->count - 1] : NULL;
    if (!last || last->query != it->query || last->target != it->target) {
      last = &list->pairs[list->count++];
      *last = (record_pair){.query = it->query, .target = it->target, .first = i};
    }
    last->count++;
    last->letters[it->strand == CLA_STRAND_REVERSE] += it->letters;
  }
}

/* For each record, finds its pair with the most letters, and stores the pair's index plus 1; 0: none. */
static void choose_best(const pair_list *list) {
  for (size_t p = 0; p < list->count; p++) {
    const record_pair *pair = &list->pairs[p];
    size_t *const best[] = {&list->best_target[pair->query], &list->best_query[pair->target]};
    for (int side = 0; side < 2; side++)
      if (*best[side] == 0 || pair_letters(pair) > pair_letters(&list->pairs[*best[side] - 1]))
        *best[side] = p + 1;
  }
}

static cla_status open_pairs(pair_list *list, const event_finder *finder, cla_error *error) {
  const segments *all = &finder->all;
  const cla_comparison *comparison = finder->comparison;
  const int64_t count = (int64_t)all->count;
  static const char what[] = "a comparison's records";
  cla_status status = ALLOCATE_ARRAY(&list->order, count, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&list->pairs, count, what, error);
  if (status == CLA_OK)
    status = ALLOCATE_ZEROS(&list->best_target, (int64_t)comparison->query.count, what, error);
  if (status == CLA_OK)
    status = ALLOCATE_ZEROS(&list->best_query, (int64_t)comparison->target.count, what, error);
  if (status != CLA_OK || count == 0 || !list->pairs) return status;
  for (size_t i = 0; i < all->count; i++) list->order[i] = i;
  qsort_r(list->order, all->count, sizeof *list->order, compare_pairs, all->items);
  list_pairs(list, all);
  choose_best(list);
  return CLA_OK;
}

static void close_pairs(pair_list *list) {
  free(list->order);
  free(list->pairs);
  free(list->best_target);
  free(list->best_query);
}

static int compare_sizes(const void *left, const void *right) {
  const size_t one = *(const size_t *)left, other = *(const size_t *)right;
  return one < other ? -1 : one > other;
}

/* Makes the list of a pair's segments, with their order in both genomes. */
static cla_status take_pair(segment_list *out, const segments *all, const size_t *order, size_t count,
                            cla_error *error) {
  size_t *ranks = NULL;
  cla_status status = segment_list_make(out, count, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&ranks, (int64_t)count, "a comparison's records", error);
  if (status != CLA_OK) return status;
  out->count = count;
  for (size_t i = 0; i < count; i++) ranks[i] = all->items[order[i]].rank;
  qsort(ranks, count, sizeof *ranks, compare_sizes);
  for (size_t i = 0; i < count; i++) {
    const size_t *place = bsearch(&all->items[order[i]].rank, ranks, count, sizeof *ranks, compare_sizes);
    out->items[i] = order[i];
    out->ranks[i] = place ? (size_t)(place - ranks) : 0;
  }
  free(ranks);
  return CLA_OK;
}

/* Returns the first segment of the backbone in the target. *wraps: the backbone crosses the query's origin.
 */
static const segment *find_wrap(bool *wraps, const event_finder *finder, const record_pair *pair,
                                const pair_list *pairs) {
  const segment *first = NULL, *last = NULL;
  *wraps = false;
  for (size_t i = 0; i < pair->count; i++) {
    const segment *it = &finder->all.items[pairs->order[pair->first + i]];
    if (it->role != SEGMENT_SYNTENIC) continue;
    if (last) *wraps = *wraps || (it->query_begin > last->query_begin) == (it->strand == CLA_STRAND_REVERSE);
    if (!first) first = it;
    last = it;
  }
  return first;
}

/* Sets the query letter at the start of the target, from the first segment of the backbone. */
static void set_rotation(const event_finder *finder, const record_pair *pair, const pair_list *pairs) {
  cla_homology *out = &finder->out->homologies[pair->query];
  const segment *first = find_wrap(&out->rotated, finder, pair, pairs);
  if (!first || !out->rotated) return;
  const int64_t letters = genome_letters(&finder->comparison->query, first->query);
  const int64_t place = first->strand == CLA_STRAND_REVERSE ? first->query_end - 1 + first->target_begin
                                                            : first->query_begin - first->target_begin;
  out->rotation = ((place % letters) + letters) % letters;
}

static cla_status place_pair(event_finder *finder, const pair_list *pairs, const record_pair *pair,
                             size_t *groups, cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  const cla_strand strand = pair_strand(pair);
  const bool circular = genome_is_circular(&comparison->query, pair->query) &&
                        genome_is_circular(&comparison->target, pair->target);
  const bool is_main = pairs->best_target[pair->query] == (size_t)(pair - pairs->pairs) + 1;
  segment_list list = {0};
  cla_status status = take_pair(&list, &finder->all, pairs->order + pair->first, pair->count, error);
  if (status == CLA_OK) status = backbone_rotate(&list, &finder->all, comparison, strand, error);
  if (status == CLA_OK) status = backbone_place(&list, &finder->all, strand, circular, groups, error);
  for (size_t i = 0; i < list.count; i++) finder->all.items[list.items[i]].homologous = true;
  if (status == CLA_OK && circular && is_main) set_rotation(finder, pair, pairs);
  segment_list_free(&list);
  return status;
}

/* Returns true if two records are homologous. Each record is homologous to the record of the other genome
 * with which it shares the most letters. So all contigs are homologous to their chromosome. */
static bool are_homologous(const pair_list *pairs, size_t number) {
  const record_pair *pair = &pairs->pairs[number];
  return pairs->best_target[pair->query] == number + 1 || pairs->best_query[pair->target] == number + 1;
}

cla_status events_find_roles(event_finder *finder, cla_error *error) {
  const size_t queries = finder->comparison->query.count;
  pair_list pairs = {0};
  size_t groups = 0;
  cla_status status = open_pairs(&pairs, finder, error);
  for (size_t q = 0; q < queries && status == CLA_OK; q++) {
    const record_pair *best = pairs.best_target[q] ? &pairs.pairs[pairs.best_target[q] - 1] : NULL;
    finder->out->homologies[q] = (cla_homology){.target = CLA_NO_RECORD};
    if (best)
      finder->out->homologies[q] =
          (cla_homology){.target = best->target, .strand = pair_strand(best), .letters = pair_letters(best)};
  }
  for (size_t p = 0; pairs.pairs && p < pairs.count && status == CLA_OK; p++)
    if (are_homologous(&pairs, p)) status = place_pair(finder, &pairs, &pairs.pairs[p], &groups, error);
  close_pairs(&pairs);
  return status;
}
