/* Finds further copies: blocks that are not primary, and gaps that repeat the letters next to them. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/events/events_internal.h"
#include "seq/sequence.h"

cla_interval block_interval(const cla_block *block, bool query) {
  const size_t record = query ? block->query : block->target;
  if (block->piece_count == 0)
    return query ? (cla_interval){record, block->query_begin, block->query_end}
                 : (cla_interval){record, block->target_begin, block->target_end};
  cla_interval out = {record, INT64_MAX, 0};
  for (size_t p = 0; p < block->piece_count; p++) {
    const cla_side *side = query ? &block->pieces[p]->query : &block->pieces[p]->target;
    out.begin = smaller(out.begin, side->start);
    out.end = larger(out.end, side->stop);
  }
  return out;
}

static int compare_copies(const void *left, const void *right) {
  const cla_interval *one = &((const copy_letters *)left)->at, *other = &((const copy_letters *)right)->at;
  if (one->record != other->record) return one->record < other->record ? -1 : 1;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

cla_status copy_list_make(copy_list *out, const cla_comparison *comparison, bool query, cla_error *error) {
  const cla_block_role role = query ? CLA_BLOCK_QUERY_COPY : CLA_BLOCK_TARGET_COPY;
  *out = (copy_list){.count = 0};
  cla_status status =
      ALLOCATE_ARRAY(&out->items, (int64_t)comparison->block_count, "a comparison's copies", error);
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++)
    if (comparison->blocks[b].role == role)
      out->items[out->count++] = (copy_letters){block_interval(&comparison->blocks[b], query), b, 0};
  if (out->count > 0) qsort(out->items, out->count, sizeof *out->items, compare_copies);
  for (size_t i = 0; i < out->count; i++) {
    const bool follows = i > 0 && out->items[i - 1].at.record == out->items[i].at.record;
    out->items[i].reach = larger(out->items[i].at.end, follows ? out->items[i - 1].reach : 0);
  }
  return status;
}

size_t copy_list_find(const copy_list *copies, size_t record, int64_t at) {
  size_t first = 0, after = copies->count;
  while (first < after) {
    const size_t middle = first + (after - first) / 2;
    const copy_letters *it = &copies->items[middle];
    if (it->at.record < record || (it->at.record == record && it->reach <= at))
      first = middle + 1;
    else
      after = middle;
  }
  return first;
}

/* Minimum fraction of equal letters between a tandem copy and the first copy. */
#define TANDEM_IDENTITY 0.9

/* Finds the two adjacent windows of `letters` letters each with the most equal letters. The gap lies inside
 * one window or between both. Returns the start of the first window; -1: no two windows are similar enough.
 */
static int64_t find_windows(const cla_sequence *sequence, int64_t gap, int64_t letters) {
  const uint8_t *codes = sequence_codes(sequence);
  const int64_t length = cla_sequence_length(sequence);
  const int64_t from = larger(gap - letters, 0), to = smaller(gap, length - 2 * letters);
  int64_t equal = 0, most = -1, best = -1;
  if (from > to) return -1;
  for (int64_t i = from; i < from + letters; i++) equal += codes[i] == codes[i + letters];
  for (int64_t at = from;; at++) {
    if (equal > most || (equal == most && at == to)) {
      most = equal;
      best = at;
    }
    if (at == to) break;
    equal -= codes[at] == codes[at + letters];
    equal += codes[at + letters] == codes[at + 2 * letters];
  }
  return (double)most >= TANDEM_IDENTITY * (double)letters ? best : -1;
}

/* Returns the first copy's letters in the genome with only one copy. `place`: position of the gap there.
 * `before`: number of letters of the first copy that are before the gap in the other genome. */
static cla_interval first_copy(int64_t place, int64_t before, int64_t letters, bool reverse, int64_t length) {
  const int64_t begin = place - (reverse ? letters - before : before);
  return (cla_interval){.begin = larger(begin, 0), .end = smaller(begin + letters, length)};
}

