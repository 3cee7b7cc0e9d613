#include "result/path_score.h"

bool path_score(int64_t *out, int64_t *query_letters, const cla_run *runs, size_t run_count,
                const uint8_t *query_codes, const uint8_t *target_codes, const score_table *table,
                const cla_scoring *scoring) {
  int64_t query = 0, target = 0, score = 0;
  bool fits = true;
  for (size_t index = 0; index < run_count && fits; index++) {
    const cla_run *run = &runs[index];
    if (run->kind == CLA_RUN_PAIR) {
      for (int64_t letter = 0; letter < run->length && fits; letter++) {
        int row = query_codes[query++] * CLA_MATRIX_STRIDE;
        int32_t value = table->score[row + target_codes[target++]];
        fits = !__builtin_add_overflow(score, value, &score);
      }
      continue;
    }
    int64_t cost;
    fits = gap_cost_fits(&cost, scoring, run->length) && !__builtin_sub_overflow(score, cost, &score);
    if (!fits) break;
    if (run->kind == CLA_RUN_QUERY)
      query += run->length;
    else
      target += run->length;
  }
  *query_letters = query;
  *out = score;
  return fits;
}
