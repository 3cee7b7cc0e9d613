#include "bound/bound_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void bound_path_begin(bound_path *path, int64_t query, int64_t target) {
  path->query = path->query_stop = query;
  path->target = path->target_stop = target;
  path->count = 0;
}

void bound_path_free(bound_path *path) {
  free(path->runs);
  memset(path, 0, sizeof *path);
}

cla_status bound_path_add(bound_path *path, cla_run_kind kind, int64_t length, cla_error *error) {
  if (length == 0) return CLA_OK;
  if (kind != CLA_RUN_TARGET) path->query_stop += length;
  if (kind != CLA_RUN_QUERY) path->target_stop += length;
  if (path->count > 0 && path->runs[path->count - 1].kind == kind) {
    path->runs[path->count - 1].length += length;
    return CLA_OK;
  }
  cla_status status = allocate_grow((void **)&path->runs, &path->capacity, path->count + 1,
                                    sizeof *path->runs, "the path of the lower bound", error);
  if (status == CLA_OK) path->runs[path->count++] = (cla_run){.length = length, .kind = kind};
  return status;
}

/* A place on the path: before letter `offset` of a run. */
typedef struct path_place {
  int64_t run, offset, query, target;
} path_place;

/* The part between two places within pair runs, or at their ends. */
static void keep_part(bound_path *path, const path_place *from, const path_place *to) {
  int64_t count = to->run - from->run + 1;
  path->runs[to->run].length = to->offset;
  path->runs[from->run].length -= from->offset;
  memmove(path->runs, path->runs + from->run, (size_t)count * sizeof *path->runs);
  path->count = count;
  path->query = from->query;
  path->target = from->target;
  path->query_stop = to->query;
  path->target_stop = to->target;
}

/* The segment of the largest sum: a sum that has fallen to 0 or below is of no use to what follows. */
int64_t bound_path_keep_best_part(bound_path *path, const bound_pair *pair) {
  path_place here = {.query = path->query, .target = path->target}, start = here, best_from = here,
             best_to = here;
  int64_t sum = 0, best = 0;
  for (; here.run < path->count; here.run++, here.offset = 0) {
    const cla_run run = path->runs[here.run];
    if (run.kind != CLA_RUN_PAIR) {
      sum -= gap_cost(pair->scoring, run.length);
      if (run.kind == CLA_RUN_QUERY)
        here.query += run.length;
      else
        here.target += run.length;
      continue;
    }
    while (here.offset < run.length) {
      if (sum <= 0) {
        sum = 0;
        start = here;
      }
      sum += bound_pair_score(pair, here.query++, here.target++);
      here.offset++;
      if (sum <= best) continue;
      best = sum;
      best_from = start;
      best_to = here;
    }
  }
  if (best > 0)
    keep_part(path, &best_from, &best_to);
  else
    bound_path_begin(path, 0, 0);
  return best;
}
