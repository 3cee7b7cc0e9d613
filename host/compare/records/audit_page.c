/* The page of an audit: a figure in SVG between tables. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/files.h"
#include "compare/records/audit_internal.h"
#include "write/plots/plot_canvas.h"
#include "write/plots/plot_internal.h"

#define WIDTH 900.0
#define LEFT 70.0
#define PANEL_WIDTH 800.0
#define COLUMNS 800 /* bars of the panel, each one point of the canvas wide */
#define PANEL_Y 40.0
#define PANEL_HEIGHT 180.0
#define HISTOGRAM_Y 300.0
#define HISTOGRAM_HEIGHT 140.0
#define HEIGHT 480.0
#define NAME_LEAST 60.0 /* minimum width of a target whose name is drawn, in points of the canvas */
#define NAME_SIZE 96

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\">\n<title>clalign "
    "audit</title>\n<style>\n"
    "body { margin: 24px; font: 14px sans-serif; color: #222; max-width: 960px; }\n"
    "td { padding: 2px 16px 2px 0; vertical-align: top; }\ncode { font-size: 12px; }\n"
    "svg { max-width: 100%; height: auto; }\n</style>\n</head>\n<body>\n";

static void put_text(FILE *file, const char *text) {
  for (; *text; text++) switch (*text) {
      case '<': fputs("&lt;", file); break;
      case '>': fputs("&gt;", file); break;
      case '&': fputs("&amp;", file); break;
      default: fputc(*text, file);
    }
}

static void put_lines(FILE *file, const char *title, const cla_audit_line *lines, size_t count) {
  if (count == 0) return;
  if (title) fprintf(file, "<h2>%s</h2>\n", title);
  fputs("<table>\n", file);
  for (size_t i = 0; i < count; i++) {
    fputs("<tr><td>", file);
    put_text(file, lines[i].text);
    if (lines[i].command) {
      fputs("</td><td><code>", file);
      put_text(file, lines[i].command);
      fputs("</code>", file);
    }
    fputs("</td></tr>\n", file);
  }
  fputs("</table>\n", file);
}

static int64_t all_letters(const cla_audit_track *track) {
  int64_t letters = 0;
  for (int64_t i = 0; i < track->count; i++) letters += track->targets[i]->length;
  return larger(letters, 1);
}

/* Sums the lost points of each bar. The targets follow one another along the panel. */
static void fill_bars(double bars[COLUMNS], const cla_audit_track *track) {
  const double scale = COLUMNS / (double)all_letters(track);
  double offset = 0;
  memset(bars, 0, COLUMNS * sizeof *bars);
  for (int64_t i = 0; i < track->count; i++) {
    const track_target *target = track->targets[i];
    for (int64_t k = 0; k < target->windows; k++) {
      const double middle = offset + ((double)k + 0.5) * (double)track->window_letters;
      bars[(int)fmin(middle * scale, COLUMNS - 1)] += target->lost[k];
    }
    offset += (double)target->length;
  }
}

static void put_caption(plot_canvas *canvas, double x, double y, plot_anchor anchor, const char *text) {
  plot_text(canvas, x, y, &(plot_text_style){.size = 12, .anchor = anchor, .color = PLOT_INK}, text);
}

/* Draws the names of the targets below the panel, where there is room, and lines between targets. */
static cla_status draw_names(plot_canvas *canvas, const cla_audit_track *track, cla_error *error) {
  const double scale = PANEL_WIDTH / (double)all_letters(track);
  double at = LEFT;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < track->count && status == CLA_OK; i++) {
    char *name = NULL;
    const double width = (double)track->targets[i]->length * scale;
    if (i > 0 && width > 3)
      plot_line(canvas, at, PANEL_Y, at, PANEL_Y + PANEL_HEIGHT, (plot_pen){0.5, PLOT_GRID});
    if (width >= NAME_LEAST) status = plot_name_clean(&name, track->targets[i]->name, error);
    if (name) {
      plot_text_fit(name, 12, false, width - 8);
      put_caption(canvas, at + width / 2, PANEL_Y + PANEL_HEIGHT + 18, PLOT_ANCHOR_MIDDLE, name);
    }
    free(name);
    at += width;
  }
  return status;
}

