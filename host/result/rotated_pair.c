#include "result/rotated_pair.h"

#include "seq/sequence_circle.h"

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
  const int64_t letter = side->start >= 0 ? side->start : side->stop - 1; /* of the aligned part */
  const int64_t moved = side->rotation - (letter + side->rotation >= side->length ? side->length : 0);
  if (*start >= 0) *start += moved;
  if (*stop >= 0) *stop += moved;
}
