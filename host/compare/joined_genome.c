/* Joins the records of a genome in one array of codes. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "compare/compare_internal.h"
#include "seq/sequence.h"

/* The code of N, which is in no word. */
#define BETWEEN (SEQUENCE_LETTER_COUNT - 1)

cla_status joined_genome_make(joined_genome *out, const cla_genome *genome, cla_error *error) {
  const char *what = "the joined records of a genome";
  *out = (joined_genome){.count = genome->count};
  for (size_t i = 0; i < genome->count; i++) out->letters += cla_sequence_length(genome->records[i]) + 1;
  cla_status status = ALLOCATE_ARRAY(&out->codes, out->letters, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->begins, (int64_t)genome->count, what, error);
  int64_t at = 0;
  for (size_t i = 0; i < genome->count && status == CLA_OK; i++) {
    const int64_t letters = cla_sequence_length(genome->records[i]);
    out->begins[i] = at;
    memcpy(out->codes + at, sequence_codes(genome->records[i]), (size_t)letters);
    out->codes[at + letters] = BETWEEN;
    at += letters + 1;
  }
  return status;
}

void joined_genome_free(joined_genome *genome) {
  free(genome->codes);
  free(genome->begins);
  *genome = (joined_genome){0};
}

size_t joined_genome_record(const joined_genome *genome, int64_t place) {
  size_t first = 0, past = genome->count;
  while (past - first > 1) {
    const size_t middle = first + (past - first) / 2;
    if (genome->begins[middle] <= place)
      first = middle;
    else
      past = middle;
  }
  return first;
}
