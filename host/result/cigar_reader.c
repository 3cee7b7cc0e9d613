#include "result/cigar_reader.h"

#include "result/strand_view.h"

void cigar_reader_begin(cigar_reader *reader, const cla_alignment *alignment, const cla_sequence *query,
                        const cla_sequence *target) {
  reader->alignment = alignment;
  reader->query_letters = strand_query(alignment, query);
  reader->target_codes = sequence_codes(target);
  reader->unambiguous = sequence_alphabet(query)->unambiguous;
  reader->run = 0;
  reader->offset = 0;
  reader->query = strand_query_start(alignment);
  reader->target = alignment->target.start;
}

/* Whether the pair so many letters on is a match. */
static bool is_match(const cigar_reader *reader, int64_t further) {
  const uint8_t query = strand_code(&reader->query_letters, reader->query + further);
  const uint8_t target = reader->target_codes[reader->target + further];
  return query == target && query < reader->unambiguous;
}

bool cigar_reader_next(cigar_reader *reader, cigar_step *step) {
  if (reader->run == reader->alignment->run_count) return false;
  const cla_run *run = &reader->alignment->runs[reader->run];
  int64_t left = run->length - reader->offset;
  step->query = reader->query;
  step->target = reader->target;
  step->length = left;
  if (run->kind == CLA_RUN_PAIR) {
    bool match = is_match(reader, 0);
    int64_t length = 1;
    while (length < left && is_match(reader, length) == match) length++;
    step->operation = match ? '=' : 'X';
    step->length = length;
  } else {
    step->operation = run->kind == CLA_RUN_QUERY ? 'I' : 'D';
  }
  if (run->kind != CLA_RUN_TARGET) reader->query += step->length;
  if (run->kind != CLA_RUN_QUERY) reader->target += step->length;
  reader->offset += step->length;
  if (reader->offset == run->length) {
    reader->run++;
    reader->offset = 0;
  }
  return true;
}
