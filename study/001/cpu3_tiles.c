/* Cpu3-St-DiagRow (Stanojević 2025, section 4.5): one thread; tiles by anti-diagonals, a tile's cells by
 * rows.
 *
 *   1 1 | 2 2 | 4 4      The tiles of a diagonal (2, 3) do not need each other, as with Cpu2; within a tile
 *   1 1 | 2 2 | 4 4      memory is read in its order, as with Cpu1. One thread gains nothing yet: Cpu4 does.
 */

#include "nw.h"
#include "nw_tiles.h"

static void fill(const nw_block *whole, study_setting setting) {
  const nw_tiles tiles = nw_tiles_of(whole, setting);
  for (int64_t d = 0; d < nw_diagonals(&tiles); d++)
    for (int64_t k = 0; k < nw_tiles_on(&tiles, d); k++) {
      const nw_block tile = nw_tile(&tiles, d, k);
      nw_fill_rows(&tile);
    }
}

cla_status nw_cpu3(study_result *out, const study_task *task, cla_error *error) {
  return nw_on_cpu(out, task, fill, error);
}
