#include <htslib/kstring.h>

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
