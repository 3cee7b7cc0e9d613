#include "result/alignment_create.h"

#include "base/allocate.h"
#include "result/result_memory.h"

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
  cla_status status = allocate_zeros(&memory, 1, sizeof(cla_alignment), "an alignment", error);
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
  const cla_allocator allocator = alignment->allocator;
  result_memory_release(&allocator, alignment->query.name);
  result_memory_release(&allocator, alignment->query.location);
  result_memory_release(&allocator, alignment->target.name);
  result_memory_release(&allocator, alignment->target.location);
  result_memory_release(&allocator, alignment->runs);
  result_memory_release(&allocator, alignment->work);
  result_memory_release(&allocator, alignment);
}

void cla_alignments_free(cla_alignment **alignments, size_t count) {
  if (!alignments) return;
  /* A file that could not be read leaves an array of the heap with some missing, the first one too. */
  const cla_allocator allocator = count > 0 && alignments[0] ? alignments[0]->allocator : (cla_allocator){0};
  for (size_t index = 0; index < count; index++) cla_alignment_free(alignments[index]);
  result_memory_release(&allocator, alignments);
}
