/* Gpu3-Ml-DiagDiag (Stanojević 2025, section 4.9, figure 9): a launch for each anti-diagonal of tiles, a work-group
 * a tile, a work-item a row of it. The tile is computed in local memory, by anti-diagonals.
 *
 *   global memory          local memory             Global memory is touched twice only: borders in, cells
 *   +---+---+---+          . b b b b b b    item 0    out, both row by row, so that neighbouring work-items
 *   |   |   | d |   ---->  b 0 1 2 3 4 5    item 1    touch neighbouring words and the GPU moves them at
 *   +---+---+---+          b 1 2 3 4 5 6    item 2    once ("coalesced"). The many small steps of the
 *   |   | d |   |          b 2 3 4 5 6 7              wavefront happen where memory is fast.
 *   +---+---+---+
 *
 * The price: (TILE_ROWS + 1) x (TILE_COLUMNS + 1) ints of local memory a group, so few groups fit a compute unit. */

#include "borders.clh"
#include "matrix_tile.clh"

kernel void sweep(global int *matrix, global const uchar *query, global const uchar *target,
                 global const int *scores, int rows, int columns, int diagonal) {
  local int tile[TILE_CELLS];
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int top = tile_row * TILE_ROWS, left = (diagonal - tile_row) * TILE_COLUMNS;
  const long stride = columns + 1;
  global int *corner = matrix + top * stride + left;

  read_borders(tile, corner, stride);
  score_cells(tile, query, target, scores, top, left);
  barrier(CLK_LOCAL_MEM_FENCE);
  fill_cells(tile);
  write_tile(tile, corner, stride);
}
