/* Gpu6-Coop-DiagDiag2Pass (Stanojević 2025, section 4.12): Gpu4's pass before and Gpu5's single launch together. In
 * the thesis the fastest of those that keep the whole matrix. */

#include "matrix_tile.clh"
#include "score_matrix.clh"
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
    read_scores(tile, corner, stride);
    barrier(CLK_LOCAL_MEM_FENCE);
    fill_cells(tile);
    write_tile(tile, corner, stride);
    finish_tile(counters);
  }
}
