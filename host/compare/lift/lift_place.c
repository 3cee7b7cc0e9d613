/* Finds the place of letters on the other side of an alignment. */

#include "compare/lift/lift_place.h"

#include <stdio.h>

/* Returns the last block of the chain that starts at or before `at`; NULL: none. */
static const lift_block *block_at(const cla_lift *map, const lift_chain *chain, int64_t at) {
  const lift_block *blocks = map->blocks + chain->first;
  int64_t low = 0, high = chain->block_count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (blocks[middle].from <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &blocks[low - 1] : NULL;
}

/* Returns the number of the block's letters before `at`. */
static int64_t letters_of(const lift_block *block, int64_t at) {
  return at - block->from < block->length ? at - block->from : block->length;
}

/* Returns the number of the chain's paired letters before `at`. */
static int64_t letters_before(const cla_lift *map, const lift_chain *chain, int64_t at) {
  const lift_block *block = block_at(map, chain, at);
  return block ? block->before + letters_of(block, at) - map->blocks[chain->first].before : 0;
}

/* Finds the place of the border before letter `at`, on the chain's strand. If that letter is paired, its
 * partner's position; otherwise, the position after the previous letter's partner. Returns false if neither
 * letter is paired. */
static bool find_border(int64_t *out, const cla_lift *map, const lift_chain *chain, int64_t at) {
  const lift_block *block = block_at(map, chain, at);
  if (!block || at > block->from + block->length) return false;
  *out = block->to + (at - block->from);
  return true;
}

/* Finds the range from the first to the last paired letter, on the chain's strand. Returns false if no letter
 * is paired. */
static bool find_letters(cla_lift_range *out, const cla_lift *map, const lift_chain *chain,
                         const cla_lift_range *range) {
  const lift_block *first = block_at(map, chain, range->begin), *last = block_at(map, chain, range->end - 1);
  const lift_block *end = map->blocks + chain->first + chain->block_count;
  int64_t begin = range->begin;
  if (!last) return false;
  if (!first || begin >= first->from + first->length) {
    first = first ? first + 1 : map->blocks + chain->first;
    if (first == end || first->from >= range->end) return false;
    begin = first->from;
  }
  *out = (cla_lift_range){first->to + (begin - first->from), last->to + letters_of(last, range->end)};
  return true;
}

bool lift_hull(cla_lift_range *out, const cla_lift *map, const lift_chain *chain,
               const cla_lift_range *range) {
  cla_lift_range on_strand;
  if (range->begin == range->end) {
    if (!find_border(&on_strand.begin, map, chain, range->begin)) return false;
    on_strand.end = on_strand.begin;
  } else if (!find_letters(&on_strand, map, chain, range)) {
    return false;
  }
  *out = chain->reverse
             ? (cla_lift_range){chain->to.length - on_strand.end, chain->to.length - on_strand.begin}
             : on_strand;
  return true;
}

/* Returns the number of letters in a range. An empty range counts as one letter. */
static int64_t letters_in(const cla_lift_range *range) {
  return range->end > range->begin ? range->end - range->begin : 1;
}

static int64_t paired_in(const cla_lift *map, const lift_chain *chain, const cla_lift_range *range) {
  int64_t border;
  if (range->begin == range->end) return find_border(&border, map, chain, range->begin);
  return letters_before(map, chain, range->end) - letters_before(map, chain, range->begin);
}

/* Counts how many of the wanted letters each chain pairs. */
typedef struct chain_tally {
  const cla_lift *map;
  const lift_wish *wish;
  double wanted;              /* number of letters that are enough */
  const lift_chain *chain;    /* the chain that pairs the most letters */
  int64_t most, sum;          /* letters paired by that chain, and by all chains together */
  int64_t over, some, enough; /* numbers of chains: that overlap the letters, that pair any letter, that pair
                                 enough of them */
} chain_tally;

static void tally_chain(void *user, const lift_chain *chain) {
  chain_tally *tally = user;
  int64_t paired = 0;
  if (tally->wish->only && tally->wish->only != chain) return;
  for (int64_t i = 0; i < tally->wish->count; i++)
    paired += paired_in(tally->map, chain, &tally->wish->ranges[i]);
  tally->over++;
  tally->some += paired > 0;
  tally->enough += paired > 0 && (double)paired >= tally->wanted;
  tally->sum += paired;
  if (paired <= tally->most) return;
  tally->most = paired;
  tally->chain = chain;
}

static cla_lift_fate judge(const chain_tally *tally) {
  if (tally->enough == 1) return CLA_LIFT_DONE;
  if (tally->enough > 1) return CLA_LIFT_SEVERAL;
  if (tally->over == 0) return CLA_LIFT_NOWHERE;
  if (tally->some == 0) return CLA_LIFT_DELETED;
  return tally->some > 1 && (double)tally->sum >= tally->wanted ? CLA_LIFT_SPLIT : CLA_LIFT_PARTLY;
}

/* Sets the place of the ranges on the chain that pairs enough letters. */
static void take_place(cla_lifted *out, const chain_tally *tally) {
  const lift_chain *chain = tally->chain;
  bool any = false;
  for (int64_t i = 0; i < tally->wish->count; i++) {
    cla_lift_range hull;
    if (!lift_hull(&hull, tally->map, chain, &tally->wish->ranges[i])) continue;
    if (!any || hull.begin < out->range.begin) out->range.begin = hull.begin;
    if (!any || hull.end > out->range.end) out->range.end = hull.end;
    any = true;
  }
  out->name = tally->map->names + chain->to.name;
  out->reverse = chain->reverse;
}

void lift_place(cla_lifted *out, const lift_chain **chain, const cla_lift *map, const lift_wish *wish) {
  chain_tally tally = {.map = map, .wish = wish};
  cla_lift_range all = {wish->ranges[0].begin, wish->ranges[wish->count - 1].end};
  const int64_t length = wish->record ? map->chains[wish->record->first].from.length : 0;
  const bool is_beyond = length > 0 && all.end > length;
  int64_t letters = 0;
  for (int64_t i = 0; i < wish->count; i++) letters += letters_in(&wish->ranges[i]);
  tally.wanted = wish->min_match * (double)letters;
  if (all.begin == all.end) all = (cla_lift_range){all.begin - 1, all.end + 1};
  if (wish->record) lift_map_visit(map, wish->record, &all, tally_chain, &tally);
  *out = (cla_lifted){
      .fate = judge(&tally), .part = (double)tally.most / (double)letters, .record_letters = length};
  if (is_beyond && out->fate != CLA_LIFT_DONE && out->fate != CLA_LIFT_SEVERAL) out->fate = CLA_LIFT_BEYOND;
  *chain = out->fate == CLA_LIFT_DONE ? tally.chain : NULL;
  if (*chain) take_place(out, &tally);
}

void cla_lift_interval(cla_lifted *out, const cla_lift *lift, const char *name, const cla_lift_range *range,
                       double min_match) {
  const lift_chain *chain;
  const lift_wish wish = {
      .record = lift_map_record(lift, name), .ranges = range, .count = 1, .min_match = min_match};
  lift_place(out, &chain, lift, &wish);
}

const char *cla_lift_fate_name(cla_lift_fate fate) {
  switch (fate) {
    case CLA_LIFT_DONE: return "lifted";
    case CLA_LIFT_NOWHERE: return "on no alignment";
    case CLA_LIFT_DELETED: return "deleted";
    case CLA_LIFT_PARTLY: return "partly deleted";
    case CLA_LIFT_SPLIT: return "split";
    case CLA_LIFT_SEVERAL: return "in several places";
    case CLA_LIFT_PARENT: return "without their parent";
    case CLA_LIFT_APART: return "apart from their parent";
    case CLA_LIFT_BEYOND: return "beyond their record's end";
    case CLA_LIFT_FATES: break;
  }
  return "unknown";
}

void lift_reason(char text[LIFT_REASON_SIZE], const cla_lifted *lifted) {
  const double percent = 100 * lifted->part;
  switch (lifted->fate) {
    case CLA_LIFT_PARTLY:
      (void)snprintf(text, LIFT_REASON_SIZE, "partly deleted: %.2f %% of its letters are there", percent);
      break;
    case CLA_LIFT_SPLIT:
      (void)snprintf(text, LIFT_REASON_SIZE, "split: one alignment has %.2f %% of its letters", percent);
      break;
    case CLA_LIFT_BEYOND:
      (void)snprintf(text, LIFT_REASON_SIZE, "beyond its record's end: the record has %lld letters",
                     (long long)lifted->record_letters);
      break;
    case CLA_LIFT_PARENT: (void)snprintf(text, LIFT_REASON_SIZE, "its parent was not lifted"); break;
    case CLA_LIFT_APART:
      (void)snprintf(text, LIFT_REASON_SIZE, "its parent lies on another alignment");
      break;
    default: (void)snprintf(text, LIFT_REASON_SIZE, "%s", cla_lift_fate_name(lifted->fate));
  }
}
