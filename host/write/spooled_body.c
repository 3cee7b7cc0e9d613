#include "write/spooled_body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "seq/sequence_input.h"

bool spooled_body_wanted(cla_format format) {
  return format == CLA_FORMAT_SAM || format == CLA_FORMAT_BAM || format == CLA_FORMAT_VCF;
}

cla_status spooled_cannot_write(const spooled_body *body, int error_number, cla_error *error) {
  return output_failed(NULL, cla_format_describe(body->format)->name, error_number, error);
}

cla_status spooled_body_open(spooled_body **out, cla_format format, const char *beside, cla_error *error) {
  spooled_body *body = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&body, 1, "an output", error);
  if (status != CLA_OK) return status;
  body->format = format;
  body->records.binary = format == CLA_FORMAT_BAM;
  quiet_htslib_begin();
  status = unnamed_file_open(&body->spool, beside, error);
  if (status == CLA_OK && format != CLA_FORMAT_VCF) status = unnamed_file_open(&body->hits, beside, error);
  if (status == CLA_OK)
    *out = body;
  else
    spooled_body_free(body);
  return status;
}

void spooled_body_free(spooled_body *body) {
  if (!body) return;
  if (body->spool) fclose(body->spool);
  if (body->hits) fclose(body->hits);
  head_targets_free(&body->targets);
  sam_records_free(&body->records);
  free(body->line.bytes);
  quiet_htslib_end();
  free(body);
}

query_hit spooled_hit(const sam_records *records) {
  const cla_alignment *alignment = records->job->alignments[records->next - 1];
  const bool empty = (records->flag & BAM_FUNMAP) != 0;
  return (query_hit){.query = record_key_of(alignment->query.name, records->job->query),
                     .from = empty ? 0 : alignment->query.start,
                     .to = empty ? 0 : alignment->query.stop,
                     .score = empty ? 0 : alignment->score,
                     .empty = empty,
                     .first = (records->flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) == 0};
}

cla_status spooled_body_list(spooled_body *body, named_target *target, const char *name, int64_t length,
                             cla_error *error) {
  if (target->number > 0 || length == 0) return CLA_OK;
  cla_status status = head_targets_add(&body->targets, name, length, error);
  if (status == CLA_OK) target->number = body->targets.count;
  return status;
}

cla_status spooled_body_add(spooled_body *body, const char *bytes, size_t count, cla_error *error) {
  errno = 0;
  if (count > 0 && fwrite(bytes, 1, count, body->spool) < count)
    return spooled_cannot_write(body, errno, error);
  body->bytes += (int64_t)count;
  return CLA_OK;
}

cla_status spooled_body_add_hits(spooled_body *body, const query_hit *hits, size_t count, cla_error *error) {
  errno = 0;
  if (count == 0 || fwrite(hits, sizeof *hits, count, body->hits) == count) return CLA_OK;
  return spooled_cannot_write(body, errno, error);
}

static cla_status put_records(spooled_body *body, cla_error *error) {
  sam_records *records = &body->records;
  cla_status status = CLA_OK;
  for (size_t index = 0; index < records->job->count && status == CLA_OK; index++) {
    body->line.used = 0;
    status = sam_records_next(&body->line, records, error);
    if (status != CLA_OK) break;
    query_hit hit = spooled_hit(records);
    hit.order = body->bytes;
    status = spooled_body_add(body, body->line.bytes, body->line.used, error);
    if (status == CLA_OK) status = spooled_body_add_hits(body, &hit, 1, error);
  }
  return status;
}

static cla_status put_sam(spooled_body *body, const write_job *job, named_target *target, cla_error *error) {
  sam_records *records = &body->records;
  cla_status status = sam_records_begin(records, job, error);
  if (status == CLA_OK)
    status = spooled_body_list(body, target, records->names.target, cla_sequence_length(job->target), error);
  if (status == CLA_OK) {
    records->reference = (int32_t)target->number - 1;
    if (target->number > 0 && job->circular_target)
      body->targets.lengths[target->number - 1] = -abs(body->targets.lengths[target->number - 1]);
    status = put_records(body, error);
  }
  sam_records_end(records);
  return status;
}

static cla_status put_vcf(spooled_body *body, const write_job *job, named_target *target, cla_error *error) {
  const int64_t letters = cla_sequence_length(job->target);
  name_pair names;
  cla_status status = cla_format_check_letters(CLA_FORMAT_VCF, letters, "the target", error);
  if (status != CLA_OK) return status;
  status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = spooled_body_list(body, target, names.target, letters, error);
  name_pair_free(&names);
  return status == CLA_OK ? write_vcf(job, error) : status;
}

cla_status spooled_body_put(spooled_body *body, write_job *job, named_target *target, cla_error *error) {
  job->file = body->spool;
  errno = 0;
  cla_status status =
      body->format == CLA_FORMAT_VCF ? put_vcf(body, job, target, error) : put_sam(body, job, target, error);
  if (status == CLA_OK && ferror(body->spool)) status = spooled_cannot_write(body, errno, error);
  return status;
}
