/* Optimised (Aji 2008, section 4.2.2, figure 4.30): as Tiled, but neighbours get their borders in one piece.
 *
 *   last column -> buffer     The tile's own memory becomes that of its neighbour: 0 everywhere, the buffer as first column. The whole
 *   tile := 0                 of it is ORed with the neighbour in global memory, where the rest stays as it is. All work-items move
 *   first column := buffer    numbers that lie side by side, 33 times as many as are needed.
 *   neighbour |= tile
 *
 * The tile to the right of one is below another of the same launch. So OR must be atomic, or one of them would undo the other's. */

#include "swat_tile.clh"

/* The tile, all 0 but the numbers of `border` at k * step, to a neighbour. */
void or_border(global int *neighbour, local int *tile, local const int *border, int step) {
  const int item = get_local_id(0), items = get_local_size(0);
  for (int k = item; k < 3 * PLANE; k += items) tile[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < 3 * STRIDE; k += items)
    tile[k / STRIDE * PLANE + k % STRIDE * step] = border[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < 3 * PLANE; k += items) atomic_or(neighbour + k, tile[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void sweep(global int *cells, global int *best, global const uchar *query,
                  global const uchar *target, int rows, int columns, int diagonal) {
  local int tile[3 * PLANE], column[3 * STRIDE], row[3 * STRIDE];
  const tile_place place = place_of_group(rows, columns, diagonal);
  global int *here = cells + place.at;

  move_in(tile, here);
  fill_tile(tile, place, query, target, rows, columns, best + 3 * get_global_id(0));
  move_out(here, tile);
  for (int k = get_local_id(0); k < 3 * STRIDE; k += get_local_size(0)) {
    const int plane = k / STRIDE * PLANE, n = k % STRIDE;
    column[k] = tile[plane + n * STRIDE + TILE];
    row[k] = tile[plane + TILE * STRIDE + n];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (place.column + 1 < place.across) or_border(here + TILE_NUMBERS, tile, column, STRIDE);
  if (place.row + 1 < place.down) or_border(here + (long)place.across * TILE_NUMBERS, tile, row, 1);
}
