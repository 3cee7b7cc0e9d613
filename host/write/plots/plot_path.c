/* Draws the paths of a plot, coloured by strand and identity. */

#include <math.h>

#include "write/plots/plot_internal.h"

/* Points of a line that are closer than this, in both directions, are drawn as one point. */
#define LEAST_STEP 0.4
/* A path that is shorter than this gets a ring around it. */
#define SPECK 5.0
#define RING 7.0
#define RING_SIDES 24
#define FULL_TURN 6.28318530717958648

typedef struct thin_line {
  plot_canvas *canvas;
  bool open;         /* a line has been started */
  double x, y;       /* the last point that was drawn */
  bool held;         /* the point (to_x, to_y) is not drawn yet */
  double to_x, to_y; /* the line's last point, drawn or held */
  double width;
  plot_color color;
  double low_x, high_x, low_y, high_y;
} thin_line;

static void line_stop(thin_line *line) {
  if (line->open && line->held) plot_stroke_line(line->canvas, line->to_x, line->to_y);
  line->open = line->held = false;
}

static void line_spread(thin_line *line, double x, double y) {
  line->low_x = fmin(line->low_x, x);
  line->high_x = fmax(line->high_x, x);
  line->low_y = fmin(line->low_y, y);
  line->high_y = fmax(line->high_y, y);
}

static void line_start(thin_line *line, double x, double y) {
  if (line->open && fabs(x - line->to_x) < LEAST_STEP / 4 && fabs(y - line->to_y) < LEAST_STEP / 4) return;
  line_stop(line);
  plot_stroke_move(line->canvas, x, y);
  line->open = line->held = true; /* so that a point is drawn as a dot */
  line->x = line->to_x = x;
  line->y = line->to_y = y;
  line_spread(line, x, y);
}

static void line_to(thin_line *line, double x, double y) {
  line->to_x = x;
  line->to_y = y;
  line->held = true;
  line_spread(line, x, y);
  if (fabs(x - line->x) < LEAST_STEP && fabs(y - line->y) < LEAST_STEP) return;
  plot_stroke_line(line->canvas, x, y);
  line->x = x;
  line->y = y;
  line->held = false;
}

static void draw_ring(plot_canvas *canvas, double x, double y, plot_color color) {
  plot_stroke_begin(canvas, 1.5, color);
  plot_stroke_move(canvas, x + RING, y);
  for (int i = 1; i <= RING_SIDES; i++) {
    const double angle = FULL_TURN * i / RING_SIDES;
    plot_stroke_line(canvas, x + RING * cos(angle), y + RING * sin(angle));
  }
  plot_stroke_end(canvas);
}

/* Returns the end of the identity window that contains `target`. Pieces are cut at such ends, so that each
 * part has one colour. */
static double window_end(const plot_identity *identity, double target) {
  const plot_window *first = &identity->windows[0];
  const double letters = (double)identity->letters;
  return (double)first->target + (floor((target - (double)first->target) / letters) + 1) * letters;
}

static void set_color(thin_line *line, plot_color color) {
  if (line->color == color) return;
  const bool open = line->open;
  const double x = line->to_x, y = line->to_y;
  line_stop(line);
  plot_stroke_end(line->canvas);
  plot_stroke_begin(line->canvas, line->width, color);
  line->color = color;
  if (open) line_start(line, x, y);
}

static void draw_piece(thin_line *line, const plot_view *view, const plot_identity *identity,
                       const plot_piece *piece, const plot_color *colors) {
  const double rows = piece->to_query - piece->query, columns = piece->to_target - piece->target;
  double target = piece->target, share = 0;
  while (share < 1) {
    const double end = columns > 0 ? fmin(window_end(identity, target), piece->to_target) : target;
    const double next = columns > 0 && end < piece->to_target ? (end - piece->target) / columns : 1;
    set_color(line, colors[plot_identity_class(identity, target)]);
    line_start(line, plot_axis_at(&view->target, target),
               plot_axis_at(&view->query, piece->query + share * rows));
    line_to(line, plot_axis_at(&view->target, end), plot_axis_at(&view->query, piece->query + next * rows));
    target = end;
    share = next;
  }
}

/* Draws the path within the view. Points are far enough apart to be distinguished, so their number depends on
 * the plot's size, not on the path's length. A path that would be a speck gets a ring. */
void plot_path_draw(plot_canvas *canvas, const plot_figure *figure, const cla_alignment *alignment,
                    double width) {
  const plot_color *colors = plot_path_colors[alignment->strand == CLA_STRAND_REVERSE];
  thin_line line = {.canvas = canvas, .width = width, .color = colors[0]};
  const plot_identity *identity = &figure->identity;
  plot_identity counted;
  plot_walk walk;
  plot_piece piece;
  if (!alignment->has_path || alignment->run_count == 0) return;
  line.low_x = line.low_y = INFINITY;
  line.high_x = line.high_y = -1;
  if (figure->counted.count > 1 || alignment != figure->first) {
    const plot_paths alone = {&alignment, 1};
    plot_identity_count(&counted, &figure->view, &alone, figure->query, figure->target);
    identity = &counted;
  }
  plot_stroke_begin(canvas, width, line.color);
  plot_walk_begin(&walk, alignment);
  while (plot_walk_next(&walk, &piece))
    if (plot_piece_clip(&piece, &figure->view)) draw_piece(&line, &figure->view, identity, &piece, colors);
  line_stop(&line);
  plot_stroke_end(canvas);
  if (line.high_x < line.low_x || line.high_x - line.low_x >= SPECK || line.high_y - line.low_y >= SPECK)
    return;
  draw_ring(canvas, (line.low_x + line.high_x) / 2, (line.low_y + line.high_y) / 2, colors[0]);
}
