#include "write/plot_path.h"

#include <math.h>

/* Points of a line that are closer than this, down and across, are one. */
#define LEAST_STEP 0.4
/* A path that is shorter gets a ring. */
#define SPECK 5.0
#define RING 7.0
#define RING_SIDES 24
#define FULL_TURN 6.28318530717958648

typedef struct thin_line {
  plot_canvas *canvas;
  bool open;         /* something was drawn: */
  double x, y;       /* up to here, */
  bool held;         /* and there is a point behind it that is not drawn yet */
  double to_x, to_y; /* where the line is */
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

void plot_path_draw(plot_canvas *canvas, const plot_view *view, const cla_alignment *alignment, double width,
                    plot_color color) {
  thin_line line = {.canvas = canvas, .low_x = INFINITY, .low_y = INFINITY, .high_x = -1, .high_y = -1};
  plot_walk walk;
  plot_piece piece;
  if (!alignment->has_path || alignment->run_count == 0) return;
  plot_stroke_begin(canvas, width, color);
  plot_walk_begin(&walk, alignment);
  while (plot_walk_next(&walk, &piece)) {
    if (!plot_piece_clip(&piece, view)) continue;
    line_start(&line, plot_axis_at(&view->target, piece.target), plot_axis_at(&view->query, piece.query));
    line_to(&line, plot_axis_at(&view->target, piece.to_target), plot_axis_at(&view->query, piece.to_query));
  }
  line_stop(&line);
  plot_stroke_end(canvas);
  if (line.high_x < line.low_x || line.high_x - line.low_x >= SPECK || line.high_y - line.low_y >= SPECK)
    return;
  draw_ring(canvas, (line.low_x + line.high_x) / 2, (line.low_y + line.high_y) / 2, color);
}
