#ifndef HOST_TRACE_CORRIDOR_INTERNAL_H
#define HOST_TRACE_CORRIDOR_INTERNAL_H

#include "base/extremes.h"
#include "base/loops.h"
#include "trace/corridor.h"

/* The passes through a corridor. corridor.c has them for every width and processor, corridor_avx2.c for the
 * narrow width with a line in registers. Measured on paths of 10,000 letters without known rows, as from
 * GPUs: 0.72 ms with it, 0.94 ms without. */

/* Puts the matrix' borders, where paths begin or have a gap from the corner, into a line's values: into H and
 * all open gaps. */
static inline void corridor_put_borders(const corridor *c, const path_scheme *scheme, int16_t *h,
                                        int16_t *const *gaps, int gap_count, int64_t line) {
  const int64_t upper = -c->top[line], left = line - c->top[line];
  if (upper >= 0 && upper < c->lanes && line <= c->columns) {
    h[upper] = (int16_t)-path_ends_top_h(&scheme->ends, scheme->scoring, line);
    for (int k = 0; k < gap_count; k++) gaps[k][upper] = CORRIDOR_LOSS_MOST;
  }
  if (left >= 0 && left < c->lanes && line <= c->rows) {
    const int64_t loss = c->match * line - path_ends_left_h(&scheme->ends, scheme->scoring, line);
    h[left] = (int16_t)smaller(loss, CORRIDOR_LOSS_MOST);
    for (int k = 0; k < gap_count; k++) gaps[k][left] = CORRIDOR_LOSS_MOST;
  }
}

/* True if corridor_put_borders changes the line. */
static inline bool corridor_has_borders(const corridor *c, int64_t line) {
  return c->top[line] <= 0 || line - c->top[line] < c->lanes;
}

/* True if no node of the matrix lies before the line. */
static inline bool corridor_ends(const corridor *c, int64_t line, int64_t top) {
  return line == 0 || top + c->lanes - 1 < 0 || line - top < 0;
}

/* True if the line lies beyond the matrix. */
static inline bool corridor_is_beyond(const corridor *c, int64_t line, int64_t top) {
  return top > c->rows || line - top - c->lanes + 1 > c->columns;
}

/* The passes that keep a line in registers, for CORRIDOR_NARROW lanes and one piece of gap costs. */
#if X86_VECTORS
bool corridor_back_avx2(corridor *c);
void corridor_forth_avx2(corridor *c, const path_scheme *scheme);
#endif

#endif
