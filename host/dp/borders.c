#include "dp/borders.h"

#include <stdlib.h>

#include "base/allocate.h"

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
