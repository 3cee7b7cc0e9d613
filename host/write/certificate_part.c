#include "write/certificate_part.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* An interval of letters, 0-based and half-open, on the forward strand. */
typedef struct letters {
  int64_t from, to;
} letters;

/* Columns of the whole alignment that follow each other in the part. */
typedef struct segment {
  int64_t first, after;              /* columns of the whole alignment */
  int64_t offset;                    /* number of the part's columns before the segment */
  bool reverse;                      /* the query is on its reverse strand */
  letters query, target;             /* letters of these columns in the whole alignment */
  int64_t query_shift, target_shift; /* positions in the part, less positions in the whole alignment */
} segment;

/* Returns the numbers of query letters ([0]) and target letters ([1]) before a column. */
static void count_letters(int64_t out[2], const cla_alignment *alignment, int64_t column) {
  out[0] = out[1] = 0;
  for (size_t i = 0; i < alignment->run_count && column > 0; i++) {
    const cla_run *run = &alignment->runs[i];
    const int64_t steps = smaller(run->length, column);
    if (run->kind != CLA_RUN_TARGET) out[0] += steps;
    if (run->kind != CLA_RUN_QUERY) out[1] += steps;
    column -= steps;
  }
}

/* Completes a segment with the letters of its columns. `part` is the part's alignment. */
static void place_segment(segment *it, const cla_alignment *alignment, const cla_alignment *part) {
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  const cla_side *query = &alignment->query;
  it->reverse = reverse;
  int64_t before[2], after[2], passed[2];
  count_letters(before, alignment, it->first);
  count_letters(after, alignment, it->after);
  count_letters(passed, part, it->offset);
  it->target = (letters){alignment->target.start + before[1], alignment->target.start + after[1]};
  it->target_shift = part->target.start + passed[1] - it->target.from;
  it->query = reverse ? (letters){query->stop - after[0], query->stop - before[0]}
                      : (letters){query->start + before[0], query->start + after[0]};
  it->query_shift =
      reverse ? part->query.stop - passed[0] - it->query.to : part->query.start + passed[0] - it->query.from;
}

/* Moves the interval *from .. *to to the part's positions, within a record of `length` letters. Only letters
 * in `within` stay. */
static void move(int64_t *from, int64_t *to, letters within, int64_t shift, int64_t length) {
  *from = smaller(larger(*from, within.from), within.to);
  *to = smaller(larger(*to, within.from), within.to);
  *from = smaller(larger(*from + shift, 0), length);
  *to = smaller(larger(*to + shift, 0), length);
}

static bool is_inside(const cla_ambiguous_block *block, const segment *it, int64_t columns) {
  const int64_t after = block->first_column + block->columns;
  if (block->columns > 0) return block->first_column < it->after && after > it->first;
  return block->first_column >= it->first &&
         (block->first_column < it->after || (after == it->after && after == columns));
}

/* Returns the letters that stay of a block which is cut before ([0]) or behind ([1]) the segment. Elsewhere a
 * block of a local alignment may go beyond the path. */
static letters cut_letters(letters of_segment, const bool cut[2], bool reverse) {
  return (letters){cut[reverse] ? of_segment.from : INT64_MIN, cut[!reverse] ? of_segment.to : INT64_MAX};
}

static void add_segment(cla_certificate *made, const cla_certificate *whole, const segment *it,
                        const cla_alignment *part) {
  const int64_t count = it->after - it->first;
  memcpy(made->margins + it->offset, whole->margins + it->first, (size_t)count * sizeof *made->margins);
  memcpy(made->ceilings + it->offset, whole->ceilings + it->first, (size_t)count * sizeof *made->ceilings);
  memcpy(made->supports + it->offset, whole->supports + it->first, (size_t)count * sizeof *made->supports);
  for (int64_t i = it->first; i < it->after; i++) made->ambiguous += whole->margins[i] == 0;
  for (int64_t i = 0; i < whole->block_count; i++) {
    cla_ambiguous_block block = whole->blocks[i];
    const int64_t after = block.first_column + block.columns;
    if (!is_inside(&block, it, whole->column_count)) continue;
    const bool cut_before = block.first_column < it->first;
    const bool cut_behind = after > it->after;
    const bool cut[2] = {cut_before, cut_behind};
    move(&block.query_start, &block.query_stop, cut_letters(it->query, cut, it->reverse), it->query_shift,
         part->query.length);
    move(&block.target_start, &block.target_stop, cut_letters(it->target, cut, false), it->target_shift,
         part->target.length);
    block.columns = smaller(after, it->after) - larger(block.first_column, it->first);
    block.first_column = larger(block.first_column, it->first) - it->first + it->offset;
    made->blocks[made->block_count++] = block;
  }
}

static cla_status make_lists(cla_certificate *made, int64_t blocks, cla_error *error) {
  const int64_t columns = made->column_count;
  cla_status status = ALLOCATE_ARRAY(&made->margins, columns, "margins", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&made->ceilings, columns, "margins", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&made->supports, columns, "margins", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&made->blocks, blocks, "ambiguous blocks", error);
  return status;
}

cla_status certificate_part_make(cla_certificate **out, const cla_certificate *whole,
                                 const cla_alignment *alignment, const origin_part *part, cla_error *error) {
  cla_certificate *made = NULL;
  cla_status status = ALLOCATE_ZEROS(&made, 1, "a part's certificate", error);
  *out = made;
  if (status != CLA_OK) return status;
  made->delta = whole->delta;
  made->unique = whole->unique;
  made->log10_alignments = whole->log10_alignments;
  for (size_t i = 0; i < part->alignment->run_count; i++)
    made->column_count += part->alignment->runs[i].length;
  /* A block is in both segments if the origin cuts it. */
  status = make_lists(made, 2 * whole->block_count, error);
  if (status != CLA_OK) return status;
  const int64_t end = part->first_column + made->column_count;
  segment first = {.first = part->first_column, .after = smaller(end, whole->column_count)};
  segment rest = {.after = end - first.after, .offset = first.after - first.first};
  place_segment(&first, alignment, part->alignment);
  add_segment(made, whole, &first, part->alignment);
  if (rest.after == 0) return CLA_OK;
  place_segment(&rest, alignment, part->alignment);
  add_segment(made, whole, &rest, part->alignment);
  return CLA_OK;
}

void certificate_part_free(cla_certificate *part) {
  if (!part) return;
  free(part->margins);
  free(part->ceilings);
  free(part->supports);
  free(part->blocks);
  free(part);
}
