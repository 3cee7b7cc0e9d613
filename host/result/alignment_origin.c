/* Cuts alignments that cross the origin of a circular record, so that positions ascend along the unrotated
 * record. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/sequence.h"

/* State while a path is cut at the origins. Positions are on the strand that was aligned, in rotated
 * records. */
typedef struct origin_cutter {
  const cla_alignment *alignment;
  int64_t query_origin, target_origin; /* -1: the record is not cut */
  path_part at; /* the current part; query_end and target_end are the current place on the path */
  bool begun;   /* the current part has at least one run */
  path_part parts[ORIGIN_PARTS_MOST];
  int count;
} origin_cutter;

static void close_part(origin_cutter *cutter) {
  if (cutter->begun && cutter->count < ORIGIN_PARTS_MOST) cutter->parts[cutter->count++] = cutter->at;
  cutter->begun = false;
}

/* Adds steps of a run to the part. */
static void add_steps(origin_cutter *cutter, size_t index, int64_t steps) {
  const cla_run_kind kind = cutter->alignment->runs[index].kind;
  path_part *part = &cutter->at;
  if (!cutter->begun)
    *part = (path_part){.first = index,
                        .query = part->query_end,
                        .target = part->target_end,
                        .query_end = part->query_end,
                        .target_end = part->target_end};
  cutter->begun = true;
  part->last = index;
  part->last_length = steps;
  if (part->first == index) part->first_length = steps;
  if (kind != CLA_RUN_TARGET) part->query_end += steps;
  if (kind != CLA_RUN_QUERY) part->target_end += steps;
}

/* Returns how many of `steps` steps from position `at` lie before the origin; returns `steps` if the origin
 * is not ahead. */
static int64_t steps_until(int64_t origin, int64_t at, int64_t steps) {
  return origin > at ? smaller(origin - at, steps) : steps;
}

static void cut(origin_cutter *cutter) {
  const cla_alignment *alignment = cutter->alignment;
  path_part *at = &cutter->at;
  at->query_end = strand_query_start(alignment);
  at->target_end = alignment->target.start;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    const bool in_query = run->kind != CLA_RUN_TARGET, in_target = run->kind != CLA_RUN_QUERY;
    for (int64_t left = run->length, steps; left > 0; left -= steps) {
      steps = left;
      if (in_query) steps = steps_until(cutter->query_origin, at->query_end, steps);
      if (in_target) steps = steps_until(cutter->target_origin, at->target_end, steps);
      add_steps(cutter, index, steps);
      if ((in_query && at->query_end == cutter->query_origin) ||
          (in_target && at->target_end == cutter->target_origin))
        close_part(cutter);
    }
  }
  close_part(cutter);
}

/* Removes gaps from both ends of the part. Returns false if no pair is left. */
static bool trim(path_part *part, const cla_run *runs) {
  for (; runs[part->first].kind != CLA_RUN_PAIR; part->first++) {
    if (part->first == part->last) return false;
    if (runs[part->first].kind == CLA_RUN_QUERY) part->query += part->first_length;
    if (runs[part->first].kind == CLA_RUN_TARGET) part->target += part->first_length;
    part->first_length = part->first + 1 == part->last ? part->last_length : runs[part->first + 1].length;
  }
  for (; runs[part->last].kind != CLA_RUN_PAIR; part->last--) {
    if (runs[part->last].kind == CLA_RUN_QUERY) part->query_end -= part->last_length;
    if (runs[part->last].kind == CLA_RUN_TARGET) part->target_end -= part->last_length;
    part->last_length = part->first + 1 == part->last ? part->first_length : runs[part->last - 1].length;
  }
  return true;
}

/* Converts positions in the rotated record to positions in the original record, for a side that does not
 * cross the origin. The range becomes the range of the part's letters. */
static void unrotate(cla_side *side) {
  const int64_t moved = side->rotation - (side->start + side->rotation >= side->length ? side->length : 0);
  side->start += moved;
  side->stop += moved;
  side->begin = side->start;
  side->end = side->stop;
  side->rotation = 0;
}

/* Completes a part with pairs at both ends. A part of a local path becomes a local alignment, so that its
 * expected number can be computed. */
static void make_linear(cla_alignment *made, const cla_alignment *alignment) {
  unrotate(&made->query);
  unrotate(&made->target);
  if (alignment->mode != CLA_MODE_LOCAL || made->score <= 0) return;
  made->mode = CLA_MODE_LOCAL;
  made->query.begin = alignment->query.begin;
  made->query.end = alignment->query.end;
  made->target.begin = alignment->target.begin;
  made->target.end = alignment->target.end;
}

