/* Gpu10 (planned in Stanojević 2025, section 7): SUPER x SUPER tiles are a super-tile, and only the super-tiles' headers are
 * kept. Tiles' own headers live as long as the next diagonals need them: of each kind three lines, used in turns.
 *
 *   #########    # kept: the memory for the path shrinks by SUPER once more.
 *   #. . # .#    . tiles' borders, overwritten three lines later. The path's super-tiles are computed again, with
 *   #. . # .#      Gpu9's kernel, before Trace2-Sparse goes through each.
 *   #########
 *
 * Three lines: tile (r, c) reads row line r and column line c on diagonal r + c. Line r + 3 takes r's place from
 * diagonal r + 2 + c - 1 on, when the tile left below is done. The thesis names Gpu7's tile; this is Gpu9's. */

#include "gpu9.cl"

#define LINES 3

kernel void sweep_super(global int *row_lines, global int *column_lines, global const uchar *query,
                        global const uchar *target, global const int *scores, int rows, int columns,
                        global int *row_ring, global int *column_ring, int diagonal) {
  local tile_memory memory;
  const int i = get_local_id(0);
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int tile_column = diagonal - tile_row;
  const int top = tile_row * TILE_ROWS, first_column = tile_column * TILE_COLUMNS;
  global int *above = row_ring + tile_row % LINES * (columns + 1L) + first_column;
  global int *below = row_ring + (tile_row + 1) % LINES * (columns + 1L) + first_column;
  global int *before = column_ring + tile_column % LINES * (rows + 1L) + top;
  global int *after = column_ring + (tile_column + 1) % LINES * (rows + 1L) + top;

  load_tile(&memory, scores, target + first_column, above);
  local const int *score_row = memory.score_of + query[top + i] * LETTERS;
  const int up_left = top + i == 0 ? -first_column * GAP : before[i]; /* row 0 is in no ring */
  const int last = fill_subtiles(memory.row, memory.line, score_row, memory.letters, up_left, before[i + 1]);
  after[i + 1] = last;
  for (int j = i + 1; j <= TILE_COLUMNS; j += ITEMS) below[j] = memory.row[j];

  if ((tile_row + 1) % SUPER == 0) { /* the super-tile's last row */
    global int *kept = row_lines + (tile_row + 1) / SUPER * (columns + 1L) + first_column;
    for (int j = i + 1; j <= TILE_COLUMNS; j += ITEMS) kept[j] = memory.row[j];
  }
  if ((tile_column + 1) % SUPER == 0) column_lines[(tile_column + 1) / SUPER * (rows + 1L) + top + i + 1] = last;
}
