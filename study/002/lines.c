/* Lines of cells from a crosspoint on. */

#include "lines.h"

#include <stdlib.h>

/* Line 0: from the crosspoint along the line. `along`: the type of a gap along lines. A gap that is open at
 * the crosspoint goes on for `ext`. Backward, the path must end in it, and pays its first letter again. */
static void fill_first(line_walk *walk, crosspoint_type type, crosspoint_type along) {
  const gotoh_costs *costs = &walk->costs;
  const int32_t opened = walk->step > 0 ? 0 : costs->ext - costs->first;
  int32_t e = type != CROSS_PLAIN && type == along ? opened : GOTOH_MINUS_INFINITY;
  walk->h[0] = type != CROSS_PLAIN && walk->step < 0 ? GOTOH_MINUS_INFINITY : 0;
  walk->gap[0] = type != CROSS_PLAIN && type != along ? opened : GOTOH_MINUS_INFINITY;
  for (int64_t p = 1; p <= walk->places; p++) {
    e = gotoh_larger(e - costs->ext, walk->h[p - 1] - costs->first);
    walk->h[p] = e;
    walk->gap[p] = GOTOH_MINUS_INFINITY;
  }
  walk->last_gap = e;
}

static cla_status begin(line_walk *walk, crosspoint_type type, crosspoint_type along, cla_error *error) {
  cla_status status = allocate_array((void **)&walk->h, walk->places + 1, sizeof *walk->h, "a line", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&walk->gap, walk->places + 1, sizeof *walk->gap, "a line", error);
  if (status == CLA_OK) fill_first(walk, type, along);
  return status;
}

cla_status lines_by_rows(line_walk *out, const letter_pair *pair, const crosspoint *from, int64_t places,
                         int step, cla_error *error) {
  const int64_t before = step < 0 ? 1 : 0;
  *out = (line_walk){.line_letters = pair->down + from->i - before,
                     .place_letters = pair->across + from->j - before,
                     .step = step,
                     .places = places,
                     .costs = pair->costs};
  return begin(out, from->type, CROSS_ALONG, error);
}

cla_status lines_by_columns(line_walk *out, const letter_pair *pair, const crosspoint *from, int64_t places,
                            int step, cla_error *error) {
  const int64_t before = step < 0 ? 1 : 0;
  *out = (line_walk){.line_letters = pair->across + from->j - before,
                     .place_letters = pair->down + from->i - before,
                     .step = step,
                     .places = places,
                     .costs = pair->costs};
  return begin(out, from->type, CROSS_DOWN, error);
}

void lines_next(line_walk *walk) {
  const gotoh_costs *costs = &walk->costs;
  const uint8_t letter = walk->line_letters[walk->line++ * walk->step];
  int32_t *h = walk->h, *gap = walk->gap, diagonal = h[0], e = GOTOH_MINUS_INFINITY;
  gap[0] = gotoh_larger(gap[0] - costs->ext, h[0] - costs->first);
  h[0] = gap[0];
  for (int64_t p = 1; p <= walk->places; p++) {
    const bool equal = walk->place_letters[(p - 1) * walk->step] == letter;
    gap[p] = gotoh_larger(gap[p] - costs->ext, h[p] - costs->first);
    e = gotoh_larger(e - costs->ext, h[p - 1] - costs->first);
    const int32_t value =
        gotoh_larger(diagonal + (equal ? costs->match : costs->mismatch), gotoh_larger(gap[p], e));
    diagonal = h[p];
    h[p] = value;
  }
  walk->last_gap = e;
}

void lines_end(line_walk *walk) {
  free(walk->h);
  free(walk->gap);
}

int64_t lines_find(const line_walk *walk, int32_t score) {
  for (int64_t p = 0; p <= walk->places; p++)
    if (walk->h[p] == score) return p;
  return -1;
}
