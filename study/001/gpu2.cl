/* Gpu2-Ml-DiagRow2Pass (Stanojević 2025, section 4.8): a launch for each anti-diagonal of tiles, a work-item a
 * tile, whose cells it computes row by row as Cpu1 does.
 *
 *   a a a a | b b b b      Fewer launches, each with more to do. That pays for a copy of the score table in
 *   a a a a | b b b b      local memory: a small memory of the work-group (CUDA: block) that its work-items
 *   --------+--------      share, some ten times faster than global memory.
 *   b b b b | c c c c
 *   b b b b | c c c c      Tiles must be small, or a diagonal has too few of them for a GPU. Each work-item
 *                          still reads and writes places far from its neighbour's.
 *
 * The kernel `first` writes the borders in a pass before. TILE_ROWS x TILE_COLUMNS cells are a tile. */

#include "borders.clh"

kernel void sweep(global int *matrix, global const uchar *query, global const uchar *target,
                 global const int *scores, int rows, int columns, int diagonal) {
  local int score_of[LETTERS * LETTERS];
  for (int k = get_local_id(0); k < LETTERS * LETTERS; k += get_local_size(0)) score_of[k] = scores[k];
  barrier(CLK_LOCAL_MEM_FENCE); /* all of the group have copied their share */

  const int down = rows / TILE_ROWS, across = columns / TILE_COLUMNS;
  const int tile_row = max(0, diagonal - across + 1) + (int)get_global_id(0);
  const int tile_column = diagonal - tile_row;
  if (tile_row >= down || tile_column < 0) return;

  const long stride = columns + 1;
  for (int i = tile_row * TILE_ROWS + 1; i <= (tile_row + 1) * TILE_ROWS; i++)
    for (int j = tile_column * TILE_COLUMNS + 1; j <= (tile_column + 1) * TILE_COLUMNS; j++) {
      global int *cell = matrix + i * stride + j;
      const int score = score_of[query[i - 1] * LETTERS + target[j - 1]];
      *cell = max(cell[-stride - 1] + score, max(cell[-stride], cell[-1]) - GAP);
    }
}
