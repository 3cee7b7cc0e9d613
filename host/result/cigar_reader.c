#include "result/cigar_reader.h"

#include <string.h>

#include "base/allocate.h"
#include "clalign/arrays.h"
#include "result/alignment.h"
#include "scoring/score_table.h"

void cigar_reader_begin_letters(cigar_reader *reader, const cla_alignment *alignment,
                                const cla_sequence *query, const cla_sequence *target) {
  reader->alignment = alignment;
  reader->query_letters = strand_query(alignment, query);
  reader->target_codes = sequence_codes(target);
  reader->unambiguous = sequence_alphabet(query)->unambiguous;
  reader->more_matches = false;
  reader->run = 0;
  reader->offset = 0;
  reader->query = strand_query_start(alignment);
  reader->target = alignment->target.start;
}

void cigar_reader_begin(cigar_reader *reader, const cla_alignment *alignment, const cla_sequence *query,
                        const cla_sequence *target) {
  cigar_reader_begin_letters(reader, alignment, query, target);
  uint32_t of_query = sequence_letters_met(query);
  if (alignment->strand == CLA_STRAND_REVERSE) of_query = ~UINT32_C(0);
  reader->more_matches = score_table_matches(reader->matches, &alignment->scoring, sequence_alphabet(query),
                                             of_query, sequence_letters_met(target));
}

/* True if the pair `further` letters after the current pair is a match. */
static inline bool is_match(const cigar_reader *reader, int64_t further) {
  const uint8_t query = strand_code(&reader->query_letters, reader->query + further);
  const uint8_t target = reader->target_codes[reader->target + further];
  if (reader->more_matches && reader->matches[query] >> target & 1) return true;
  return query == target && query < reader->unambiguous;
}

/* Returns which of the 8 bytes is the first nonzero byte in memory: an index from 0. `bytes` must not be
 * 0. */
static inline int64_t first_byte(uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return __builtin_ctzll(bytes) / 8;
#else
  return __builtin_clzll(bytes) / 8;
#endif
}

/* Counts consecutive matches, starting with the current pair, up to `most`. On the forward strand, eight
 * pairs are compared at a time. Codes are below 128, so adding 128 - `unambiguous` sets the highest bit of
 * exactly the ambiguous codes. */
static int64_t count_matches(const cigar_reader *reader, int64_t most) {
  const uint8_t *query = reader->query_letters.codes + reader->query;
  const uint8_t *target = reader->target_codes + reader->target;
  const uint64_t each = UINT64_C(0x0101010101010101), beyond = each * (uint64_t)(128 - reader->unambiguous);
  int64_t count = 0;
  while (!reader->query_letters.reverse && count + 8 <= most) {
    uint64_t of_query, of_target;
    memcpy(&of_query, query + count, 8);
    memcpy(&of_target, target + count, 8);
    const uint64_t other = (of_query ^ of_target) | ((of_query + beyond) & each << 7);
    count += other != 0 ? first_byte(other) : 8;
    if (other == 0) continue;
    if (!is_match(reader, count)) return count;
    count++;
  }
  while (count < most && is_match(reader, count)) count++;
  return count;
}

bool cigar_reader_next(cigar_reader *reader, cigar_step *step) {
  if (reader->run == reader->alignment->run_count) return false;
  const cla_run *run = &reader->alignment->runs[reader->run];
  int64_t left = run->length - reader->offset;
  step->query = reader->query;
  step->target = reader->target;
  step->length = left;
  if (run->kind == CLA_RUN_PAIR) {
    const bool match = is_match(reader, 0);
    int64_t length = 1;
    if (match) length = count_matches(reader, left);
    while (!match && length < left && !is_match(reader, length)) length++;
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

cla_run packed_run_next(const uint32_t **next, const uint32_t *end) {
  const uint32_t operation = **next & 15;
  const cla_run_kind kind = operation == CLA_PACKED_QUERY    ? CLA_RUN_QUERY
                            : operation == CLA_PACKED_TARGET ? CLA_RUN_TARGET
                                                             : CLA_RUN_PAIR;
  int64_t length = *(*next)++ >> 4;
  while (kind == CLA_RUN_PAIR && *next < end && (**next & 15) >= CLA_PACKED_MATCH) length += *(*next)++ >> 4;
  return (cla_run){length, kind};
}

cla_status packed_runs_take(cla_alignment *alignment, const uint32_t *next, const uint32_t *end,
                            cla_error *error) {
  if (next == end) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&alignment->runs, end - next, "a path", error);
  while (status == CLA_OK && next < end)
    alignment->runs[alignment->run_count++] = packed_run_next(&next, end);
  return status;
}
