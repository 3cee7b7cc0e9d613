/* Finds insertions, deletions and replacements, which are between consecutive segments. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/events/events_internal.h"
#include "seq/sequence.h"

/* The segments of one genome in their order. */
typedef struct side_order {
  const segments *all;
  const cla_genome *genome;
  bool query;
} side_order;

/* The letters of a record between two consecutive segments. */
typedef struct segment_gap {
  const segment *left, *right; /* NULL: the end of the record */
  cla_interval letters;        /* on a circle, the interval may end beyond the record's length */
  bool query;                  /* the letters are the query's */
  bool exists; /* false for the gap after a circle's last segment, which is the same as the one before its
                  first */
} segment_gap;

typedef struct gap_search {
  event_finder *finder;
  side_order query, target;
  copy_list query_copies, target_copies;
  bool *used; /* true for each query gap that belongs to an event. Gap i of record q has index q + i + the
                 number of segments before q. Owned. */
} gap_search;

static const segment *segment_at(const side_order *side, size_t place) {
  return side->query ? segment_by_query(side->all, place) : &side->all->items[place];
}

static int64_t begin_of(const side_order *side, const segment *it) {
  return side->query ? it->query_begin : it->target_begin;
}

static int64_t end_of(const side_order *side, const segment *it) {
  return side->query ? it->query_end : it->target_end;
}

/* Returns the gap before segment `number` of a record, or after the last segment. */
static segment_gap gap_of(const side_order *side, const segment_range *range, size_t record, size_t number) {
  const int64_t length = genome_letters(side->genome, record);
  const bool circular = genome_is_circular(side->genome, record) && range->count > 0;
  segment_gap out = {
      .letters = {record, 0, length}, .query = side->query, .exists = !(circular && number == range->count)};
  if (number > 0 || circular)
    out.left = segment_at(side, range->first + (number > 0 ? number : range->count) - 1);
  if (number < range->count) out.right = segment_at(side, range->first + number);
  if (out.left) out.letters.begin = end_of(side, out.left);
  if (out.right) out.letters.end = begin_of(side, out.right) + (number == 0 && circular ? length : 0);
  if (out.letters.end < out.letters.begin) out.letters.end = out.letters.begin;
  if (out.letters.begin >= length && circular) { /* the whole gap is after the origin */
    out.letters.begin -= length;
    out.letters.end -= length;
  }
  return out;
}

static int64_t letters_of(const cla_interval *interval) {
  return interval->end - interval->begin;
}

/* Returns the strand on which the query's letters in the gap are read. */
static cla_strand gap_strand(const gap_search *search, const segment *left, const segment *right) {
  if (left && right && left->strand != right->strand)
    return search->finder->out->homologies[left->query].strand;
  return left ? left->strand : right->strand;
}

/* A gap in the query. */
typedef struct query_place {
  size_t record, number; /* arguments of gap_of */
  segment_range range;
} query_place;

/* Finds the query's gap between the same two segments. Returns false if they are not adjacent in the
 * query. */
static bool find_query_gap(query_place *out, const gap_search *search, const segment_gap *gap) {
  const segment *one = gap->left, *other = gap->right;
  if (!one && !other) return false;
  if (one && other && one->query != other->query) return false;
  const size_t record = one ? one->query : other->query;
  const bool circular = genome_is_circular(search->query.genome, record);
  const segment_range range = segments_of_query(search->query.all, record);
  *out = (query_place){.record = record, .range = range};
  if (gap_strand(search, one, other) == CLA_STRAND_REVERSE) {
    const segment *first = other;
    other = one;
    one = first;
  }
  if (one && other) {
    const size_t next = one->rank - range.first + 1;
    out->number = other->rank - range.first;
    return next == out->number || (circular && next == range.count && out->number == 0);
  }
  if (circular) return false;
  out->number = one ? range.count : 0;
  return one ? one->rank + 1 == range.first + range.count : other->rank == range.first;
}

/* Returns the empty interval next to a segment in one genome, at the place of the other genome's gap.
 * `before`: the gap is before the segment. */
static cla_interval place_beside(const side_order *side, const segment *it, bool before) {
  const bool at_end = before == (it->strand == CLA_STRAND_REVERSE);
  const int64_t place = at_end ? end_of(side, it) : begin_of(side, it);
  return (cla_interval){side->query ? it->query : it->target, place, place};
}

static cla_interval gap_place(const side_order *side, const segment_gap *gap) {
  if (!gap->left && !gap->right) return (cla_interval){.record = CLA_NO_RECORD};
  return gap->left ? place_beside(side, gap->left, false) : place_beside(side, gap->right, true);
}

