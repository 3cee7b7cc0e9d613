/* Makes chains of records. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/records/fill_internal.h"

/* neighbours may overlap by at most 1 / OVERLAP_SHARE of the shorter one */
#define OVERLAP_SHARE 2
/* Maximum number of previous records among which a record's neighbour is sought. */
#define RECORDS_BACK 1000
/* Minimum number of letters of an interval that is also tried on the other strand. */
#define OTHER_LETTERS_LEAST 20

/* Makes a record of the anchor's letters before `begin`: the runs before `run`, and `pairs` pairs of that
 * run. */
static cla_status keep_overlap(fill_anchor *anchor, size_t run, int64_t pairs, const int64_t begin[2],
                               cla_error *error) {
  const cla_aligned_record *record = anchor->record;
  const bool reverse = record->path.strand == CLA_STRAND_REVERSE;
  cla_aligned_record *over = NULL;
  cla_status status = ALLOCATE_ZEROS(&over, 1, "an overlap", error);
  if (status != CLA_OK) return status;
  anchor->overlap = over;
  over->path = (cla_path){.strand = record->path.strand,
                          .query_start = anchor->begin[0],
                          .target_start = anchor->begin[1],
                          .run_count = run + (pairs > 0)};
  for (int side = 0; side < 2; side++) {
    const int64_t letters = begin[side] - anchor->begin[side];
    const bool last = side == 0 && reverse;
    over->start[side] = last ? record->end[side] - letters : record->start[side];
    over->end[side] = over->start[side] + letters;
  }
  status = fill_copy_names(over, record, error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&over->path.runs, (int64_t)over->path.run_count, "an overlap", error);
  if (status != CLA_OK) return status;
  memcpy(over->path.runs, record->path.runs, run * sizeof *over->path.runs);
  if (pairs > 0) over->path.runs[run] = (cla_run){pairs, CLA_RUN_PAIR};
  return CLA_OK;
}

/* Lets the anchor begin with a run, after that many of its pairs. */
static void begin_anchor_at(fill_anchor *anchor, size_t run, int64_t pairs, const int64_t begin[2]) {
  cla_aligned_record *record = anchor->record;
  cla_path *path = &record->path;
  for (int side = 0; side < 2; side++) {
    const int64_t letters = begin[side] - anchor->begin[side];
    if (side == 0 && path->strand == CLA_STRAND_REVERSE)
      record->end[side] -= letters;
    else
      record->start[side] += letters;
    anchor->begin[side] = begin[side];
  }
  path->runs[run].length -= pairs;
  path->run_count -= run;
  memmove(path->runs, path->runs + run, path->run_count * sizeof *path->runs);
  path->query_start = begin[0];
  path->target_start = begin[1];
}

cla_status fill_anchor_cut(bool *left, fill_anchor *anchor, const int64_t from[2], cla_error *error) {
  const cla_path *path = &anchor->record->path;
  int64_t at[2] = {anchor->begin[0], anchor->begin[1]};
  for (size_t run = 0; run < path->run_count; run++) {
    const cla_run *now = &path->runs[run];
    const int64_t skip = larger(larger(from[0] - at[0], from[1] - at[1]), 0);
    *left = now->kind == CLA_RUN_PAIR && skip < now->length;
    if (*left) {
      const int64_t begin[2] = {at[0] + skip, at[1] + skip};
      cla_status status = keep_overlap(anchor, run, skip, begin, error);
      if (status == CLA_OK) begin_anchor_at(anchor, run, skip, begin);
      return status;
    }
    if (now->kind != CLA_RUN_TARGET) at[0] += now->length;
    if (now->kind != CLA_RUN_QUERY) at[1] += now->length;
  }
  *left = false;
  return CLA_OK;
}

/* Sorts by query, target and strand. */
static int compare_groups(const fill_anchor *one, const fill_anchor *other) {
  for (int side = 0; side < 2; side++) {
    const int order = strcmp(one->record->name[side], other->record->name[side]);
    if (order != 0) return order;
  }
  return (int)one->record->path.strand - (int)other->record->path.strand;
}

