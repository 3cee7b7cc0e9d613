/* Gpu4-Ml-DiagDiag2Pass (Stanojević 2025, section 4.10): as Gpu3, but the first pass, each cell's score, is a
 * kernel of its own that fills the whole matrix before.
 *
 *   first:  s s s s s s      All cells at once: as much work side by side as a GPU can wish for. The kernel of
 *           s s s s s s      the tiles gets simpler and has no table of scores. But the matrix goes through
 *   sweep:  h h s s s s      global memory once more: 4 bytes written and read again for each cell. */

#include "matrix_tile.clh"
#include "score_matrix.clh"

kernel void sweep(global int *matrix, global const uchar *query, global const uchar *target,
                 global const int *scores, int rows, int columns, int diagonal) {
  local int tile[TILE_CELLS];
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int top = tile_row * TILE_ROWS, left = (diagonal - tile_row) * TILE_COLUMNS;
  const long stride = columns + 1;
  global int *corner = matrix + top * stride + left;

  read_borders(tile, corner, stride);
  read_scores(tile, corner, stride);
  barrier(CLK_LOCAL_MEM_FENCE);
  fill_cells(tile);
  write_tile(tile, corner, stride);
}
