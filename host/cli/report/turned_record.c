#include <stdlib.h>
#include <string.h>

#include "clalign/sequence_file.h"
#include "cli/report/report.h"

static void complement(char *letters, int64_t count) {
  static const char from[] = "ACGTRYSWKMBDHVN", to[] = "TGCAYRSWMKVHDBN";
  for (int64_t i = 0, j = count - 1; i <= j; i++, j--) {
    const char left = letters[i], right = letters[j];
    const char *of_left = strchr(from, left), *of_right = strchr(from, right);
    letters[i] = of_right ? to[of_right - from] : right;
    letters[j] = of_left ? to[of_left - from] : left;
  }
}

cla_status turned_record_write(const char *path, const cla_alignment *alignment, const cla_sequence *record,
                               cla_circular circular, cla_error *error) {
  const bool of_query = circular == CLA_CIRCULAR_QUERY;
  const bool reverse = of_query && alignment->strand == CLA_STRAND_REVERSE;
  const int64_t length = cla_sequence_length(record);
  int64_t start, stop;
  cla_side_positions(of_query ? &alignment->query : &alignment->target, &start, &stop);
  /* On the reverse strand, the first aligned letter is the one before `stop`. */
  const int64_t first = length > 0 ? (reverse ? stop : start) % length : 0;
  char *letters = malloc((size_t)length + 1);
  if (!letters) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the turned record");
  cla_sequence_letters(letters, record, first, length);
  cla_sequence_letters(letters + length - first, record, 0, first);
  if (reverse) complement(letters, length);
  const cla_fasta_record turned = {path, cla_sequence_name(record), letters, length};
  const cla_status status = cla_fasta_write(&turned, 1, interrupt_requested, error);
  free(letters);
  return status;
}
