/* Finds where moved letters have different neighbours in the query and in the target. */

#include "base/allocate.h"
#include "compare/events/events_internal.h"

/* Returns true if two segments that are adjacent in the query are also adjacent in the target, in the same
 * order. */
static bool follows(const event_finder *finder, const segment *one, const segment *next) {
  const segments *all = &finder->all;
  if (one->target != next->target || one->strand != next->strand) return false;
  const segment *low = one->strand == CLA_STRAND_REVERSE ? next : one;
  const segment *high = one->strand == CLA_STRAND_REVERSE ? one : next;
  if (high == low + 1) return true;
  const segment_range range = segments_of_target(all, one->target);
  return genome_is_circular(&finder->comparison->target, one->target) && high == &all->items[range.first] &&
         low == &all->items[range.first + range.count - 1];
}

/* Returns true if one of the two segments has moved, or if a moved segment is between them in the target.
 * Returns false if one of the two is inverted. */
static bool concerns_moves(const segment *one, const segment *next) {
  const segment *low = one < next ? one : next, *high = one < next ? next : one;
  if (one->role == SEGMENT_INVERTED || next->role == SEGMENT_INVERTED) return false;
  if (one->role == SEGMENT_MOVED || next->role == SEGMENT_MOVED) return true;
  for (const segment *it = low + 1; it < high && it->target == low->target; it++)
    if (it->role == SEGMENT_MOVED) return true;
  return false;
}

/* Returns a segment's breakend in the target. `behind`: the end that faces the letters after the segment in
 * the query; otherwise, the end that faces the letters before it. */
static cla_breakend breakend_of(const segment *it, bool behind) {
  const bool at_end = behind == (it->strand == CLA_STRAND_FORWARD);
  return (cla_breakend){it->target, at_end ? it->target_end : it->target_begin, at_end};
}

/* Returns the next segment in the query, across a circle's origin if necessary; NULL: none. */
static const segment *next_in_query(const event_finder *finder, const segment *it) {
  const segment_range range = segments_of_query(&finder->all, it->query);
  if (it->rank + 1 < range.first + range.count) return segment_by_query(&finder->all, it->rank + 1);
  const bool circular = genome_is_circular(&finder->comparison->query, it->query) && range.count > 1;
  return circular ? segment_by_query(&finder->all, range.first) : NULL;
}

cla_status events_find_adjacencies(event_finder *finder, cla_error *error) {
  cla_events *out = finder->out;
  int64_t capacity = 0;
  cla_status status = CLA_OK;
  for (size_t r = 0; r < finder->all.count && status == CLA_OK; r++) {
    const segment *one = segment_by_query(&finder->all, r), *next = next_in_query(finder, one);
    if (!next || follows(finder, one, next) || !concerns_moves(one, next)) continue;
    status = ALLOCATE_GROW(&out->adjacencies, &capacity, (int64_t)out->adjacency_count + 1,
                           "a comparison's adjacencies", error);
    if (status == CLA_OK)
      out->adjacencies[out->adjacency_count++] = (cla_adjacency){
          one->query, one->query_end, next->query_begin, {breakend_of(one, true), breakend_of(next, false)}};
  }
  return status;
}
