/* Gpu1-Ml-Diag (Stanojević 2025, section 4.7): a launch for each anti-diagonal of cells, a work-item a cell.
 *
 *   launch 0 1 2 3 4      A work-item is a thread of the GPU; all of a launch run the same function, the
 *          1 2 3 4 5      kernel, and know their number from get_global_id. The cells of a diagonal do not
 *          2 3 4 5 6      need each other. A launch begins when the one before is done.
 *
 * Neighbouring work-items write cells that lie a row apart in memory: the GPU moves 32 bytes for each 4. And
 * a launch costs some microseconds, often more than its cells do.
 *
 * GAP and LETTERS are given when the kernel is built; `rows` and `columns` are without the borders. */

kernel void sweep(global int *matrix, global const uchar *query, global const uchar *target,
                 global const int *scores, int rows, int columns, int diagonal) {
  const int i = max(0, diagonal - columns) + (int)get_global_id(0);
  const int j = diagonal - i;
  if (i > rows || j < 0) return; /* the last group may have more work-items than there are cells */

  const long stride = columns + 1;
  global int *cell = matrix + i * stride + j;
  if (i == 0 || j == 0) {
    *cell = -(i + j) * GAP;
  } else {
    const int score = scores[query[i - 1] * LETTERS + target[j - 1]];
    *cell = max(cell[-stride - 1] + score, max(cell[-stride], cell[-1]) - GAP);
  }
}
