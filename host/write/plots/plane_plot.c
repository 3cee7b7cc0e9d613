/* Draws the polygons of a plane of two costs. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "result/alignment.h"
#include "scoring/score_table.h"
#include "write/plots/plot_internal.h"

#define SIZE 600.0 /* usual width of the panel */
#define PANEL_X 84.0
#define PANEL_Y 106.0
#define BELOW 60.0
#define SIDE_SPACE 30.0
#define SIDE_WIDTH 400.0
#define LINE 20.0
#define LEFT 24.0
#define LISTED_MOST 12  /* polygons of the list */
#define MARK_SPACE 70.0 /* least distance between marks */
#define NUMBER_ROOM 9.0 /* a number is written if its polygon has so many points around it */
#define OWN_FILL 0xf7dc9c
#define OWN_LINE 0xd98a00

typedef struct plane_figure {
  const cla_cost_plane *plane;
  const cla_alignment *alignment;
  double width, height;                        /* the panel's size in points of the page */
  double low[2], high[2];                      /* ends of the axes, in points of scores */
  int64_t least, most;                         /* numbers of gaps */
  const cla_cost_polygon *listed[LISTED_MOST]; /* the largest polygons */
  int listed_count;
  char *heads[2], *names[2]; /* owned */
} plane_figure;

static double in_points(const plane_figure *f, int64_t number, int64_t one) {
  return (double)number / (double)one / scoring_units(&f->alignment->scoring);
}

static double x_of(const plane_figure *f, double value) {
  return PANEL_X + (value - f->low[0]) / (f->high[0] - f->low[0]) * f->width;
}

static double y_of(const plane_figure *f, double value) {
  return PANEL_Y + f->height - (value - f->low[1]) / (f->high[1] - f->low[1]) * f->height;
}

/* The place of a corner on the page. */
typedef struct page_point {
  double x, y;
} page_point;

static page_point corner_at(const plane_figure *f, const cla_cost_polygon *p, int64_t i) {
  const cla_cost_corner *corner = &p->corners[i % p->corner_count];
  return (page_point){x_of(f, in_points(f, corner->number[0], corner->one)),
                      y_of(f, in_points(f, corner->number[1], corner->one))};
}

static double area_of(const plane_figure *f, const cla_cost_polygon *p) {
  double twice = 0;
  for (int64_t i = 0; i < p->corner_count; i++) {
    const page_point a = corner_at(f, p, i), b = corner_at(f, p, i + 1);
    twice += a.x * b.y - b.x * a.y;
  }
  return fabs(twice) / 2;
}

/* Chooses the largest polygons; the alignment's own ones come first. */
static void choose_listed(plane_figure *f) {
  for (int64_t i = 0; i < f->plane->count; i++) {
    const cla_cost_polygon *p = &f->plane->polygons[i];
    int at = f->listed_count;
    while (at > 0 && (p->own > f->listed[at - 1]->own ||
                      (p->own == f->listed[at - 1]->own && area_of(f, p) > area_of(f, f->listed[at - 1]))))
      at--;
    if (at == LISTED_MOST) continue;
    if (f->listed_count < LISTED_MOST) f->listed_count++;
    memmove(&f->listed[at + 1], &f->listed[at], sizeof *f->listed * (size_t)(f->listed_count - at - 1));
    f->listed[at] = p;
  }
}

/* Returns the tint of a number of gaps, by the share of polygons that have fewer. */
static plot_color tint_of(const plane_figure *f, int64_t gaps) {
  int64_t fewer = 0;
  for (int64_t i = 0; i < f->plane->count; i++) fewer += f->plane->polygons[i].gap_opens < gaps;
  return plot_level_colors[fewer * CLA_LEVELS_MOST / f->plane->count];
}

static void put_border(plot_canvas *canvas, const plane_figure *f, const cla_cost_polygon *p) {
  for (int64_t i = 0; i <= p->corner_count; i++) {
    const page_point at = corner_at(f, p, i);
    if (i == 0)
      plot_stroke_move(canvas, at.x, at.y);
    else
      plot_stroke_line(canvas, at.x, at.y);
  }
}

