/* Cell (Aji 2008, section 4.1.2, figures 4.3 and 4.4): a row of tiles a thread, as the thesis has it on the
 * cores of a Cell. A thread goes along its row and waits, before each tile, for the one above. Whoever is
 * done takes the next row.
 *
 *   thread 0   0 1 2 3 4 5 6 7         The numbers say when. The next rows of tiles begin before these end,
 * so that nobody thread 1     1 2 3 4 5 6 7 8       waits but at the beginning and at the end: the model of
 * the time, equation 4.5, is thread 0           4 5 6 ...       tiles / threads, and S(threads) steps more.
 */

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "swat.h"

#define THREADS_MOST 256

cla_status swat_cell(study_result *out, const study_task *task, cla_error *error);

typedef struct tile_rows {
  swat_rows matrix;
  int64_t size, count;          /* cells of a tile's side; rows of tiles */
  _Atomic int64_t next;         /* the row that no thread has taken */
  _Atomic int64_t *done;        /* columns of cells that are done, of each row of tiles */
  swat_best best[THREADS_MOST]; /* of each thread */
} tile_rows;

static void work(void *user, int index) {
  tile_rows *all = user;
  const pair_problem *pair = &all->matrix.problem->pair;
  for (int64_t r; (r = atomic_fetch_add(&all->next, 1)) < all->count;) {
    swat_part tile = {.top = r * all->size, .bottom = (r + 1) * all->size};
    if (tile.bottom > pair->rows) tile.bottom = pair->rows;
    for (tile.left = 0; tile.left < pair->columns; tile.left = tile.right) {
      tile.right = tile.left + all->size;
      if (tile.right > pair->columns) tile.right = pair->columns;
      while (r > 0 && atomic_load(&all->done[r - 1]) < tile.right) sched_yield();
      swat_fill_rows(&all->matrix, &tile, &all->best[index]);
      atomic_store(&all->done[r], tile.right);
    }
  }
}

static cla_status fill(swat_best *best, const swat_rows *matrix, study_setting setting, cla_error *error) {
  const int wanted = setting.items > 0 ? setting.items : machine_threads();
  const int threads = wanted < THREADS_MOST ? wanted : THREADS_MOST;
  tile_rows all = {.matrix = *matrix, .size = setting.rows};
  all.count = (matrix->problem->pair.rows + all.size - 1) / all.size;
  const cla_status status =
      allocate_zeros((void **)&all.done, all.count, (int64_t)sizeof *all.done, "the rows of tiles", error);
  if (status != CLA_OK) return status;
  parallel_run(threads, work, &all);
  for (int k = 0; k < threads; k++) swat_take(best, &all.best[k]);
  free(all.done);
  return CLA_OK;
}

cla_status swat_cell(study_result *out, const study_task *task, cla_error *error) {
  return swat_on_host(out, task, fill, error);
}
