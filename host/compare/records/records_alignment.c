/* Converts a record of another program to an alignment. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "clalign/aligned_records.h"
#include "result/alignment.h"
#include "result/path_check.h"

static cla_status take_record(cla_alignment *own, const cla_aligned_record *record, cla_error *error) {
  own->has_path = true;
  own->strand = record->path.strand;
  own->query.start = record->start[0];
  own->query.stop = record->end[0];
  own->target.start = record->start[1];
  own->target.stop = record->end[1];
  own->run_count = record->path.run_count;
  cla_status status = ALLOCATE_ARRAY(&own->runs, (int64_t)own->run_count, "a path", error);
  if (status == CLA_OK) memcpy(own->runs, record->path.runs, own->run_count * sizeof *own->runs);
  return status;
}

cla_status cla_aligned_record_alignment(cla_alignment **out, const cla_aligned_record *record,
                                        const cla_sequence *query, const cla_sequence *target,
                                        const cla_scoring *scoring, cla_error *error) {
  cla_status status = alignment_create(out, query, target, CLA_MODE_GLOBAL, scoring, error);
  if (status != CLA_OK) return status;
  status = take_record(*out, record, error);
  if (status == CLA_OK) status = path_check_fit(*out, query, target, error);
  if (status == CLA_OK) status = alignment_rescore(&(*out)->score, *out, query, target, error);
  if (status == CLA_OK) return CLA_OK;
  cla_alignment_free(*out);
  *out = NULL;
  return status;
}
