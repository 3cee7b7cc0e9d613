#include "result/alignment.h"
#include "seq/sequence.h"

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

bool path_is_nowhere(const cla_alignment *alignment) {
  return alignment->mode == CLA_MODE_LOCAL && alignment->score == 0;
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
                          .lower = sequence_lower(query),
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

static cla_status rotate(const cla_sequence **shown, cla_sequence **owned, const cla_side *side,
                         cla_error *error) {
  const int64_t letters = cla_sequence_length(*shown);
  if (side->rotation <= 0 || side->rotation >= letters || side->length != letters) return CLA_OK;
  cla_status status = sequence_circle_part(owned, *shown, side->rotation, letters, error);
  if (status == CLA_OK) *shown = *owned;
  return status;
}

cla_status rotated_pair_make(rotated_pair *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error) {
  *out = (rotated_pair){.query = query, .target = target};
  cla_status status = rotate(&out->query, &out->owned[0], &alignment->query, error);
  if (status == CLA_OK) status = rotate(&out->target, &out->owned[1], &alignment->target, error);
  return status;
}

void rotated_pair_free(rotated_pair *pair) {
  cla_sequence_free(pair->owned[0]);
  cla_sequence_free(pair->owned[1]);
  *pair = (rotated_pair){0};
}

void cla_side_positions(const cla_side *side, int64_t *start, int64_t *stop) {
  *start = side->start;
  *stop = side->stop;
  if (side->rotation == 0) return;
  const int64_t letter = side->start >= 0 ? side->start : side->stop - 1; /* a letter of the aligned part */
  const int64_t moved = side->rotation - (letter + side->rotation >= side->length ? side->length : 0);
  if (*start >= 0) *start += moved;
  if (*stop >= 0) *stop += moved;
}