static int compare_anchors(const void *left, const void *right) {
  const fill_anchor *one = left, *other = right;
  int order = compare_groups(one, other);
  for (int side = 1; side >= 0 && order == 0; side--)
    order = compare_numbers(one->begin[side], other->begin[side]);
  return order != 0 ? order : compare_numbers(one->number, other->number);
}

/* Sorts by chain, then along the target. */
static int compare_chained(const void *left, const void *right) {
  const fill_anchor *one = left, *other = right;
  const int order = compare_numbers(one->chain, other->chain);
  return order != 0 ? order : compare_numbers(one->begin[1], other->begin[1]);
}

/* Returns the number of letters by which the second anchor overlaps the first one; negative: they cannot be
 * neighbours. */
static int64_t overlap(const cla_fill *fill, const fill_anchor *first, const fill_anchor *second) {
  int64_t most = 0;
  for (int side = 0; side < 2; side++) {
    const int64_t shorter =
        smaller(first->end[side] - first->begin[side], second->end[side] - second->begin[side]);
    const int64_t over = first->end[side] - second->begin[side];
    if (-over > fill->options.interval_letters || over * OVERLAP_SHARE > shorter) return -1;
    if (first->begin[side] >= second->begin[side] || first->end[side] >= second->end[side]) return -1;
    most = larger(most, over);
  }
  return most;
}

/* The search for chains; the arrays have an element for each anchor. */
typedef struct chain_search {
  int64_t *values, *before;
  int64_t first, past; /* range of the group */
} chain_search;

/* Finds the best chain that ends with each anchor of the group. */
static void search_group(chain_search *s, const cla_fill *fill) {
  const fill_anchor *anchors = fill->anchors;
  for (int64_t i = s->first; i < s->past; i++) {
    s->values[i] = anchors[i].pairs;
    s->before[i] = -1;
    for (int64_t k = i - 1; k >= s->first && k >= i - RECORDS_BACK; k--) {
      const int64_t over = overlap(fill, &anchors[k], &anchors[i]);
      const int64_t value = s->values[k] + anchors[i].pairs - over;
      if (over < 0 || value <= s->values[i]) continue;
      s->values[i] = value;
      s->before[i] = k;
    }
  }
}

/* An anchor, and the value of the best chain that ends with it. */
typedef struct chain_end {
  int64_t value, anchor;
} chain_end;

static int compare_ends(const void *left, const void *right) {
  const chain_end *one = left, *other = right;
  const int order = compare_numbers(other->value, one->value);
  return order != 0 ? order : compare_numbers(one->anchor, other->anchor);
}

/* Makes chains of a group's anchors, best first. Each chain is followed backwards until it ends or reaches
 * an anchor of an earlier chain. */
static cla_status chain_group(cla_fill *fill, chain_search *s, cla_error *error) {
  chain_end *ends = NULL;
  const int64_t count = s->past - s->first;
  cla_status status = ALLOCATE_ARRAY(&ends, count, "chains", error);
  if (status != CLA_OK) return status;
  search_group(s, fill);
  for (int64_t i = 0; i < count; i++) ends[i] = (chain_end){s->values[s->first + i], s->first + i};
  qsort(ends, (size_t)count, sizeof *ends, compare_ends);
  for (int64_t i = 0; i < count; i++) {
    bool linked = false;
    if (fill->anchors[ends[i].anchor].chain >= 0) continue;
    for (int64_t k = ends[i].anchor; k >= 0 && fill->anchors[k].chain < 0; k = s->before[k]) {
      fill->anchors[k].chain = fill->chain_count;
      fill->anchors[k].linked = linked;
      linked = true;
    }
    fill->chain_count++;
  }
  free(ends);
  return CLA_OK;
}

