#include "write/plot_canvas.h"

cla_status plot_canvas_finish(plot_canvas *canvas, cla_error *error) {
  return canvas ? canvas->kind->finish(canvas, error) : CLA_OK;
}

void plot_rectangle(plot_canvas *canvas, double x, double y, double width, double height, plot_color fill) {
  if (width > 0 && height > 0) canvas->kind->rectangle(canvas, x, y, width, height, fill);
}

void plot_circle(plot_canvas *canvas, double x, double y, double radius, plot_color fill, plot_color line) {
  canvas->kind->circle(canvas, x, y, radius, fill, line);
}

void plot_stroke_begin(plot_canvas *canvas, double width, plot_color color) {
  canvas->kind->stroke_begin(canvas, width, color);
}

void plot_stroke_move(plot_canvas *canvas, double x, double y) {
  canvas->kind->stroke_point(canvas, false, x, y);
}

void plot_stroke_line(plot_canvas *canvas, double x, double y) {
  canvas->kind->stroke_point(canvas, true, x, y);
}

void plot_stroke_end(plot_canvas *canvas) {
  canvas->kind->stroke_end(canvas);
}

void plot_line(plot_canvas *canvas, double x, double y, double to_x, double to_y, double width,
               plot_color color) {
  plot_stroke_begin(canvas, width, color);
  plot_stroke_move(canvas, x, y);
  plot_stroke_line(canvas, to_x, to_y);
  plot_stroke_end(canvas);
}

void plot_frame(plot_canvas *canvas, double x, double y, double width, double height, double line,
                plot_color color) {
  plot_stroke_begin(canvas, line, color);
  plot_stroke_move(canvas, x, y);
  plot_stroke_line(canvas, x + width, y);
  plot_stroke_line(canvas, x + width, y + height);
  plot_stroke_line(canvas, x, y + height);
  plot_stroke_line(canvas, x, y);
  plot_stroke_end(canvas);
}

void plot_text(plot_canvas *canvas, double x, double y, const plot_text_style *style, const char *text) {
  canvas->kind->text(canvas, x, y, style, text);
}
