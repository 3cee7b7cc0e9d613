/* CUDAlign 1.0's cells delegation alone (section 5.4.1): both launches of a diagonal run the same code, with
 * the tests that only the first one needs. delegate.clh has the picture. */

#include "neighbourhood.clh"
#include "delegate.clh"
#include "short_phase.clh"

/* The rest of the block. */
kernel void long_phase(SWEEP_ARGUMENTS) {
  local int2 below[2][ITEMS];
  const int block = get_group_id(0);
  const int steps = first_column(block + 1, blocks, columns) - first_column(block, blocks, columns);
  neighbourhood k;
  best_cell best = {0, 0, 0};
  if (!has_rows(row_blocks, blocks, diagonal, false)) return;
  load_rows(&k, vertical_in, blocks, block);
  part_with_tests(&k, &best, below, query, target, horizontal, (int4)(row_blocks, columns, blocks, 0), diagonal, ITEMS,
                  steps, false);
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
}
