#ifndef HOST_TRACE_WHOLE_BAND_INTERNAL_H
#define HOST_TRACE_WHOLE_BAND_INTERNAL_H

#include <stdatomic.h>

#include "trace/live_band_internal.h"
#include "trace/whole_band.h"

/* The parts of a whole_band. band_parts.c chooses them, whole_band.c computes them. A line's number is row
 * + column of its nodes. */

typedef struct whole_band_part {
  whole_band *whole;
  live_band *band;
  band_part own;
  int64_t row, column; /* the corner, the part's first node */
  int64_t value;       /* H of the corner */
  int64_t line;        /* line of the corner */
  int64_t stop;        /* the last line that may be computed */
  int64_t bytes_limit; /* share of the memory, in proportion to the part's lines */
  int64_t right_below; /* below this line, the part's values plus `lower` are the true values */
  int64_t lower;       /* true value minus the part's value, on lines below right_below */
  band_node meets;     /* node from which the part's path is traced back, near the next part's right_below */
  band_node out;       /* node where the part's traced path crosses the part's own right_below */
  bool out_ended;      /* `out` is the path's start */
  path steps;          /* steps from `meets` back to `out` */
  row_values top;      /* values of the corner, or of the matrix' upper row */
  int64_t cells_counted; /* cells already added to whole_band.cells */
  live_band_outcome outcome;
  cla_status status;
  cla_error error;
} whole_band_part;

struct whole_band {
  whole_band_input in;
  whole_band_part *parts;
  int count;
  int last;          /* index of the part in which the path ends */
  int64_t spare;     /* typical band_part.spare of a part */
  int64_t interval;  /* lines from one kept line to the next */
  int64_t top_last;  /* the last column of row 0 that matters */
  int64_t left_last; /* the last row of column 0 in which a path may start; -1: none */
  path_end end;      /* canonical end; score INT64_MIN: not known */
  atomic_int next;   /* index of the next part to compute */
  atomic_bool failed;
  atomic_llong cells;
};

static inline const path_ends *whole_band_ends(const whole_band *w) {
  return &w->in.problem->scheme.ends;
}

/* Sets top_last, left_last, the interval of kept lines and the first spare. Returns the largest useful number
 * of parts. */
int band_parts_choose(whole_band *w);

/* Divides the matrix into at most `count` parts, with the current spare. CLA_ERROR_MEMORY. */
cla_status band_parts_make(whole_band *w, int count, cla_error *error);
void band_parts_free(whole_band *w);

#endif
