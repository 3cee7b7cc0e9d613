/* Cpu4-Mt-DiagRow (Stanojević 2025, section 4.6): as Cpu3, with many threads. The threads share a diagonal's
 * tiles; then all wait for the last, and the next diagonal begins. The thesis has OpenMP give each thread its
 * tiles beforehand; here a thread takes the next tile when it has done one. */

#include <stdatomic.h>

#include "nw.h"
#include "nw_tiles.h"

typedef struct diagonal {
  nw_tiles tiles;
  int64_t number;
  _Atomic int64_t next; /* tile that no thread has taken */
} diagonal;

static void work(void *user, int index) {
  diagonal *all = user;
  (void)index;
  for (int64_t k; (k = atomic_fetch_add(&all->next, 1)) < nw_tiles_on(&all->tiles, all->number);) {
    const nw_block tile = nw_tile(&all->tiles, all->number, k);
    nw_fill_rows(&tile);
  }
}

static void fill(const nw_block *whole, study_setting setting) {
  diagonal all = {.tiles = nw_tiles_of(whole, setting)};
  const int threads = setting.items > 0 ? setting.items : machine_threads();
  for (; all.number < nw_diagonals(&all.tiles); all.number++) {
    all.next = 0;
    parallel_run(threads, work, &all); /* returns when all threads are done */
  }
}

cla_status nw_cpu4(study_result *out, const study_task *task, cla_error *error) {
  return nw_on_cpu(out, task, fill, error);
}
