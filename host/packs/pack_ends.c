#include "base/error.h"
#include "packs/pack_internal.h"

/* Makes the node the pair's end if it is better than the current end. */
static void offer(pack_pair *pair, int64_t row, int64_t column, int64_t score) {
  const path_end than = {pair->score, pair->end_query, pair->end_target};
  if (!path_end_is_better((path_end){score, row, column}, than)) return;
  pair->score = score;
  pair->end_query = row;
  pair->end_target = column;
}

void pack_take_ends(pack_pair *pair, const path_scheme *scheme, const pack_ends *ends) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  const path_ends *kind = &scheme->ends;
  pair->score = kind->anywhere ? ends->score : INT64_MIN;
  pair->end_query = kind->anywhere ? ends->row : 0;
  pair->end_target = kind->anywhere ? ends->column : 0;
  if (kind->anywhere) return;
  if (kind->query_end) {
    offer(pair, 0, columns, path_ends_top_h(kind, scheme->scoring, columns));
    offer(pair, ends->column_row, columns, ends->column_score);
  }
  if (!path_ends_in_last_row(kind)) return;
  if (kind->target_end) offer(pair, rows, 0, path_ends_left_h(kind, scheme->scoring, rows));
  offer(pair, rows, ends->row_column, ends->row_score);
}

cla_status pack_question_ask(const pack_question *question, cla_error *error) {
  if (!question || question->go_on(question->user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted between two packs of pairs");
}
