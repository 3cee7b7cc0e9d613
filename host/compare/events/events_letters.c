/* Counts the letters of both genomes: those that are shared, those of events, and the rest. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"
#include "compare/events/events_internal.h"

/* One genome, with its records one after another. */
typedef struct side_count {
  const event_finder *finder;
  const cla_genome *genome;
  bool query;
  int64_t *begins;      /* for each record: number of letters before it; owned */
  stretch_list covered; /* letters of events, counted through all records */
  cla_side_letters *out;
} side_count;

/* Adds an interval to the unaligned letters of the record. */
static void list_interval(cla_side_letters *out, size_t record, int64_t begin, int64_t end) {
  if (begin >= end) return;
  const cla_interval *longest = out->longest < 0 ? NULL : &out->intervals[out->longest];
  if (!longest || end - begin > longest->end - longest->begin) out->longest = (int64_t)out->interval_count;
  out->unaligned += end - begin;
  out->intervals[out->interval_count++] = (cla_interval){record, begin, end};
}

static cla_status list_unaligned(side_count *side, cla_error *error) {
  const segments *all = &side->finder->all;
  const int64_t most = (int64_t)(all->count + side->genome->count);
  cla_side_letters *out = side->out;
  out->longest = -1;
  cla_status status = ALLOCATE_ARRAY(&out->intervals, most, "unaligned letters", error);
  if (status != CLA_OK || !out->intervals) return status;
  for (size_t record = 0; record < side->genome->count; record++) {
    const segment_range range =
        side->query ? segments_of_query(all, record) : segments_of_target(all, record);
    const int64_t length = genome_letters(side->genome, record);
    int64_t at = 0;
    for (size_t i = range.first; i < range.first + range.count; i++) {
      const segment *it = side->query ? segment_by_query(all, i) : &all->items[i];
      list_interval(out, record, at, side->query ? it->query_begin : it->target_begin);
      at = larger(at, side->query ? it->query_end : it->target_end);
      out->shared += it->letters;
    }
    list_interval(out, record, at, length);
    side->begins[record] = out->letters;
    out->letters += length;
  }
  out->in_gaps = out->letters - out->unaligned - out->shared;
  return CLA_OK;
}

/* Returns true if the letters of such an event are aligned. */
static bool is_move(cla_event_kind kind) {
  return kind >= CLA_EVENT_INVERSION && kind <= CLA_EVENT_INVERTED_TRANSLOCATION;
}

/* Adds an event's letters to those that are covered. */
static cla_status cover(side_count *side, const cla_event *event, cla_error *error) {
  const size_t record = side->query ? event->query : event->target;
  if (is_move(event->kind) || record == CLA_NO_RECORD) return CLA_OK;
  const int64_t from = side->query ? event->query_begin : event->target_begin;
  const int64_t to = side->query ? event->query_end : event->target_end;
  const int64_t length = genome_letters(side->genome, record), begin = side->begins[record];
  cla_status status = stretch_list_add(&side->covered, begin + from, begin + smaller(to, length), error);
  return status == CLA_OK ? stretch_list_add(&side->covered, begin, begin + to - length, error) : status;
}

/* Lists the parts of the unaligned intervals that no event has. */
static cla_status list_rest(side_count *side, cla_error *error) {
  cla_side_letters *out = side->out;
  const int64_t most = (int64_t)out->interval_count + side->covered.count;
  cla_status status = ALLOCATE_ARRAY(&out->rests, most, "unaligned letters", error);
  for (size_t i = 0; i < out->interval_count && status == CLA_OK; i++) {
    const cla_interval *it = &out->intervals[i];
    const int64_t begin = side->begins[it->record];
    struct stretch rest = {.to = begin + it->begin};
    while (stretch_list_free(&rest, &side->covered, rest.to, begin + it->end)) {
      out->rests[out->rest_count++] = (cla_interval){it->record, rest.from - begin, rest.to - begin};
      out->rest += rest.to - rest.from;
    }
  }
  out->in_events = out->unaligned - out->rest;
  return status;
}

static cla_status count_side(event_finder *finder, bool query, cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  side_count side = {.finder = finder,
                     .genome = query ? &comparison->query : &comparison->target,
                     .query = query,
                     .out = query ? &finder->out->query : &finder->out->target};
  cla_status status =
      ALLOCATE_ARRAY(&side.begins, (int64_t)side.genome->count, "a comparison's records", error);
  if (status == CLA_OK) status = list_unaligned(&side, error);
  for (size_t i = 0; i < finder->out->count && status == CLA_OK; i++)
    status = cover(&side, &finder->out->items[i], error);
  if (status == CLA_OK) status = list_rest(&side, error);
  free(side.covered.items);
  free(side.begins);
  return status;
}

cla_status events_count_letters(event_finder *finder, cla_error *error) {
  cla_status status = count_side(finder, true, error);
  return status == CLA_OK ? count_side(finder, false, error) : status;
}
