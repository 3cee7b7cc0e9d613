#include "cli/batch/batch_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/report/report.h"

#define SIDE_SHOWN 400 /* bytes of a location in a message */

batch_sequence *batch_sequence_use(batch_sequence *sequence) {
  sequence->uses++;
  return sequence;
}

void batch_sequence_leave(batch_sequence *sequence) {
  if (!sequence || --sequence->uses > 0) return;
  cla_sequence_free(sequence->sequence);
  free(sequence);
}

cla_status batch_sequence_make(batch_sequence **out, cla_sequence *sequence, cla_error *error) {
  *out = malloc(sizeof **out);
  if (*out) {
    **out = (batch_sequence){.sequence = sequence, .uses = 1};
    return CLA_OK;
  }
  cla_sequence_free(sequence);
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a sequence; free some memory");
}

cla_status batch_reader_open(batch_reader **out, const batch_inputs *inputs, cla_error *error) {
  *out = NULL;
  if (inputs->list) return batch_list_open(out, inputs, error);
  return inputs->pairwise ? batch_pairwise_open(out, inputs, error) : batch_matrix_open(out, inputs, error);
}

void batch_pair_describe_as(batch_pair_name *name, const batch_reader *reader, int64_t number,
                            const char *query, const char *target) {
  snprintf(name->text, sizeof name->text, "%s %" PRId64 " (%.*s%s%.*s)", reader->unit, number, SIDE_SHOWN,
           query, target ? ", " : "", SIDE_SHOWN, target ? target : "");
}

void batch_pair_describe(batch_pair_name *name, const batch_reader *reader, const batch_pair *pair) {
  batch_pair_describe_as(name, reader, pair->number, cla_sequence_location(pair->query->sequence),
                         cla_sequence_location(pair->target->sequence));
}
