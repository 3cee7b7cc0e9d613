/* Trace2-Sparse (Stanojević 2025, section 4.13, figure 12): only the tiles' upper and left borders are there.
 * Each tile that the path passes is computed again from them, as far as the path needs, then followed. A path
 * passes few tiles: for n rows at most 2 n / tile side, of (n / tile side)^2. */

#include <stdlib.h>

#include "nw.h"

void nw_fill_tile(nw_block *tile, const nw_headers *headers, int64_t top, int64_t left) {
  const int32_t *above = headers->row_lines + top / headers->tile_rows * headers->row_stride + left;
  const int32_t *before = headers->column_lines + left / headers->tile_columns * headers->column_stride + top;
  for (int64_t j = 0; j <= tile->columns; j++) tile->cells[j] = above[j];
  for (int64_t i = 0; i <= tile->rows; i++) tile->cells[i * tile->stride] = before[i];
  nw_fill_rows(tile);
}

cla_status nw_trace_sparse(nw_path *path, const nw_block *whole, const nw_headers *headers,
                           cla_error *error) {
  const int64_t stride = headers->tile_columns + 1, room = (headers->tile_rows + 1) * stride;
  int32_t *cells = NULL;
  cla_status status = allocate_array((void **)&cells, room, sizeof *cells, "a tile", error);
  while (status == CLA_OK && path->row > 0 && path->column > 0) {
    const int64_t top = (path->row - 1) / headers->tile_rows * headers->tile_rows;
    const int64_t left = (path->column - 1) / headers->tile_columns * headers->tile_columns;
    nw_block tile = nw_part(whole, top, left, path->row - top, path->column - left);
    tile.cells = cells;
    tile.stride = stride;
    nw_fill_tile(&tile, headers, top, left);
    if (path->count == 0) path->score = cells[tile.rows * stride + tile.columns];
    status = nw_path_follow(path, &tile, top, left, error);
  }
  free(cells);
  return status;
}
