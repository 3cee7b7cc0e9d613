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

char *text_memory_room(text_memory *memory, size_t count) {
  if (count > memory->capacity - memory->used) {
    size_t wider = memory->capacity < TEXT_BUFFER_SIZE ? TEXT_BUFFER_SIZE : memory->capacity;
    while (wider - memory->used < count) wider *= 2;
    char *moved = realloc(memory->bytes, wider);
    memory->failed |= !moved;
    if (!moved) return NULL;
    memory->bytes = moved;
    memory->capacity = wider;
  }
  return memory->bytes + memory->used;
}

static void remember(text_memory *memory, const char *bytes, size_t count) {
  char *to = count > 0 ? text_memory_room(memory, count) : NULL;
  if (!to) return;
  memcpy(to, bytes, count);
  memory->used += count;
}

static void hand_over(text_buffer *text, const char *bytes, size_t count) {
  if (text->memory)
    remember(text->memory, bytes, count);
  else if (count > 0)
    fwrite(bytes, 1, count, text->file);
}

void text_flush(text_buffer *text) {
  hand_over(text, text->bytes, text->used);
  text->used = 0;
}

void text_put_bytes(text_buffer *text, const char *bytes, size_t count) {
  if (count > TEXT_BUFFER_SIZE - text->used) text_flush(text);
  if (count > TEXT_BUFFER_SIZE) {
    hand_over(text, bytes, count);
    return;
  }
  memcpy(text->bytes + text->used, bytes, count);
  text->used += count;
}

void text_put(text_buffer *text, const char *string) {
  text_put_bytes(text, string, strlen(string));
}

