#include "write/gapped_row.h"

#include "seq/sequence.h"

#define BUFFER_LETTERS 4096

typedef struct letter_buffer {
  FILE *file;
  int used, limit; /* letters; limit <= BUFFER_LETTERS */
  bool lines;      /* each full buffer is one */
  char letters[BUFFER_LETTERS];
} letter_buffer;

static void flush(letter_buffer *buffer) {
  if (buffer->used == 0) return;
  fwrite(buffer->letters, 1, (size_t)buffer->used, buffer->file);
  if (buffer->lines) fputc('\n', buffer->file);
  buffer->used = 0;
}

static void put(letter_buffer *buffer, char letter) {
  buffer->letters[buffer->used++] = letter;
  if (buffer->used == buffer->limit) flush(buffer);
}

strand_letters strand_target(const cla_sequence *target) {
  return (strand_letters){.codes = sequence_codes(target), .length = cla_sequence_length(target)};
}

void strand_print(FILE *file, const strand_letters *strand, const char *letters, int64_t start,
                  int64_t count) {
  letter_buffer buffer = {.file = file, .limit = BUFFER_LETTERS};
  for (int64_t letter = 0; letter < count; letter++)
    put(&buffer, letters[strand_code(strand, start + letter)]);
  flush(&buffer);
}

void gapped_row_print(const write_job *job, const cla_alignment *alignment, gapped_side side,
                      int line_letters) {
  const char *letters = sequence_alphabet(job->query)->letters;
  const bool of_query = side == GAPPED_QUERY;
  const strand_letters strand = of_query ? strand_query(alignment, job->query) : strand_target(job->target);
  const cla_run_kind gap = of_query ? CLA_RUN_TARGET : CLA_RUN_QUERY;
  const bool lines = line_letters > 0 && line_letters < BUFFER_LETTERS;
  letter_buffer buffer = {.file = job->file, .limit = lines ? line_letters : BUFFER_LETTERS, .lines = lines};
  int64_t position = of_query ? strand_query_start(alignment) : alignment->target.start;
  for (size_t index = 0; index < alignment->run_count && !ferror(job->file); index++) {
    const cla_run *run = &alignment->runs[index];
    for (int64_t letter = 0; letter < run->length; letter++)
      put(&buffer, run->kind == gap ? '-' : letters[strand_code(&strand, position + letter)]);
    if (run->kind != gap) position += run->length;
  }
  flush(&buffer);
}
