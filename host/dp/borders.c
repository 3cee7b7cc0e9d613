#include "dp/borders.h"

#include <stdlib.h>

#include "base/allocate.h"

void border_read_top(const void *scheme, int64_t column, int64_t count, row_values into) {
  const path_scheme *of = scheme;
  for (int64_t i = 0; i < count; i++) {
    into.h[i] = path_ends_top_h(&of->ends, of->scoring, column + i);
    if (into.f) into.f[i] = into.h[i] - of->scoring->gap_first;
    if (into.f2) into.f2[i] = into.h[i] - of->scoring->gap_first2;
  }
}

cla_status row_values_make(row_values *out, int64_t nodes, const cla_scoring *scoring, const char *what,
                           cla_error *error) {
  const bool two = gap_two_pieces(scoring);
  int64_t *h = NULL;
  cla_status status = allocate_array((void **)&h, (two ? 3 : 2) * nodes, sizeof *h, what, error);
  *out = (row_values){0};
  if (status == CLA_OK) *out = (row_values){.h = h, .f = h + nodes, .f2 = two ? h + 2 * nodes : NULL};
  return status;
}

void row_values_free(row_values *values) {
  free(values->h);
  *values = (row_values){0};
}
