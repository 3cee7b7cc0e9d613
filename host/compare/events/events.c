/* The events of a comparison. */

#include "clalign/events.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/events/events_internal.h"

/* Places no record behind all others. */
static int compare_records(size_t one, size_t other) {
  return one < other ? -1 : one > other;
}

static int compare_events(const void *left, const void *right) {
  const cla_event *one = left, *other = right;
  int order = compare_records(one->target, other->target);
  if (order == 0) order = compare_numbers(one->target_begin, other->target_begin);
  if (order == 0) order = compare_records(one->query, other->query);
  if (order == 0) order = compare_numbers(one->query_begin, other->query_begin);
  if (order == 0) order = compare_numbers(one->query_end, other->query_end);
  return order == 0 ? (int)one->kind - (int)other->kind : order;
}

cla_status cla_events_find(cla_events *out, const cla_comparison *comparison, int64_t least,
                           cla_error *error) {
  event_finder finder = {.comparison = comparison, .out = out};
  *out = (cla_events){.least = least > 0 ? least : CLA_EVENT_LEAST};
  cla_status status =
      ALLOCATE_ZEROS(&out->homologies, (int64_t)comparison->query.count, "a comparison's records", error);
  if (status == CLA_OK)
    status =
        ALLOCATE_ZEROS(&finder.swallowed, (int64_t)comparison->block_count, "a comparison's copies", error);
  if (status == CLA_OK) status = events_cut_pieces(&finder, error);
  if (status == CLA_OK) events_count_variants(&finder);
  if (status == CLA_OK) status = events_find_roles(&finder, error);
  if (status == CLA_OK) status = events_list_piece_roles(&finder, error);
  if (status == CLA_OK) status = events_find_moves(&finder, error);
  if (status == CLA_OK) status = events_find_adjacencies(&finder, error);
  if (status == CLA_OK) status = events_find_gaps(&finder, error);
  if (status == CLA_OK) status = events_find_copies(&finder, error);
  if (status == CLA_OK) status = events_count_letters(&finder, error);
  if (status == CLA_OK && out->count > 0) qsort(out->items, out->count, sizeof *out->items, compare_events);
  free(finder.all.items);
  free(finder.all.by_query);
  free(finder.swallowed);
  if (status != CLA_OK) cla_events_free(out);
  return status;
}

void cla_events_free(cla_events *events) {
  free(events->items);
  free(events->piece_roles);
  free(events->first_pieces);
  free(events->adjacencies);
  free(events->homologies);
  free(events->query.intervals);
  free(events->target.intervals);
  free(events->query.rests);
  free(events->target.rests);
  *events = (cla_events){0};
}
