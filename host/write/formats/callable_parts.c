/* Finds the target's letters for which the differences to the query are known. VCF lists the differences, BED
 * lists the letters. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "write/writer.h"

typedef struct part_list {
  callable_part *parts; /* owned */
  int64_t count, capacity;
} part_list;

/* Returns the index of the first part that ends after `position`. */
static int64_t find_part(const part_list *list, int64_t position) {
  int64_t first = 0, after = list->count;
  while (first < after) {
    const int64_t middle = first + (after - first) / 2;
    if (list->parts[middle].to > position)
      after = middle;
    else
      first = middle + 1;
  }
  return first;
}

static cla_status insert_part(part_list *list, int64_t at, const callable_part *part, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&list->parts, &list->capacity, list->count + 1, "the callable parts of a target", error);
  if (status != CLA_OK) return status;
  memmove(&list->parts[at + 1], &list->parts[at], (size_t)(list->count - at) * sizeof *list->parts);
  list->parts[at] = *part;
  list->count++;
  return CLA_OK;
}

/* Adds those letters of the part that are in no other part. */
static cla_status add_part(part_list *list, const callable_part *part, cla_error *error) {
  int64_t from = part->from;
  cla_status status = CLA_OK;
  for (int64_t at = find_part(list, from); from < part->to && status == CLA_OK; at++) {
    const bool more = list->parts && at < list->count;
    const int64_t to = more ? smaller(part->to, list->parts[at].from) : part->to;
    if (from < to) status = insert_part(list, at++, &(callable_part){from, to, part->alignment}, error);
    if (at >= list->count) break;
    from = larger(from, list->parts[at].to);
  }
  return status;
}

/* Returns the strand with the larger sum of scores, forward if the sums are equal. */
static cla_strand main_strand(const write_job *job) {
  double scores[2] = {0, 0}; /* double, because sums may exceed 2^63 */
  for (size_t index = 0; index < job->count; index++)
    scores[job->alignments[index]->strand == CLA_STRAND_REVERSE] += (double)job->alignments[index]->score;
  return scores[1] > scores[0] ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
}

cla_status callable_parts_list(callable_part **out, size_t *count, const write_job *job, cla_error *error) {
  part_list list = {0};
  cla_status status = CLA_OK;
  const cla_strand strand = job->count == 1 ? job->alignments[0]->strand : main_strand(job);
  const cla_side *only = job->count == 1 ? &job->alignments[0]->target : NULL;
  if (only && only->start == only->stop)
    status = insert_part(&list, 0, &(callable_part){only->start, only->stop, 0}, error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++) {
    const cla_alignment *alignment = job->alignments[index];
    if (alignment->strand == strand)
      status =
          add_part(&list, &(callable_part){alignment->target.start, alignment->target.stop, index}, error);
  }
  if (status != CLA_OK) {
    free(list.parts);
    list = (part_list){0};
  }
  *out = list.parts;
  *count = (size_t)list.count;
  return status;
}
