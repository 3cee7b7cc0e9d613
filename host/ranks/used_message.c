/* Used pairs as bytes of a message: the number of paths, then, for each path, the number of runs and the
 * runs. */

#include <stdlib.h>

#include "ranks/ranks_internal.h"

cla_status used_pairs_write(rank_writer *into, const used_pairs *used, cla_error *error) {
  const int64_t paths = used_pairs_paths(used);
  cla_status status = rank_write(into, &paths, sizeof paths, error);
  for (int i = 0; i < paths && status == CLA_OK; i++) {
    int64_t count;
    const used_run *runs = used_pairs_runs(&count, used, i);
    status = rank_write(into, &count, sizeof count, error);
    if (status == CLA_OK) status = rank_write(into, runs, count * (int64_t)sizeof *runs, error);
  }
  return status;
}

static cla_status read_path(used_pairs *into, rank_reader *from, cla_error *error) {
  int64_t count = 0;
  used_run *runs = NULL;
  if (!rank_copy(&count, from, sizeof count)) return rank_cut_short(error);
  cla_status status = rank_take(&runs, from, count, sizeof *runs, error);
  if (status == CLA_OK) status = used_pairs_add_runs(into, runs, count, error);
  free(runs);
  return status;
}

cla_status used_pairs_read(used_pairs **out, rank_reader *from, cla_error *error) {
  int64_t paths = 0;
  *out = NULL;
  if (!rank_copy(&paths, from, sizeof paths)) return rank_cut_short(error);
  cla_status status = paths > 0 ? used_pairs_create(out, error) : CLA_OK;
  for (int64_t i = 0; i < paths && status == CLA_OK; i++) status = read_path(*out, from, error);
  if (status == CLA_OK) return CLA_OK;
  used_pairs_free(*out);
  *out = NULL;
  return status;
}
