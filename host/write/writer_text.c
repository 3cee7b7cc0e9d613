#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "result/cigar_reader.h"
#include "seq/sequence.h"
#include "write/writer.h"

static bool begins_letter(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

int text_letters(const char *text) {
  int letters = 0;
  for (; *text; text++) letters += begins_letter(*text);
  return letters;
}

void print_name(FILE *file, const char *name, int width, bool cut) {
  int letters = 0;
  for (; *name; name++) {
    if (begins_letter(*name) && letters++ == width && cut) return;
    fputc(*name, file);
  }
  if (letters < width) fprintf(file, "%*s", width - letters, "");
}

double gap_compressed_difference(const cla_statistics *counts) {
  const int64_t unlike = counts->mismatches + counts->gap_opens;
  return unlike > 0 ? (double)unlike / (double)(counts->matches + unlike) : 0;
}

void text_flush(text_buffer *text) {
  if (text->used > 0) fwrite(text->bytes, 1, text->used, text->file);
  text->used = 0;
}

void text_put_bytes(text_buffer *text, const char *bytes, size_t count) {
  if (count > TEXT_BUFFER_SIZE - text->used) text_flush(text);
  if (count > TEXT_BUFFER_SIZE) {
    fwrite(bytes, 1, count, text->file);
    return;
  }
  memcpy(text->bytes + text->used, bytes, count);
  text->used += count;
}

void text_put(text_buffer *text, const char *string) {
  text_put_bytes(text, string, strlen(string));
}

void text_put_number(text_buffer *text, int64_t number) {
  char digits[TEXT_NUMBER_MOST];
  int first = TEXT_NUMBER_MOST;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  if (TEXT_BUFFER_SIZE - text->used < TEXT_NUMBER_MOST) text_flush(text);
  do {
    digits[--first] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (number < 0) digits[--first] = '-';
  for (int at = first; at < TEXT_NUMBER_MOST; at++) text->bytes[text->used++] = digits[at];
}

cla_status name_pair_make(name_pair *out, const write_job *job, cla_error *error) {
  const cla_alignment *first =
      job->count > 0 ? job->alignments[0] : NULL; /* the others have the same names */
  const char *query = first ? first->query.name : cla_sequence_name(job->query);
  const char *target = first ? first->target.name : cla_sequence_name(job->target);
  *out = (name_pair){0};
  cla_status status = clean_name(&out->query, query, job->names.query, "query", error);
  if (status == CLA_OK) status = clean_name(&out->target, target, job->names.target, "target", error);
  if (status == CLA_OK && job->command)
    status = clean_name(&out->command, job->command, CLEAN_LINE, " ", error);
  return status;
}

void name_pair_free(name_pair *names) {
  free(names->query);
  free(names->target);
  free(names->command);
}

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

/* With M for all pairs. */
static void plain_cigar_put(text_buffer *text, const cla_alignment *alignment) {
  static const char operations[] = {[CLA_RUN_PAIR] = 'M', [CLA_RUN_QUERY] = 'I', [CLA_RUN_TARGET] = 'D'};
  for (size_t index = 0; index < alignment->run_count && !ferror(text->file); index++) {
    text_put_number(text, alignment->runs[index].length);
    text_put_char(text, operations[alignment->runs[index].kind]);
  }
}

void job_cigar_put(text_buffer *text, const write_job *job, const cla_alignment *alignment) {
  if (job->how->cigar == CLA_CIGAR_M)
    plain_cigar_put(text, alignment);
  else
    cigar_put(text, alignment, job->query, job->target);
}

cla_status write_cigar(const write_job *job, cla_error *error) {
  text_buffer text;
  (void)error;
  text_begin(&text, job->file);
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    job_cigar_put(&text, job, job->alignments[index]);
    text_put_char(&text, '\n');
  }
  text_flush(&text);
  return CLA_OK;
}

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
  return (strand_letters){.codes = sequence_codes(target),
                          .lower = sequence_lower(target),
                          .length = cla_sequence_length(target)};
}

void strand_print(FILE *file, const strand_letters *strand, const char *letters, int64_t start,
                  int64_t count) {
  letter_buffer buffer = {.file = file, .limit = BUFFER_LETTERS};
  for (int64_t letter = 0; letter < count; letter++)
    put(&buffer, strand_letter(strand, letters, start + letter));
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
      put(&buffer, run->kind == gap ? '-' : strand_letter(&strand, letters, position + letter));
    if (run->kind != gap) position += run->length;
  }
  flush(&buffer);
}
