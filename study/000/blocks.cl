/* CUDAlign 1.0 without its optimisations (sections 5.1 to 5.3, figures 5.1 and 5.2). Blocks of columns and blocks of
 * ALPHA * ITEMS rows make a grid; a launch computes an external diagonal of it, a work-group a block, a
 * work-item ALPHA rows. Inside, work-items go by internal diagonals, one column behind the work-item above:
 *
 *            columns of the block             Only two lines lie in global memory, whatever the lengths:
 *   item 0   0 1 2 3 4 5 6 7                  the horizontal bus, (H, F) of each column's last computed row,
 *   item 1     1 2 3 4 5 6 7 8                and the vertical bus, each work-item's registers at the block's
 *   item 2       2 3 4 5 6 7 8 9              end, which the block to the right goes on with.
 *
 * The numbers are steps: at the beginning and at the end of a block most work-items have nothing to do. */

#include "neighbourhood.clh"

kernel void sweep(global const uchar *query, global const uchar *target, global int2 *horizontal,
                  global const int *vertical_in, global int *vertical_out, global int4 *bests, int row_blocks,
                  int columns, int blocks, int diagonal) {
  local int2 below[2][ITEMS]; /* what work-items hand down, in this step and the next */
  const int item = get_local_id(0), block = get_group_id(0), row_block = diagonal - block;
  if (row_block < 0 || row_block >= row_blocks) return;
  const int begin = first_column(block, blocks, columns), end = first_column(block + 1, blocks, columns);
  const int row = (row_block * ITEMS + item) * ALPHA;
  neighbourhood k;
  best_cell best = {0, 0, 0};
  if (block == 0)
    start_rows(&k);
  else
    load_rows(&k, vertical_in, blocks, block - 1);
  take_letters(&k, query, row);

  for (int d = 0; d < end - begin + ITEMS - 1; d++) {
    const int j = begin + d - item;
    if (j >= begin && j < end) {
      const int2 up = item == 0 ? horizontal[j] : below[d & 1][item - 1];
      next_column(&k, &k, &best, target[j], up, row, j);
      if (item == ITEMS - 1)
        horizontal[j] = (int2)(k.h[ALPHA - 1], k.f);
      else
        below[(d + 1) & 1][item] = (int2)(k.h[ALPHA - 1], k.f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
}
