/* Finds which segments of two records are on the backbone, which are off it but in their place, and which
 * have moved. */

#include <stdlib.h>

#include "base/allocate.h"
#include "compare/events/events_internal.h"

/* One level of inversions within inversions. */
typedef struct placing {
  segments *all;
  segment_list *list;
  cla_strand strand; /* strand of the chain */
  int depth;         /* 0: the chain is the backbone */
  bool circular;
  size_t *groups;
  bool *chosen, *allowed;           /* by place in the list; owned */
  size_t *target_slot, *query_slot; /* number of chosen segments before each place in the list; owned */
  size_t *by_rank;                  /* places in the list, in the order of the query; owned */
  size_t chain;                     /* number of chosen segments */
} placing;

/* Maximum nesting depth of inversions within inversions. */
#define DEPTH_MOST 6

static cla_strand other_strand(cla_strand strand) {
  return strand == CLA_STRAND_REVERSE ? CLA_STRAND_FORWARD : CLA_STRAND_REVERSE;
}

static cla_status open_placing(placing *it, cla_error *error) {
  const int64_t room = (int64_t)it->list->count;
  static const char what[] = "a comparison's backbone";
  cla_status status = ALLOCATE_ZEROS(&it->chosen, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&it->allowed, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&it->target_slot, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&it->query_slot, room, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&it->by_rank, room, what, error);
  for (size_t i = 0; status == CLA_OK && i < it->list->count; i++) it->by_rank[it->list->ranks[i]] = i;
  return status;
}

static void close_placing(placing *it) {
  free(it->chosen);
  free(it->allowed);
  free(it->target_slot);
  free(it->query_slot);
  free(it->by_rank);
}

static segment *item(const placing *it, size_t index) {
  return &it->all->items[it->list->items[index]];
}

/* For each segment, finds between which neighbours of the chain it lies, in the order of each genome. */
static void number_slots(placing *it) {
  const size_t count = it->list->count;
  it->chain = 0;
  for (size_t i = 0; i < count; i++) {
    it->target_slot[i] = it->chain;
    it->chain += it->chosen[i];
  }
  size_t passed = 0;
  for (size_t n = 0; n < count; n++) {
    const size_t i = it->by_rank[it->strand == CLA_STRAND_REVERSE ? count - 1 - n : n];
    it->query_slot[i] = passed;
    passed += it->chosen[i];
  }
}

/* Returns the slot's number. A circle's last slot is its first one, so it has the first one's number. */
static size_t slot_of(const placing *it, size_t slot) {
  return it->circular && slot == it->chain ? 0 : slot;
}

static bool is_in_place(const placing *it, size_t index) {
  return !it->chosen[index] && slot_of(it, it->target_slot[index]) == slot_of(it, it->query_slot[index]);
}

static cla_status choose(placing *it, cla_error *error) {
  int64_t letters;
  for (size_t i = 0; i < it->list->count; i++)
    it->allowed[i] = item(it, i)->strand == it->strand && !(it->depth == 0 && item(it, i)->barred);
  cla_status status = backbone_choose(it->chosen, &letters, &(backbone_input){it->all, it->list, it->allowed},
                                      it->strand, error);
  if (status == CLA_OK) number_slots(it);
  return status;
}

/* The places from the first to the last of a chain, in the list or in the order of the query. */
typedef struct chain_span {
  size_t first, last;
  bool any;
} chain_span;

static void span_add(chain_span *span, size_t place) {
  if (!span->any || place < span->first) span->first = place;
  if (!span->any || place > span->last) span->last = place;
  span->any = true;
}

static bool span_has(const chain_span *span, size_t place) {
  return span->any && place >= span->first && place <= span->last;
}

/* Bars a part of the backbone, and returns true, if the inverted chain spans this part in both genomes and
 * has more letters than the part. */
static bool bar_spanned(placing *it, const bool *inverted, int64_t letters) {
  chain_span in_target = {0}, in_query = {0};
  for (size_t i = 0; i < it->list->count; i++) {
    if (!inverted[i]) continue;
    span_add(&in_target, i);
    span_add(&in_query, it->list->ranks[i]);
  }
  int64_t within = 0;
  bool any = false;
  for (size_t i = 0; i < it->list->count; i++) {
    const bool spanned = span_has(&in_target, i);
    if (!it->chosen[i]) continue;
    if (spanned != span_has(&in_query, it->list->ranks[i])) return false;
    if (spanned) within += item(it, i)->letters;
    any = any || spanned;
  }
  if (!any || within >= letters) return false;
  for (size_t i = 0; i < it->list->count; i++)
    if (it->chosen[i] && span_has(&in_target, i)) item(it, i)->barred = true;
  return true;
}

/* Removes from the backbone the segments that are inverted twice, inside a larger inversion. They have the
 * direction of the backbone and would split the larger inversion. */