char *put_any_number(char *to, int64_t number) {
  char digits[TEXT_NUMBER_MOST];
  int first = TEXT_NUMBER_MOST;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do {
    digits[--first] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (number < 0) digits[--first] = '-';
  memcpy(to, digits + first, (size_t)(TEXT_NUMBER_MOST - first));
  return to + TEXT_NUMBER_MOST - first;
}

char *put_real(char *to, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  const size_t mantissa = strcspn(text, "e");
  const size_t whole = strspn(text, "-0123456789");
  if (whole < mantissa) text[whole] = '.';
  memcpy(to, text, mantissa);
  to += mantissa;
  if (!text[mantissa]) return to;
  *to++ = 'e';
  return put_number(to, strtol(text + mantissa + 1, NULL, 10));
}

void text_put_score(text_buffer *text, int64_t score, const cla_scoring *scoring) {
  char points[CLA_SCORE_TEXT_SIZE];
  if (scoring->units == 1) { /* the usual case */
    text_put_number(text, score);
    return;
  }
  cla_score_text(points, score, scoring);
  text_put(text, points);
}

void text_put_decimals(text_buffer *text, int64_t value, int64_t one) {
  text_put_number(text, value / one);
  text_put_char(text, '.');
  for (int64_t digit = one / 10; digit > 0; digit /= 10)
    text_put_char(text, (char)('0' + value / digit % 10));
}

/* Sets one of the names. `side`: 0 for the query, 1 for the target. */
static cla_status take_name(name_pair *out, int side, const char *name, const write_job *job,
                            cla_error *error) {
  const clean_rule rule = side == 0 ? job->names.query : job->names.target;
  const char **own = side == 0 ? &out->query : &out->target;
  *own = name;
  if (name_is_clean(name, job->plain_names[side], rule)) return CLA_OK;
  cla_status status = clean_name(&out->owned[side], name, rule, side == 0 ? "query" : "target", error);
  *own = out->owned[side];
  return status;
}

cla_status name_pair_make(name_pair *out, const write_job *job, cla_error *error) {
  const cla_alignment *first =
      job->count > 0 ? job->alignments[0] : NULL; /* all alignments have the same names */
  const char *query = first ? first->query.name : cla_sequence_name(job->query);
  const char *target = first ? first->target.name : cla_sequence_name(job->target);
  *out = (name_pair){0};
  cla_status status = take_name(out, 0, query, job, error);
  if (status == CLA_OK) status = take_name(out, 1, target, job, error);
  if (status == CLA_OK && job->command)
    status = clean_name(&out->command, job->command, CLEAN_LINE, " ", error);
  return status;
}

void name_pair_free(name_pair *names) {
  free(names->owned[0]);
  free(names->owned[1]);
  free(names->command);
}

void path_steps_begin(path_steps *steps, const write_job *job, const cla_alignment *alignment, bool letters) {
  steps->next = job->runs;
  if (job->runs) {
    steps->end = job->runs + alignment->run_count;
    steps->query = strand_query_start(alignment);
    steps->target = alignment->target.start;
  } else if (letters) {
    cigar_reader_begin_letters(&steps->reader, alignment, job->query, job->target);
  } else {
    cigar_reader_begin(&steps->reader, alignment, job->query, job->target);
  }
}

cla_status job_count(cla_statistics *out, const write_job *job, const cla_alignment *alignment,
                     cla_error *error) {
  int64_t letters[16] = {0}, opens = 0;
  if (!job->runs) return alignment_count(out, alignment, job->query, job->target, error);
  for (size_t i = 0; i < alignment->run_count; i++) {
    letters[job->runs[i] & 15] += job->runs[i] >> 4;
    opens += (job->runs[i] & 15) <= CLA_PACKED_TARGET;
  }
  *out = (cla_statistics){.matches = letters[CLA_PACKED_MATCH],
                          .mismatches = letters[CLA_PACKED_OTHER],
                          .gap_opens = opens,
                          .gap_letters = letters[CLA_PACKED_QUERY] + letters[CLA_PACKED_TARGET]};
  out->columns = out->matches + out->mismatches + out->gap_letters;
  return CLA_OK;
}

static void put_steps(text_buffer *text, path_steps *steps) {
  cigar_step step;
  for (; steps->next && steps->next < steps->end && *steps->next >> 4 <= 999; steps->next++) {
    if (text->used + TEXT_NUMBER_MOST > TEXT_BUFFER_SIZE) text_flush(text);
    char *to = put_small_number(text->bytes + text->used, *steps->next >> 4);
    *to = PACKED_OPERATIONS[*steps->next & 15];
    text->used = (size_t)(to + 1 - text->bytes);
  }
  while (path_steps_next(steps, &step)) {
    text_put_number(text, step.length);
    text_put_char(text, step.operation);
    if (!text->memory && ferror(text->file)) return;
  }
}

void cigar_put(text_buffer *text, const cla_alignment *alignment, const cla_sequence *query,
               const cla_sequence *target) {
  path_steps steps = {.next = NULL};
  cigar_reader_begin(&steps.reader, alignment, query, target);
  put_steps(text, &steps);
}

/* Writes the CIGAR with the operation M for all pairs. */
static void plain_cigar_put(text_buffer *text, const write_job *job, const cla_alignment *alignment) {
  static const char operations[] = {[CLA_RUN_PAIR] = 'M', [CLA_RUN_QUERY] = 'I', [CLA_RUN_TARGET] = 'D'};
  const uint32_t *next = job->runs, *end = next ? next + alignment->run_count : NULL;
  for (size_t index = 0; (next ? next < end : index < alignment->run_count) && !job_failed(job); index++) {
    const cla_run run = next ? packed_run_next(&next, end) : alignment->runs[index];
    text_put_number(text, run.length);
    text_put_char(text, operations[run.kind]);
  }
}

void job_cigar_put(text_buffer *text, const write_job *job, const cla_alignment *alignment) {
  path_steps steps;
  if (job->how->cigar == CLA_CIGAR_M) {
    plain_cigar_put(text, job, alignment);
    return;
  }
  path_steps_begin(&steps, job, alignment, false);
  put_steps(text, &steps);
}

cla_status write_cigar(const write_job *job, cla_error *error) {
  text_buffer text;
  (void)error;
  text_begin(&text, job);
  for (size_t index = 0; index < job->count && !job_failed(job); index++) {
    job_cigar_put(&text, job, job->alignments[index]);
    text_put_char(&text, '\n');
  }
  text_flush(&text);
  return CLA_OK;
}

#define BUFFER_LETTERS 4096

typedef struct letter_buffer {
  FILE *file;
  int used, limit; /* number of letters in the buffer, and in a full buffer; at most BUFFER_LETTERS */
  bool lines;      /* each full buffer is a line */
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
