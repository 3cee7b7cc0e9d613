/* Trace1-Plain (Stanojević 2025, section 4.3, table 4): from the lower right corner, step by step to the cell
 * that gave this one its value. It needs every cell of the matrix. */

#include "nw.h"

/* Which of its three neighbours gave cell (i,j) its value. */
static cla_run_kind step_from(const nw_block *block, int64_t i, int64_t j) {
  const int32_t *cell = block->cells + i * block->stride + j;
  const int32_t score = block->scores[block->query[i - 1] * CLA_MATRIX_STRIDE + block->target[j - 1]];
  if (*cell == cell[-block->stride - 1] + score) return CLA_RUN_PAIR;
  return *cell == cell[-block->stride] - block->gap ? CLA_RUN_QUERY : CLA_RUN_TARGET;
}

cla_status nw_path_follow(nw_path *path, const nw_block *block, int64_t top, int64_t left, cla_error *error) {
  cla_status status = CLA_OK;
  while (path->row > top && path->column > left && status == CLA_OK)
    status = nw_path_add(path, step_from(block, path->row - top, path->column - left), 1, error);
  return status;
}

cla_status nw_trace_plain(study_result *out, const nw_block *whole, cla_error *error) {
  nw_path path = {.row = whole->rows, .column = whole->columns};
  const cla_status status = nw_path_follow(&path, whole, 0, 0, error);
  const cla_status ended = nw_path_end(&path, out, error);
  return status != CLA_OK ? status : ended;
}