static cla_status unpart_inversions(placing *it, cla_error *error) {
  bool *inverted = NULL, again = true;
  cla_status status = ALLOCATE_ZEROS(&inverted, (int64_t)it->list->count, "a comparison's backbone", error);
  for (int turn = 0; turn < 64 && again && status == CLA_OK; turn++) {
    int64_t letters = 0;
    for (size_t i = 0; i < it->list->count; i++)
      it->allowed[i] = !it->chosen[i] && item(it, i)->strand != it->strand && !is_in_place(it, i);
    status = backbone_choose(inverted, &letters, &(backbone_input){it->all, it->list, it->allowed},
                             other_strand(it->strand), error);
    again = status == CLA_OK && letters > 0 && bar_spanned(it, inverted, letters);
    if (again) status = choose(it, error);
  }
  free(inverted);
  return status;
}

static cla_status place_list(segment_list *list, const placing *outer, cla_strand strand, int depth,
                             cla_error *error);

/* Makes a list of the segments at `count` given places of the list of `it`. */
static cla_status take_part(segment_list *out, const placing *it, const size_t *places, size_t count,
                            cla_error *error) {
  size_t *ranks = NULL;
  cla_status status = segment_list_make(out, count, error);
  if (status == CLA_OK)
    status = ALLOCATE_ZEROS(&ranks, (int64_t)it->list->count + 1, "a comparison's backbone", error);
  if (status == CLA_OK) {
    size_t rank = 0;
    for (size_t i = 0; i < count; i++) ranks[it->list->ranks[places[i]]] = 1;
    for (size_t i = 0; i < it->list->count; i++) {
      const size_t has = ranks[i];
      ranks[i] = rank;
      rank += has;
    }
    out->count = count;
    for (size_t i = 0; i < count; i++) {
      out->items[i] = it->list->items[places[i]];
      out->ranks[i] = ranks[it->list->ranks[places[i]]];
    }
  }
  free(ranks);
  return status;
}

/* Splits the segments of a slot into parts, and places each part. Each part fills a range of places in both
 * orders. */
static cla_status place_slot(const placing *it, const size_t *places, size_t count, cla_error *error) {
  segment_list slot = {0};
  size_t first = 0, furthest = 0;
  cla_status status = take_part(&slot, it, places, count, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    const size_t rank = it->strand == CLA_STRAND_REVERSE ? count - 1 - slot.ranks[i] : slot.ranks[i];
    if (rank > furthest) furthest = rank;
    if (furthest > i) continue;
    segment_list part = {0};
    status = take_part(&part, it, places + first, i + 1 - first, error);
    if (status == CLA_OK) status = place_list(&part, it, other_strand(it->strand), it->depth + 1, error);
    segment_list_free(&part);
    first = i + 1;
  }
  segment_list_free(&slot);
  return status;
}

/* Places the segments between neighbours of the chain, level by level. */
static cla_status place_rest(const placing *it, cla_error *error) {
  size_t *places = NULL;
  cla_status status = ALLOCATE_ARRAY(&places, (int64_t)it->list->count, "a comparison's backbone", error);
  for (size_t at = 0; at < it->list->count && status == CLA_OK;) {
    const size_t slot = it->target_slot[at];
    size_t count = 0;
    for (; at < it->list->count && it->target_slot[at] == slot; at++)
      if (is_in_place(it, at)) places[count++] = at;
    if (count > 0) status = place_slot(it, places, count, error);
  }
  free(places);
  return status;
}

static void set_roles(const placing *it) {
  const size_t group = it->depth > 0 && it->chain > 0 ? ++*it->groups : 0;
  for (size_t i = 0; i < it->list->count; i++) {
    if (!it->chosen[i]) continue;
    item(it, i)->role = it->depth == 0 ? SEGMENT_SYNTENIC : SEGMENT_INVERTED;
    item(it, i)->group = group;
  }
}

static cla_status place_all(placing *it, cla_error *error) {
  cla_status status = open_placing(it, error);
  if (status == CLA_OK) status = choose(it, error);
  if (status == CLA_OK && it->depth == 0) status = unpart_inversions(it, error);
  if (status == CLA_OK) set_roles(it);
  if (status == CLA_OK && it->chain > 0 && it->depth < DEPTH_MOST) status = place_rest(it, error);
  close_placing(it);
  return status;
}

static cla_status place_list(segment_list *list, const placing *outer, cla_strand strand, int depth,
                             cla_error *error) {
  return place_all(
      &(placing){.all = outer->all, .list = list, .strand = strand, .depth = depth, .groups = outer->groups},
      error);
}

cla_status backbone_place(segment_list *list, segments *all, cla_strand strand, bool circular, size_t *groups,
                          cla_error *error) {
  return place_all(
      &(placing){.all = all, .list = list, .strand = strand, .circular = circular, .groups = groups}, error);
}