/* Completes a part along the target. Because the part may have gaps at its ends, it is not a piece. */
static void make_along_target(cla_alignment *made) {
  made->has_split = false;
  unrotate(&made->target);
}

/* Makes the path around a whole circle start at the target's origin. The path's old start is joined to its
 * old end, and the query's new start is where the path crossed the origin. */
static cla_status rejoin(cla_alignment **out, const cla_alignment *alignment, const path_part *before,
                         const path_part *after, cla_error *error) {
  const int64_t letters = alignment->query.length, passed = before->query_end;
  const size_t most = alignment->run_count + 1;
  cla_run *runs = NULL;
  size_t count = 0;
  cla_status status = cla_alignment_copy(out, alignment, NULL, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&runs, (int64_t)most, "a path", error);
  if (status != CLA_OK) return status;
  for (const path_part *part = after;; part = before) {
    for (size_t index = part->first; index <= part->last; index++) {
      cla_run run = alignment->runs[index];
      if (index == part->first)
        run.length = part->first_length;
      else if (index == part->last)
        run.length = part->last_length;
      if (count > 0 && runs[count - 1].kind == run.kind)
        runs[count - 1].length += run.length;
      else
        runs[count++] = run;
    }
    if (part == before) break;
  }
  free((*out)->runs);
  (*out)->runs = runs;
  (*out)->run_count = count;
  (*out)->target.rotation = 0;
  const int64_t turn = alignment->strand == CLA_STRAND_REVERSE ? letters - passed : passed;
  (*out)->query.rotation = letters > 0 ? (alignment->query.rotation + turn) % letters : 0;
  return CLA_OK;
}

static bool is_whole(const cla_side *side) {
  return side->start == 0 && side->stop == side->length;
}

/* True if the path goes once around the whole target and is cut only at the target's origin. */
static bool goes_around(const origin_cutter *cutter) {
  const cla_alignment *alignment = cutter->alignment;
  return cutter->count == 2 && alignment->mode == CLA_MODE_GLOBAL && !alignment->has_split &&
         is_whole(&alignment->query) && is_whole(&alignment->target);
}

static origin_cutter cutter_begin(const cla_alignment *alignment, bool target_alone) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  origin_cutter cutter = {.alignment = alignment, .query_origin = -1, .target_origin = -1};
  if (target->rotation > 0) cutter.target_origin = target->length - target->rotation;
  if (query->rotation > 0 && !target_alone)
    cutter.query_origin =
        alignment->strand == CLA_STRAND_REVERSE ? query->rotation : query->length - query->rotation;
  return cutter;
}

/* Returns the number of columns before a node of the path. Positions are those of path_part. */
static int64_t columns_before(const cla_alignment *alignment, int64_t query, int64_t target) {
  int64_t columns = 0;
  query -= strand_query_start(alignment);
  target -= alignment->target.start;
  for (size_t i = 0; query > 0 || target > 0; i++) {
    const cla_run *run = &alignment->runs[i];
    const int64_t steps = smaller(run->length, run->kind == CLA_RUN_TARGET ? target : query);
    if (run->kind != CLA_RUN_TARGET) query -= steps;
    if (run->kind != CLA_RUN_QUERY) target -= steps;
    columns += steps;
  }
  return columns;
}

cla_status alignment_along_records(origin_part out[ORIGIN_PARTS_MOST], size_t *count,
                                   const cla_alignment *alignment, bool target_alone,
                                   const rotated_pair *rotated, cla_error *error) {
  origin_cutter cutter = cutter_begin(alignment, target_alone);
  cla_status status = CLA_OK;
  *count = 0;
  cut(&cutter);
  if (target_alone && goes_around(&cutter)) {
    const path_part *after = &cutter.parts[1];
    out[0].first_column = columns_before(alignment, after->query, after->target);
    status = rejoin(&out[0].alignment, alignment, &cutter.parts[0], after, error);
    *count = status == CLA_OK;
    return status;
  }
  for (int i = 0; i < cutter.count && status == CLA_OK; i++) {
    cla_alignment *made = NULL;
    if (!target_alone && !trim(&cutter.parts[i], alignment->runs)) continue;
    status = path_part_copy(&made, alignment, &cutter.parts[i], error);
    if (status == CLA_OK)
      status = alignment_rescore(&made->score, made, rotated->query, rotated->target, error);
    if (status != CLA_OK) {
      cla_alignment_free(made);
      break;
    }
    if (target_alone)
      make_along_target(made);
    else
      make_linear(made, alignment);
    out[(*count)++] =
        (origin_part){made, columns_before(alignment, cutter.parts[i].query, cutter.parts[i].target)};
  }
  if (status == CLA_OK) return CLA_OK;
  while (*count > 0) cla_alignment_free(out[--*count].alignment);
  return status;
}
