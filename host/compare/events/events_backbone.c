/* Finds the longest chain of collinear segments, also around circles. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "compare/events/events_internal.h"

cla_status segment_list_make(segment_list *out, size_t count, cla_error *error) {
  *out = (segment_list){.count = 0};
  const int64_t room = (int64_t)count;
  cla_status status = ALLOCATE_ARRAY(&out->items, room, "a comparison's segments", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->ranks, room, "a comparison's segments", error);
  return status;
}

void segment_list_free(segment_list *list) {
  free(list->items);
  free(list->ranks);
  *list = (segment_list){0};
}

/* The best chain that ends at each segment. A tree over the query's order finds the best segment before a
 * rank. */
typedef struct chain_work {
  int64_t *letters; /* for each segment of the list: letters of its best chain */
  size_t *before;   /* for each segment of the list: the previous one on the chain, plus 1; 0: none */
  size_t *tree;     /* Fenwick tree, from index 1: the best segment of each range of ranks, plus 1; 0: none */
  size_t count;
} chain_work;

static cla_status open_work(chain_work *work, size_t count, cla_error *error) {
  const int64_t room = (int64_t)count + 1;
  static const char what[] = "a comparison's backbone";
  *work = (chain_work){.count = count};
  cla_status status = ALLOCATE_ZEROS(&work->letters, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&work->before, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&work->tree, room, what, error);
  return status;
}

static void close_work(chain_work *work) {
  free(work->letters);
  free(work->before);
  free(work->tree);
}

/* Returns the better of two segments, each given as its index plus 1. If both have equally many letters,
 * returns `one`. */
static size_t better_end(const chain_work *work, size_t one, size_t other) {
  if (one == 0 || other == 0) return one + other;
  return work->letters[other - 1] > work->letters[one - 1] ? other : one;
}

/* Returns the index, plus 1, of the best segment among the first `ranks` ranks. */
static size_t best_below(const chain_work *work, size_t ranks) {
  size_t best = 0;
  for (size_t at = ranks; at > 0; at &= at - 1) best = better_end(work, best, work->tree[at]);
  return best;
}

static void enter(chain_work *work, size_t rank, size_t index) {
  for (size_t at = rank + 1; at <= work->count; at += at & (~at + 1))
    work->tree[at] = better_end(work, work->tree[at], index + 1);
}

cla_status backbone_choose(bool *chosen, int64_t *letters, const backbone_input *from, cla_strand strand,
                           cla_error *error) {
  const segment_list *list = from->list;
  chain_work work;
  size_t best = 0;
  cla_status status = open_work(&work, list->count, error);
  for (size_t i = 0; i < list->count && status == CLA_OK; i++) {
    chosen[i] = false;
    if (!from->allowed[i]) continue;
    const size_t rank = strand == CLA_STRAND_REVERSE ? list->count - 1 - list->ranks[i] : list->ranks[i];
    const size_t before = best_below(&work, rank);
    work.before[i] = before;
    work.letters[i] = from->all->items[list->items[i]].letters + (before ? work.letters[before - 1] : 0);
    enter(&work, rank, i);
    best = better_end(&work, best, i + 1);
  }
  if (status == CLA_OK) {
    *letters = best ? work.letters[best - 1] : 0;
    for (size_t at = best; at > 0; at = work.before[at - 1]) chosen[at - 1] = true;
  }
  close_work(&work);
  return status;
}

/* How far the order of each side is rotated. */
typedef struct circle_turn {
  size_t query, target; /* the query's rank and the list's place that come first */
} circle_turn;

static void turn_list(segment_list *out, const segment_list *list, circle_turn turn) {
  out->count = list->count;
  for (size_t i = 0; i < list->count; i++) {
    const size_t from = (i + turn.target) % list->count;
    out->items[i] = list->items[from];
    out->ranks[i] = (list->ranks[from] + list->count - turn.query) % list->count;
  }
}

/* Returns the rotation that makes the given segment the first one of a chain. */
static circle_turn turn_to(const segment_list *list, size_t index, bool query, cla_strand strand) {
  if (!query) return (circle_turn){.target = index};
  const size_t rank = list->ranks[index];
  return (circle_turn){.query = strand == CLA_STRAND_REVERSE ? (rank + 1) % list->count : rank};
}

/* Returns the place in the list of segment number `number` in the order of the genome that is not rotated. */
static size_t place_along(const segment_list *list, size_t number, bool query, cla_strand strand) {
  const size_t rank = strand == CLA_STRAND_REVERSE ? list->count - 1 - number : number;
  if (query) return number;
  for (size_t i = 0; i < list->count; i++)
    if (list->ranks[i] == rank) return i;
  return 0;
}

/* Maximum number of rotations that are tried. A rotation makes the chain start with one of the first segments
 * along the other record. */
#define TURNS_MOST 400

/* Sets *turned to the rotation of the list that has the heaviest chain. `query`: the query is rotated, not
 * the target. */
static cla_status turn_best(segment_list *turned, const segment_list *list, const segments *all, bool query,
                            cla_strand strand, cla_error *error) {
  circle_turn best = {0};
  bool *flags = NULL;
  int64_t letters = 0, most = -1, total = 0;
  cla_status status = ALLOCATE_ZEROS(&flags, 2 * (int64_t)list->count + 1, "a comparison's backbone", error);
  bool *const allowed = flags, *const chosen = flags + list->count;
  for (size_t i = 0; i < list->count; i++)
    if (all->items[list->items[i]].strand == strand) total += all->items[list->items[i]].letters;
  for (size_t n = 0; n < list->count && n < TURNS_MOST && most < total && status == CLA_OK; n++) {
    const circle_turn turn = turn_to(list, place_along(list, n, query, strand), query, strand);
    turn_list(turned, list, turn);
    for (size_t i = 0; i < list->count; i++) allowed[i] = all->items[turned->items[i]].strand == strand;
    status = backbone_choose(chosen, &letters, &(backbone_input){all, turned, allowed}, strand, error);
    if (status != CLA_OK || letters <= most) continue;
    most = letters;
    best = turn;
  }
  turn_list(turned, list, best);
  free(flags);
  return status;
}

cla_status backbone_rotate(segment_list *list, const segments *all, const cla_comparison *comparison,
                           cla_strand strand, cla_error *error) {
  segment_list turned = {0};
  if (list->count < 2) return CLA_OK;
  const segment *first = &all->items[list->items[0]];
  const bool query = genome_is_circular(&comparison->query, first->query);
  if (!query && !genome_is_circular(&comparison->target, first->target)) return CLA_OK;
  cla_status status = segment_list_make(&turned, list->count, error);
  if (status == CLA_OK) status = turn_best(&turned, list, all, query, strand, error);
  if (status == CLA_OK) {
    memcpy(list->items, turned.items, list->count * sizeof *list->items);
    memcpy(list->ranks, turned.ranks, list->count * sizeof *list->ranks);
  }
  segment_list_free(&turned);
  return status;
}
