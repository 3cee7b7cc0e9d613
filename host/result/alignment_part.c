/* Extracts the part of an alignment whose pairs have letters in a region. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/alignment.h"
#include "result/alignment.h"
#include "result/path_check.h"

/* Finds the pairs whose query letter (`of_query`) or target letter is in [begin, end). Returns false if there
 * are no such pairs. */
static bool find_part(path_part *part, const cla_alignment *alignment, bool of_query, int64_t begin,
                      int64_t end) {
  int64_t query = strand_query_start(alignment), target = alignment->target.start;
  bool found = false;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    const int64_t letter = of_query ? query : target;
    const int64_t from = begin > letter ? begin - letter : 0;
    const int64_t to = end - letter < run->length ? end - letter : run->length;
    if (run->kind == CLA_RUN_PAIR && from < to) {
      if (!found)
        *part = (path_part){
            .first = index, .first_length = to - from, .query = query + from, .target = target + from};
      found = true;
      part->last = index;
      part->last_length = to - from;
      part->query_end = query + to;
      part->target_end = target + to;
    }
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
  }
  return found;
}

/* Copies a side. The part's letters become the side's whole range. */
static cla_status copy_side(cla_side *out, const cla_side *side, int64_t start, int64_t stop,
                            cla_error *error) {
  *out = *side;
  out->name = out->location = NULL;
  out->begin = out->start = start;
  out->end = out->stop = stop;
  cla_status status = allocate_text(&out->name, side->name ? side->name : "", error);
  if (status == CLA_OK) status = allocate_text(&out->location, side->location ? side->location : "", error);
  return status;
}

static cla_status copy_runs(cla_alignment *out, const cla_alignment *alignment, const path_part *part,
                            cla_error *error) {
  const size_t count = part->last - part->first + 1;
  cla_status status = ALLOCATE_ARRAY(&out->runs, (int64_t)count, "a path", error);
  if (status != CLA_OK) return status;
  for (size_t index = 0; index < count; index++) out->runs[index] = alignment->runs[part->first + index];
  out->runs[0].length = part->first_length;
  out->runs[count - 1].length = part->last_length;
  out->run_count = count;
  return CLA_OK;
}

static cla_status copy_part(cla_alignment *out, const cla_alignment *alignment, const path_part *part,
                            cla_error *error) {
  const int64_t length = alignment->query.length;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  *out = (cla_alignment){.mode = CLA_MODE_GLOBAL,
                         .strand = alignment->strand,
                         .alphabet = alignment->alphabet,
                         .scoring = alignment->scoring,
                         .gap_placement = alignment->gap_placement,
                         .has_band = alignment->has_band,
                         .band = alignment->band,
                         .has_split = alignment->has_split,
                         .split_drop = alignment->split_drop,
                         .has_path = true};
  cla_status status =
      copy_side(&out->query, &alignment->query, reverse ? length - part->query_end : part->query,
                reverse ? length - part->query : part->query_end, error);
  if (status == CLA_OK)
    status = copy_side(&out->target, &alignment->target, part->target, part->target_end, error);
  if (status == CLA_OK) status = copy_runs(out, alignment, part, error);
  return status;
}

cla_status path_part_copy(cla_alignment **out, const cla_alignment *alignment, const path_part *part,
                          cla_error *error) {
  cla_alignment *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "an alignment", error);
  if (status != CLA_OK) return status;
  status = copy_part(memory, alignment, part, error);
  if (status == CLA_OK)
    *out = memory;
  else
    cla_alignment_free(memory);
  return status;
}

static cla_status check_part(const cla_alignment *alignment, const cla_side *side, int64_t begin, int64_t end,
                             cla_error *error) {
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_OPTION,
                     "a score without an alignment has no part; align again without score-only");
  if (alignment->query.rotation > 0 || alignment->target.rotation > 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "no part can be taken of an alignment across the origin of a circular %s; rotate the "
                     "record by %lld letters and align it as a linear one",
                     alignment->query.rotation > 0 ? "query" : "target",
                     (long long)(alignment->query.rotation + alignment->target.rotation));
  if (begin < 0 || begin >= end || end > side->length)
    return error_set(error, CLA_ERROR_INPUT,
                     "the region %lld-%lld is not within the %lld letters of the %s; give one that is",
                     (long long)begin + 1, (long long)end, (long long)side->length,
                     side == &alignment->query ? "query" : "target");
  return CLA_OK;
}

cla_status cla_alignment_part(cla_alignment **out, const cla_alignment *alignment,
                              const cla_side_range *range, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error) {
  const int64_t begin = range->begin, end = range->end;
  const bool of_query = range->side == CLA_SIDE_QUERY;
  const cla_side *side = of_query ? &alignment->query : &alignment->target;
  const bool reverse = of_query && alignment->strand == CLA_STRAND_REVERSE;
  path_part part = {0};
  cla_alignment *made = NULL;
  *out = NULL;
  cla_status status = check_part(alignment, side, begin, end, error);
  if (status == CLA_OK) status = path_check_fit(alignment, query, target, error);
  if (status != CLA_OK) return status;
  if (!find_part(&part, alignment, of_query, reverse ? side->length - end : begin,
                 reverse ? side->length - begin : end))
    return CLA_OK;
  status = path_part_copy(&made, alignment, &part, error);
  if (status == CLA_OK) status = alignment_rescore(&made->score, made, query, target, error);
  if (status == CLA_OK)
    *out = made;
  else
    cla_alignment_free(made);
  return status;
}