void events_look_for_tandem(cla_event *event, const cla_comparison *comparison) {
  const bool insertion = event->kind == CLA_EVENT_INSERTION, reverse = event->strand == CLA_STRAND_REVERSE;
  const cla_genome *has = insertion ? &comparison->query : &comparison->target;
  const cla_genome *lacks = insertion ? &comparison->target : &comparison->query;
  const size_t record = insertion ? event->query : event->target;
  const size_t other = insertion ? event->target : event->query;
  const int64_t begin = insertion ? event->query_begin : event->target_begin;
  const int64_t end = insertion ? event->query_end : event->target_end;
  int64_t *const gap_begin = insertion ? &event->target_begin : &event->query_begin;
  int64_t *const gap_end = insertion ? &event->target_end : &event->query_end;
  if (other == CLA_NO_RECORD || end > genome_letters(has, record)) return;
  if (*gap_end - *gap_begin > (end - begin) / 10) return;
  const int64_t windows = find_windows(has->records[record], begin, end - begin);
  if (windows < 0) return;
  const cla_interval first =
      first_copy(*gap_begin, begin - windows, end - begin, reverse, genome_letters(lacks, other));
  *gap_begin = first.begin;
  *gap_end = first.end;
  event->kind = insertion ? CLA_EVENT_TANDEM_DUPLICATION : CLA_EVENT_LOST_TANDEM_COPY;
}

/* Maximum number of letters, in the target, between a copy and the letters next to that copy's place in the
 * query. */
#define TANDEM_DISTANCE 50

static bool is_near(int64_t place, const cla_interval *interval) {
  return place >= interval->begin - TANDEM_DISTANCE && place <= interval->end + TANDEM_DISTANCE;
}

/* Returns a segment's interval in one genome. */
static cla_interval segment_side(const segment *it, bool query) {
  return query ? (cla_interval){it->query, it->query_begin, it->query_end}
               : (cla_interval){it->target, it->target_begin, it->target_end};
}

/* Returns true if a primary segment adjacent to the further copy contains the first copy. `copy` is in the
 * genome with two copies, `first` in the other genome. */
static bool copy_is_tandem(const segments *all, const cla_interval *copy, const cla_interval *first,
                           bool query) {
  const segment_range range =
      query ? segments_of_query(all, copy->record) : segments_of_target(all, copy->record);
  size_t low = range.first, high = range.first + range.count;
  while (low < high) { /* ends are ascending, because segments have no letters in common */
    const size_t middle = low + (high - low) / 2;
    const segment *it = query ? segment_by_query(all, middle) : &all->items[middle];
    if (segment_side(it, query).end < copy->begin - TANDEM_DISTANCE)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < range.first + range.count; low++) {
    const segment *it = query ? segment_by_query(all, low) : &all->items[low];
    const cla_interval own = segment_side(it, query), other = segment_side(it, !query);
    const bool reverse = it->strand == CLA_STRAND_REVERSE;
    if (own.begin > copy->end + TANDEM_DISTANCE) return false;
    if (other.record != first->record) continue;
    if (labs(own.end - copy->begin) <= TANDEM_DISTANCE && is_near(reverse ? other.begin : other.end, first))
      return true;
    if (labs(own.begin - copy->end) <= TANDEM_DISTANCE && is_near(reverse ? other.end : other.begin, first))
      return true;
  }
  return false;
}

static cla_event copy_event(const event_finder *finder, const cla_block *block) {
  const bool of_query = block->role == CLA_BLOCK_QUERY_COPY;
  const cla_interval query = block_interval(block, true), target = block_interval(block, false);
  cla_event out = {.query = block->query,
                   .target = block->target,
                   .strand = block->strand,
                   .query_begin = query.begin,
                   .query_end = query.end,
                   .target_begin = target.begin,
                   .target_end = target.end,
                   .letters = of_query ? query.end - query.begin : target.end - target.begin,
                   .place_target = CLA_NO_RECORD};
  const bool tandem =
      copy_is_tandem(&finder->all, of_query ? &query : &target, of_query ? &target : &query, of_query);
  if (of_query)
    out.kind = tandem ? CLA_EVENT_TANDEM_DUPLICATION : CLA_EVENT_DUPLICATION;
  else
    out.kind = tandem ? CLA_EVENT_LOST_TANDEM_COPY : CLA_EVENT_LOST_COPY;
  return out;
}

cla_status events_find_copies(event_finder *finder, cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++) {
    const cla_block *block = &comparison->blocks[b];
    if (block->role == CLA_BLOCK_PRIMARY || finder->swallowed[b]) continue;
    const cla_event event = copy_event(finder, block);
    if (event.letters >= finder->out->least) status = events_add(finder, &event, error);
  }
  return status;
}