static cla_status add_gap(gap_search *search, cla_event_kind kind, const cla_interval *query,
                          const cla_interval *target, const segment_gap *gap, cla_error *error) {
  const segment *left = gap->left, *right = gap->right;
  const int64_t in_query = letters_of(query), in_target = letters_of(target);
  if (events_is_contig_end(search->finder, left, right, gap->query)) kind = CLA_EVENT_CONTIG_END;
  cla_event event = {.kind = kind,
                     .query = query->record,
                     .target = target->record,
                     .strand = left || right ? gap_strand(search, left, right) : CLA_STRAND_FORWARD,
                     .query_begin = query->begin,
                     .query_end = query->end,
                     .target_begin = target->begin,
                     .target_end = target->end,
                     .within_piece = left && right && left != right && left->block == right->block &&
                                     left->piece == right->piece,
                     .place_target = CLA_NO_RECORD};
  event.letters = kind == CLA_EVENT_INSERTION  ? in_query
                  : kind == CLA_EVENT_DELETION ? in_target
                                               : larger(in_query, in_target);
  if (kind == CLA_EVENT_INSERTION || kind == CLA_EVENT_DELETION)
    events_look_for_tandem(&event, search->finder->comparison);
  return events_add(search->finder, &event, error);
}

/* Returns true if a further copy contains letter `at` of the interval. *next: in a copy, the end of the
 * copies there; outside, the start of the next copy. The interval may cross a circle's origin. */
static bool copy_at(int64_t *next, const copy_list *copies, const cla_interval *interval, int64_t at,
                    int64_t length) {
  const int64_t shift = at >= length ? length : 0, place = at - shift;
  bool inside = false;
  *next = shift == 0 ? smaller(interval->end, length) : interval->end;
  for (size_t i = copy_list_find(copies, interval->record, place); i < copies->count; i++) {
    const cla_interval *it = &copies->items[i].at;
    if (it->record != interval->record) break;
    if (it->begin > place && !inside) *next = smaller(*next, it->begin + shift);
    if (it->begin > place) break;
    if (it->end <= place) continue;
    *next = inside ? larger(*next, it->end + shift) : it->end + shift;
    inside = true;
  }
  return inside;
}

/* Adds an event for each part of one genome's gap that is long enough and in no further copy. */
static cla_status add_rest(gap_search *search, bool query, const cla_interval letters[2],
                           const segment_gap *gap, cla_error *error) {
  const copy_list *copies = query ? &search->query_copies : &search->target_copies;
  const side_order *side = query ? &search->query : &search->target;
  const cla_interval *whole = &letters[!query];
  cla_status status = CLA_OK;
  if (whole->record == CLA_NO_RECORD) return CLA_OK;
  const int64_t length = genome_letters(side->genome, whole->record);
  for (int64_t at = whole->begin, next; at < whole->end && status == CLA_OK; at = next) {
    const bool is_copy = copy_at(&next, copies, whole, at, length);
    const int64_t shift = at >= length ? length : 0;
    const cla_interval part = {whole->record, at - shift, smaller(next, whole->end) - shift};
    if (is_copy || letters_of(&part) < search->finder->out->least) continue;
    status = query ? add_gap(search, CLA_EVENT_INSERTION, &part, &letters[1], gap, error)
                   : add_gap(search, CLA_EVENT_DELETION, &letters[0], &part, gap, error);
  }
  return status;
}

/* Returns the number of letters of the interval that are in further copies. */
static int64_t copied_letters(const copy_list *copies, const cla_interval *letters, int64_t length) {
  int64_t count = 0;
  for (int64_t at = letters->begin, next; at < letters->end; at = next) {
    const bool is_copy = copy_at(&next, copies, letters, at, length);
    if (is_copy) count += smaller(next, letters->end) - at;
  }
  return count;
}

/* Returns true if at least half of one genome's letters at a place are in further copies. If it is less,
 * these copies are a part of the insertion or deletion and no separate events. */
static bool are_copies(gap_search *search, bool query, const cla_interval *letters) {
  const copy_list *copies = query ? &search->query_copies : &search->target_copies;
  const cla_genome *genome = query ? search->query.genome : search->target.genome;
  if (letters->record == CLA_NO_RECORD || letters_of(letters) == 0) return false;
  const int64_t copied = copied_letters(copies, letters, genome_letters(genome, letters->record));
  if (2 * copied >= letters_of(letters)) return true;
  for (size_t i = copy_list_find(copies, letters->record, letters->begin); copied > 0 && i < copies->count;
       i++) {
    const cla_interval *it = &copies->items[i].at;
    if (it->record != letters->record || it->begin >= letters->end) break;
    if (it->begin >= letters->begin && it->end <= letters->end)
      search->finder->swallowed[copies->items[i].block] = true;
  }
  return false;
}

/* Returns true if both genomes have the same letters in a gap, such as a run of N. An alignment does not
 * pair such letters, but they are equal. */
