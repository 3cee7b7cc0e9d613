#ifndef HOST_WRITE_PLOT_GAPS_H
#define HOST_WRITE_PLOT_GAPS_H

#include "write/plot_view.h"

#define PLOT_GAPS_MOST 15

/* The largest gaps of a path, the largest first; of equal ones the first on the path. */
typedef struct plot_gap {
  int64_t length;
  plot_piece piece;      /* as much of it as lies within the view */
  int64_t query, target; /* the first letters, from 0, of the gap's piece, or that follow where it has none;
                            on the forward strand */
} plot_gap;

typedef struct plot_gaps {
  int64_t all; /* gaps within the view */
  int count;
  plot_gap items[PLOT_GAPS_MOST];
} plot_gaps;

void plot_gaps_find(plot_gaps *out, const plot_view *view, const cla_alignment *alignment);

#endif