static cla_status chain_all(cla_fill *fill, cla_error *error) {
  chain_search s = {.values = NULL};
  cla_status status = ALLOCATE_ARRAY(&s.values, fill->count, "chains", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&s.before, fill->count, "chains", error);
  for (s.past = 0; status == CLA_OK && s.past < fill->count;) {
    for (s.first = s.past++; s.past < fill->count; s.past++)
      if (compare_groups(&fill->anchors[s.first], &fill->anchors[s.past]) != 0) break;
    status = chain_group(fill, &s, error);
  }
  free(s.values);
  free(s.before);
  return status;
}

/* Cuts off the overlaps of neighbours. An anchor without remaining pairs is unlinked from the previous
 * anchor. */
static cla_status cut_overlaps(cla_fill *fill, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i + 1 < fill->count && status == CLA_OK; i++) {
    fill_anchor *now = &fill->anchors[i], *next = now + 1;
    if (!now->linked || (next->begin[0] >= now->end[0] && next->begin[1] >= now->end[1])) continue;
    status = fill_anchor_cut(&now->linked, next, now->end, error);
  }
  return status;
}

static cla_status add_chain(cla_fill *fill, int64_t first, int64_t past, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&fill->chains, &fill->chain_capacity, fill->chain_count + 1, "chains", error);
  if (status == CLA_OK)
    fill->chains[fill->chain_count++] = (fill_chain){.first = first, .count = past - first};
  return status;
}

/* Lists the chains as ranges of the anchors. */
static cla_status list_chains(cla_fill *fill, cla_error *error) {
  cla_status status = CLA_OK;
  fill->chain_count = 0;
  for (int64_t first = 0, past; first < fill->count && status == CLA_OK; first = past) {
    for (past = first + 1; past < fill->count && fill->anchors[past - 1].linked; past++)
      fill->anchors[past].chain = fill->chain_count;
    status = add_chain(fill, first, past, error);
  }
  return status;
}

/* The letters of a query, on the forward strand, that a chain spans. */
typedef struct query_range {
  const char *name;
  int64_t begin, end, chain;
} query_range;

static int compare_ranges(const void *left, const void *right) {
  const query_range *one = left, *other = right;
  const int order = strcmp(one->name, other->name);
  return order != 0 ? order : compare_numbers(one->begin, other->begin);
}

/* Finds the letters of a query that a range of anchors spans, on the forward strand. */
static void forward_range(int64_t out[2], const fill_anchor *first, const fill_anchor *last) {
  const bool reverse = first->record->path.strand == CLA_STRAND_REVERSE;
  const int64_t length = first->record->length[0];
  out[0] = reverse ? length - last->end[0] : first->begin[0];
  out[1] = reverse ? length - first->begin[0] : last->end[0];
}

/* Sets how far the chain can be extended on the query: up to letters of another chain, or to the ends of
 * the record. */
static void set_query_room(cla_fill *fill, const query_range *now, int64_t before, int64_t behind) {
  fill_chain *chain = &fill->chains[now->chain];
  const fill_anchor *first = &fill->anchors[chain->first];
  const bool reverse = first->record->path.strand == CLA_STRAND_REVERSE;
  chain->room[reverse][0] = larger(now->begin - before, 0);
  chain->room[!reverse][0] = larger(behind - now->end, 0);
}

static cla_status find_query_rooms(cla_fill *fill, cla_error *error) {
  query_range *ranges = NULL;
  const int64_t count = fill->chain_count;
  cla_status status = ALLOCATE_ARRAY(&ranges, count, "chains", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < count; i++) {
    const fill_anchor *first = &fill->anchors[fill->chains[i].first],
                      *last = first + fill->chains[i].count - 1;
    int64_t range[2];
    forward_range(range, first, last);
    ranges[i] = (query_range){first->record->name[0], range[0], range[1], i};
  }
  qsort(ranges, (size_t)count, sizeof *ranges, compare_ranges);
  for (int64_t i = 0, covered = 0; i < count; i++) {
    if (i == 0 || strcmp(ranges[i].name, ranges[i - 1].name) != 0) covered = 0;
    int64_t behind = fill->anchors[fill->chains[ranges[i].chain].first].record->length[0];
    for (int64_t k = i + 1; k < count && strcmp(ranges[k].name, ranges[i].name) == 0; k++)
      if (ranges[k].begin >= ranges[i].end || ranges[k].end > ranges[i].end) {
        behind = ranges[k].begin;
        break;
      }
    set_query_room(fill, &ranges[i], covered, behind);
    covered = larger(covered, ranges[i].end);
  }
  free(ranges);
  return CLA_OK;
}

