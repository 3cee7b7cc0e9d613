#ifndef HOST_WRITE_PLOTS_PLOT_CANVAS_H
#define HOST_WRITE_PLOTS_PLOT_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/status.h"

/* The surface on which a plot is drawn. Lengths are in points, which are pixels in a PNG; x increases to the
 * right, y downwards. */
typedef struct plot_canvas plot_canvas;

typedef uint32_t plot_color; /* 0xRRGGBB */

typedef enum plot_anchor {
  PLOT_ANCHOR_START,
  PLOT_ANCHOR_MIDDLE,
  PLOT_ANCHOR_END,
} plot_anchor;

typedef struct plot_text_style {
  double size;
  bool bold;
  bool upwards; /* rotated by 90 degrees, to be read from the right */
  plot_anchor anchor;
  plot_color color;
} plot_text_style;

/* The functions below open a canvas of each kind. A canvas writes to `file`, which must outlive the canvas.
 * CLA_ERROR_MEMORY; CLA_ERROR_OUTPUT if the drawing library fails. */
typedef struct plot_paper {
  double width, height;
  double scale; /* pixels per point; PNG only */
} plot_paper;

cla_status plot_canvas_svg(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error);
cla_status plot_canvas_png(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error);
cla_status plot_canvas_pdf(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error);

/* A colour, and the colour that is drawn in its place. */
typedef struct plot_tone {
  plot_color color, shown;
} plot_tone;

/* From this call on, each `color` of the tones is drawn as the tone's `shown`; other colours are
 * unchanged. */
void plot_canvas_tones(plot_canvas *canvas, const plot_tone *tones, size_t count);

/* Completes the output and frees the canvas; NULL is allowed. Output errors only set the stream's error flag.
 * CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status plot_canvas_finish(plot_canvas *canvas, cla_error *error);

void plot_rectangle(plot_canvas *canvas, double x, double y, double width, double height, plot_color fill);
void plot_circle(plot_canvas *canvas, double x, double y, double radius, plot_color fill, plot_color line);

/* These functions draw a line through points: first begin, then move and line in any order, then end. */
void plot_stroke_begin(plot_canvas *canvas, double width, plot_color color);
void plot_stroke_move(plot_canvas *canvas, double x, double y);
void plot_stroke_line(plot_canvas *canvas, double x, double y);
void plot_stroke_end(plot_canvas *canvas);

/* These functions draw an area. Its border is drawn like a stroke, with move and line. */
void plot_area_begin(plot_canvas *canvas, plot_color fill);
void plot_area_end(plot_canvas *canvas);

/* The width and the colour of a line. */
typedef struct plot_pen {
  double width;
  plot_color color;
} plot_pen;

/* Draws a line between two points. */
void plot_line(plot_canvas *canvas, double x, double y, double to_x, double to_y, plot_pen pen);

/* Draws the lines of a rectangular frame. */
void plot_frame(plot_canvas *canvas, double x, double y, double width, double height, plot_pen pen);

/* Draws a text, with its anchor on the base line at (x,y). `text` must be valid UTF-8 without control
 * characters and noncharacters. */
void plot_text(plot_canvas *canvas, double x, double y, const plot_text_style *style, const char *text);

/* The functions that each kind of canvas provides. */
typedef struct plot_canvas_kind {
  void (*rectangle)(plot_canvas *, double x, double y, double width, double height, plot_color fill);
  void (*circle)(plot_canvas *, double x, double y, double radius, plot_color fill, plot_color line);
  void (*stroke_begin)(plot_canvas *, double width, plot_color color);
  void (*stroke_point)(plot_canvas *, bool line, double x, double y);
  void (*stroke_end)(plot_canvas *);
  void (*area_begin)(plot_canvas *, plot_color fill);
  void (*area_end)(plot_canvas *);
  void (*text)(plot_canvas *, double x, double y, const plot_text_style *style, const char *text);
  cla_status (*finish)(plot_canvas *, cla_error *error); /* completes the output, frees the canvas */
} plot_canvas_kind;

struct plot_canvas {
  const plot_canvas_kind *kind;
  FILE *file;
  const plot_tone *tones; /* not owned */
  size_t tone_count;
};

#endif
