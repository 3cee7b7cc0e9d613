/* Draws the picture of many records. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/plots/plot_internal.h"
#include "write/plots/records_plot.h"

#define PANEL_LONG 600.0
#define PANEL_X 132.0
#define PANEL_Y 118.0
#define LEFT 24.0
#define RIGHT 36.0
#define WIDTH_LEAST 760.0 /* least width of the whole picture, which the head and the key need */
#define TITLE_SIZE 18.0
#define NAME_SIZE 10.0
#define NAME_ROOM 96.0  /* points for a name to the left of the panel, or upright below it */
#define NAME_LEAST 11.0 /* minimum length of a record, in points, for its name to be shown */
#define BORDER_LEAST \
  3.0 /* records of fewer points have no line at their border, so that the panel is not all grey */
#define MARK 5.0
#define BELOW 64.0 /* points below the panel for axis, marks and caption */
#define TEXT_ROOM 512
#define HIT_WIDTH 1.8

static double letters_width(const plot_records *records, double points) {
  return points / fmax((double)records->letters, 1);
}

/* True if all names that are shown fit side by side, so that they need not be upright. */
static bool names_side_by_side(const plot_records *records, double points) {
  const double width = letters_width(records, points);
  for (int64_t i = 0; i < records->count; i++) {
    const double room = (double)records->items[i]->length * width;
    if (records->items[i]->drawn && room >= NAME_LEAST &&
        plot_text_width(records->items[i]->name, NAME_SIZE, false) > room - 4)
      return false;
  }
  return true;
}

/* True if any record is long enough for its name. If none is, the axis has numbers. */
static bool has_names(const plot_records *records, double points) {
  const double width = letters_width(records, points);
  for (int64_t i = 0; i < records->count; i++)
    if (records->drawn > 1 && records->items[i]->drawn &&
        (double)records->items[i]->length * width >= NAME_LEAST)
      return true;
  return false;
}

/* Returns the width of the longest shown name, at most what is shown of an upright name. */
static double longest_name(const plot_records *records, double points) {
  const double width = letters_width(records, points);
  double longest = 0;
  for (int64_t i = 0; i < records->count; i++)
    if ((double)records->items[i]->length * width >= NAME_LEAST)
      longest = fmax(longest, plot_text_width(records->items[i]->name, NAME_SIZE, false));
  return fmin(longest, NAME_ROOM - 14);
}

void records_plot_layout(records_layout *out, const cla_records_plot *plot, const cla_plot_options *options) {
  const double most = options && options->size > 0 ? (double)options->size : PANEL_LONG;
  const double rows = fmax((double)plot->queries.letters, 1),
               columns = fmax((double)plot->targets.letters, 1);
  *out = (records_layout){.panel_x = PANEL_X, .panel_y = PANEL_Y + records_strip_room(plot)};
  out->panel_width = round(fmax(columns / fmax(rows, columns), 0.5) * most);
  out->panel_height = round(fmax(rows / fmax(rows, columns), 0.5) * most);
  out->names_upwards =
      has_names(&plot->targets, out->panel_width) && !names_side_by_side(&plot->targets, out->panel_width);
  out->width = fmax(PANEL_X + out->panel_width + RIGHT, WIDTH_LEAST);
  out->height = ceil(out->panel_y + out->panel_height + BELOW +
                     (out->names_upwards ? longest_name(&plot->targets, out->panel_width) : 0));
}

/* These functions return the place of a letter on the page; `position` counts the letters of all records of
 * the axis. */
static double at_query(const cla_records_plot *plot, const records_layout *layout, int64_t position) {
  return layout->panel_y + layout->panel_height -
         (double)position * letters_width(&plot->queries, layout->panel_height);
}

static double at_target(const cla_records_plot *plot, const records_layout *layout, int64_t position) {
  return layout->panel_x + (double)position * letters_width(&plot->targets, layout->panel_width);
}

static void draw_borders(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                         bool of_query) {
  const plot_records *records = of_query ? &plot->queries : &plot->targets;
  const double width = letters_width(records, of_query ? layout->panel_height : layout->panel_width);
  const plot_record *before = NULL;
  for (int64_t i = 0; i < records->count; i++) {
    const plot_record *record = records->items[i];
    if (!record->drawn) continue;
    const bool wide = (double)record->length * width >= BORDER_LEAST ||
                      (before && (double)before->length * width >= BORDER_LEAST);
    const double at =
        of_query ? at_query(plot, layout, record->offset) : at_target(plot, layout, record->offset);
    if (before && wide && of_query)
      plot_line(canvas, layout->panel_x, at, layout->panel_x + layout->panel_width, at,
                (plot_pen){0.5, PLOT_GRID});
    else if (before && wide)
      plot_line(canvas, at, layout->panel_y, at, layout->panel_y + layout->panel_height,
                (plot_pen){0.5, PLOT_GRID});
    before = record;
  }
}

