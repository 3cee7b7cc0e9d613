/* Cuts primary pieces at long gaps. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/events/events_internal.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"

/* A segment that is being built along a path. Query positions are those on the aligned strand. */
typedef struct open_segment {
  int64_t query, target, query_end, target_end, letters;
} open_segment;

static cla_status add_segment(event_finder *finder, const cla_alignment *piece, const segment *from,
                              const open_segment *open, cla_error *error) {
  segments *all = &finder->all;
  if (open->letters == 0) return CLA_OK;
  cla_status status =
      ALLOCATE_GROW(&all->items, &all->capacity, (int64_t)all->count + 1, "a comparison's segments", error);
  if (status != CLA_OK) return status;
  segment *it = &all->items[all->count++];
  const bool reverse = piece->strand == CLA_STRAND_REVERSE;
  *it = *from;
  it->strand = piece->strand;
  it->query_begin = reverse ? piece->query.length - open->query_end : open->query;
  it->query_end = reverse ? piece->query.length - open->query : open->query_end;
  it->target_begin = open->target;
  it->target_end = open->target_end;
  it->letters = open->letters;
  return CLA_OK;
}

static cla_status cut_piece(event_finder *finder, const cla_alignment *piece, const segment *from,
                            cla_error *error) {
  int64_t query = strand_query_start(piece), target = piece->target.start;
  open_segment open = {.query = query, .target = target};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < piece->run_count && status == CLA_OK; i++) {
    const cla_run *run = &piece->runs[i];
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    const int64_t to_query = query - run->length, to_target = target - run->length;
    const bool is_long = open.letters > 0 && (to_query - open.query_end >= finder->out->least ||
                                              to_target - open.target_end >= finder->out->least);
    if (is_long) status = add_segment(finder, piece, from, &open, error);
    if (is_long || open.letters == 0) open = (open_segment){.query = to_query, .target = to_target};
    open.query_end = query;
    open.target_end = target;
    open.letters += run->length;
  }
  return status == CLA_OK ? add_segment(finder, piece, from, &open, error) : status;
}

static int compare_places(size_t record, size_t other, int64_t begin, int64_t other_begin) {
  if (record != other) return record < other ? -1 : 1;
  return begin < other_begin ? -1 : begin > other_begin;
}

static int compare_targets(const void *left, const void *right) {
  const segment *one = left, *other = right;
  return compare_places(one->target, other->target, one->target_begin, other->target_begin);
}

static int compare_queries(const void *left, const void *right, void *items) {
  const segment *one = (const segment *)items + *(const size_t *)left;
  const segment *other = (const segment *)items + *(const size_t *)right;
  return compare_places(one->query, other->query, one->query_begin, other->query_begin);
}

static cla_status sort_segments(segments *all, cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(&all->by_query, (int64_t)all->count, "a comparison's segments", error);
  if (status != CLA_OK || all->count == 0) return status;
  qsort(all->items, all->count, sizeof *all->items, compare_targets);
  for (size_t i = 0; i < all->count; i++) all->by_query[i] = i;
  qsort_r(all->by_query, all->count, sizeof *all->by_query, compare_queries, all->items);
  for (size_t i = 0; i < all->count; i++) all->items[all->by_query[i]].rank = i;
  return CLA_OK;
}

cla_status events_cut_pieces(event_finder *finder, cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count; b++) {
    const cla_block *block = &comparison->blocks[b];
    if (block->role != CLA_BLOCK_PRIMARY) continue;
    for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++) {
      const segment from = {.query = block->query, .target = block->target, .block = b, .piece = p};
      status = path_check_fit(block->pieces[p], comparison->query.records[block->query],
                              comparison->target.records[block->target], error);
      if (status == CLA_OK) status = cut_piece(finder, block->pieces[p], &from, error);
    }
  }
  return status == CLA_OK ? sort_segments(&finder->all, error) : status;
}

/* Returns the first place in an order whose record is at least `record`. */
static size_t first_of(const segments *all, size_t record, bool query) {
  size_t first = 0, after = all->count;
  while (first < after) {
    const size_t middle = first + (after - first) / 2;
    if ((query ? segment_by_query(all, middle)->query : all->items[middle].target) < record)
      first = middle + 1;
    else
      after = middle;
  }
  return first;
}

segment_range segments_of_target(const segments *all, size_t record) {
  const size_t first = first_of(all, record, false);
  return (segment_range){first, first_of(all, record + 1, false) - first};
}

segment_range segments_of_query(const segments *all, size_t record) {
  const size_t first = first_of(all, record, true);
  return (segment_range){first, first_of(all, record + 1, true) - first};
}

static int indel_class(int64_t letters) {
  return letters >= 50 ? 4 : letters >= 10 ? 3 : letters >= 5 ? 2 : letters >= 2 ? 1 : 0;
}

static void count_piece(cla_variant_counts *out, const cla_alignment *piece, const cla_sequence *query,
                        const cla_sequence *target) {
  cigar_reader reader;
  cigar_step step;
  cigar_reader_begin(&reader, piece, query, target);
  while (cigar_reader_next(&reader, &step)) {
    if (step.operation == '=') out->matches += step.length;
    if (step.operation == 'X') out->mismatches += step.length;
    if (step.operation == 'I') out->insertions[indel_class(step.length)]++;
    if (step.operation == 'D') out->deletions[indel_class(step.length)]++;
  }
}

void events_count_variants(event_finder *finder) {
  const cla_comparison *comparison = finder->comparison;
  for (size_t b = 0; b < comparison->block_count; b++) {
    const cla_block *block = &comparison->blocks[b];
    for (size_t p = 0; block->role == CLA_BLOCK_PRIMARY && p < block->piece_count; p++)
      count_piece(&finder->out->variants, block->pieces[p], comparison->query.records[block->query],
                  comparison->target.records[block->target]);
  }
}
