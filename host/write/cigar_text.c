#include "write/cigar_text.h"

#include "result/cigar_reader.h"
#include "write/writer.h"

void cigar_print(FILE *file, const cla_alignment *alignment, const cla_sequence *query,
                 const cla_sequence *target) {
  cigar_reader reader;
  cigar_step step;
  cigar_reader_begin(&reader, alignment, query, target);
  while (cigar_reader_next(&reader, &step))
    if (fprintf(file, "%lld%c", (long long)step.length, step.operation) < 0) return;
}

cla_status write_cigar(const write_job *job, cla_error *error) {
  (void)error;
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    cigar_print(job->file, job->alignments[index], job->query, job->target);
    fputc('\n', job->file);
  }
  return CLA_OK;
}
