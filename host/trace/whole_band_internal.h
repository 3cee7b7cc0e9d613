#ifndef HOST_TRACE_WHOLE_BAND_INTERNAL_H
#define HOST_TRACE_WHOLE_BAND_INTERNAL_H

#include <stdatomic.h>

#include "trace/live_band_internal.h"
#include "trace/whole_band.h"

/* The parts of a band: band_parts.c says where they lie, whole_band.c computes them. */

typedef struct whole_band_part {
  whole_band *whole;
  live_band *band;
  band_part own;
  int64_t row, column;   /* of its first node, the corner */
  int64_t value;         /* there */
  int64_t line;          /* of the corner: row + column, as all lines here */
  int64_t stop;          /* up to which line it may be computed */
  int64_t bytes_limit;   /* in proportion to its lines */
  int64_t right_below;   /* below this line its values are right, */
  int64_t lower;         /* but for being so much lower than the true ones */
  band_node meets;       /* where its way back comes to the line below which the next part is right */
  band_node out;         /* and where it comes to its own */
  bool out_ended;        /* it is the path's start */
  path steps;            /* from the one to the other */
  row_values top;        /* of the corner, or of the matrix */
  int64_t cells_counted; /* in whole_band's */
  live_band_outcome outcome;
  cla_status status;
  cla_error error;
} whole_band_part;

struct whole_band {
  whole_band_input in;
  whole_band_part *parts;
  int count;
  int last;          /* the part in which the path ends */
  int64_t spare;     /* what parts' values may be lower by, on average */
  int64_t interval;  /* between kept lines */
  int64_t top_last;  /* the last column of row 0 that matters, */
  int64_t left_last; /* and the last row of column 0 in which a path may start, or -1 */
  path_end end;      /* INT64_MIN as score: not known */
  atomic_int next;   /* whole_band_part */
  atomic_bool failed;
  atomic_llong cells;
};

static inline const path_ends *whole_band_ends(const whole_band *w) {
  return &w->in.problem->scheme.ends;
}

/* Finds out how far the borders matter, chooses lines and the first spare, and returns how many parts there
 * should be at most. */
int band_parts_choose(whole_band *w);

/* Divides the matrix into so many parts at most, by the spare that is known. CLA_ERROR_MEMORY. */
cla_status band_parts_make(whole_band *w, int count, cla_error *error);
void band_parts_free(whole_band *w);

#endif
