#include "result/alignment_create.h"

#include <stdlib.h>

#include "base/allocate.h"

static cla_status fill_side(cla_side *side, const cla_sequence *sequence, cla_error *error) {
  const char *name = cla_sequence_name(sequence), *location = cla_sequence_location(sequence);
  cla_status status = allocate_text(&side->name, name ? name : "", error);
  if (status == CLA_OK) status = allocate_text(&side->location, location ? location : "", error);
  side->length = cla_sequence_length(sequence);
  side->begin = cla_sequence_begin(sequence);
  side->end = cla_sequence_end(sequence);
  side->start = -1;
  cla_sequence_checksum(sequence, side->checksum);
  return status;
}

cla_status alignment_create(cla_alignment **out, const cla_sequence *query, const cla_sequence *target,
                            cla_mode mode, const cla_scoring *scoring, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_array(&memory, 1, sizeof(cla_alignment), "an alignment", error);
  if (status != CLA_OK) return status;
  cla_alignment *alignment = memory;
  alignment->mode = mode;
  alignment->alphabet = cla_sequence_alphabet(query);
  alignment->scoring = *scoring;
  status = fill_side(&alignment->query, query, error);
  if (status == CLA_OK) status = fill_side(&alignment->target, target, error);
  if (status == CLA_OK)
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}

void cla_alignment_free(cla_alignment *alignment) {
  if (!alignment) return;
  free(alignment->query.name);
  free(alignment->query.location);
  free(alignment->target.name);
  free(alignment->target.location);
  free(alignment->runs);
  free(alignment);
}

void cla_alignments_free(cla_alignment **alignments, size_t count) {
  if (!alignments) return;
  for (size_t index = 0; index < count; index++) cla_alignment_free(alignments[index]);
  free(alignments);
}
