#ifndef HOST_TRACE_CIRCLE_WINDOW_H
#define HOST_TRACE_CIRCLE_WINDOW_H

#include "region/region.h"
#include "scoring/pair_problem.h"

/* The input of an upper bound of the best global score in a range of rotations (docs/internals/exactness.md,
 * "Circular sequences"). */
typedef struct circle_window {
  /* One of the two sequences is the window: the circle's letters and `last` more letters. The scheme's ends
   * are not used. */
  pair_problem problem;
  bool query_is_circle;
  int64_t last;     /* the rotations are those that start at letters 0 to `last` of the window */
  region_tick tick; /* called with the number of cells so far; NULL: no call */
  void *tick_user;
} circle_window;

typedef struct circle_window_bound {
  int64_t most; /* upper bound of all rotations' scores */
  bool known;   /* true if `rotation` is known to score at least `score` */
  int64_t score, rotation;
  int64_t split; /* where to divide the range: 0 .. split and split + 1 .. last may have lower bounds if
                    computed separately; 0 <= split < last */
  int64_t cells; /* computed cells */
} circle_window_bound;

/* Computes the bound on the calling thread, in memory of a few rows. If out->score equals out->most,
 * out->rotation is the best. Errors: CLA_ERROR_MEMORY, and errors of the tick. */
cla_status circle_window_compute(circle_window_bound *out, const circle_window *window, cla_error *error);

#endif
