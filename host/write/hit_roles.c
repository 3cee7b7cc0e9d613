#include "write/hit_roles.h"

#include <stdlib.h>

#include "base/extremes.h"

static int compare_hashes(uint64_t one, uint64_t other) {
  return one < other ? -1 : one > other;
}

static int compare(const void *left, const void *right) {
  const query_hit *one = left, *other = right;
  int order = compare_hashes(one->query.value[0], other->query.value[0]);
  if (order == 0) order = compare_hashes(one->query.value[1], other->query.value[1]);
  if (order == 0) order = one->empty - other->empty;
  if (order == 0) order = one->score > other->score ? -1 : one->score < other->score;
  return order != 0 ? order : one->order < other->order ? -1 : 1;
}

/* True if the hits share more than half of the letters of the shorter hit. */
static bool share_letters(const query_hit *one, const query_hit *other) {
  const int64_t both = smaller(one->to, other->to) - larger(one->from, other->from);
  return 2 * both > smaller(one->to - one->from, other->to - other->from);
}

/* Returns the best hit that is not secondary and shares more than half of the letters of `hit`; NULL:
 * none. */
static query_hit *find_better(query_hit *first, query_hit *hit) {
  for (query_hit *better = first; better < hit; better++)
    if (better->role != HIT_SECONDARY && share_letters(better, hit)) return better;
  return NULL;
}

static void give_role(query_hit *first, query_hit *hit) {
  hit->rivals = 0;
  hit->role = HIT_PRIMARY;
  if (hit == first) return;
  query_hit *better = hit->empty ? NULL : find_better(first, hit);
  hit->role = hit->empty ? HIT_NONE : better ? HIT_SECONDARY : HIT_SUPPLEMENTARY;
  if (better && better->score == hit->score) better->rivals++;
}

void query_hits_rank(query_hit *hits, int64_t count) {
  query_hit *first = hits;
  if (count > 0) qsort(hits, (size_t)count, sizeof *hits, compare);
  for (query_hit *hit = hits; hit < hits + count; hit++) {
    if (hit->query.value[0] != first->query.value[0] || hit->query.value[1] != first->query.value[1])
      first = hit;
    give_role(first, hit);
  }
}
