#include <errno.h>
#include <htslib/kstring.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "seq/sequence_input.h"
#include "write/sam_record.h"

static cla_status write_records(sam_records *records, kstring_t *line, cla_error *error) {
  const write_job *job = records->job;
  const char *text = sam_hdr_str(records->header);
  if (!text) return sam_out_of_memory(error);
  fwrite(text, 1, sam_hdr_length(records->header), job->file);
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    cla_status status = sam_records_next(records, error);
    if (status != CLA_OK) return status;
    line->l = 0;
    if (sam_format1(records->header, records->record, line) < 0) return sam_out_of_memory(error);
    fwrite(line->s, 1, line->l, job->file);
    fputc('\n', job->file);
  }
  return CLA_OK;
}

cla_status write_sam(const write_job *job, cla_error *error) {
  sam_records records;
  kstring_t line = KS_INITIALIZE;
  cla_status status = sam_records_begin(&records, job, error);
  if (status == CLA_OK) status = write_records(&records, &line, error);
  ks_free(&line);
  sam_records_end(&records);
  return status;
}

static cla_status cannot_write(const write_job *job, int error_number, cla_error *error) {
  const int number = error_number ? error_number : EIO;
  cla_status status =
      error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s",
                job->path ? job->path : "the bam output", strerror(number), output_remedy(number));
  errno = number; /* a caller may want to end quietly on EPIPE */
  return status;
}

static cla_status write_bam_records(htsFile *bam, sam_records *records, cla_error *error) {
  if (sam_hdr_write(bam, records->header) < 0) return cannot_write(records->job, errno, error);
  for (size_t index = 0; index < records->job->count; index++) {
    cla_status status = sam_records_next(records, error);
    if (status != CLA_OK) return status;
    if (sam_write1(bam, records->header, records->record) < 0)
      return cannot_write(records->job, errno, error);
  }
  return CLA_OK;
}

static cla_status write_to(FILE *stream, sam_records *records, cla_error *error) {
  htsFile *bam = NULL;
  cla_status status = sam_open_bam(&bam, stream, error);
  if (status != CLA_OK) return status == CLA_ERROR_OUTPUT ? cannot_write(records->job, errno, error) : status;
  status = write_bam_records(bam, records, error);
  errno = 0;
  if (hts_close(bam) < 0 && status == CLA_OK) status = cannot_write(records->job, errno, error);
  return status;
}

/* A stream in memory has no descriptor: the file is made beside it and copied. */
static cla_status write_by_copy(sam_records *records, cla_error *error) {
  char buffer[65536];
  size_t length;
  FILE *beside = tmpfile();
  if (!beside) return cannot_write(records->job, errno, error);
  cla_status status = write_to(beside, records, error);
  if (status == CLA_OK && fseeko(beside, 0, SEEK_SET) != 0) status = cannot_write(records->job, errno, error);
  while (status == CLA_OK && (length = fread(buffer, 1, sizeof buffer, beside)) > 0)
    if (fwrite(buffer, 1, length, records->job->file) < length) break;
  if (status == CLA_OK && ferror(beside)) status = cannot_write(records->job, errno, error);
  fclose(beside);
  return status;
}

cla_status write_bam(const write_job *job, cla_error *error) {
  sam_records records;
  quiet_htslib_begin();
  cla_status status = sam_records_begin(&records, job, error);
  if (status == CLA_OK)
    status = fileno(job->file) >= 0 ? write_to(job->file, &records, error) : write_by_copy(&records, error);
  const int error_number = errno;
  sam_records_end(&records);
  quiet_htslib_end();
  errno = error_number;
  return status;
}
