#include "dp/borders.h"

#include <stdlib.h>

#include "base/allocate.h"

void border_read_top(const void *scheme, int64_t column, int64_t count, row_values into) {
  const path_scheme *of = scheme;
  for (int64_t i = 0; i < count; i++) {
    into.h[i] = path_ends_top_h(&of->ends, of->scoring, column + i);
    row_values_open(into, i, of->scoring);
  }
}

cla_status row_values_make(row_values *out, int64_t nodes, const cla_scoring *scoring, const char *what,
                           cla_error *error) {
  int64_t *h = NULL;
  cla_status status = ALLOCATE_ARRAY(&h, gap_lines(scoring) * nodes, what, error);
  *out = status == CLA_OK ? row_values_in(h, nodes, scoring) : (row_values){0};
  return status;
}

void row_values_free(row_values *values) {
  free(values->h);
  *values = (row_values){0};
}
