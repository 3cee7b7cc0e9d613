/* Tells the ends of contigs from differences. */

#include "compare/events/events_internal.h"

/* Returns true if the record of the query, or of the target, is linear and has no further segment after `it`,
 * or before it. */
static bool ends_beside(const event_finder *finder, const segment *it, bool query, bool after) {
  const cla_comparison *comparison = finder->comparison;
  const segments *all = &finder->all;
  if (genome_is_circular(query ? &comparison->query : &comparison->target, query ? it->query : it->target))
    return false;
  const segment_range range = query ? segments_of_query(all, it->query) : segments_of_target(all, it->target);
  const size_t place = query ? it->rank : (size_t)(it - all->items);
  return after ? place + 1 == range.first + range.count : place == range.first;
}

/* Returns true if the other genome's record ends beside a segment, in the direction of the gap. An inverted
 * segment has no such direction. */
static bool other_ends(const event_finder *finder, const segment *it, bool query, bool after) {
  const bool reverse = it->strand == CLA_STRAND_REVERSE;
  return it->role != SEGMENT_INVERTED && ends_beside(finder, it, !query, after != reverse);
}

/* Returns true if one of the segment's two records is homologous to several. */
static bool has_several(const event_finder *finder, const segment *it) {
  const segments *all = &finder->all;
  const segment_range queries = segments_of_query(all, it->query),
                      targets = segments_of_target(all, it->target);
  for (size_t i = 0; i < queries.count; i++) {
    const segment *other = segment_by_query(all, queries.first + i);
    if (other->homologous && other->target != it->target) return true;
  }
  for (size_t i = 0; i < targets.count; i++) {
    const segment *other = &all->items[targets.first + i];
    if (other->homologous && other->query != it->query) return true;
  }
  return false;
}

bool events_is_contig_end(const event_finder *finder, const segment *left, const segment *right, bool query) {
  if (!left && !right) return false;
  const bool own = !left || !right;
  const bool other =
      (left && other_ends(finder, left, query, true)) || (right && other_ends(finder, right, query, false));
  return own && other ? has_several(finder, left ? left : right) : own || other;
}
