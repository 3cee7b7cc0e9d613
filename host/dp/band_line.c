#include "dp/band_line.h"

#include "base/allocate.h"
#include "dp/directions.h"
#include "seq/sequence.h"

/* Cells are computed in groups of this size, so that no loop ends with single cells. */
#define GROUP 32

#define BITS 16
#include "dp/band_line_cells.h"
#define BITS 32
#include "dp/band_line_cells.h"

/* LINE defines a function that computes a line, for one kind of pairs and one width of values. BOTH defines
 * two such functions for one number of pieces: without directions, and with directions. */
#define LINE(name, loop, pairs, pieces, directed)                                                \
  ALWAYS_INLINE void name##_any(const band_line *line, const band_costs *costs) {                \
    loop(line, costs, pairs, pieces, directed);                                                  \
  }                                                                                              \
  BY_PROCESSOR(static, void, name, name##_any, (const band_line *line, const band_costs *costs), \
               (line, costs))
#define BOTH(k, name, loop, pairs)                    \
  LINE(name##_plain_##k, loop, pairs, (k) + 1, false) \
  LINE(name##_directed_##k, loop, pairs, (k) + 1, true)
#define NAMES(k, name) {name##_plain_##k, name##_directed_##k},

EACH_GAP_PIECE(BOTH, equal_16, loop_16, BAND_PAIRS_EQUAL)
EACH_GAP_PIECE(BOTH, equal_32, loop_32, BAND_PAIRS_EQUAL)
EACH_GAP_PIECE(BOTH, table_32, loop_32, BAND_PAIRS_TABLE)
EACH_GAP_PIECE(BOTH, line_16, loop_16, BAND_PAIRS_LINE)
EACH_GAP_PIECE(BOTH, line_32, loop_32, BAND_PAIRS_LINE)

void band_line_compute(const band_line *line, const band_costs *costs) {
  static void (*const all[][CLA_GAP_PIECES][2])(const band_line *, const band_costs *) = {
      {EACH_GAP_PIECE(NAMES, equal_16)},
      {EACH_GAP_PIECE(NAMES, equal_32)},
      {EACH_GAP_PIECE(NAMES, table_32)},
      {EACH_GAP_PIECE(NAMES, line_16)},
      {EACH_GAP_PIECE(NAMES, line_32)}};
  const int wide = costs->value_bytes == 4;
  const int kind = costs->pairs == BAND_PAIRS_TABLE ? 2 : costs->pairs == BAND_PAIRS_LINE ? 3 + wide : wide;
  all[kind][costs->pieces - 1][line->directions != NULL](line, costs);
}

#define OTHERS_QUERY 64
/* Target letters that match nothing get numbers from 128 on. No query letter has such a number. */
#define OTHERS_TARGET 128

int64_t band_match(const score_table *table) {
  return table->maximum > 0 ? table->maximum : 0;
}

int64_t band_least_score(const cla_scoring *scoring) {
  return -2 * (int64_t)scoring->gap[0].first - 1;
}

static int32_t score_stored(int64_t least, int64_t row_step, int32_t score) {
  return (int32_t)((score > least ? score : least) - row_step);
}

band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step) {
  band_costs out = {.pieces = gap_pieces(scoring),
                    .value_bytes = 4,
                    .equal = score_stored(least, row_step, table->match),
                    .other = score_stored(least, row_step, table->mismatch)};
  for (int k = 0; k < out.pieces; k++) {
    const cla_gap_piece gap = scoring->gap[k];
    out.across[k] = gap;
    out.down[k] = (cla_gap_piece){(int32_t)(gap.first + row_step), (int32_t)(gap.ext + row_step)};
  }
  return out;
}

cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error) {
  const int size = CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE;
  cla_status status = ALLOCATE_ARRAY(out, size, "a band's scores", error);
  for (int i = 0; status == CLA_OK && i < size; i++)
    (*out)[i] = score_stored(least, row_step, table->score[i]);
  return status;
}

int32_t band_letter(uint8_t code, bool of_query, bool by_table) {
  if (by_table) return of_query ? code * CLA_MATRIX_STRIDE : code;
  return code < SEQUENCE_UNAMBIGUOUS ? code : code + (of_query ? OTHERS_QUERY : OTHERS_TARGET);
}
