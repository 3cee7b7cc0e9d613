#include "scoring/score_table.h"

#include <stddef.h>
#include <string.h>

#include "scoring/ambiguity.h"
#include "scoring/lane_width.h"

#define PLAIN_CODES 4 /* letters that match where nothing is looked up (cl/common.clh's UNAMBIGUOUS) */

/* Position of `letter` in the matrix, or of what stands in for it, or -1. */
static int matrix_row(const cla_scoring *scoring, char letter) {
  const char *found = letter ? strchr(scoring->letters, letter) : NULL;
  if (!found && letter == 'T') found = strchr(scoring->letters, 'U');
  if (!found && (letter == 'J' || letter == 'U' || letter == 'O')) found = strchr(scoring->letters, 'X');
  if (!found) found = strchr(scoring->letters, '*');
  return found ? (int)(found - scoring->letters) : -1;
}

bool score_table_knows(const cla_scoring *scoring, char letter) {
  return scoring->matrix_size == 0 || matrix_row(scoring, letter) >= 0;
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
  if (scoring->matrix_size == 0 && query < unambiguous && target < unambiguous)
    return query == target ? scoring->match : scoring->mismatch;
  if (scoring->matrix_size == 0) return ambiguous_score(scoring, letters[query], letters[target]);
  int row = matrix_row(scoring, letters[query]), column = matrix_row(scoring, letters[target]);
  if (row < 0 || column < 0) return matrix_lowest(scoring);
  return scoring->matrix[row * CLA_MATRIX_STRIDE + column];
}

static bool occurs(uint32_t letters, int code) {
  return letters >> code & 1;
}

/* Whether a pair of these codes is one that matches where nothing is looked up. */
static bool is_plain_match(int query, int target) {
  return query == target && query < PLAIN_CODES;
}

/* Largest and lowest score, and whether two scores in the kernels' order will do. */
static void summarise(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  const int32_t *known[2] = {NULL, NULL}; /* the first mismatch and the first match */
  table->needs_lookup = false;
  table->maximum = INT32_MIN;
  table->minimum = INT32_MAX;
  for (int query = 0; query < CLA_MATRIX_STRIDE; query++)
    for (int target = 0; target < CLA_MATRIX_STRIDE; target++) {
      if (!occurs(query_letters, query) || !occurs(target_letters, target)) continue;
      const int32_t *value = &table->score[query * CLA_MATRIX_STRIDE + target];
      const bool match = is_plain_match(query, target);
      if (!known[match]) known[match] = value;
      if (*value != *known[match]) table->needs_lookup = true;
      if (*value > table->maximum) table->maximum = *value;
      if (*value < table->minimum) table->minimum = *value;
    }
  table->mismatch = known[0] ? *known[0] : 0;
  table->match = known[1] ? *known[1] : 0;
  /* As cla_scoring has them: the kernels that look nothing up count on it. */
  if (table->match < 0 || table->mismatch > 0) table->needs_lookup = true;
}

/* Gives pairs that cannot occur scores that cannot matter: those that kernels which look nothing up compute,
 * or the lowest. */
static void fill_rest(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  for (int query = 0; query < CLA_MATRIX_STRIDE; query++)
    for (int target = 0; target < CLA_MATRIX_STRIDE; target++) {
      if (occurs(query_letters, query) && occurs(target_letters, target)) continue;
      const int32_t plain = is_plain_match(query, target) ? table->match : table->mismatch;
      table->score[query * CLA_MATRIX_STRIDE + target] = table->needs_lookup ? table->minimum : plain;
    }
}

void score_table_build(score_table *table, const cla_scoring *scoring, const char *letters, int unambiguous) {
  int count = (int)strlen(letters);
  memset(table, 0, sizeof *table);
  for (int query = 0; query < count; query++)
    for (int target = 0; target < count; target++)
      table->score[query * CLA_MATRIX_STRIDE + target] =
          pair_score(scoring, letters, unambiguous, query, target);
  const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1);
  summarise(table, all, all);
  fill_rest(table, all, all);
}

void score_table_keep(score_table *table, uint32_t query_letters, uint32_t target_letters) {
  if (!table->needs_lookup) return;
  summarise(table, query_letters, target_letters);
  fill_rest(table, query_letters, target_letters);
}

void score_table_use(score_table *table, const cla_scoring *scoring, const used_pairs *used) {
  const int32_t lowest = lane_width_clamp(INT32_MIN, scoring);
  table->used = used;
  table->needs_lookup = true;
  if (lowest < table->minimum) table->minimum = lowest;
}
