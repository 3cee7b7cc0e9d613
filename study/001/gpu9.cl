/* Gpu9-Mlsp-DiagDiagDiag (Stanojević 2025, section 4.15, figure 14): as Gpu8, but several warps work on a tile, each on
 * sub-tiles that are parallelograms (subtiles.clh). Tiles get taller: fewer launches, and fewer borders to keep and
 * to send to the host.
 *
 * A work-item a row: TILE_ROWS = ITEMS, a multiple of 32. */

#include "headers.clh"
#include "pass_down.clh"
#include "subtiles.clh"

/* What a tile of Gpu9 and Gpu10 has in local memory. */
typedef struct tile_memory {
  int row[TILE_COLUMNS + 1], score_of[LETTERS * LETTERS], line[2 * ITEMS];
  uchar letters[TILE_COLUMNS];
} tile_memory;

/* Scores, the tile's letters and the row above it into local memory. */
void load_tile(local tile_memory *memory, global const int *scores, global const uchar *letters,
               global const int *above) {
  const int item = get_local_id(0);
  for (int k = item; k < LETTERS * LETTERS; k += ITEMS) memory->score_of[k] = scores[k];
  for (int j = item; j < TILE_COLUMNS; j += ITEMS) memory->letters[j] = letters[j];
  for (int j = item + 1; j <= TILE_COLUMNS; j += ITEMS) memory->row[j] = above[j];
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void sweep(global int *row_lines, global int *column_lines, global const uchar *query,
                  global const uchar *target, global const int *scores, int rows, int columns, int diagonal) {
  local tile_memory memory;
  const int i = get_local_id(0);
  const int tile_row = max(0, diagonal - columns / TILE_COLUMNS + 1) + (int)get_group_id(0);
  const int tile_column = diagonal - tile_row;
  const int top = tile_row * TILE_ROWS, first_column = tile_column * TILE_COLUMNS;
  global int *above = row_lines + tile_row * (columns + 1L) + first_column, *below = above + columns + 1;
  global int *before = column_lines + tile_column * (rows + 1L) + top, *after = before + rows + 1;

  load_tile(&memory, scores, target + first_column, above);
  local const int *score_row = memory.score_of + query[top + i] * LETTERS;
  after[i + 1] = fill_subtiles(memory.row, memory.line, score_row, memory.letters, before[i], before[i + 1]);
  for (int j = i + 1; j <= TILE_COLUMNS; j += ITEMS) below[j] = memory.row[j];
}
