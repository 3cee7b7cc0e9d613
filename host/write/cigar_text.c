#include "write/cigar_text.h"

#include "result/cigar_reader.h"
#include "write/writer.h"

void cigar_put(text_buffer *text, const cla_alignment *alignment, const cla_sequence *query,
               const cla_sequence *target) {
  cigar_reader reader;
  cigar_step step;
  cigar_reader_begin(&reader, alignment, query, target);
  while (cigar_reader_next(&reader, &step)) {
    text_put_number(text, step.length);
    text_put_char(text, step.operation);
    if (ferror(text->file)) return;
  }
}

cla_status write_cigar(const write_job *job, cla_error *error) {
  text_buffer text;
  (void)error;
  text_begin(&text, job->file);
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    cigar_put(&text, job->alignments[index], job->query, job->target);
    text_put_char(&text, '\n');
  }
  text_flush(&text);
  return CLA_OK;
}
