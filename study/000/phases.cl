/* CUDAlign 1.0's two phases (section 5.4.2, figure 5.7). The short phase, ITEMS steps, completes what blocks
 * have left; then the host starts the long phase, so that no block reads what another has not written.
 *
 *   | short |            long            |     In the long phase no work-item turns to another row and all rows
 *   |  1.1  |            1.2             |     are inside of the matrix. So its loop has no tests: a kernel of
 *                                              its own, which does nearly all of the work. */

#include "neighbourhood.clh"
#include "delegate.clh"
#include "short_phase.clh"
#include "long_phase.clh"

kernel void long_phase(SWEEP_ARGUMENTS) {
  local int2 below[2][ITEMS];
  const int block = get_group_id(0);
  neighbourhood k;
  best_cell best = {0, 0, 0};
  if (!has_rows(row_blocks, blocks, diagonal, false)) return;
  load_rows(&k, vertical_in, blocks, block);
  part_without_tests(&k, &best, below, query, target, horizontal, (int4)(row_blocks, columns, blocks, 0), diagonal);
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
}
