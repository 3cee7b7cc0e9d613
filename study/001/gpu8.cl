/* Gpu8-Mlsp-DiagDiag (Stanojević 2025, section 4.14, figure 13): as Gpu7, but the tile is not in memory at all. Each
 * work-item has a row of the tile and keeps three cells in registers; after a step they are the next step's:
 *
 *            j-1        j                    what            where it comes from
 *   row i-1  up_left    up                   up              the work-item above: its value of the step before
 *   row i    left       value                up_left, left   the work-item's own up and value of the step before
 *
 * Gpu7 reads three cells and a score from local memory and writes one. Here it is one score; the cell from above is
 * a register of the neighbour. And without the tile, local memory holds many more groups at a time: while one waits,
 * others compute.
 *
 * `row` is the row above the tile at first. The last work-item writes its cells over it: the first has read them. */

#include "headers.clh"
#include "pass_down.clh"

kernel void sweep(global int *row_lines, global int *column_lines, global const uchar *query,
                  global const uchar *target, global const int *scores, int rows, int columns, int diagonal) {
  local int row[TILE_COLUMNS + 1], score_of[LETTERS * LETTERS], line[2 * ITEMS];
  local uchar letters[TILE_COLUMNS];
  const int i = get_local_id(0);
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int tile_column = diagonal - tile_row;
  const int top = tile_row * TILE_ROWS, first_column = tile_column * TILE_COLUMNS;
  global int *above = row_lines + tile_row * (columns + 1L) + first_column, *below = above + columns + 1;
  global int *before = column_lines + tile_column * (rows + 1L) + top, *after = before + rows + 1;

  for (int k = i; k < LETTERS * LETTERS; k += ITEMS) score_of[k] = scores[k];
  for (int j = i; j < TILE_COLUMNS; j += ITEMS) letters[j] = target[first_column + j];
  for (int j = i + 1; j <= TILE_COLUMNS; j += ITEMS) row[j] = above[j];
  const bool has_row = i < TILE_ROWS; /* further work-items only help to copy */
  local const int *score_row = score_of + (has_row ? query[top + i] * LETTERS : 0);
  int up = 0, up_left = has_row ? before[i] : 0, left = has_row ? before[i + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int d = 0; d < TILE_ROWS + TILE_COLUMNS - 1; d++) {
    const int j = d - i;
    if (has_row && j >= 0 && j < TILE_COLUMNS) {
      if (i == 0) up = row[j + 1];
      const int value = max(up_left + score_row[letters[j]], max(up, left) - GAP);
      if (i == TILE_ROWS - 1) row[j + 1] = value;
      up_left = up;
      left = value;
    }
    up = pass_down(left, line, d);
  }

  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = i + 1; j <= TILE_COLUMNS; j += ITEMS) below[j] = row[j];
  if (has_row) after[i + 1] = left;
}
