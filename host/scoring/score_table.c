#include "scoring/score_table.h"

#include <stddef.h>
#include <string.h>

/* Position of `letter` in the matrix, or of '*', or -1. */
static int matrix_row(const cla_scoring *scoring, char letter) {
  const char *found = letter ? strchr(scoring->letters, letter) : NULL;
  if (!found) found = strchr(scoring->letters, '*');
  return found ? (int)(found - scoring->letters) : -1;
}

static int32_t matrix_lowest(const cla_scoring *scoring) {
  int32_t lowest = scoring->matrix[0];
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++) {
      int32_t value = scoring->matrix[row * CLA_MATRIX_STRIDE + column];
      if (value < lowest) lowest = value;
    }
  return lowest;
}

static int32_t pair_score(const cla_scoring *scoring, const char *letters, int unambiguous, int query,
                          int target) {
  if (scoring->matrix_size == 0)
    return query == target && query < unambiguous ? scoring->match : scoring->mismatch;
  int row = matrix_row(scoring, letters[query]), column = matrix_row(scoring, letters[target]);
  if (row < 0 || column < 0) return matrix_lowest(scoring);
  return scoring->matrix[row * CLA_MATRIX_STRIDE + column];
}

void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous) {
  int count = (int)strlen(letters);
  memset(table, 0, sizeof *table);
  for (int query = 0; query < count; query++)
    for (int target = 0; target < count; target++) {
      int32_t value = pair_score(scoring, letters, unambiguous, query, target);
      table->score[query * CLA_MATRIX_STRIDE + target] = value;
      bool first = query == 0 && target == 0;
      if (first || value > table->maximum) table->maximum = value;
      if (first || value < table->minimum) table->minimum = value;
    }
}