static void draw_bars(plot_canvas *canvas, const double bars[COLUMNS], int32_t units) {
  char text[NAME_SIZE];
  double most = 0;
  for (int i = 0; i < COLUMNS; i++) most = fmax(most, bars[i]);
  put_caption(canvas, LEFT, PANEL_Y - 14, PLOT_ANCHOR_START, "points lost along the targets");
  snprintf(text, sizeof text, "%.4g", most / (units > 0 ? units : 1));
  put_caption(canvas, LEFT - 8, PANEL_Y + 10, PLOT_ANCHOR_END, text);
  put_caption(canvas, LEFT - 8, PANEL_Y + PANEL_HEIGHT, PLOT_ANCHOR_END, "0");
  for (int i = 0; i < COLUMNS && most > 0; i++) {
    const double height = bars[i] / most * PANEL_HEIGHT;
    if (height > 0)
      plot_rectangle(canvas, LEFT + i * PANEL_WIDTH / COLUMNS, PANEL_Y + PANEL_HEIGHT - fmax(height, 0.5),
                     PANEL_WIDTH / COLUMNS, fmax(height, 0.5), plot_path_colors[0][PLOT_CLASSES - 1]);
  }
  plot_frame(canvas, LEFT, PANEL_Y, PANEL_WIDTH, PANEL_HEIGHT, (plot_pen){1, PLOT_FAINT_INK});
}

static void draw_histogram(plot_canvas *canvas, const cla_audit_track *track) {
  const double bottom = HISTOGRAM_Y + HISTOGRAM_HEIGHT, step = PANEL_WIDTH / TRACK_BINS;
  int64_t most = 1;
  for (int i = 0; i < TRACK_BINS; i++) most = larger(most, track->bins[i]);
  put_caption(canvas, LEFT, HISTOGRAM_Y - 22, PLOT_ANCHOR_START,
              "records by the part of the optimal score that they lose");
  for (int i = 0; i < TRACK_BINS; i++) {
    char text[PLOT_NUMBER_SIZE];
    const double height = (double)track->bins[i] / (double)most * HISTOGRAM_HEIGHT, x = LEFT + i * step;
    plot_rectangle(canvas, x + 8, bottom - height, step - 16, height, plot_path_colors[0][PLOT_CLASSES - 1]);
    plot_number_text(text, track->bins[i]);
    put_caption(canvas, x + step / 2, bottom - height - 4, PLOT_ANCHOR_MIDDLE, text);
    put_caption(canvas, x + step / 2, bottom + 18, PLOT_ANCHOR_MIDDLE, track_bin_names[i]);
  }
  plot_line(canvas, LEFT, bottom, LEFT + PANEL_WIDTH, bottom, (plot_pen){1, PLOT_FAINT_INK});
}

static cla_status draw(FILE *file, const cla_audit_track *track, int32_t units, cla_error *error) {
  double bars[COLUMNS];
  plot_canvas *canvas = NULL;
  const plot_paper paper = {.width = WIDTH, .height = HEIGHT, .scale = 1};
  cla_status status = plot_canvas_svg(&canvas, file, &paper, error);
  if (status != CLA_OK) return status;
  fill_bars(bars, track);
  draw_bars(canvas, bars, units);
  status = draw_names(canvas, track, error);
  draw_histogram(canvas, track);
  const cla_status finished = plot_canvas_finish(canvas, error);
  return status == CLA_OK ? finished : status;
}

/* Writes the figure without the XML declaration. */
static cla_status put_picture(FILE *file, const cla_audit_track *track, int32_t units, cla_error *error) {
  char *svg = NULL;
  size_t bytes = 0;
  FILE *memory = open_memstream(&svg, &bytes);
  if (!memory) return allocate_failed("a picture", error);
  cla_status status = draw(memory, track, units, error);
  const bool failed = ferror(memory) != 0;
  if ((fclose(memory) != 0 || failed) && status == CLA_OK) status = allocate_failed("a picture", error);
  const char *begin = status == CLA_OK ? strstr(svg, "<svg") : NULL;
  if (begin) fputs(begin, file);
  free(svg);
  return status;
}

cla_status cla_audit_page_write(const char *path, const cla_audit_track *track, const cla_audit_page *page,
                                cla_error *error) {
  atomic_file *out = NULL;
  cla_status status = atomic_file_open(&out, path, error);
  if (status != CLA_OK) return status;
  FILE *file = atomic_file_stream(out);
  fputs(head, file);
  fputs("<h1>", file);
  put_text(file, page->title);
  fputs("</h1>\n", file);
  put_lines(file, NULL, page->summary, page->summary_count);
  status = put_picture(file, track, page->units, error);
  put_lines(file, "records that lose most", page->worst, page->worst_count);
  fputs("</body>\n</html>\n", file);
  if (status == CLA_OK) return atomic_file_commit(out, error);
  atomic_file_discard(out);
  return status;
}
