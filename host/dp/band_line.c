#include "dp/band_line.h"

#include "base/allocate.h"
#include "dp/directions.h"
#include "seq/sequence.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Cells of a group. Whole groups are computed, so that no loop has a slow rest. */
#define GROUP 32

#define BAND_VALUE int16_t
#define BAND_LINE_CELLS cells_16
#include "dp/band_line_cells.h"
#define BAND_VALUE int32_t
#define BAND_LINE_CELLS cells_32
#include "dp/band_line_cells.h"

/* Defines the functions of one instruction set: for each width of values and kind of pairs, with one and two
 * pieces of gap costs, plain and with directions. */
#define FUNCTION(prefix, name, cells, pairs, two, directed)                 \
  prefix static void name(const band_line *line, const band_costs *costs) { \
    cells(line, costs, pairs, two, directed);                               \
  }
#define FUNCTIONS_OF(prefix, name, cells, pairs)               \
  FUNCTION(prefix, name, cells, pairs, false, false)           \
  FUNCTION(prefix, name##_directed, cells, pairs, false, true) \
  FUNCTION(prefix, name##_two, cells, pairs, true, false)      \
  FUNCTION(prefix, name##_two_directed, cells, pairs, true, true)
#define FUNCTIONS(prefix, set)                                   \
  FUNCTIONS_OF(prefix, set##_16, cells_16, BAND_PAIRS_EQUAL)     \
  FUNCTIONS_OF(prefix, set##_32, cells_32, BAND_PAIRS_EQUAL)     \
  FUNCTIONS_OF(prefix, set##_table, cells_32, BAND_PAIRS_TABLE)  \
  FUNCTIONS_OF(prefix, set##_line_16, cells_16, BAND_PAIRS_LINE) \
  FUNCTIONS_OF(prefix, set##_line_32, cells_32, BAND_PAIRS_LINE) \
  static const band_line_function set##_functions[5][2][2] = {   \
      ROW(set##_16), ROW(set##_32), ROW(set##_table), ROW(set##_line_16), ROW(set##_line_32)};
#define ROW(name)                     \
  {                                   \
    {name, name##_directed}, {        \
      name##_two, name##_two_directed \
    }                                 \
  }

FUNCTIONS(, plain)

#if X86_VECTORS
FUNCTIONS(__attribute__((target("avx2"))), avx2)
FUNCTIONS(__attribute__((target(WIDEST_VECTORS))), avx512)
#endif

band_line_function band_line_choose(int value_bytes, band_pairs pairs, bool two, bool directions) {
  const int wide = value_bytes == 2 ? 0 : 1;
  const int kind = pairs == BAND_PAIRS_TABLE ? 2 : pairs == BAND_PAIRS_LINE ? 3 + wide : wide;
#if X86_VECTORS
  if (__builtin_cpu_supports("avx512bw")) return avx512_functions[kind][two][directions];
  if (__builtin_cpu_supports("avx2")) return avx2_functions[kind][two][directions];
#endif
  return plain_functions[kind][two][directions];
}

#define OTHERS_QUERY 64
/* Letters that match nothing have the numbers from here on, which no query letter has. */
#define OTHERS_TARGET 128

int64_t band_match(const score_table *table) {
  return table->maximum > 0 ? table->maximum : 0;
}

int64_t band_least_score(const cla_scoring *scoring) {
  return -2 * (int64_t)scoring->gap_first - 1;
}

static int32_t score_stored(int64_t least, int64_t row_step, int32_t score) {
  return (int32_t)((score > least ? score : least) - row_step);
}

band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step) {
  return (band_costs){.first = scoring->gap_first,
                      .ext = scoring->gap_ext,
                      .down_first = (int32_t)(scoring->gap_first + row_step),
                      .down_ext = (int32_t)(scoring->gap_ext + row_step),
                      .first2 = scoring->gap_first2,
                      .ext2 = scoring->gap_ext2,
                      .down_first2 = (int32_t)(scoring->gap_first2 + row_step),
                      .down_ext2 = (int32_t)(scoring->gap_ext2 + row_step),
                      .equal = score_stored(least, row_step, table->match),
                      .other = score_stored(least, row_step, table->mismatch)};
}

cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error) {
  const int size = CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE;
  cla_status status = allocate_array((void **)out, size, sizeof **out, "a band's scores", error);
  for (int i = 0; status == CLA_OK && i < size; i++)
    (*out)[i] = score_stored(least, row_step, table->score[i]);
  return status;
}

int32_t band_letter(uint8_t code, bool of_query, bool by_table) {
  if (by_table) return of_query ? code * CLA_MATRIX_STRIDE : code;
  return code < SEQUENCE_UNAMBIGUOUS ? code : code + (of_query ? OTHERS_QUERY : OTHERS_TARGET);
}
