#include "pipeline/sweep_end.h"

#include "base/extremes.h"

void sweep_end_begin(sweep_start *start, const plan_input *input) {
  const best_kind best = path_ends_best(&input->ends);
  if (start->row > 0) return;
  start->best_score = REGION_NO_BEST(best);
  start->best_row = start->best_column = 0;
  if (best != BEST_LAST_COLUMN) return;
  start->best_score = path_ends_top_h(&input->ends, input->scoring, input->columns);
  start->best_column = input->columns;
}

/* Takes the node if it is better. */
static void offer(trace_point *end, int64_t row, int64_t column, int64_t value) {
  if (path_end_is_better((path_end){value, row, column}, (path_end){end->value, end->row, end->column}))
    *end = (trace_point){.row = row, .column = column, .value = value};
}

trace_point sweep_end(const sweep_start *start, const plan_input *input, const region_result *result,
                      const int64_t *bottom) {
  const best_kind best = path_ends_best(&input->ends);
  trace_point end = {.row = input->rows, .column = input->columns, .value = INT64_MIN};
  if (best != BEST_NONE)
    end = (trace_point){.row = start->best_row, .column = start->best_column, .value = start->best_score};
  if (best != BEST_NONE && result->best_score > REGION_NO_BEST(best))
    offer(&end, start->row + result->best_row, result->best_column, result->best_score);
  if (!path_ends_in_last_row(&input->ends)) return end;
  const int64_t first = input->ends.target_end ? 0 : input->columns;
  for (int64_t j = larger(first, result->bottom_first); j <= result->bottom_last; j++)
    offer(&end, input->rows, j, bottom[j]);
  return end;
}
