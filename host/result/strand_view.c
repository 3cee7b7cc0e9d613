#include "result/strand_view.h"

#include "result/path_check.h"

static int64_t turned(int64_t length, int64_t position) {
  return position < 0 ? position : length - position;
}

void side_turn(cla_side *side, bool nowhere) {
  const cla_side old = *side;
  side->begin = turned(old.length, old.end);
  side->end = turned(old.length, old.begin);
  if (nowhere) return;
  side->start = turned(old.length, old.stop);
  side->stop = turned(old.length, old.start);
}

static bool is_position(const cla_side *side, int64_t position, int64_t least) {
  return position >= least && position <= side->length;
}

bool strand_view(cla_alignment *out, const cla_alignment *alignment) {
  const cla_side *query = &alignment->query;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  if (reverse && (!is_position(query, query->begin, 0) || !is_position(query, query->end, 0) ||
                  !is_position(query, query->start, -1) || !is_position(query, query->stop, -1)))
    return false;
  *out = *alignment;
  if (reverse) side_turn(&out->query, path_is_nowhere(alignment));
  return true;
}

strand_letters strand_query(const cla_alignment *alignment, const cla_sequence *query) {
  return (strand_letters){.codes = sequence_codes(query),
                          .length = cla_sequence_length(query),
                          .reverse = alignment->strand == CLA_STRAND_REVERSE};
}

int64_t strand_query_start(const cla_alignment *alignment) {
  const cla_side *query = &alignment->query;
  return alignment->strand == CLA_STRAND_REVERSE ? query->length - query->stop : query->start;
}

int64_t strand_start_row(const cla_alignment *alignment) {
  const cla_side *query = &alignment->query;
  return alignment->strand == CLA_STRAND_REVERSE ? query->end - query->stop : query->start - query->begin;
}
