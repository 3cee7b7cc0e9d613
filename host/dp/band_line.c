#include "dp/band_line.h"

#include "base/allocate.h"
#include "dp/directions.h"
#include "seq/sequence.h"

/* Cells of a group. Whole groups are computed, so that no loop has a slow rest. */
#define GROUP 32

#define BAND_VALUE int16_t
#define BAND_LINE_CELLS cells_16
#include "dp/band_line_cells.h"
#define BAND_VALUE int32_t
#define BAND_LINE_CELLS cells_32
#include "dp/band_line_cells.h"

/* Defines the functions for values of some width and a kind of pairs: with one and two pieces of gap costs,
 * plain and with directions. */
#define LINE(name, cells, pairs, two, directed)                                                  \
  ALWAYS_INLINE void name##_any(const band_line *line, const band_costs *costs) {                \
    cells(line, costs, pairs, two, directed);                                                    \
  }                                                                                              \
  BY_PROCESSOR(static, void, name, name##_any, (const band_line *line, const band_costs *costs), \
               (line, costs))
#define LINES(name, cells, pairs)                  \
  LINE(name, cells, pairs, false, false)           \
  LINE(name##_directed, cells, pairs, false, true) \
  LINE(name##_two, cells, pairs, true, false)      \
  LINE(name##_two_directed, cells, pairs, true, true)
#define ALL(name)                     \
  {                                   \
    {name, name##_directed}, {        \
      name##_two, name##_two_directed \
    }                                 \
  }

LINES(equal_16, cells_16, BAND_PAIRS_EQUAL)
LINES(equal_32, cells_32, BAND_PAIRS_EQUAL)
LINES(table_32, cells_32, BAND_PAIRS_TABLE)
LINES(line_16, cells_16, BAND_PAIRS_LINE)
LINES(line_32, cells_32, BAND_PAIRS_LINE)

void band_line_compute(const band_line *line, const band_costs *costs) {
  static void (*const all[][2][2])(const band_line *, const band_costs *) = {
      ALL(equal_16), ALL(equal_32), ALL(table_32), ALL(line_16), ALL(line_32)};
  const int wide = costs->value_bytes == 4;
  const int kind = costs->pairs == BAND_PAIRS_TABLE ? 2 : costs->pairs == BAND_PAIRS_LINE ? 3 + wide : wide;
  all[kind][costs->two][line->directions != NULL](line, costs);
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
  return (band_costs){.two = gap_two_pieces(scoring),
                      .value_bytes = 4,
                      .first = scoring->gap_first,
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
