#include "dp/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

cla_status path_add(path *p, cla_run_kind kind, int64_t length, cla_error *error) {
  if (length == 0) return CLA_OK;
  if (p->count > 0 && p->runs[p->count - 1].kind == kind) {
    p->runs[p->count - 1].length += length;
    return CLA_OK;
  }
  cla_status status = ALLOCATE_GROW(&p->runs, &p->capacity, p->count + 1, "the path", error);
  if (status == CLA_OK) p->runs[p->count++] = (cla_run){.length = length, .kind = kind};
  return status;
}

cla_status path_add_all(path *p, const path *more, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; status == CLA_OK && i < more->count; i++)
    status = path_add(p, more->runs[i].kind, more->runs[i].length, error);
  return status;
}

void path_finish(path *p, cla_run **runs, size_t *count) {
  for (int64_t i = 0, j = p->count - 1; i < j; i++, j--) {
    const cla_run swap = p->runs[i];
    p->runs[i] = p->runs[j];
    p->runs[j] = swap;
  }
  *runs = p->runs;
  *count = (size_t)p->count;
  memset(p, 0, sizeof *p);
}

void path_free(path *p) {
  free(p->runs);
  memset(p, 0, sizeof *p);
}
