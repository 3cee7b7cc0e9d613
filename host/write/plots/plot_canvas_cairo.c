/* Draws PNG and PDF with cairo. */

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "write/plots/plot_canvas.h"

#define QUARTER_TURN 1.57079632679489662
/* A PDF contains its date of creation. The date is fixed, so that equal plots are equal files. */
#define PDF_DATE "2000-01-01T00:00:00Z"

typedef struct cairo_canvas {
  plot_canvas canvas; /* must be the first field */
  cairo_surface_t *surface;
  cairo_t *cairo;
  bool png;
} cairo_canvas;

static cairo_t *cairo_of(plot_canvas *canvas) {
  return ((cairo_canvas *)(void *)canvas)->cairo;
}

static void set_color(cairo_t *cairo, plot_color color) {
  cairo_set_source_rgb(cairo, (double)(color >> 16 & 0xff) / 255, (double)(color >> 8 & 0xff) / 255,
                       (double)(color & 0xff) / 255);
}

static void draw_rectangle(plot_canvas *canvas, double x, double y, double width, double height,
                           plot_color fill) {
  cairo_t *cairo = cairo_of(canvas);
  set_color(cairo, fill);
  cairo_rectangle(cairo, x, y, width, height);
  cairo_fill(cairo);
}

static void draw_circle(plot_canvas *canvas, double x, double y, double radius, plot_color fill,
                        plot_color line) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_new_path(cairo);
  cairo_arc(cairo, x, y, radius, 0, 4 * QUARTER_TURN);
  set_color(cairo, fill);
  cairo_fill_preserve(cairo);
  set_color(cairo, line);
  cairo_set_line_width(cairo, 1);
  cairo_stroke(cairo);
}

static void begin_stroke(plot_canvas *canvas, double width, plot_color color) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_new_path(cairo);
  cairo_set_line_width(cairo, width);
  set_color(cairo, color);
}

static void add_point(plot_canvas *canvas, bool line, double x, double y) {
  if (line)
    cairo_line_to(cairo_of(canvas), x, y);
  else
    cairo_move_to(cairo_of(canvas), x, y);
}

static void end_stroke(plot_canvas *canvas) {
  cairo_stroke(cairo_of(canvas));
}

static void begin_area(plot_canvas *canvas, plot_color fill) {
  cairo_new_path(cairo_of(canvas));
  set_color(cairo_of(canvas), fill);
}

static void end_area(plot_canvas *canvas) {
  cairo_fill(cairo_of(canvas));
}

static void draw_text(plot_canvas *canvas, double x, double y, const plot_text_style *style,
                      const char *text) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_text_extents_t extents;
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, style->size);
  cairo_text_extents(cairo, text, &extents);
  const double shift = style->anchor == PLOT_ANCHOR_START    ? 0
                       : style->anchor == PLOT_ANCHOR_MIDDLE ? extents.x_advance / 2
                                                             : extents.x_advance;
  set_color(cairo, style->color);
  cairo_save(cairo);
  cairo_translate(cairo, x, y);
  if (style->upwards) cairo_rotate(cairo, -QUARTER_TURN);
  cairo_move_to(cairo, -shift, 0);
  cairo_show_text(cairo, text);
  cairo_restore(cairo);
}

/* Writes bytes to the stream. A failure sets the stream's error flag, which is checked at the end. */
static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned int length) {
  return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cla_status check(cairo_status_t code, cla_error *error) {
  if (code == CAIRO_STATUS_SUCCESS || code == CAIRO_STATUS_WRITE_ERROR) return CLA_OK;
  if (code == CAIRO_STATUS_NO_MEMORY)
    return error_set(error, CLA_ERROR_MEMORY, "no memory to draw a plot; free some");
  return error_set(error, CLA_ERROR_OUTPUT, "cannot draw a plot: %s; try an .svg",
                   cairo_status_to_string(code));
}

static cla_status finish(plot_canvas *canvas, cla_error *error) {
  cairo_canvas *c = (cairo_canvas *)(void *)canvas;
  cairo_status_t code = cairo_status(c->cairo);
  if (code == CAIRO_STATUS_SUCCESS && c->png)
    code = cairo_surface_write_to_png_stream(c->surface, write_bytes, canvas->file);
  cairo_destroy(c->cairo);
  cairo_surface_finish(c->surface);
  if (code == CAIRO_STATUS_SUCCESS) code = cairo_surface_status(c->surface);
  cairo_surface_destroy(c->surface);
  free(c);
  return check(code, error);
}

static const plot_canvas_kind kind = {.rectangle = draw_rectangle,
                                      .circle = draw_circle,
                                      .stroke_begin = begin_stroke,
                                      .stroke_point = add_point,
                                      .stroke_end = end_stroke,
                                      .area_begin = begin_area,
                                      .area_end = end_area,
                                      .text = draw_text,
                                      .finish = finish};

/* Creates a canvas, which takes ownership of the surface. */
static cla_status create(plot_canvas **out, cairo_surface_t *surface, bool png, FILE *file,
                         cla_error *error) {
  cairo_canvas *c = NULL;
  *out = NULL;
  cla_status status = check(cairo_surface_status(surface), error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&c, 1, "a plot", error);
  if (status != CLA_OK) {
    cairo_surface_destroy(surface);
    return status;
  }
  *c = (cairo_canvas){.canvas = {.kind = &kind, .file = file},
                      .surface = surface,
                      .cairo = cairo_create(surface),
                      .png = png};
  cairo_set_line_cap(c->cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(c->cairo, CAIRO_LINE_JOIN_ROUND);
  *out = &c->canvas;
  return CLA_OK;
}

cla_status plot_canvas_png(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error) {
  const int width = (int)ceil(paper->width * paper->scale), height = (int)ceil(paper->height * paper->scale);
  cla_status status =
      create(out, cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), true, file, error);
  if (status == CLA_OK) cairo_scale(cairo_of(*out), paper->scale, paper->scale);
  return status;
}

cla_status plot_canvas_pdf(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error) {
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream(write_bytes, file, paper->width, paper->height);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, PDF_DATE);
  return create(out, surface, false, file, error);
}
