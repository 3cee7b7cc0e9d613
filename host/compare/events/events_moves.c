/* Finds inversions in place, and letters that have moved. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/events/events_internal.h"

/* The intervals of an event's segments in one genome, in the order of that genome. */
typedef struct span_list {
  cla_interval *items; /* owned */
  size_t count;
} span_list;

static int compare_begins(const void *left, const void *right) {
  const cla_interval *one = left, *other = right;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

/* Returns the shortest interval that contains all intervals of the list. On a circle, the result may cross
 * the origin; its end is then beyond the record's length. */
static cla_interval span_of(span_list *list, int64_t length, bool circular) {
  qsort(list->items, list->count, sizeof *list->items, compare_begins);
  size_t first = 0;
  int64_t widest = circular ? list->items[0].begin + length - list->items[list->count - 1].end : INT64_MAX;
  for (size_t i = 1; i < list->count; i++) {
    const int64_t gap = list->items[i].begin - list->items[i - 1].end;
    if (gap <= widest) continue;
    widest = gap;
    first = i;
  }
  const cla_interval *last = &list->items[first == 0 ? list->count - 1 : first - 1];
  return (cla_interval){.begin = list->items[first].begin, .end = last->end + (first == 0 ? 0 : length)};
}

/* Makes the event for consecutive segments in a list of indices. */
static cla_status span_event(cla_event *out, const event_finder *finder, const size_t *items, size_t count,
                             cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  const segment *first = &finder->all.items[items[0]];
  span_list spans = {.count = count};
  cla_status status = ALLOCATE_ARRAY(&spans.items, (int64_t)count, "a comparison's events", error);
  if (status != CLA_OK) return status;
  *out = (cla_event){
      .query = first->query, .target = first->target, .strand = first->strand, .place_target = CLA_NO_RECORD};
  for (int query = 0; query < 2; query++) {
    for (size_t i = 0; i < count; i++) {
      const segment *it = &finder->all.items[items[i]];
      spans.items[i] = query ? (cla_interval){.begin = it->query_begin, .end = it->query_end}
                             : (cla_interval){.begin = it->target_begin, .end = it->target_end};
    }
    const cla_genome *genome = query ? &comparison->query : &comparison->target;
    const size_t record = query ? first->query : first->target;
    const cla_interval span =
        span_of(&spans, genome_letters(genome, record), genome_is_circular(genome, record));
    *(query ? &out->query_begin : &out->target_begin) = span.begin;
    *(query ? &out->query_end : &out->target_end) = span.end;
  }
  out->letters = out->target_end - out->target_begin;
  free(spans.items);
  return CLA_OK;
}

static int compare_groups(const void *left, const void *right, void *items) {
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const segment *one = (const segment *)items + a, *other = (const segment *)items + b;
  if (one->group != other->group) return one->group < other->group ? -1 : 1;
  return a < b ? -1 : a > b;
}

static cla_status add_inversions(event_finder *finder, size_t *order, cla_error *error) {
  const segment *items = finder->all.items;
  cla_status status = CLA_OK;
  size_t count = 0;
  for (size_t i = 0; i < finder->all.count; i++)
    if (items[i].role == SEGMENT_INVERTED) order[count++] = i;
  if (count > 0) qsort_r(order, count, sizeof *order, compare_groups, finder->all.items);
  for (size_t first = 0, after; first < count && status == CLA_OK; first = after) {
    cla_event event;
    for (after = first + 1; after < count && items[order[after]].group == items[order[first]].group;) after++;
    status = span_event(&event, finder, order + first, after - first, error);
    event.kind = CLA_EVENT_INVERSION;
    if (status == CLA_OK && event.letters >= finder->out->least) status = events_add(finder, &event, error);
  }
  return status;
}

/* Returns true if two moved segments that are adjacent in the target are also adjacent in the query. */
static bool goes_on(const segment *it, const segment *next) {
  if (it->query != next->query || it->target != next->target || it->strand != next->strand) return false;
  return it->strand == CLA_STRAND_REVERSE ? next->rank + 1 == it->rank : next->rank == it->rank + 1;
}

/* Sets the place in the target at which the query has the moved letters: beside their left neighbour in the
 * query or, without one, their right neighbour. */
static void set_place(cla_event *event, const segments *all, size_t first_rank, size_t last_rank) {
  for (int right = 0; right < 2 && event->place_target == CLA_NO_RECORD; right++) {
    if (right ? last_rank + 1 >= all->count : first_rank == 0) continue;
    const segment *beside = segment_by_query(all, right ? last_rank + 1 : first_rank - 1);
    if (beside->query != event->query) continue;
    event->place_target = beside->target;
    const bool at_end = (beside->strand == CLA_STRAND_REVERSE) == (right == 1);
    event->place = at_end ? beside->target_end : beside->target_begin;
  }
}

/* Returns the kind of a move. The move is inverted if the segment's strand differs from the strand of the
 * whole query record. */
static cla_event_kind moved_kind(const event_finder *finder, const segment *it) {
  const bool inverted = it->strand != finder->out->homologies[it->query].strand;
  if (it->homologous) return inverted ? CLA_EVENT_INVERTED_RELOCATION : CLA_EVENT_RELOCATION;
  return inverted ? CLA_EVENT_INVERTED_TRANSLOCATION : CLA_EVENT_TRANSLOCATION;
}

static cla_status add_moves(event_finder *finder, size_t *order, cla_error *error) {
  const segments *all = &finder->all;
  cla_status status = CLA_OK;
  for (size_t first = 0, count; first < all->count && status == CLA_OK; first += count) {
    cla_event event;
    count = 1;
    if (all->items[first].role != SEGMENT_MOVED) continue;
    while (first + count < all->count && all->items[first + count].role == SEGMENT_MOVED &&
           goes_on(&all->items[first + count - 1], &all->items[first + count]))
      count++;
    for (size_t i = 0; i < count; i++) order[i] = first + i;
    status = span_event(&event, finder, order, count, error);
    if (status != CLA_OK || event.letters < finder->out->least) continue;
    const size_t one = all->items[first].rank, other = all->items[first + count - 1].rank;
    event.kind = moved_kind(finder, &all->items[first]);
    set_place(&event, all, one < other ? one : other, one < other ? other : one);
    status = events_add(finder, &event, error);
  }
  return status;
}

cla_status events_find_moves(event_finder *finder, cla_error *error) {
  size_t *order = NULL;
  cla_status status = ALLOCATE_ARRAY(&order, (int64_t)finder->all.count, "a comparison's events", error);
  if (status == CLA_OK) status = add_inversions(finder, order, error);
  if (status == CLA_OK) status = add_moves(finder, order, error);
  free(order);
  return status;
}
