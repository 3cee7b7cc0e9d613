#include <errno.h>
#include <htslib/bgzf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "seq/sequence_input.h"
#include "write/formats/sam_record.h"

/* Adds the target of one pair to the list for the head. */
static cla_status list_target(head_targets *targets, const sam_records *records, cla_error *error) {
  const int64_t length = cla_sequence_length(records->job->target);
  if (length == 0) return CLA_OK;
  cla_status status = head_targets_add(targets, records->names.target, length, error);
  if (status == CLA_OK && records->job->circular_target) targets->lengths[0] = -targets->lengths[0];
  return status;
}

/* Writes head and records as text. On entry `line` contains the head; it is then overwritten by each
 * record. */
static cla_status write_lines(sam_records *records, text_memory *line, cla_error *error) {
  const write_job *job = records->job;
  cla_status status = CLA_OK;
  fwrite(line->bytes, 1, line->used, job->file);
  for (size_t index = 0; index < job->count && !ferror(job->file) && status == CLA_OK; index++) {
    line->used = 0;
    status = sam_records_next(line, records, error);
    fwrite(line->bytes, 1, line->used, job->file);
  }
  return status;
}

cla_status write_sam(const write_job *job, cla_error *error) {
  sam_records records = {.binary = false};
  head_targets targets = {.count = 0};
  text_memory line = {.bytes = NULL};
  cla_status status = sam_records_begin(&records, job, error);
  if (status == CLA_OK) status = list_target(&targets, &records, error);
  if (status == CLA_OK) status = sam_head_make(&line, &targets, records.names.command, error);
  if (status == CLA_OK) status = write_lines(&records, &line, error);
  free(line.bytes);
  head_targets_free(&targets);
  sam_records_end(&records);
  sam_records_free(&records);
  return status;
}

static cla_status cannot_write(const write_job *job, int error_number, cla_error *error) {
  return output_failed(job->path, "bam", error_number, error);
}

static cla_status write_bam_records(struct BGZF *bam, sam_records *records, cla_error *error) {
  text_memory bytes = {.bytes = NULL};
  cla_status status = CLA_OK;
  for (size_t index = 0; index < records->job->count && status == CLA_OK; index++) {
    bytes.used = 0;
    status = sam_records_next(&bytes, records, error);
    if (status == CLA_OK && (bgzf_flush_try(bam, (ssize_t)bytes.used) != 0 ||
                             bgzf_write(bam, bytes.bytes, bytes.used) != (ssize_t)bytes.used))
      status = cannot_write(records->job, errno, error);
  }
  free(bytes.bytes);
  return status;
}

static cla_status write_to(FILE *stream, sam_records *records, const head_targets *targets,
                           cla_error *error) {
  struct BGZF *bam;
  cla_status status = bam_output_open(&bam, stream, targets, records->names.command, error);
  if (status == CLA_OK)
    status = write_bam_records(bam, records, error);
  else if (status == CLA_ERROR_OUTPUT)
    status = cannot_write(records->job, errno, error);
  const int error_number = errno;
  errno = 0;
  if (bam && bgzf_close(bam) != 0 && status == CLA_OK) return cannot_write(records->job, errno, error);
  errno = error_number;
  return status;
}

/* Writes to a stream without a descriptor, such as a stream in memory: makes a temporary file and copies
 * it. */
static cla_status write_by_copy(sam_records *records, const head_targets *targets, cla_error *error) {
  char buffer[65536];
  size_t length;
  FILE *beside = tmpfile();
  if (!beside) return cannot_write(records->job, errno, error);
  cla_status status = write_to(beside, records, targets, error);
  if (status == CLA_OK && fseeko(beside, 0, SEEK_SET) != 0) status = cannot_write(records->job, errno, error);
  while (status == CLA_OK && (length = fread(buffer, 1, sizeof buffer, beside)) > 0)
    if (fwrite(buffer, 1, length, records->job->file) < length) break;
  if (status == CLA_OK && ferror(beside)) status = cannot_write(records->job, errno, error);
  fclose(beside);
  return status;
}

cla_status write_bam(const write_job *job, cla_error *error) {
  sam_records records = {.binary = true};
  head_targets targets = {.count = 0};
  quiet_htslib_begin();
  cla_status status = sam_records_begin(&records, job, error);
  if (status == CLA_OK) status = list_target(&targets, &records, error);
  if (status == CLA_OK)
    status = fileno(job->file) >= 0 ? write_to(job->file, &records, &targets, error)
                                    : write_by_copy(&records, &targets, error);
  const int error_number = errno;
  head_targets_free(&targets);
  sam_records_end(&records);
  sam_records_free(&records);
  quiet_htslib_end();
  errno = error_number;
  return status;
}
