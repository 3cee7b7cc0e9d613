/* Tiled (Aji 2008, section 4.2.2, figure 4.28): a launch for each anti-diagonal of tiles, a work-group a tile. 32 times fewer
 * launches than Coalesced.
 *
 *   +-----+-----+     Each tile has room for its neighbours' cells. After a tile is done, its last column becomes the first of the
 *   |     |>    |     tile to the right, its last row that of the tile below. Here one work-item does that, number by number,
 *   |   v |     |     from row to row: memory moves a line for each, and all others wait.
 *   +-----+-----+ */

#include "swat_tile.clh"

kernel void sweep(global int *cells, global int *best, global const uchar *query,
                  global const uchar *target, int rows, int columns, int diagonal) {
  local int tile[3 * PLANE];
  const tile_place place = place_of_group(rows, columns, diagonal);
  global int *here = cells + place.at, *right = here + TILE_NUMBERS;
  global int *below = here + (long)place.across * TILE_NUMBERS;

  move_in(tile, here);
  fill_tile(tile, place, query, target, rows, columns, best + 3 * get_global_id(0));
  move_out(here, tile);
  if (get_local_id(0) > 0) return;
  for (int k = 0; k < 3 * STRIDE; k++) {
    const int plane = k / STRIDE * PLANE, n = k % STRIDE;
    if (place.column + 1 < place.across)
      right[plane + n * STRIDE] = tile[plane + n * STRIDE + TILE];
    if (place.row + 1 < place.down) below[plane + n] = tile[plane + TILE * STRIDE + n];
  }
}
