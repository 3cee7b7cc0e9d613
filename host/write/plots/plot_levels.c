/* Draws the areas of the matrix that remain after each level of bounds, one within the other. */

#include <math.h>

#include "write/plots/plot_internal.h"

/* Largest error, in points, of the place where a border is drawn. */
#define BORDER_ERROR 0.4
#define BORDER_WIDTH 0.75

/* One of an area's two borders. Points are added one by one; a point on the line between its neighbours is
 * left out. */
typedef struct level_border {
  plot_canvas *canvas;
  int64_t count;
  double from_x, from_y; /* the last point that was drawn */
  double x, y;           /* the last point that was added; not drawn yet */
  double slope;          /* slope of the line from the last drawn point to the last added point */
} level_border;

static void put(level_border *border, bool line, double x, double y) {
  if (line)
    plot_stroke_line(border->canvas, x, y);
  else
    plot_stroke_move(border->canvas, x, y);
  border->from_x = x;
  border->from_y = y;
}

static double slope_to(const level_border *border, double x, double y) {
  return fabs(y - border->from_y) < 0.01 ? 0 : (x - border->from_x) / (y - border->from_y);
}

static void border_add(level_border *border, bool line, double x, double y) {
  const double expected = border->from_x + border->slope * (y - border->from_y);
  if (border->count == 0) put(border, line, x, y);
  if (border->count >= 2 && fabs(x - expected) > BORDER_ERROR) put(border, true, border->x, border->y);
  if (border->count == 1 || fabs(x - expected) > BORDER_ERROR) border->slope = slope_to(border, x, y);
  border->x = x;
  border->y = y;
  border->count++;
}

static void border_end(const level_border *border) {
  if (border->count > 1) plot_stroke_line(border->canvas, border->x, border->y);
}

/* Adds the point where a border passes a band: the left border at the band's first row, the right border at
 * its last row. The reason is that both borders follow diagonals. */
static void add_band(level_border *border, const plot_figure *figure, const cla_work_band *band, bool right,
                     bool goes_on) {
  const double x = plot_column_at(figure, band->column + (right ? band->columns : 0));
  const double y = plot_row_at(figure, band->row + (right ? band->rows : 0));
  border_add(border, goes_on || border->count > 0, plot_clamp(x, figure->layout.panel_x, plot_right(figure)),
             plot_clamp(y, figure->layout.panel_y, plot_bottom(figure)));
}

/* Draws down along the left border and up along the right border. With `lines`, the right border starts a new
 * line. */
static void put_borders(plot_canvas *canvas, const plot_figure *figure, const cla_work_band *bands,
                        int64_t count, bool lines) {
  level_border left = {.canvas = canvas}, right = {.canvas = canvas};
  for (int64_t i = 0; i < count; i++) add_band(&left, figure, &bands[i], false, false);
  border_end(&left);
  for (int64_t i = count; i-- > 0;) add_band(&right, figure, &bands[i], true, !lines);
  border_end(&right);
}

static void draw_bands(plot_canvas *canvas, const plot_figure *figure, const cla_work_band *bands,
                       int64_t count, plot_color color) {
  if (color == PLOT_IDENTITY)
    plot_stroke_begin(canvas, BORDER_WIDTH, color);
  else
    plot_area_begin(canvas, color);
  put_borders(canvas, figure, bands, count, color == PLOT_IDENTITY);
  if (color == PLOT_IDENTITY)
    plot_stroke_end(canvas);
  else
    plot_area_end(canvas);
}

/* True if some of the band's rows are within the view. */
static bool is_in_view(const plot_figure *figure, const cla_work_band *band) {
  const double a = plot_row_at(figure, band->row), b = plot_row_at(figure, band->row + band->rows);
  return fmax(a, b) >= figure->layout.panel_y && fmin(a, b) <= plot_bottom(figure);
}

void plot_levels_draw(plot_canvas *canvas, const plot_figure *figure, bool lines) {
  const cla_work *work = figure->first->work;
  const cla_work_band *bands = work->level_bands;
  for (size_t i = 0; i < work->level_count; i++) {
    const int64_t count = work->levels[i].band_count;
    for (int64_t from = 0, to; from < count; from = to) {
      to = from;
      while (to < count && bands[to].columns > 0 && is_in_view(figure, &bands[to])) to++;
      if (to > from)
        draw_bands(canvas, figure, bands + from, to - from, lines ? PLOT_IDENTITY : plot_level_colors[i]);
      to += to == from;
    }
    bands += count;
  }
}