static void set_target_rooms(cla_fill *fill) {
  for (int64_t i = 0; i < fill->chain_count; i++) {
    fill_chain *chain = &fill->chains[i];
    const fill_anchor *first = &fill->anchors[chain->first], *last = first + chain->count - 1;
    chain->room[0][1] = first->begin[1];
    chain->room[1][1] = first->record->length[1] - last->end[1];
    for (int side = 0; side < 4; side++) {
      int64_t *room = &chain->room[side / 2][side % 2];
      *room = smaller(*room, fill->options.end_letters);
    }
  }
}

static cla_status add_part(cla_fill *fill, cla_fill_kind kind, int64_t anchor, int side, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&fill->parts[kind], &fill->part_capacities[kind],
                                    fill->part_counts[kind] + 1, "parts", error);
  if (status == CLA_OK) fill->parts[kind][fill->part_counts[kind]++] = (fill_place){anchor, side};
  return status;
}

static cla_status list_parts(cla_fill *fill, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < fill->count && status == CLA_OK; i++) {
    const fill_anchor *now = &fill->anchors[i], *next = now + 1;
    status = add_part(fill, CLA_FILL_ANCHORS, i, 0, error);
    if (!now->linked || status != CLA_OK) continue;
    const int64_t least = smaller(next->begin[0] - now->end[0], next->begin[1] - now->end[1]);
    if (least > 0) status = add_part(fill, CLA_FILL_INTERVALS, i, 0, error);
    if (least >= OTHER_LETTERS_LEAST && status == CLA_OK)
      status = add_part(fill, CLA_FILL_OTHERS, i, 0, error);
  }
  for (int64_t i = 0; i < fill->chain_count && status == CLA_OK; i++)
    for (int side = 0; side < 2 && status == CLA_OK; side++)
      if (fill->chains[i].room[side][0] > 0 && fill->chains[i].room[side][1] > 0)
        status = add_part(fill, CLA_FILL_ENDS, i, side, error);
  return status;
}

/* Numbers the chains by their first records. */
static void number_chains(cla_fill *fill) {
  qsort(fill->anchors, (size_t)fill->count, sizeof *fill->anchors, compare_chained);
  for (int64_t first = 0, past; first < fill->count; first = past) {
    int64_t least = fill->anchors[first].number;
    for (past = first + 1; past < fill->count && fill->anchors[past].chain == fill->anchors[first].chain;
         past++)
      least = smaller(least, fill->anchors[past].number);
    for (int64_t i = first; i < past; i++) fill->anchors[i].before = least;
  }
  for (int64_t i = 0; i < fill->count; i++) fill->anchors[i].chain = fill->anchors[i].before;
  qsort(fill->anchors, (size_t)fill->count, sizeof *fill->anchors, compare_chained);
}

cla_status cla_fill_chain(cla_fill *fill, cla_error *error) {
  qsort(fill->anchors, (size_t)fill->count, sizeof *fill->anchors, compare_anchors);
  cla_status status = chain_all(fill, error);
  if (status != CLA_OK) return status;
  number_chains(fill);
  status = cut_overlaps(fill, error);
  if (status == CLA_OK) status = list_chains(fill, error);
  if (status == CLA_OK) status = find_query_rooms(fill, error);
  if (status != CLA_OK) return status;
  set_target_rooms(fill);
  return list_parts(fill, error);
}
