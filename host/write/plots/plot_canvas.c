#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "write/plots/plot_canvas.h"

cla_status plot_canvas_finish(plot_canvas *canvas, cla_error *error) {
  return canvas ? canvas->kind->finish(canvas, error) : CLA_OK;
}

void plot_canvas_tones(plot_canvas *canvas, const plot_tone *tones, size_t count) {
  canvas->tones = tones;
  canvas->tone_count = count;
}

static plot_color shown(const plot_canvas *canvas, plot_color color) {
  for (size_t i = 0; i < canvas->tone_count; i++)
    if (canvas->tones[i].color == color) return canvas->tones[i].shown;
  return color;
}

void plot_rectangle(plot_canvas *canvas, double x, double y, double width, double height, plot_color fill) {
  if (width > 0 && height > 0) canvas->kind->rectangle(canvas, x, y, width, height, shown(canvas, fill));
}

void plot_circle(plot_canvas *canvas, double x, double y, double radius, plot_color fill, plot_color line) {
  canvas->kind->circle(canvas, x, y, radius, shown(canvas, fill), shown(canvas, line));
}

void plot_stroke_begin(plot_canvas *canvas, double width, plot_color color) {
  canvas->kind->stroke_begin(canvas, width, shown(canvas, color));
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

void plot_area_begin(plot_canvas *canvas, plot_color fill) {
  canvas->kind->area_begin(canvas, shown(canvas, fill));
}

void plot_area_end(plot_canvas *canvas) {
  canvas->kind->area_end(canvas);
}

void plot_line(plot_canvas *canvas, double x, double y, double to_x, double to_y, plot_pen pen) {
  plot_stroke_begin(canvas, pen.width, pen.color);
  plot_stroke_move(canvas, x, y);
  plot_stroke_line(canvas, to_x, to_y);
  plot_stroke_end(canvas);
}

void plot_frame(plot_canvas *canvas, double x, double y, double width, double height, plot_pen pen) {
  plot_stroke_begin(canvas, pen.width, pen.color);
  plot_stroke_move(canvas, x, y);
  plot_stroke_line(canvas, x + width, y);
  plot_stroke_line(canvas, x + width, y + height);
  plot_stroke_line(canvas, x, y + height);
  plot_stroke_line(canvas, x, y);
  plot_stroke_end(canvas);
}

void plot_text(plot_canvas *canvas, double x, double y, const plot_text_style *style, const char *text) {
  plot_text_style toned = *style;
  toned.color = shown(canvas, style->color);
  canvas->kind->text(canvas, x, y, &toned, text);
}

/* SVG is written by this file and not by cairo, which would draw the outlines of letters. So text remains
 * text: it can be searched and read aloud, and the fonts of this machine do not matter. */

#define FONTS "DejaVu Sans,Verdana,Helvetica,Arial,sans-serif"

/* Writes a number with at most two decimals, regardless of the locale. */
static void put_number(FILE *file, double value) {
  const long long hundredths = llround(value * 100);
  const long long size = hundredths < 0 ? -hundredths : hundredths;
  fprintf(file, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
  if (size % 100 == 0) return;
  if (size % 10 == 0)
    fprintf(file, ".%lld", size % 100 / 10);
  else
    fprintf(file, ".%02lld", size % 100);
}

static void put_attribute(FILE *file, const char *name, double value) {
  fprintf(file, " %s=\"", name);
  put_number(file, value);
  fputc('"', file);
}

static void put_color(FILE *file, const char *name, plot_color color) {
  fprintf(file, " %s=\"#%06x\"", name, (unsigned)color);
}

static void put_text(FILE *file, const char *text) {
  for (; *text; text++) {
    switch (*text) {
      case '&': fputs("&amp;", file); break;
      case '<': fputs("&lt;", file); break;
      case '>': fputs("&gt;", file); break;
      default: fputc(*text, file);
    }
  }
}

static void draw_rectangle(plot_canvas *canvas, double x, double y, double width, double height,
                           plot_color fill) {
  fputs("<rect", canvas->file);
  put_attribute(canvas->file, "x", x);
  put_attribute(canvas->file, "y", y);
  put_attribute(canvas->file, "width", width);
  put_attribute(canvas->file, "height", height);
  put_color(canvas->file, "fill", fill);
  fputs("/>\n", canvas->file);
}

static void draw_circle(plot_canvas *canvas, double x, double y, double radius, plot_color fill,
                        plot_color line) {
  fputs("<circle", canvas->file);
  put_attribute(canvas->file, "cx", x);
  put_attribute(canvas->file, "cy", y);
  put_attribute(canvas->file, "r", radius);
  put_color(canvas->file, "fill", fill);
  put_color(canvas->file, "stroke", line);
  fputs("/>\n", canvas->file);
}

static void begin_stroke(plot_canvas *canvas, double width, plot_color color) {
  fputs("<path fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", canvas->file);
  put_attribute(canvas->file, "stroke-width", width);
  put_color(canvas->file, "stroke", color);
  fputs(" d=\"", canvas->file);
}

static void add_point(plot_canvas *canvas, bool line, double x, double y) {
  fputc(line ? 'L' : 'M', canvas->file);
  put_number(canvas->file, x);
  fputc(' ', canvas->file);
  put_number(canvas->file, y);
}

static void end_stroke(plot_canvas *canvas) {
  fputs("\"/>\n", canvas->file);
}

static void begin_area(plot_canvas *canvas, plot_color fill) {
  fputs("<path", canvas->file);
  put_color(canvas->file, "fill", fill);
  fputs(" d=\"", canvas->file);
}

static void draw_text(plot_canvas *canvas, double x, double y, const plot_text_style *style,
                      const char *text) {
  static const char *const anchors[] = {"start", "middle", "end"};
  FILE *file = canvas->file;
  fputs("<text", file);
  if (style->upwards) {
    fputs(" transform=\"translate(", file);
    put_number(file, x);
    fputc(' ', file);
    put_number(file, y);
    fputs(") rotate(-90)\"", file);
  } else {
    put_attribute(file, "x", x);
    put_attribute(file, "y", y);
  }
  put_attribute(file, "font-size", style->size);
  if (style->bold) fputs(" font-weight=\"bold\"", file);
  if (style->anchor != PLOT_ANCHOR_START) fprintf(file, " text-anchor=\"%s\"", anchors[style->anchor]);
  put_color(file, "fill", style->color);
  fputc('>', file);
  put_text(file, text);
  fputs("</text>\n", file);
}

static cla_status finish(plot_canvas *canvas, cla_error *error) {
  (void)error;
  fputs("</svg>\n", canvas->file);
  free(canvas);
  return CLA_OK;
}

static const plot_canvas_kind kind = {.rectangle = draw_rectangle,
                                      .circle = draw_circle,
                                      .stroke_begin = begin_stroke,
                                      .stroke_point = add_point,
                                      .stroke_end = end_stroke,
                                      .area_begin = begin_area,
                                      .area_end = end_stroke,
                                      .text = draw_text,
                                      .finish = finish};

cla_status plot_canvas_svg(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a plot", error);
  if (status != CLA_OK) return status;
  **out = (plot_canvas){.kind = &kind, .file = file};
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"", file);
  put_attribute(file, "width", paper->width);
  put_attribute(file, "height", paper->height);
  fputs(" viewBox=\"0 0 ", file);
  put_number(file, paper->width);
  fputc(' ', file);
  put_number(file, paper->height);
  fputs("\" font-family=\"" FONTS "\">\n", file);
  return CLA_OK;
}
