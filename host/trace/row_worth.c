#include "trace/row_worth.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "trace/band_letters.h"

/* Letters that are rarer than one in so many rows count as more than they are worth: the least worth of all
 * rows makes bands narrow. */
#define RARE 50

static void find_worths(row_worth *worth, int64_t rows, const score_table *table) {
  int64_t counts[CLA_MATRIX_STRIDE] = {0};
  for (int64_t i = 0; i < rows; i++) counts[worth->query[i]]++;
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    for (int b = 0; b < CLA_MATRIX_STRIDE; b++) {
      const int32_t score = table->score[a * CLA_MATRIX_STRIDE + b];
      if (score > worth->of[a]) worth->of[a] = score;
    }
  worth->least = INT32_MAX;
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    if (counts[a] > rows / RARE && worth->of[a] < worth->least) worth->least = worth->of[a];
  for (int a = 0; a < CLA_MATRIX_STRIDE; a++)
    if (worth->of[a] < worth->least) worth->of[a] = worth->least;
}

cla_status row_worth_make(row_worth *out, const uint8_t *query, int64_t rows, const score_table *table,
                          cla_error *error) {
  int64_t sum = 0;
  *out = (row_worth){.query = query};
  out->least = out->mean = (int32_t)band_match(table);
  if (!table->needs_lookup || rows == 0) return CLA_OK;
  find_worths(out, rows, table);
  cla_status status = allocate_array((void **)&out->sums, rows / ROW_WORTH_PART + 1, sizeof *out->sums,
                                     "what rows are worth", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i <= rows; i++) {
    if (i % ROW_WORTH_PART == 0) out->sums[i / ROW_WORTH_PART] = sum;
    if (i < rows) sum += out->of[query[i]];
  }
  out->mean = (int32_t)(sum / rows);
  return CLA_OK;
}

void row_worth_free(row_worth *worth) {
  free(worth->sums);
  worth->sums = NULL;
}

int64_t row_worth_to(const row_worth *worth, int64_t rows) {
  if (!worth->sums) return rows * worth->least;
  int64_t i = rows / ROW_WORTH_PART * ROW_WORTH_PART, sum = worth->sums[i / ROW_WORTH_PART];
  for (; i < rows; i++) sum += worth->of[worth->query[i]];
  return sum;
}