static void draw_name(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                      const plot_record *record, bool of_query) {
  const plot_records *records = of_query ? &plot->queries : &plot->targets;
  const double points = of_query ? layout->panel_height : layout->panel_width;
  const double room = (double)record->length * letters_width(records, points);
  const int64_t middle = record->offset + record->length / 2;
  const double bottom = layout->panel_y + layout->panel_height;
  const bool middled = !of_query && !layout->names_upwards;
  const plot_text_style style = {.size = NAME_SIZE,
                                 .upwards = !of_query && layout->names_upwards,
                                 .anchor = middled ? PLOT_ANCHOR_MIDDLE : PLOT_ANCHOR_END,
                                 .color = PLOT_INK};
  char name[TEXT_ROOM];
  if (room < NAME_LEAST) return;
  snprintf(name, sizeof name - 4, "%s", record->name);
  plot_text_fit(name, NAME_SIZE, false, middled ? room - 4 : NAME_ROOM - 14);
  if (of_query)
    plot_text(canvas, layout->panel_x - 6, at_query(plot, layout, middle) + 3.5, &style, name);
  else
    plot_text(canvas, at_target(plot, layout, middle) + (middled ? 0 : 3.5), bottom + (middled ? 14 : 6),
              &style, name);
}

/* Draws marks with positions that count the letters of all records together. */
static void draw_marks(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                       bool of_query) {
  const plot_records *records = of_query ? &plot->queries : &plot->targets;
  const double points = of_query ? layout->panel_height : layout->panel_width;
  const double bottom = layout->panel_y + layout->panel_height;
  const plot_scale scale = plot_scale_choose(0, records->letters, points, of_query ? 44 : 84, plot->alphabet);
  const plot_text_style style = {
      .size = PLOT_SMALL_TEXT, .anchor = of_query ? PLOT_ANCHOR_END : PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  char text[PLOT_NUMBER_SIZE];
  for (int64_t mark = 0; mark <= records->letters; mark += scale.step) {
    plot_scale_text(text, &scale, mark);
    const double at = of_query ? at_query(plot, layout, mark) : at_target(plot, layout, mark);
    if (of_query) {
      plot_line(canvas, layout->panel_x - MARK, at, layout->panel_x, at, (plot_pen){1, PLOT_FAINT_INK});
      plot_text(canvas, layout->panel_x - MARK - 4, at + 4, &style, text);
    } else {
      plot_line(canvas, at, bottom, at, bottom + MARK, (plot_pen){1, PLOT_FAINT_INK});
      plot_text(canvas, at, bottom + MARK + 12, &style, text);
    }
  }
}

/* Writes a number of letters in the unit of the axis' marks, such as "2.81 Mbp". */
static void describe_letters(char *text, size_t size, const cla_records_plot *plot,
                             const plot_records *records) {
  const plot_scale scale = plot_scale_choose(0, records->letters, PANEL_LONG, 44, plot->alphabet);
  char number[PLOT_NUMBER_SIZE];
  plot_number_text(number, records->letters);
  if (scale.unit == 1)
    snprintf(text, size, "%s %s", number, scale.name);
  else
    snprintf(text, size, "%.2f %s", (double)records->letters / (double)scale.unit, scale.name);
}

/* Returns the only drawn record of an axis, or NULL if there are several. */
static const plot_record *only_record(const plot_records *records) {
  for (int64_t i = 0; i < records->count && records->drawn == 1; i++)
    if (records->items[i]->drawn) return records->items[i];
  return NULL;
}

/* Writes "210 of 767 records, 2.81 Mbp", or the name and length of a single record. */
static void describe_axis(char *text, size_t size, const cla_records_plot *plot,
                          const plot_records *records) {
  char drawn[PLOT_NUMBER_SIZE], all[PLOT_NUMBER_SIZE], letters[PLOT_NUMBER_SIZE + 16];
  const plot_record *only = only_record(records);
  plot_number_text(drawn, records->drawn);
  plot_number_text(all, records->count);
  describe_letters(letters, sizeof letters, plot, records);
  if (only)
    snprintf(text, size, "%.300s, %s", only->name, letters);
  else if (records->drawn == records->count)
    snprintf(text, size, "%s records, %s", drawn, letters);
  else
    snprintf(text, size, "%s of %s records, %s", drawn, all, letters);
}

static void draw_axis(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                      bool of_query) {
  const plot_records *records = of_query ? &plot->queries : &plot->targets;
  const double points = of_query ? layout->panel_height : layout->panel_width;
  const plot_text_style style = {
      .size = PLOT_TEXT, .bold = true, .upwards = of_query, .anchor = PLOT_ANCHOR_MIDDLE, .color = PLOT_INK};
  char text[TEXT_ROOM], line[TEXT_ROOM + 32];
  const bool names = has_names(records, points);
  for (int64_t i = 0; names && i < records->count; i++)
    if (records->items[i]->drawn) draw_name(canvas, plot, layout, records->items[i], of_query);
  if (!names) draw_marks(canvas, plot, layout, of_query);
  describe_axis(text, sizeof text, plot, records);
  snprintf(line, sizeof line - 4, "%s: %s", of_query ? "query" : "target", text);
  plot_text_fit(line, style.size, true, points + 60);
  if (of_query)
    plot_text(canvas, LEFT, layout->panel_y + layout->panel_height / 2, &style, line);
  else
    plot_text(canvas, layout->panel_x + layout->panel_width / 2, layout->height - 22, &style, line);
}

/* Colours of the kinds of hits, which colour-blind readers can tell apart. */
static const plot_color kind_colors[] = {0, 0x1f78c1, 0xd55e00, 0xaa3377, 0x009e73, 0x9a9a9a};
static const char *const kind_names[] = {NULL,        "in place",     "inverted in place",
                                         "relocated", "translocated", "further copy"};
#define KINDS 6

static bool is_thin(const plot_hit *hit) {
  return hit->kind == CLA_PLOT_BY_STRAND ? hit->secondary : hit->kind == CLA_PLOT_COPY;
}

/* Returns the colour of a hit. */
static plot_color records_hit_color(const plot_hit *hit) {
  if (hit->kind != CLA_PLOT_BY_STRAND) return kind_colors[hit->kind];
  return plot_path_colors[hit->reverse][hit->secondary ? 2 : 1];
}

/* Draws a dot on an event that is too short to be visible. */
static void draw_dot(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                     const plot_hit *hit) {
  const path_point *first = plot->points + hit->first, *last = first + hit->count - 1;
  const double x = at_target(plot, layout, hit->target->offset + first->target);
  const double y = at_query(plot, layout, hit->query->offset + first->query);
  const double to_x = at_target(plot, layout, hit->target->offset + last->target);
  const double to_y = at_query(plot, layout, hit->query->offset + last->query);
  if (hit->kind < CLA_PLOT_INVERTED || hit->kind == CLA_PLOT_COPY || hypot(to_x - x, to_y - y) > 6) return;
  plot_circle(canvas, (x + to_x) / 2, (y + to_y) / 2, 3, kind_colors[hit->kind], kind_colors[hit->kind]);
}

static void draw_hit(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                     const plot_hit *hit) {
  const path_point *points = plot->points + hit->first;
  double x = 0, y = 0;
  plot_stroke_begin(canvas, is_thin(hit) ? HIT_WIDTH / 2 : HIT_WIDTH, records_hit_color(hit));
  for (int64_t i = 0; i < hit->count; i++) {
    const double to_x = at_target(plot, layout, hit->target->offset + points[i].target);
    const double to_y = at_query(plot, layout, hit->query->offset + points[i].query);
    const bool last = i == hit->count - 1;
    if (i == 0)
      plot_stroke_move(canvas, to_x, to_y);
    else if (last || fabs(to_x - x) >= 0.4 || fabs(to_y - y) >= 0.4)
      plot_stroke_line(canvas, to_x, to_y + (last && fabs(to_y - y) < 0.01 ? 0.01 : 0));
    else
      continue;
    x = to_x;
    y = to_y;
  }
  plot_stroke_end(canvas);
  draw_dot(canvas, plot, layout, hit);
}

static int64_t count_kind(const cla_records_plot *plot, int kind) {
  int64_t count = 0;
  for (int64_t i = 0; i < plot->count; i++) count += (int)plot->hits[i].kind == kind;
  return count;
}

static int64_t count_strands(const cla_records_plot *plot, bool reverse, bool secondary) {
  int64_t count = 0;
  for (int64_t i = 0; i < plot->count && !plot->strip; i++)
    count += plot->hits[i].secondary ? secondary && !reverse : !secondary && plot->hits[i].reverse == reverse;
  return count;
}

/* Draws the key: sample lines and their meanings, for the kinds that occur. */
static void draw_key(plot_canvas *canvas, const cla_records_plot *plot) {
  const plot_text_style style = {.size = PLOT_SMALL_TEXT, .color = PLOT_INK};
  const struct {
    int64_t count;
    const char *text;
    plot_pen pen;
  } keys[] = {
      {count_strands(plot, false, false), "forward strand", {HIT_WIDTH, plot_path_colors[0][1]}},
      {count_strands(plot, true, false), "reverse strand", {HIT_WIDTH, plot_path_colors[1][1]}},
      {count_strands(plot, false, true),
       "letters of the query that are better off elsewhere",
       {HIT_WIDTH / 2, plot_path_colors[0][2]}},
      {plot->queries.drawn + plot->targets.drawn > 2, "border of records", {1, PLOT_GRID}},
  };
  double x = LEFT;
  for (int kind = 1; kind < KINDS; kind++) {
    if (count_kind(plot, kind) == 0) continue;
    plot_line(canvas, x, 100, x + 22, 100, (plot_pen){HIT_WIDTH, kind_colors[kind]});
    plot_text(canvas, x + 28, 104, &style, kind_names[kind]);
    x += 46 + plot_text_width(kind_names[kind], style.size, false);
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (keys[i].count == 0) continue;
    plot_line(canvas, x, 100, x + 22, 100, keys[i].pen);
    plot_text(canvas, x + 28, 104, &style, keys[i].text);
    x += 46 + plot_text_width(keys[i].text, style.size, false);
  }
}

static void describe(char *text, size_t size, const cla_records_plot *plot) {
  char shares[2][PLOT_NUMBER_SIZE], number[PLOT_NUMBER_SIZE];
  plot_percent_text(shares[0], plot->queries.covered, plot->queries.letters);
  plot_percent_text(shares[1], plot->targets.covered, plot->targets.letters);
  plot_number_text(number, plot->count);
  snprintf(text, size, "%s alignment%s, of %s %% of the %squery and %s %% of the target", number,
           plot->count == 1 ? "" : "s", shares[0], plot->queries.drawn < plot->queries.count ? "drawn " : "",
           shares[1]);
}

/* Writes how many query records are not drawn; the text is empty if all are drawn. */
static void describe_rest(char *text, size_t size, const cla_records_plot *plot) {
  char number[PLOT_NUMBER_SIZE];
  const int64_t left = plot->queries.count - plot->queries.drawn;
  plot_number_text(number, left);
  *text = 0;
  if (left > 0) snprintf(text, size, "%s query record%s without an alignment", number, left == 1 ? "" : "s");
}

static void draw_head(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                      const cla_plot_options *options) {
  const plot_text_style large = {.size = TITLE_SIZE, .bold = true, .color = PLOT_INK};
  const plot_text_style plain = {.size = PLOT_TEXT, .color = PLOT_INK};
  char axes[2][TEXT_ROOM], title[PLOT_TITLE_SIZE];
  const char *names[2], *heads[2];
  for (int i = 0; i < 2; i++) {
    const plot_records *records = i ? &plot->targets : &plot->queries;
    const plot_record *only = only_record(records);
    describe_axis(axes[i], sizeof axes[i], plot, records);
    names[i] = only ? only->name : axes[i];
    heads[i] = only ? only->head : axes[i];
  }
  plot_title_join(title, heads, names, layout->width - 2 * LEFT);
  if (options && options->title) snprintf(title, sizeof title - 4, "%s", options->title);
  plot_text_fit(title, TITLE_SIZE, true, layout->width - 2 * LEFT);
  plot_text(canvas, LEFT, 38, &large, title);
  describe(title, sizeof title, plot);
  plot_text(canvas, LEFT, 62, &plain, title);
  describe_rest(title, sizeof title, plot);
  if (*title) plot_text(canvas, LEFT, 80, &plain, title);
  draw_key(canvas, plot);
}

void records_plot_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                       const cla_plot_options *options) {
  draw_head(canvas, plot, layout, options);
  records_strip_draw(canvas, plot, layout);
  for (int of_query = 0; of_query < 2; of_query++) {
    draw_borders(canvas, plot, layout, of_query);
    draw_axis(canvas, plot, layout, of_query);
  }
  for (int secondary = 1; secondary >= 0; secondary--)
    for (int64_t i = 0; i < plot->count; i++)
      if (is_thin(&plot->hits[i]) == (secondary == 1)) draw_hit(canvas, plot, layout, &plot->hits[i]);
  plot_frame(canvas, layout->panel_x, layout->panel_y, layout->panel_width, layout->panel_height,
             (plot_pen){1, PLOT_FAINT_INK});
}
