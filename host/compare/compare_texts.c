/* Names and counts that the texts of a comparison share. */

#include "compare/compare_texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "result/alignment.h"

const char *const indel_class_names[CLA_INDEL_CLASSES] = {"1", "2-4", "5-9", "10-49", "50+"};

const char *block_role_name(cla_block_role role) {
  return role == CLA_BLOCK_PRIMARY ? "primary" : role == CLA_BLOCK_QUERY_COPY ? "query-copy" : "target-copy";
}

double compare_percent(int64_t part, int64_t whole) {
  if (whole == 0) return 0;
  const double percent = round(10000.0 * (double)part / (double)whole) / 100;
  if (part < whole && percent > 99.99) return 99.99;
  return part > 0 && percent < 0.01 ? 0.01 : percent;
}

const char *compare_name(const compare_job *job, bool query, size_t record) {
  return record == CLA_NO_RECORD ? "." : job->names[!query][record];
}

cla_status block_count(block_counts *out, const cla_comparison *comparison, const cla_block *block,
                       cla_error *error) {
  *out = (block_counts){0};
  cla_status status = CLA_OK;
  for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++) {
    cla_statistics counts = {0};
    status = cla_alignment_count(&counts, block->pieces[p], comparison->query.records[block->query],
                                 comparison->target.records[block->target], error);
    out->matches += counts.matches;
    out->mismatches += counts.mismatches;
    out->gaps += counts.gap_opens;
    out->gap_letters += counts.gap_letters;
  }
  return status;
}

cla_status compare_names_make(char ***out, const cla_genome *genome, clean_rule rule, const char *fallback,
                              cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, (int64_t)genome->count, "the names of records", error);
  for (size_t i = 0; i < genome->count && status == CLA_OK; i++)
    status = clean_name(&(*out)[i], cla_sequence_name(genome->records[i]), rule, fallback, error);
  return status;
}

void compare_names_free(char **names, size_t count) {
  for (size_t i = 0; names && i < count; i++) free(names[i]);
  free(names);
}
