/* Gpu5-Coop-DiagDiag (Stanojević 2025, section 4.11): as Gpu3, but one launch for the whole matrix. Work-groups stay
 * and take tile after tile; the wait for the diagonal before happens on the device (whole_grid.clh).
 *
 *   host:    launch, launch, launch ...        Gpu3: some microseconds each, with the device idle at each end
 *   device:  [tile] wait [tile] wait [tile]    Gpu5: the wait is a look at a counter in global memory
 *
 * The price: the groups occupy the device until all is done. */

#include "borders.clh"
#include "matrix_tile.clh"
#include "whole_grid.clh"

kernel void whole(global int *matrix, global const uchar *query, global const uchar *target,
                global const int *scores, int rows, int columns, volatile global int *counters) {
  local int tile[TILE_CELLS];
  local int ticket;
  const long stride = columns + 1;
  const int down = rows / TILE_ROWS, across = columns / TILE_COLUMNS;
  for (int number = take_tile(counters, &ticket); number < down * across; number = take_tile(counters, &ticket)) {
    const int2 at = wait_for_tile(counters, number, down, across);
    const int top = at.y * TILE_ROWS, left = at.x * TILE_COLUMNS;
    global int *corner = matrix + top * stride + left;

    read_borders(tile, corner, stride);
    score_cells(tile, query, target, scores, top, left);
    barrier(CLK_LOCAL_MEM_FENCE);
    fill_cells(tile);
    write_tile(tile, corner, stride);
    finish_tile(counters);
  }
}
