/* Cpu1-St-Row (Stanojević 2025, section 4.3): one thread, row by row, left to right.
 *
 *   1  2  3  4      The processor reads and writes memory in the order in which it lies there: every byte
 *   5  6  7  8      that the cache fetches is used. But a cell waits for the one just before it, so there
 *   9 10 11 12      is nothing that a second thread could do. */

#include "nw.h"

void nw_fill_rows(const nw_block *block) {
  for (int64_t i = 1; i <= block->rows; i++)
    for (int64_t j = 1; j <= block->columns; j++) nw_cell(block, i, j);
}

static void fill(const nw_block *whole, study_setting setting) {
  (void)setting;
  nw_fill_rows(whole);
}

cla_status nw_cpu1(study_result *out, const study_task *task, cla_error *error) {
  return nw_on_cpu(out, task, fill, error);
}