static bool same_letters(const gap_search *search, const cla_interval letters[2], cla_strand strand) {
  const int64_t count = letters_of(&letters[0]);
  if (count != letters_of(&letters[1]) || letters[0].record == CLA_NO_RECORD ||
      letters[1].record == CLA_NO_RECORD)
    return false;
  const int64_t lengths[] = {genome_letters(search->query.genome, letters[0].record),
                             genome_letters(search->target.genome, letters[1].record)};
  const uint8_t *query = sequence_codes(search->query.genome->records[letters[0].record]);
  const uint8_t *target = sequence_codes(search->target.genome->records[letters[1].record]);
  const bool reverse = strand == CLA_STRAND_REVERSE;
  for (int64_t i = 0; i < count; i++) {
    const int64_t at = reverse ? letters[0].end - 1 - i : letters[0].begin + i;
    const uint8_t code = query[at % lengths[0]];
    if ((reverse ? nucleotide_complement[code] : code) != target[(letters[1].begin + i) % lengths[1]])
      return false;
  }
  return true;
}

/* Adds the events for the query's and the target's letters at one place. */
static cla_status add_place(gap_search *search, const cla_interval letters[2], const segment_gap *gap,
                            cla_error *error) {
  const int64_t query = letters_of(&letters[0]), target = letters_of(&letters[1]);
  const int64_t least = search->finder->out->least;
  if (query < least && target < least) return CLA_OK;
  const bool beside = gap->left || gap->right;
  if (beside && same_letters(search, letters, gap_strand(search, gap->left, gap->right))) return CLA_OK;
  const bool query_copies = are_copies(search, true, &letters[0]);
  const bool target_copies = are_copies(search, false, &letters[1]);
  if (query_copies || target_copies) {
    cla_status status = add_rest(search, true, letters, gap, error);
    return status == CLA_OK ? add_rest(search, false, letters, gap, error) : status;
  }
  const cla_event_kind kind = query >= least && target >= least ? CLA_EVENT_REPLACEMENT
                              : query > target                  ? CLA_EVENT_INSERTION
                                                                : CLA_EVENT_DELETION;
  return add_gap(search, kind, &letters[0], &letters[1], gap, error);
}

static cla_status look_in_target(gap_search *search, size_t record, cla_error *error) {
  const segment_range range = segments_of_target(search->target.all, record);
  cla_status status = CLA_OK;
  for (size_t number = 0; number <= range.count && status == CLA_OK; number++) {
    const segment_gap gap = gap_of(&search->target, &range, record, number);
    query_place place;
    if (!gap.exists) continue;
    if (find_query_gap(&place, search, &gap)) {
      const segment_gap beside = gap_of(&search->query, &place.range, place.record, place.number);
      search->used[place.range.first + place.record + place.number] = true;
      status = add_place(search, (const cla_interval[]){beside.letters, gap.letters}, &gap, error);
    } else if (letters_of(&gap.letters) >= search->finder->out->least) {
      const cla_interval query = gap_place(&search->query, &gap);
      status = add_place(search, (const cla_interval[]){query, gap.letters}, &gap, error);
    }
  }
  return status;
}

static cla_status look_in_query(gap_search *search, size_t record, cla_error *error) {
  const segment_range range = segments_of_query(search->query.all, record);
  cla_status status = CLA_OK;
  for (size_t number = 0; number <= range.count && status == CLA_OK; number++) {
    const segment_gap gap = gap_of(&search->query, &range, record, number);
    if (!gap.exists || search->used[range.first + record + number] ||
        letters_of(&gap.letters) < search->finder->out->least)
      continue;
    const cla_interval target = gap_place(&search->target, &gap);
    status = add_place(search, (const cla_interval[]){gap.letters, target}, &gap, error);
  }
  return status;
}

static cla_status look(gap_search *search, cla_error *error) {
  const cla_comparison *comparison = search->finder->comparison;
  const int64_t gaps = (int64_t)(search->finder->all.count + 2 * comparison->query.count);
  cla_status status = ALLOCATE_ZEROS(&search->used, gaps, "a comparison's gaps", error);
  if (status == CLA_OK) status = copy_list_make(&search->query_copies, comparison, true, error);
  if (status == CLA_OK) status = copy_list_make(&search->target_copies, comparison, false, error);
  for (size_t t = 0; t < comparison->target.count && status == CLA_OK; t++)
    status = look_in_target(search, t, error);
  for (size_t q = 0; q < comparison->query.count && status == CLA_OK; q++)
    status = look_in_query(search, q, error);
  return status;
}

cla_status events_find_gaps(event_finder *finder, cla_error *error) {
  gap_search search = {.finder = finder,
                       .query = {&finder->all, &finder->comparison->query, true},
                       .target = {&finder->all, &finder->comparison->target, false}};
  cla_status status = look(&search, error);
  free(search.used);
  free(search.query_copies.items);
  free(search.target_copies.items);
  return status;
}
