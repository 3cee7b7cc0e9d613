/* Draws the axes of the panel, and the identity track below it. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/plots/plot_internal.h"

#define MARK 5.0
#define ACROSS_LEAST 84.0 /* least distance of two marks whose texts are side by side */
#define UP_LEAST 44.0
#define TRACK_HEIGHT 76.0
#define NAME_ROOM 512

/* A part of an axis that does not contain the origin of a circular record. A position in [from, to] of the
 * axis is the record's position minus `shift`. */
typedef struct axis_part {
  int64_t from, to, shift;
} axis_part;

static int split_axis(axis_part parts[2], const plot_axis *axis, const cla_side *side) {
  const int64_t origin = side->length - side->rotation; /* axis position of the record's first letter */
  if (side->rotation == 0 || origin >= axis->to || origin <= axis->from) {
    const bool behind = side->rotation > 0 && origin <= axis->from;
    parts[0] = (axis_part){axis->from, axis->to, behind ? -origin : side->rotation};
    return 1;
  }
  parts[0] = (axis_part){axis->from, origin, side->rotation};
  parts[1] = (axis_part){origin, axis->to, -origin};
  return 2;
}

static void draw_mark(plot_canvas *canvas, const plot_figure *figure, bool of_query, double at,
                      const char *text) {
  const plot_text_style style = {
      .size = PLOT_SMALL_TEXT, .anchor = of_query ? PLOT_ANCHOR_END : PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  if (of_query) {
    plot_line(canvas, figure->layout.panel_x - MARK, at, figure->layout.panel_x, at,
              (plot_pen){1, PLOT_FAINT_INK});
    plot_text(canvas, figure->layout.panel_x - MARK - 4, at + 4, &style, text);
  } else {
    const double bottom = plot_bottom(figure);
    plot_line(canvas, at, bottom, at, bottom + MARK, (plot_pen){1, PLOT_FAINT_INK});
    plot_text(canvas, at, bottom + MARK + 12, &style, text);
  }
}

static void draw_axis(plot_canvas *canvas, const plot_figure *figure, bool of_query, plot_scale *scale) {
  const plot_axis *axis = of_query ? &figure->view.query : &figure->view.target;
  const cla_side *side = of_query ? &figure->first->query : &figure->first->target;
  const double least = of_query ? UP_LEAST : ACROSS_LEAST;
  axis_part parts[2];
  double before = -INFINITY;
  *scale =
      plot_scale_choose(axis->from, axis->to, fabs(axis->end - axis->begin), least, figure->first->alphabet);
  const int count = split_axis(parts, axis, side);
  for (int i = 0; i < count; i++) {
    const axis_part *part = &parts[i];
    int64_t mark = (part->from + part->shift + scale->step - 1) / scale->step * scale->step;
    for (; mark - part->shift <= part->to; mark += scale->step) {
      const double at = plot_axis_at(axis, (double)(mark - part->shift));
      char text[PLOT_NUMBER_SIZE];
      if (fabs(at - before) < least * 0.6) continue; /* too close to the origin of a circular record */
      plot_scale_text(text, scale, mark);
      draw_mark(canvas, figure, of_query, at, text);
      before = at;
    }
  }
}

static void draw_name(plot_canvas *canvas, const plot_figure *figure, bool of_query,
                      const plot_scale *scale) {
  const cla_side *side = of_query ? &figure->first->query : &figure->first->target;
  const char *whole = of_query ? figure->query_name : figure->target_name;
  const double room = (of_query ? figure->layout.panel_height : figure->layout.panel_width) + 40;
  const plot_text_style style = {
      .size = PLOT_TEXT, .bold = true, .upwards = of_query, .anchor = PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  char name[NAME_ROOM], text[NAME_ROOM + 128], cut[PLOT_NUMBER_SIZE + 32] = "";
  if (side->rotation > 0) {
    strcpy(cut, ", cut open before ");
    plot_number_text(cut + strlen(cut), side->rotation + 1);
  }
  snprintf(name, sizeof name - 4, "%s", whole);
  const double rest =
      plot_text_width("query  (letters)", style.size, true) + plot_text_width(cut, style.size, true);
  plot_text_fit(name, style.size, true, fmax(room - rest, 40));
  const bool told = strcmp(whole, of_query ? "query" : "target") == 0; /* simulated */
  snprintf(text, sizeof text, "%s%s%s (%s)",
           told       ? ""
           : of_query ? "query "
                      : "target ",
           name, cut, scale->name);
  if (of_query)
    plot_text(canvas, 24, figure->layout.panel_y + figure->layout.panel_height / 2, &style, text);
  else
    plot_text(canvas, figure->layout.panel_x + figure->layout.panel_width / 2, plot_bottom(figure) + 36,
              &style, text);
}

void plot_axes_draw(plot_canvas *canvas, const plot_figure *figure) {
  for (int of_query = 0; of_query < 2; of_query++) {
    plot_scale scale;
    draw_axis(canvas, figure, of_query, &scale);
    draw_name(canvas, figure, of_query, &scale);
  }
}

/* Returns the percentage at the track's lower end. If all identities are high, so is the lower end, to make
 * differences visible. */
static int track_floor(const plot_identity *identity) {
  static const int floors[] = {99, 95, 90, 80, 50, 0};
  double least = 1;
  for (int64_t i = 0; i < identity->count; i++) {
    const plot_window *window = &identity->windows[i];
    if (window->columns > 0) least = fmin(least, (double)window->matches / (double)window->columns);
  }
  int floor = 0;
  while (least * 100 < floors[floor] + (floors[floor] > 0 ? 0.05 : 0)) floor++;
  return floors[floor];
}

static void draw_window(plot_canvas *canvas, const plot_figure *figure, const plot_window *window,
                        int floor) {
  const plot_axis *axis = &figure->view.target;
  if (window->columns == 0) return;
  const double share = (double)window->matches / (double)window->columns;
  const double height = (share * 100 - floor) / (100 - floor) * TRACK_HEIGHT;
  /* Coordinates are whole points, so that there are no seams between neighbours. */
  const double left = round(plot_axis_at(axis, (double)window->target));
  const double right =
      round(fmin(plot_axis_at(axis, (double)(window->target + figure->identity.letters)), axis->end));
  const double top = figure->layout.track_y + TRACK_HEIGHT - height;
  plot_rectangle(canvas, left, top, right - left, height, PLOT_IDENTITY);
  /* Windows without any match are visible, too. */
  if (height < 1)
    plot_rectangle(canvas, left, figure->layout.track_y + TRACK_HEIGHT - 1, right - left, 1, PLOT_IDENTITY);
}

void plot_track_draw(plot_canvas *canvas, const plot_figure *figure) {
  plot_text_style style = {.size = PLOT_SMALL_TEXT, .anchor = PLOT_ANCHOR_END, .color = PLOT_INK};
  char text[256], letters[PLOT_NUMBER_SIZE];
  if (!figure->first->has_path) return;
  const int floor = track_floor(&figure->identity);
  const double bottom = figure->layout.track_y + TRACK_HEIGHT;
  for (int64_t i = 0; i < figure->identity.count; i++)
    draw_window(canvas, figure, &figure->identity.windows[i], floor);
  plot_frame(canvas, figure->layout.panel_x, figure->layout.track_y, figure->layout.panel_width, TRACK_HEIGHT,
             (plot_pen){1, PLOT_FAINT_INK});
  for (int mark = 0; mark < 3; mark++) {
    const double y = bottom - mark * TRACK_HEIGHT / 2;
    const int tenths = floor * 10 + mark * (100 - floor) * 5;
    if (tenths % 10 == 0)
      snprintf(text, sizeof text, "%d %%", tenths / 10);
    else
      snprintf(text, sizeof text, "%d.%d %%", tenths / 10, tenths % 10);
    plot_line(canvas, figure->layout.panel_x - MARK, y, figure->layout.panel_x, y,
              (plot_pen){1, PLOT_FAINT_INK});
    plot_text(canvas, figure->layout.panel_x - MARK - 4, y + 4, &style, text);
  }
  const plot_scale scale = plot_scale_choose(0, 1, 1, 1, figure->first->alphabet);
  plot_number_text(letters, figure->identity.letters);
  snprintf(text, sizeof text, "identity in windows of %s %s of the target", letters, scale.name);
  style.anchor = PLOT_ANCHOR_MIDDLE;
  plot_text(canvas, figure->layout.panel_x + figure->layout.panel_width / 2, bottom + 18, &style, text);
}
