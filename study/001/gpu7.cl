/* Gpu7-Mlsp-DiagDiag (Stanojević 2025, section 4.13): as Gpu3, but only tiles' borders go to global memory: of each tile
 * the last row and the last column. Trace2-Sparse computes the few tiles that the path passes again.
 *
 *   #########    The matrix of 23,000 letters is 2.1 GB, which Gpu1 to Gpu6 send to the host; that takes longer
 *   #   #   #    than to compute it. Tiles of 32 x 64 have 2048 cells and 96 on their borders: 21 times less.
 *   #########
 *   #   #   #    # is kept */

#include "headers.clh"
#include "local_tile.clh"

kernel void sweep(global int *row_lines, global int *column_lines, global const uchar *query,
                  global const uchar *target, global const int *scores, int rows, int columns, int diagonal) {
  local int tile[TILE_CELLS];
  const int item = get_local_id(0), items = get_local_size(0);
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int tile_column = diagonal - tile_row;
  const int top = tile_row * TILE_ROWS, left = tile_column * TILE_COLUMNS;
  global int *above = row_lines + tile_row * (columns + 1L) + left, *below = above + columns + 1;
  global int *before = column_lines + tile_column * (rows + 1L) + top, *after = before + rows + 1;

  for (int j = item + 1; j <= TILE_COLUMNS; j += items) tile[j] = above[j];
  for (int i = item; i <= TILE_ROWS; i += items) tile[i * STRIDE] = before[i];
  score_cells(tile, query, target, scores, top, left);
  barrier(CLK_LOCAL_MEM_FENCE);
  fill_cells(tile);
  for (int j = item + 1; j <= TILE_COLUMNS; j += items) below[j] = tile[TILE_ROWS * STRIDE + j];
  for (int i = item + 1; i <= TILE_ROWS; i += items) after[i] = tile[i * STRIDE + TILE_COLUMNS];
}
