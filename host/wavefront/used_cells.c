#include "wavefront/used_cells.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* A run of the matrix as one of the region, which may go through it the other way. */
static strip_used in_region(const used_run *run, const region *what) {
  if (!what->reverse)
    return (strip_used){
        .row = run->row - 1 - what->row, .column = run->column - 1 - what->column, .length = run->length};
  const int64_t last = run->length - 1;
  return (strip_used){
      .row = what->row - run->row - last, .column = what->column - run->column - last, .length = run->length};
}

static used_walk walk_rows(const used_pairs *used, const region *what, int64_t first, int64_t last) {
  if (!what->reverse)
    return used_walk_begin(used, what->row + 1 + first, what->row + 1 + last, what->column + 1,
                           what->column + what->columns);
  return used_walk_begin(used, what->row - last, what->row - first, what->column - what->columns + 1,
                         what->column);
}

cla_status used_cells_make(used_cells *out, const region_work *w, cla_error *error) {
  const region *what = w->what;
  const int64_t strip_rows = kernel_strip_rows(w->config), strips = w->g->strips;
  *out = (used_cells){0};
  cla_status status =
      allocate_array((void **)&out->first, strips + 1, sizeof *out->first, "the pairs that were used", error);
  for (int64_t strip = 0; status == CLA_OK && strip < strips; strip++) {
    const int64_t first = strip * strip_rows, last = smaller(first + strip_rows, what->rows) - 1;
    used_walk walk = walk_rows(w->engine->pair.scheme.table->used, what, first, last);
    used_run run;
    out->first[strip] = out->count;
    while (status == CLA_OK && used_walk_next(&walk, &run)) {
      status = allocate_grow((void **)&out->runs, &out->capacity, out->count + 1, sizeof *out->runs,
                             "the pairs that were used", error);
      if (status == CLA_OK) out->runs[out->count++] = in_region(&run, what);
    }
  }
  if (status == CLA_OK) out->first[strips] = out->count;
  return status;
}

void used_cells_free(used_cells *cells) {
  free(cells->runs);
  free(cells->first);
  *cells = (used_cells){0};
}
