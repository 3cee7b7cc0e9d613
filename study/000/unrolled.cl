/* CUDAlign 1.0's unrolled loop (section 5.4.3): two steps a turn. What the first has computed is what the
 * second starts from, in registers of its own. So nothing is moved from `this column` to `the column before`, and which
 * of the two lines in local memory is read is known when the kernel is compiled. */

#include "neighbourhood.clh"
#include "delegate.clh"
#include "short_phase.clh"

/* A step from `before` to `k`: reads one line, writes the other. */
void step(neighbourhood *k, const neighbourhood *before, best_cell *best, uchar letter, local const int2 *above,
          local int2 *below, global int2 *horizontal, int row, int j) {
  const int item = get_local_id(0);
  const int2 up = item == 0 ? horizontal[j] : above[item - 1];
  next_column(k, before, best, letter, up, row, j);
  below[item] = (int2)(k->h[ALPHA - 1], k->f);
  if (item == ITEMS - 1) horizontal[j] = below[item];
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void long_phase(SWEEP_ARGUMENTS) {
  local int2 even[ITEMS], odd[ITEMS];
  const int item = get_local_id(0), block = get_group_id(0), row_block = diagonal - block;
  if (row_block < 0 || row_block >= row_blocks) return;
  const int begin = first_column(block, blocks, columns), end = first_column(block + 1, blocks, columns);
  const int row = (row_block * ITEMS + item) * ALPHA, steps = end - begin - ITEMS;
  neighbourhood first, second;
  best_cell best = {0, 0, 0};
  load_rows(&first, vertical_in, blocks, block);
  take_letters(&first, query, row);
  take_letters(&second, query, row);
  even[item] = (int2)(first.h[ALPHA - 1], first.f);
  barrier(CLK_LOCAL_MEM_FENCE);

  int j = begin + ITEMS - item;
  for (int d = 0; d < steps / 2; d++, j += 2) {
    step(&second, &first, &best, target[j], even, odd, horizontal, row, j);
    step(&first, &second, &best, target[j + 1], odd, even, horizontal, row, j + 1);
  }
  if (steps % 2) {
    step(&second, &first, &best, target[j], even, odd, horizontal, row, j);
    first = second;
  }
  save_rows(vertical_out, &first, blocks, block);
  update_best(bests, best);
}
