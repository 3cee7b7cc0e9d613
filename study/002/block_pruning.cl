/* Stage 1 of CUDAlign 2.1 with block pruning (section 4.4.2, figures 8, 9). From a cell with H, a path can gain at most
 * a match for each row or column that is left. If that does not exceed the best score so far, the cell is prunable.
 *
 *      . . . . . . |
 *      . H . . . . |  rows - i     H + MATCH * min(rows - i, columns - j) <= best
 *      . . . . . . |
 *        columns - j
 *
 * A part of a block (short or long phase) is not computed if all parts from which values come are prunable. It leaves
 * zeros, as if paths began there: never more than the true values. `prunable`: of each block the short part, then of
 * each the long one, in its last row. known[p]: the best score up to the last launch of phase p. */

#include "neighbourhood.clh"
#include "delegate.clh"
#include "long_phase.clh"
#include "flush.clh"

#define PRUNING_ARGUMENTS global int *prunable, global volatile int *known, global long *passed_over, int rows

/* The most that paths gain from a row of blocks and a column on. */
int gain(int rows, int row_block, int columns_left) {
  return MATCH * max(0, min(rows - row_block * ITEMS * ALPHA, columns_left));
}

/* Zeros for `count` columns of the bus from `begin` on, the last work-item's, and for the work-items' registers. */
void pass_over(neighbourhood *k, global int2 *horizontal, int columns, int begin, int count) {
  for (int x = get_local_id(0); x < count; x += ITEMS)
    horizontal[(begin + x + columns) % columns] = (int2)(0, MINUS_INFINITY);
  start_rows(k);
}

/* Keeps what is known of a part: whether it is prunable, and the best score. */
void judge(global int *flag, global volatile int *known, int phase, int most, int gained) {
  const int best = max(known[1 - phase], most);
  *flag = most + gained <= best;
  atomic_max(&known[phase], best);
}

/* Cells of so many columns of a row of blocks. */
long cells_of(int rows, int row_block, int columns) {
  return (long)columns * clamp(rows - row_block * ITEMS * ALPHA, 0, ITEMS * ALPHA);
}

kernel void short_phase(SWEEP_ARGUMENTS, PRUNING_ARGUMENTS) {
  local int2 below[2][ITEMS];
  local int most;
  const int block = get_group_id(0), before = (block + blocks - 1) % blocks, row_block = diagonal - block;
  const int begin = first_column(block, blocks, columns);
  neighbourhood k;
  best_cell best = {0, 0, 0};
  if (!has_rows(row_blocks, blocks, diagonal, true)) return;
  const bool skip = prunable[blocks + before] && prunable[blocks + block] && prunable[block];
  if (get_local_id(0) == 0) most = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (skip)
    pass_over(&k, horizontal, columns, begin - ITEMS + 1, ITEMS);
  else {
    load_rows(&k, vertical_in, blocks, before);
    part_with_tests(&k, &best, below, query, target, horizontal, (int4)(row_blocks, columns, blocks, 0), diagonal, 0,
                    ITEMS, true);
    atomic_max(&most, best.score);
  }
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const int own = gain(rows, row_block, columns - begin + ITEMS);
    const int left = block == 0 ? gain(rows, row_block - blocks, ITEMS) : 0;
    judge(prunable + block, known, 0, most, max(own, left));
    passed_over[block] += skip ? cells_of(rows, row_block, ITEMS) : 0;
  }
}

kernel void long_phase(SWEEP_ARGUMENTS, PRUNING_ARGUMENTS) {
  local int2 below[2][ITEMS];
  local int most;
  const int block = get_group_id(0), after = (block + 1) % blocks, row_block = diagonal - block;
  const int begin = first_column(block, blocks, columns), end = first_column(block + 1, blocks, columns);
  neighbourhood k;
  best_cell best = {0, 0, 0};
  if (!has_rows(row_blocks, blocks, diagonal, false)) return;
  const bool skip = prunable[block] && prunable[blocks + block] && prunable[after];
  if (get_local_id(0) == 0) most = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (skip)
    pass_over(&k, horizontal, columns, begin + 1, end - begin - ITEMS);
  else {
    load_rows(&k, vertical_in, blocks, block);
    part_without_tests(&k, &best, below, query, target, horizontal, (int4)(row_blocks, columns, blocks, 0), diagonal);
    atomic_max(&most, best.score);
  }
  save_rows(vertical_out, &k, blocks, block);
  update_best(bests, best);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    judge(prunable + blocks + block, known, 1, most, gain(rows, row_block, columns - begin));
    passed_over[block] += skip ? cells_of(rows, row_block, end - begin - ITEMS) : 0;
  }
}
