#ifndef HOST_WRITE_PLOT_VIEW_H
#define HOST_WRITE_PLOT_VIEW_H

#include "clalign/plot.h"

/* Which part of the matrix is drawn and where. Positions are those of the records on their forward strands,
 * rotated as the alignments are: the query's go down, the target's to the right, and paths of the reverse
 * strand go up. */

typedef struct plot_axis {
  int64_t from, to;  /* the part that is drawn, from <= to */
  double begin, end; /* and between which points; set by the layout */
} plot_axis;

static inline double plot_axis_at(const plot_axis *axis, double position) {
  const double letters = axis->to > axis->from ? (double)(axis->to - axis->from) : 1;
  return axis->begin + (position - (double)axis->from) / letters * (axis->end - axis->begin);
}

typedef struct plot_view {
  plot_axis query, target;
} plot_view;

/* CLA_ERROR_OPTION for a range that lies outside `length` letters, or outside [begin, end). */
cla_status plot_range_check(const cla_plot_range *range, const char *role, int64_t length, int64_t begin,
                            int64_t end, cla_error *error);

/* The part of the matrix that the options want. CLA_ERROR_OPTION for a range that no part of it has. */
cla_status plot_view_choose(plot_view *out, const cla_alignment *const *alignments, size_t count,
                            const cla_plot_options *options, cla_error *error);

/* A straight piece of a path, in the direction in which the path runs. */
typedef struct plot_piece {
  cla_run_kind kind;
  double query, target, to_query, to_target;
} plot_piece;

/* Goes along an alignment's runs. */
typedef struct plot_walk {
  const cla_alignment *alignment;
  size_t run;
  int64_t query, target; /* where the next run begins */
} plot_walk;

void plot_walk_begin(plot_walk *walk, const cla_alignment *alignment);

/* The next run as a piece; false at the end. */
bool plot_walk_next(plot_walk *walk, plot_piece *piece);

/* Cuts a piece to the view; false if nothing of it is left. */
bool plot_piece_clip(plot_piece *piece, const plot_view *view);

#endif