static void draw_polygon(plot_canvas *canvas, const plane_figure *f, const cla_cost_polygon *p) {
  plot_area_begin(canvas, p->own ? OWN_FILL : tint_of(f, p->gap_opens));
  put_border(canvas, f, p);
  plot_area_end(canvas);
  plot_stroke_begin(canvas, f->plane->count > 200 ? 0.25 : 0.6, PLOT_FAINT_INK);
  put_border(canvas, f, p);
  plot_stroke_end(canvas);
}

/* Returns the number that the polygon has in JSON and TSV, too. */
static int number_of(const plane_figure *f, const cla_cost_polygon *p) {
  return (int)(p - f->plane->polygons) + 1;
}

/* Writes the polygon's number, if there is room around its middle. */
static void draw_number(plot_canvas *canvas, const plane_figure *f, const cla_cost_polygon *p) {
  const plot_text_style style = {
      .size = PLOT_SMALL_TEXT, .bold = true, .anchor = PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  page_point middle = {0, 0};
  double room = INFINITY;
  char text[16];
  for (int64_t i = 0; i < p->corner_count; i++) {
    middle.x += corner_at(f, p, i).x / (double)p->corner_count;
    middle.y += corner_at(f, p, i).y / (double)p->corner_count;
  }
  for (int64_t i = 0; i < p->corner_count; i++) {
    const page_point a = corner_at(f, p, i), b = corner_at(f, p, i + 1);
    const double length = hypot(b.x - a.x, b.y - a.y);
    if (length > 0)
      room = fmin(room, fabs((b.x - a.x) * (middle.y - a.y) - (b.y - a.y) * (middle.x - a.x)) / length);
  }
  if (room < NUMBER_ROOM) return;
  snprintf(text, sizeof text, "%d", number_of(f, p));
  plot_text(canvas, middle.x, middle.y + 4, &style, text);
}

static void draw_panel(plot_canvas *canvas, const plane_figure *f) {
  const cla_scoring *scoring = &f->alignment->scoring;
  const cla_cost *costs = f->plane->box.costs;
  const double x = in_points(f, cla_cost_value(scoring, costs[0]), 1),
               y = in_points(f, cla_cost_value(scoring, costs[1]), 1);
  plot_rectangle(canvas, PANEL_X, PANEL_Y, f->width, f->height, PLOT_UNKNOWN);
  for (int64_t i = 0; i < f->plane->count; i++) draw_polygon(canvas, f, &f->plane->polygons[i]);
  for (int64_t i = 0; i < f->plane->count; i++) {
    if (!f->plane->polygons[i].own) continue;
    plot_stroke_begin(canvas, 2, OWN_LINE);
    put_border(canvas, f, &f->plane->polygons[i]);
    plot_stroke_end(canvas);
  }
  for (int i = 0; i < f->listed_count; i++) draw_number(canvas, f, f->listed[i]);
  if (x >= f->low[0] && x <= f->high[0] && y >= f->low[1] && y <= f->high[1])
    plot_circle(canvas, x_of(f, x), y_of(f, y), 4, PLOT_INK, PLOT_PAPER);
  plot_frame(canvas, PANEL_X, PANEL_Y, f->width, f->height, (plot_pen){1, PLOT_INK});
}

/* Draws marks at round values. */
static void draw_axis(plot_canvas *canvas, const plane_figure *f, int axis) {
  const double length = axis == 0 ? f->width : f->height, range = f->high[axis] - f->low[axis];
  const double least = range * MARK_SPACE / length, power = pow(10, floor(log10(least)));
  const double step = power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
  const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
  const plot_text_style style = {
      .size = PLOT_SMALL_TEXT, .anchor = axis == 0 ? PLOT_ANCHOR_MIDDLE : PLOT_ANCHOR_END, .color = PLOT_INK};
  const plot_text_style name = {
      .size = PLOT_TEXT, .bold = true, .upwards = axis == 1, .anchor = PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  const double bottom = PANEL_Y + f->height;
  const int64_t first = (int64_t)ceil(f->low[axis] / step - 1e-9),
                last = (int64_t)floor(f->high[axis] / step + 1e-9);
  for (int64_t at = first; at <= last; at++) {
    const double value = (double)at * step;
    char text[48];
    snprintf(text, sizeof text, "%.*f", decimals, value);
    if (axis == 0) {
      const double x = x_of(f, value);
      plot_line(canvas, x, bottom, x, bottom + 5, (plot_pen){1, PLOT_FAINT_INK});
      plot_text(canvas, x, bottom + 17, &style, text);
    } else {
      const double y = y_of(f, value);
      plot_line(canvas, PANEL_X - 5, y, PANEL_X, y, (plot_pen){1, PLOT_FAINT_INK});
      plot_text(canvas, PANEL_X - 9, y + 4, &style, text);
    }
  }
  const char *cost = cla_cost_name(f->plane->box.costs[axis]);
  if (axis == 0)
    plot_text(canvas, PANEL_X + f->width / 2, bottom + 38, &name, cost);
  else
    plot_text(canvas, LEFT + 8, PANEL_Y + f->height / 2, &name, cost);
}

static void draw_side(plot_canvas *canvas, const plane_figure *f) {
  const plot_text_style style = {.size = PLOT_SMALL_TEXT, .color = PLOT_INK};
  const plot_text_style head = {.size = PLOT_TEXT, .bold = true, .color = PLOT_INK};
  const double x = PANEL_X + f->width + SIDE_SPACE;
  double y = PANEL_Y + 10;
  char text[160];
  plot_circle(canvas, x + 13, y - 4, 4, PLOT_INK, PLOT_PAPER);
  plot_text(canvas, x + 34, y, &style, "the scores that were given");
  y += LINE;
  plot_rectangle(canvas, x, y - 11, 26, 14, OWN_FILL);
  plot_frame(canvas, x, y - 11, 26, 14, (plot_pen){2, OWN_LINE});
  plot_text(
      canvas, x + 34, y, &style,
      f->plane->own > 0 ? "the alignment itself is the best" : "the alignment is the best on borders only");
  y += LINE;
  for (int i = 0; i < CLA_LEVELS_MOST; i++)
    plot_rectangle(canvas, x + i * 13, y - 11, 13, 14, plot_level_colors[i]);
  snprintf(text, sizeof text, "%lld to %lld gaps", (long long)f->least, (long long)f->most);
  plot_text(canvas, x + 13 * CLA_LEVELS_MOST + 8, y, &style, text);
  y += 1.8 * LINE;
  plot_text(canvas, x, y, &head, f->plane->count > f->listed_count ? "the largest polygons" : "polygons");
  for (int i = 0; i < f->listed_count; i++) {
    const cla_cost_polygon *p = f->listed[i];
    y += LINE;
    snprintf(text, sizeof text, "%d", number_of(f, p));
    plot_text(canvas, x, y, &(plot_text_style){PLOT_SMALL_TEXT, true, false, PLOT_ANCHOR_START, PLOT_INK},
              text);
    snprintf(text, sizeof text, "%lld matches, %lld mismatches, %lld gaps of %lld letters",
             (long long)p->matches, (long long)p->mismatches, (long long)p->gap_opens,
             (long long)p->gap_letters);
    plot_text(canvas, x + 24, y, &style, text);
  }
}

/* Writes the scores and costs that do not vary. */
static void put_others(char *text, size_t size, const plane_figure *f) {
  const cla_scoring *scoring = &f->alignment->scoring;
  int used = snprintf(text, size, "%s alignment; %s", cla_mode_name(f->alignment->mode),
                      scoring->matrix_size > 0 ? "scores of pairs by a matrix" : "");
  const char *before = scoring->matrix_size > 0 ? ", " : "";
  for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
    char value[CLA_SCORE_TEXT_SIZE];
    if (cost == (int)f->plane->box.costs[0] || cost == (int)f->plane->box.costs[1]) continue;
    if ((scoring->matrix_size > 0 && cost < (int)CLA_COST_GAP_FIRST) ||
        (scoring->gap_first2 == 0 && cost >= (int)CLA_COST_GAP_FIRST2))
      continue;
    cla_score_text(value, cla_cost_value(scoring, (cla_cost)cost), scoring);
    used +=
        snprintf(text + used, size - (size_t)used, "%s%s %s", before, cla_cost_name((cla_cost)cost), value);
    before = ", ";
  }
}

static void draw_title(plot_canvas *canvas, plane_figure *f, const cla_plot_options *options, double width) {
  const plot_text_style large = {.size = 18, .bold = true, .color = PLOT_INK};
  const plot_text_style plain = {.size = PLOT_TEXT, .color = PLOT_INK};
  char title[PLOT_TITLE_SIZE], line[2][PLOT_FACTS_SIZE];
  if (options && options->title) {
    snprintf(title, sizeof title - 4, "%s", options->title);
    plot_text_fit(title, 18, true, width - 2 * LEFT);
  } else {
    plot_title_join(title, (const char *[2]){f->heads[0], f->heads[1]},
                    (const char *[2]){f->names[0], f->names[1]}, width - 2 * LEFT);
  }
  snprintf(line[0], sizeof line[0], "optimal alignments by %s and %s: %lld polygon%s%s",
           cla_cost_name(f->plane->box.costs[0]), cla_cost_name(f->plane->box.costs[1]),
           (long long)f->plane->count, f->plane->count == 1 ? "" : "s",
           f->plane->exact ? "" : ", some corners not exact");
  put_others(line[1], sizeof line[1], f);
  plot_text(canvas, LEFT, 38, &large, title);
  plot_text(canvas, LEFT, 62, &plain, line[0]);
  plot_text(canvas, LEFT, 80, &plain, line[1]);
}

static void prepare(plane_figure *f) {
  const cla_cost_box *box = &f->plane->box;
  for (int i = 0; i < 2; i++) {
    f->low[i] = in_points(f, box->low[i], box->one);
    f->high[i] = in_points(f, box->high[i], box->one);
  }
  f->least = INT64_MAX;
  for (int64_t i = 0; i < f->plane->count; i++) {
    const int64_t gaps = f->plane->polygons[i].gap_opens;
    if (gaps < f->least) f->least = gaps;
    if (gaps > f->most) f->most = gaps;
  }
  choose_listed(f);
}

cla_status plane_plot_draw(FILE *file, const char *path, const cla_cost_plane *plane, const cla_results *pair,
                           const cla_plot_options *options, cla_error *error) {
  const cla_alignment *alignment = pair->alignments[0];
  plane_figure f = {.plane = plane, .alignment = alignment};
  plot_canvas *canvas = NULL;
  f.width = options && options->size > 0 ? (double)options->size : SIZE;
  f.height = round(f.width * 3 / 4);
  const double list = PANEL_Y + (LISTED_MOST + 6) * LINE;
  const plot_paper paper = {PANEL_X + f.width + SIDE_SPACE + SIDE_WIDTH,
                            fmax(PANEL_Y + f.height + BELOW, list), 1};
  cla_status status = plot_name_clean(&f.names[0], alignment->query.name, error);
  if (status == CLA_OK) status = plot_name_clean(&f.names[1], alignment->target.name, error);
  if (status == CLA_OK) status = plot_head_make(&f.heads[0], pair->query, alignment->query.name, error);
  if (status == CLA_OK) status = plot_head_make(&f.heads[1], pair->target, alignment->target.name, error);
  if (status == CLA_OK) status = plot_canvas_open(&canvas, file, path, &paper, options, error);
  if (status == CLA_OK) {
    prepare(&f);
    draw_title(canvas, &f, options, paper.width);
    draw_panel(canvas, &f);
    draw_axis(canvas, &f, 0);
    draw_axis(canvas, &f, 1);
    draw_side(canvas, &f);
    status = plot_canvas_finish(canvas, error);
  }
  for (int i = 0; i < 2; i++) {
    free(f.heads[i]);
    free(f.names[i]);
  }
  return status;
}
