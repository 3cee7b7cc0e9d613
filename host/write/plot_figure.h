#ifndef HOST_WRITE_PLOT_FIGURE_H
#define HOST_WRITE_PLOT_FIGURE_H

#include "write/plot_canvas.h"
#include "write/plot_gaps.h"
#include "write/plot_identity.h"
#include "write/plot_scale.h"

/* A plot of alignments: the matrix in a panel, the target's axis above and the query's to its left, the
 * identity in a track below, and to the right the key and the list of gaps. */

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, and tints for areas. What is drawn
 * differs in shape, too. */
enum {
  PLOT_PAPER = 0xffffff,
  PLOT_INK = 0x222222,
  PLOT_FAINT_INK = 0x555555,
  PLOT_PATH = 0x0072b2, /* blue */
  PLOT_FURTHER = 0x000000,
  PLOT_GAP = 0xd55e00,        /* vermillion */
  PLOT_ROW = 0xe69f00,        /* orange */
  PLOT_CROSSPOINT = 0xcc79a7, /* reddish purple */
  PLOT_IDENTITY = 0x009e73,   /* bluish green */
  PLOT_COMPUTED = 0xfbf3b5,   /* a tint of yellow */
  PLOT_PRUNED = 0xd6d6d6,
  PLOT_UNKNOWN = 0xf1f1f1,
};

#define PLOT_ROW_WIDTH 0.75
#define PLOT_TEXT 12.0
#define PLOT_SMALL_TEXT 11.0

typedef struct plot_figure {
  const cla_alignment *const *alignments;
  size_t count;
  const cla_alignment *first;         /* whose statistics, gaps and work are shown */
  const cla_sequence *query, *target; /* as the alignments have them: rotated */
  char *query_name, *target_name;     /* as text, with room for an ellipsis; owned */
  plot_view view;
  cla_statistics statistics; /* of the first, if it has a path */
  plot_identity identity;
  plot_gaps gaps;
  double width, height; /* of the whole */
  double panel_x, panel_y, panel_width, panel_height;
  double track_y, side_x;
  bool same_scale;                       /* a letter of the query is as long as one of the target */
  int64_t rows_drawn, crosspoints_drawn; /* set by plot_matrix_draw */
} plot_figure;

/* Chooses where everything is. */
void plot_layout(plot_figure *figure);

/* The parts. */
void plot_matrix_draw(plot_canvas *canvas, plot_figure *figure);
void plot_axes_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_track_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_side_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_title_draw(plot_canvas *canvas, const plot_figure *figure);

/* Whether a gap of the list is long enough to be seen in the panel. */
bool plot_gap_shows(const plot_figure *figure, int number);

/* How high the key and the list of gaps are. */
double plot_side_height(const plot_figure *figure);

#endif
