#include <string.h>

#include "result/alignment.h"
#include "result/path_check.h"
#include "write/alignment_codec.h"
#include "write/alignment_facts.h"
#include "write/work_codec.h"

static void put_text(byte_sink *sink, const char *text) {
  int64_t length = text ? (int64_t)strlen(text) : 0;
  byte_sink_put_unsigned(sink, (uint64_t)length);
  byte_sink_put(sink, text, length);
}

static void put_scoring(byte_sink *sink, const cla_scoring *scoring) {
  byte_sink_put_signed(sink, scoring->match);
  byte_sink_put_signed(sink, scoring->mismatch);
  byte_sink_put_signed(sink, scoring->gap_first);
  byte_sink_put_signed(sink, scoring->gap_ext);
  byte_sink_put_unsigned(sink, (uint64_t)scoring->matrix_size);
  byte_sink_put(sink, scoring->letters, scoring->matrix_size);
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      byte_sink_put_signed(sink, scoring->matrix[row * CLA_MATRIX_STRIDE + column]);
}

static void put_side(byte_sink *sink, const cla_side *side) {
  put_text(sink, side->name);
  put_text(sink, side->location);
  byte_sink_put_unsigned(sink, (uint64_t)side->length);
  byte_sink_put_unsigned(sink, (uint64_t)side->begin);
  byte_sink_put_unsigned(sink, (uint64_t)side->end);
  byte_sink_put_signed(sink, side->start);
  byte_sink_put_unsigned(sink, (uint64_t)side->stop);
  byte_sink_put(sink, side->checksum, sizeof side->checksum);
}

/* The list of one kind of gap: how far its opening lies from the end of the one before (or from the path's
 * start) in both sequences, and its length. */
static void put_gaps(byte_sink *sink, const cla_alignment *alignment, cla_run_kind kind) {
  uint64_t count = 0;
  for (size_t index = 0; index < alignment->run_count; index++) count += alignment->runs[index].kind == kind;
  byte_sink_put_unsigned(sink, count);
  int64_t query = 0, target = 0;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == kind) {
      byte_sink_put_unsigned(sink, (uint64_t)query);
      byte_sink_put_unsigned(sink, (uint64_t)target);
      byte_sink_put_unsigned(sink, (uint64_t)run->length);
      query = target = 0;
      continue;
    }
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
  }
}

int alignment_codec_version(const cla_alignment *alignment, bool with_work) {
  const cla_scoring *scoring = &alignment->scoring;
  if (alignment_facts_any(alignment, with_work) || (int)alignment->mode > CLA_MODE_GLOBAL) return 4;
  if (alignment->query.length == 0 || alignment->target.length == 0) return 4;
  if (alignment->strand != CLA_STRAND_FORWARD) return 3;
  const bool first = alignment->alphabet == CLA_ALPHABET_DNA && scoring->matrix_size == 0 &&
                     scoring->ambiguity == CLA_AMBIGUITY_MISMATCH;
  return first ? 1 : 2;
}

/* What version 2 added. */
static void put_letters(byte_sink *sink, const cla_alignment *alignment) {
  byte_sink_put_fixed(sink, (uint64_t)alignment->alphabet, 1);
  byte_sink_put_fixed(sink, (uint64_t)alignment->scoring.ambiguity, 1);
  put_text(sink, alignment->scoring.matrix_name);
}

void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work) {
  byte_sink_put_fixed(sink, (uint64_t)alignment->mode, 1);
  byte_sink_put_fixed(sink, alignment->has_path ? 1 : 0, 1);
  byte_sink_put_signed(sink, alignment->score);
  put_scoring(sink, &alignment->scoring);
  if (version >= 2) put_letters(sink, alignment);
  if (version >= 3) byte_sink_put_fixed(sink, (uint64_t)alignment->strand, 1);
  if (version >= 4) alignment_facts_put(sink, alignment, with_work);
  cla_side query = alignment->query;
  if (alignment->strand == CLA_STRAND_REVERSE) side_turn(&query, path_is_nowhere(alignment));
  put_side(sink, &query);
  put_side(sink, &alignment->target);
  if (alignment->has_path) {
    put_gaps(sink, alignment, CLA_RUN_TARGET);
    put_gaps(sink, alignment, CLA_RUN_QUERY);
  }
  if (with_work && alignment->work) work_codec_put(sink, alignment->work);
}
