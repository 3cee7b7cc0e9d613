#include <stdlib.h>

#include "base/error.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/sequence.h"
#include "write/formats/certainty_tags.h"
#include "write/writer.h"

static void put_side(text_buffer *text, const char *name, const cla_side *side) {
  const int64_t numbers[] = {side->length, side->start, side->stop};
  text_put(text, name);
  for (int i = 0; i < 3; i++) {
    text_put_char(text, '\t');
    text_put_number(text, numbers[i]);
  }
  text_put_char(text, '\t');
}

#define LOWER_LETTERS "acgtryswkmbdhvn" /* SEQUENCE_LETTERS */
#define PUT_AT_ONCE 64

/* Writes a sign, then letters of a side, starting at position `start` of its strand. */
static void put_letters(text_buffer *text, char sign, const strand_letters *strand, int64_t start,
                        int64_t count) {
  text_put_char(text, sign);
  for (int64_t i = 0; i < count; i++) text_put_char(text, LOWER_LETTERS[strand_code(strand, start + i)]);
}

/* Writes mismatches: for each, '*', the target's letter and the query's letter. */
static void put_pairs(text_buffer *text, const strand_letters *query, const strand_letters *target,
                      const cigar_step *step) {
  for (int64_t done = 0; done < step->length;) {
    if (TEXT_BUFFER_SIZE - text->used < 3 * PUT_AT_ONCE) text_flush(text);
    char *to = text->bytes + text->used;
    for (int i = 0; i < PUT_AT_ONCE && done < step->length; i++, done++) {
      *to++ = '*';
      *to++ = LOWER_LETTERS[strand_code(target, step->target + done)];
      *to++ = LOWER_LETTERS[strand_code(query, step->query + done)];
    }
    text->used = (size_t)(to - text->bytes);
  }
}

/* Writes the differences with their letters, in minimap2's short form of cs. ":3" is three matches, "*ag" a
 * target letter paired with a query letter, "+ac" the query letters of a gap, "-gt" the target letters of a
 * gap.
 */
static void put_differences(text_buffer *text, const write_job *job, const cla_alignment *alignment) {
  const strand_letters query = strand_query(alignment, job->query), target = strand_target(job->target);
  path_steps steps;
  cigar_step step;
  path_steps_begin(&steps, job, alignment, true);
  while (!job_failed(job) && path_steps_next(&steps, &step)) {
    if (TEXT_BUFFER_SIZE - text->used <= TEXT_NUMBER_MOST) text_flush(text);
    switch (step.operation) {
      case '=':
        text->bytes[text->used] = ':';
        text->used = (size_t)(put_number(text->bytes + text->used + 1, step.length) - text->bytes);
        break;
      case 'X': put_pairs(text, &query, &target, &step); break;
      case 'I': put_letters(text, '+', &query, step.query, step.length); break;
      default: put_letters(text, '-', &target, step.target, step.length);
    }
  }
}

static void put_tag(text_buffer *text, const char *tag, int64_t value) {
  text_put(text, tag);
  text_put_number(text, value);
  text_put_char(text, '\t');
}

/* Writes the de tag with four decimals, like minimap2, and with a decimal point in every locale. */
static void put_difference(text_buffer *text, const cla_statistics *counts) {
  const int64_t parts = (int64_t)(10000 * gap_compressed_difference(counts) + 0.5);
  text_put(text, "de:f:");
  if (counts->mismatches + counts->gap_opens == 0) {
    text_put(text, "0\t");
    return;
  }
  text_put_decimals(text, parts, 10000);
  text_put_char(text, '\t');
}

static void put_certainty(text_buffer *text, const cla_certificate *certificate) {
  char number[REAL_MOST + 1];
  *put_real(number, certificate->log10_alignments) = '\0';
  text_put(text, "na:f:");
  text_put(text, number);
  text_put_char(text, '\t');
  put_tag(text, "am:i:", certificate->ambiguous);
  put_tag(text, "un:i:", certificate->unique);
}

static cla_status put_margins(text_buffer *text, const cla_certificate *certificate,
                              const cla_alignment *alignment, cla_error *error) {
  text_memory margins = {.bytes = NULL};
  margins_text_make(&margins, certificate, alignment);
  text_put(text, "\tmg:Z:");
  text_put_bytes(text, margins.bytes, margins.used);
  free(margins.bytes);
  return margins.failed ? error_set(error, CLA_ERROR_MEMORY, "out of memory for margins; free some memory")
                        : CLA_OK;
}

static cla_status print_line(const write_job *job, size_t index, const name_pair *names, bool first,
                             cla_error *error) {
  const cla_alignment *alignment = job->alignments[index];
  const cla_certificate *certificate = job_certificate(job, index);
  cla_statistics statistics;
  text_buffer text;
  cla_status status = job_count(&statistics, job, alignment, error);
  if (status != CLA_OK) return status;
  text_begin(&text, job);
  put_side(&text, names->query, &alignment->query);
  text_put(&text, alignment->strand == CLA_STRAND_REVERSE ? "-\t" : "+\t");
  put_side(&text, names->target, &alignment->target);
  put_tag(&text, "", statistics.matches);
  put_tag(&text, "", statistics.columns);
  text_put(&text, first || job->in_pieces ? "255\ttp:A:P\t" : "255\ttp:A:S\t");
  put_tag(&text, "NM:i:", statistics.mismatches + statistics.gap_letters);
  put_difference(&text, &statistics);
  put_tag(&text, "AS:i:", alignment->score);
  if (alignment->scoring.units > 1) put_tag(&text, "su:i:", alignment->scoring.units);
  if (certificate) put_certainty(&text, certificate);
  text_put(&text, "cg:Z:");
  job_cigar_put(&text, job, alignment);
  if (alignment->alphabet == CLA_ALPHABET_DNA) { /* in cs, a protein's '*' could be mistaken for a sign */
    text_put(&text, "\tcs:Z:");
    put_differences(&text, job, alignment);
  }
  if (certificate) status = put_margins(&text, certificate, alignment, error);
  text_put_char(&text, '\n');
  text_flush(&text);
  return status;
}

cla_status write_paf(const write_job *job, cla_error *error) {
  bool first = true;
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  for (size_t index = 0; index < job->count && status == CLA_OK && !job_failed(job); index++) {
    if (path_is_empty(job->alignments[index]))
      continue; /* like other PAF writers, writes no line for an empty alignment */
    status = print_line(job, index, &names, first, error);
    first = false;
  }
  name_pair_free(&names);
  return status;
}
