#ifndef HOST_WRITE_PLOT_PATH_H
#define HOST_WRITE_PLOT_PATH_H

#include "write/plot_canvas.h"
#include "write/plot_view.h"

/* Draws an alignment's path within the view, with points so far apart that they can be told apart: how many
 * depends on the plot's size, not on the path's length. What would be a speck gets a ring around it. */
void plot_path_draw(plot_canvas *canvas, const plot_view *view, const cla_alignment *alignment, double width,
                    plot_color color);

#endif
