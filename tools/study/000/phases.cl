/* CUDAlign 1.0's two phases (Sandes 2011, section 5.4.2, figure 5.7). The short phase, ITEMS steps, completes what blocks
 * have left; then the host starts the long phase, so that no block reads what another has not written.
 *
 *   | short |            long            |     In the long phase no work-item turns to another row and all rows
 *   |  1.1  |            1.2             |     are inside of the matrix. So its loop has no tests: a kernel of
 *                                              its own, which does nearly all of the work. */

#include "neighbourhood.clh"
#include "delegate.clh"
#include "short_phase.clh"

kernel void long_phase(SWEEP_ARGUMENTS) {
  local int2 below[2][ITEMS];
  const int item = get_local_id(0), block = get_group_id(0), row_block = diagonal - block;
  if (row_block < 0 || row_block >= row_blocks) return;
  const int begin = first_column(block, blocks, columns), end = first_column(block + 1, blocks, columns);
  const int row = (row_block * ITEMS + item) * ALPHA;
  neighbourhood k;
  best_cell best = {0, 0, 0};
  load_rows(&k, vertical_in, blocks, block);
  take_letters(&k, query, row);
  below[ITEMS & 1][item] = (int2)(k.h[ALPHA - 1], k.f);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int j = begin + ITEMS - item, d = ITEMS; d < end - begin; d++, j++) {
    const int2 up = item == 0 ? horizontal[j] : below[d & 1][item - 1];
    next_column(&k, &k, &best, target[j], up, row, j);
    const int2 low = (int2)(k.h[ALPHA - 1], k.f);
    below[(d + 1) & 1][item] = low;
    if (item == ITEMS - 1) horizontal[j] = low;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
}
