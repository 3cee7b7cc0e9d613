#include "support/sound_work.h"

#include "support/test.h"

void expect_sound_work(const cla_work *work, int64_t rows, int64_t columns) {
  int64_t row = work->unknown_rows, area = 0;
  cr_assert(row >= 0 && row <= rows);
  for (size_t i = 0; i < work->band_count; i++) {
    const cla_work_band *band = &work->bands[i];
    cr_assert(band->row == row && band->rows > 0 && band->column >= 0 && band->columns >= 0);
    cr_assert_leq(band->column + band->columns, columns);
    row += band->rows;
    area += band->rows * band->columns;
  }
  cr_assert_leq(row, rows);
  cr_assert(work->cells >= 0 && work->cells <= area);
  for (size_t i = 0; i < work->special_row_count; i++)
    cr_assert(work->special_rows[i] > (i ? work->special_rows[i - 1] : 0) && work->special_rows[i] <= rows);
  for (size_t i = 0; i < work->crosspoint_count; i++) {
    const cla_crosspoint *at = &work->crosspoints[i];
    cr_assert(at->row >= (i ? at[-1].row : 0) && at->row <= rows);
    cr_assert(at->column >= (i ? at[-1].column : 0) && at->column <= columns);
  }
}
