#include "pipeline/band_letters.h"

#include "base/allocate.h"
#include "seq/sequence.h"

#define OTHERS_QUERY 64
#define OTHERS_TARGET 128 /* letters that equal none are these and more: no two are equal */

int64_t band_match(const score_table *table) {
  return table->maximum > 0 ? table->maximum : 0;
}

int64_t band_least_score(const cla_scoring *scoring) {
  return -2 * (int64_t)scoring->gap_first - 1;
}

/* A score less M. */
static int32_t score_stored(const score_table *table, int64_t least, int32_t score) {
  return (int32_t)((score > least ? score : least) - band_match(table));
}

band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least) {
  const int64_t match = band_match(table);
  return (band_costs){.first = scoring->gap_first,
                      .ext = scoring->gap_ext,
                      .down_first = (int32_t)(scoring->gap_first + match),
                      .down_ext = (int32_t)(scoring->gap_ext + match),
                      .first2 = scoring->gap_first2,
                      .ext2 = scoring->gap_ext2,
                      .down_first2 = (int32_t)(scoring->gap_first2 + match),
                      .down_ext2 = (int32_t)(scoring->gap_ext2 + match),
                      .equal = score_stored(table, least, table->match),
                      .other = score_stored(table, least, table->mismatch)};
}

cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, cla_error *error) {
  const int size = CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE;
  cla_status status = allocate_array((void **)out, size, sizeof **out, "a band's scores", error);
  for (int i = 0; status == CLA_OK && i < size; i++) (*out)[i] = score_stored(table, least, table->score[i]);
  return status;
}

int32_t band_letter(uint8_t code, bool of_query, bool by_table) {
  if (by_table) return of_query ? code * CLA_MATRIX_STRIDE : code;
  return code < SEQUENCE_UNAMBIGUOUS ? code : code + (of_query ? OTHERS_QUERY : OTHERS_TARGET);
}
