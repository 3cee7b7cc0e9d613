#include <math.h>

#include "write/plot_figure.h"

#define PANEL_LONG 600.0
#define PANEL_SHORT 300.0 /* where sequences are of very different lengths */
#define PANEL_X 104.0
#define PANEL_Y 134.0
#define TRACK_SPACE 24.0
#define TRACK_BELOW 110.0 /* the track, its caption and what is left free */
#define SIDE_SPACE 36.0
#define SIDE_WIDTH 350.0
#define BOTTOM_SPACE 24.0

static void choose_panel(plot_figure *figure) {
  const plot_axis *query = &figure->view.query, *target = &figure->view.target;
  const double rows = fmax((double)(query->to - query->from), 1);
  const double columns = fmax((double)(target->to - target->from), 1);
  const double longer = fmax(rows, columns);
  figure->panel_width = fmax(columns / longer * PANEL_LONG, PANEL_SHORT);
  figure->panel_height = fmax(rows / longer * PANEL_LONG, PANEL_SHORT);
  figure->same_scale = fabs(figure->panel_width / columns * rows / figure->panel_height - 1) < 0.01;
}

void plot_layout(plot_figure *figure) {
  choose_panel(figure);
  figure->panel_width = round(figure->panel_width);
  figure->panel_height = round(figure->panel_height);
  figure->panel_x = PANEL_X;
  figure->panel_y = PANEL_Y;
  figure->view.query.begin = PANEL_Y;
  figure->view.query.end = PANEL_Y + figure->panel_height;
  figure->view.target.begin = PANEL_X;
  figure->view.target.end = PANEL_X + figure->panel_width;
  figure->track_y = figure->view.query.end + TRACK_SPACE;
  figure->side_x = figure->view.target.end + SIDE_SPACE;
  figure->width = figure->side_x + SIDE_WIDTH;
  const double left = figure->first->has_path ? figure->track_y + TRACK_BELOW : figure->view.query.end;
  figure->height = ceil(fmax(left, PANEL_Y + plot_side_height(figure)) + BOTTOM_SPACE);
}
