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
  for (;;) {
    const grid_tile at = take_tile(counters, &ticket, rows / TILE_ROWS, columns / TILE_COLUMNS);
    if (at.row < 0) return;
    const int top = at.row * TILE_ROWS, left = at.column * TILE_COLUMNS;
    global int *corner = matrix + top * stride + left;

    read_borders(tile, corner, stride);
    read_scores(tile, corner, stride);
    barrier(CLK_LOCAL_MEM_FENCE);
    fill_cells(tile);
    write_tile(tile, corner, stride);
    finish_tile(counters);
  }
}
