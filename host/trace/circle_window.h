#ifndef HOST_TRACE_CIRCLE_WINDOW_H
#define HOST_TRACE_CIRCLE_WINDOW_H

#include "scoring/pair_problem.h"
#include "wavefront/region.h"

/* How much the best of a range of rotations of a circle can score, globally (docs/internals/exactness.md,
 * "Circular sequences"). */
typedef struct circle_window {
  pair_problem problem; /* one side is the window: the circle's letters and `last` more; ends do not count */
  bool query_is_circle;
  int64_t last;     /* rotations 0 .. last begin within the window */
  region_tick tick; /* called with the cells so far; NULL: none */
  void *tick_user;
} circle_window;

typedef struct circle_window_bound {
  int64_t most; /* no rotation of the window scores more */
  bool known;   /* `rotation` scores at least `score` */
  int64_t score, rotation;
  int64_t split; /* the bound may be lower for rotations 0 .. split and for those behind; 0 <= split < last */
  int64_t cells; /* computed */
} circle_window_bound;

/* On the calling thread, in memory for a few rows. Where score equals most, the rotation is the best.
 * CLA_ERROR_MEMORY, and what tick returns. */
cla_status circle_window_compute(circle_window_bound *out, const circle_window *window, cla_error *error);

#endif
