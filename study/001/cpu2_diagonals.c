/* Cpu2-St-Diag (Stanojević 2025, section 4.4): one thread, anti-diagonal by anti-diagonal.
 *
 *   1  2  4  7      The cells of a diagonal (2, 3) do not need each other: all could be computed at once.
 *   3  5  8 10      But in memory they lie a row apart: each cell costs a cache line of 64 bytes, of which 4
 *   6  9 11 12      are used before it is thrown out again. */

#include "nw.h"

static void fill(const nw_block *whole, study_setting setting) {
  (void)setting;
  for (int64_t d = 2; d <= whole->rows + whole->columns; d++) { /* cells with i + j = d */
    const int64_t first = d > whole->columns ? d - whole->columns : 1;
    const int64_t last = d - 1 < whole->rows ? d - 1 : whole->rows;
    for (int64_t i = first; i <= last; i++) nw_cell(whole, i, d - i);
  }
}

cla_status nw_cpu2(study_result *out, const study_task *task, cla_error *error) {
  return nw_on_cpu(out, task, fill, error);
}
