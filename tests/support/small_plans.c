#include "support/small_plans.h"

void small_plan(plan *whole) {
  whole->trace.small_block_rows = 1;
  whole->trace.small_block_cells = 64;
  whole->search_rows = 8;
  whole->trace.block_rows_kept = 3;
  kernel_config *configs[] = {&whole->sweep, &whole->blocks};
  for (int i = 0; i < 2; i++) {
    configs[i]->alpha = configs[i]->variant->alphas[0];
    configs[i]->lanes = configs[i]->variant->lanes[0];
    configs[i]->tile_columns = configs[i]->lanes;
  }
  if (whole->row_interval > 0) whole->row_interval = kernel_strip_rows(&whole->sweep);
  if (!whole->prune && whole->matrix_block_rows == 0)
    whole->panel_rows = 2 * kernel_strip_rows(&whole->sweep);
  if (whole->matrix_block_rows > 0) whole->matrix_block_rows = whole->row_interval;
  /* Lanes of 32 bits hold every scheme, also below a kept row. */
  whole->first_rows =
      whole->prune && whole->sweep.variant->lane_bits == 32 ? kernel_strip_rows(&whole->sweep) : 0;
}
