/* Formats whose positions are along the records: an alignment across the origin of a circular record becomes
 * one on either side. */

#include <stdlib.h>

#include "base/allocate.h"
#include "write/writer.h"

cla_status write_along_records(write_job *job, write_input *input, const format_entry *entry,
                               cla_error *error) {
  const bool query_anywhere = entry->along_target;
  cla_status status = allocate_zeros((void **)&input->parts, (int64_t)job->count * ORIGIN_PARTS_MOST,
                                     sizeof *input->parts, "the parts of a circle", error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++) {
    size_t count = 0;
    status = alignment_along_records(input->parts + input->part_count, &count, job->alignments[index],
                                     query_anywhere, &input->pair, error);
    input->part_count += count;
  }
  if (status != CLA_OK) return status;
  job->in_pieces |= job->count == 1;
  job->circular_target = job->alignments[0]->target.rotation > 0;
  alignments_sort(input->parts, input->part_count);
  job->alignments = (const cla_alignment *const *)input->parts;
  job->count = input->part_count;
  if (!query_anywhere || job->count == 0) return CLA_OK;
  /* A path around the whole target has the query rotated as it is now. */
  const cla_sequence *query = job->query;
  rotated_pair_free(&input->pair);
  status = rotated_pair_make(&input->pair, job->alignments[0], query, job->target, error);
  job->query = input->pair.query;
  return status;
}
