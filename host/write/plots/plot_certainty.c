/* Draws how certain the first alignment is: a strip along the target, and boxes in the panel. */

#include <math.h>
#include <stdio.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "write/certain_runs.h"
#include "write/plots/plot_internal.h"

#define LANE 15.0
#define BOX_LEAST 4.0 /* points; boxes that are smaller in both directions are left out */
#define BOX_SPACE 1.5 /* points between a box and its letters */

const plot_color plot_uncertain_colors[2][PLOT_TINTS] = {{0xd98a00, 0xf0b83c, 0xf7dc9c},
                                                         {0x7f1f78, 0xbb5fae, 0xe3b7dc}};

static void add(plot_share *share, int64_t columns, const certain_run *run) {
  share->columns += columns;
  if (run->margin == 0 && run->block) share->uncertain[run->block->kind] += columns;
}

/* Adds the columns of a run that lie within the axis. `start` is the path's first target letter. */
static void add_run(plot_certainty *out, const plot_axis *axis, const certain_run *run, int64_t start) {
  const int64_t letters = larger(axis->to - axis->from, 1);
  int64_t at = start + run->target - axis->from, place;
  if (run->kind == CLA_RUN_QUERY) {
    if (at < 0 || at > letters) return;
    place = smaller(at * out->count / letters, out->count - 1);
    add(&out->shares[place], run->columns, run);
    add(&out->all, run->columns, run);
    return;
  }
  const int64_t end = smaller(at + run->columns, axis->to - axis->from);
  for (at = larger(at, 0); at < end;) {
    place = at * out->count / letters;
    const int64_t next = smaller(((place + 1) * letters + out->count - 1) / out->count, end);
    add(&out->shares[place], next - at, run);
    add(&out->all, next - at, run);
    at = next;
  }
}

cla_status plot_certainty_count(plot_certainty *out, const plot_figure *figure, cla_error *error) {
  certain_runs runs;
  certain_run run;
  const plot_axis *axis = &figure->view.target;
  out->count = smaller((int64_t)figure->layout.panel_width, larger(axis->to - axis->from, 1));
  cla_status status = ALLOCATE_ZEROS(&out->shares, out->count, "the strip of a plot", error);
  if (status != CLA_OK) return status;
  certain_runs_begin(&runs, figure->certificate, figure->first);
  while (certain_runs_next(&runs, &run)) add_run(out, axis, &run, figure->first->target.start);
  return CLA_OK;
}

/* Returns the colour of a stretch in the lane of a class; PLOT_CERTAIN if no column is of this class. */
static plot_color share_color(const plot_share *share, int kind) {
  const int64_t part = share->uncertain[kind];
  if (part == 0) return PLOT_CERTAIN;
  return plot_uncertain_colors[kind][2 * part >= share->columns ? 0 : 20 * part >= share->columns ? 1 : 2];
}

/* Draws neighbours of one colour as one rectangle. Kind 2 is the ground, which shows where columns are. */
static void draw_lane(plot_canvas *canvas, const plot_figure *figure, int kind) {
  const plot_certainty *certainty = &figure->certainty;
  const double x = figure->layout.panel_x, y = figure->layout.strip_y + (kind == 1 ? LANE : 0);
  const double width = figure->layout.panel_width / (double)certainty->count;
  for (int64_t from = 0, to; from < certainty->count; from = to) {
    const plot_share *share = &certainty->shares[from];
    const plot_color color = kind == 2 ? PLOT_CERTAIN : share_color(share, kind);
    for (to = from + 1; to < certainty->count; to++) {
      const plot_share *other = &certainty->shares[to];
      if ((other->columns > 0) != (share->columns > 0)) break;
      if (kind < 2 && share_color(other, kind) != color) break;
    }
    /* Coordinates are whole points, so that there are no seams between neighbours. */
    const double left = round(x + (double)from * width), right = round(x + (double)to * width);
    if (share->columns > 0 && (kind == 2 || color != PLOT_CERTAIN))
      plot_rectangle(canvas, left, y, right - left, kind == 2 ? 2 * LANE : LANE, color);
  }
}

void plot_strip_draw(plot_canvas *canvas, const plot_figure *figure) {
  static const char *const names[2] = {"elsewhere", "another"};
  const plot_share *all = &figure->certainty.all;
  const plot_layout *layout = &figure->layout;
  plot_text_style style = {.size = PLOT_SMALL_TEXT, .anchor = PLOT_ANCHOR_END, .color = PLOT_INK};
  char text[160], percent[PLOT_NUMBER_SIZE];
  if (!figure->certificate) return;
  for (int kind = 2; kind >= 0; kind--) draw_lane(canvas, figure, kind);
  plot_frame(canvas, layout->panel_x, layout->strip_y, layout->panel_width, 2 * LANE,
             (plot_pen){1, PLOT_FAINT_INK});
  for (int kind = 0; kind < 2; kind++)
    plot_text(canvas, layout->panel_x - 9, layout->strip_y + kind * LANE + 11, &style, names[kind]);
  plot_percent_text(percent, all->columns - all->uncertain[0] - all->uncertain[1], larger(all->columns, 1));
  snprintf(text, sizeof text, "%s %% of the columns are certain", percent);
  style.anchor = PLOT_ANCHOR_MIDDLE;
  plot_text(canvas, layout->panel_x + layout->panel_width / 2, layout->strip_y + 2 * LANE + 18, &style, text);
}

/* A rectangle on the page. */
typedef struct page_box {
  double x, y, width, height;
} page_box;

static page_box box_of(const plot_figure *figure, const cla_ambiguous_block *block) {
  const plot_axis *query = &figure->view.query, *target = &figure->view.target;
  const double left = plot_axis_at(target, (double)block->target_start);
  const double top = plot_axis_at(query, (double)block->query_stop);
  return (page_box){left, top, plot_axis_at(target, (double)block->target_stop) - left,
                    plot_axis_at(query, (double)block->query_start) - top};
}

bool plot_block_shows(const plot_figure *figure, const cla_ambiguous_block *block) {
  const plot_layout *layout = &figure->layout;
  const page_box box = box_of(figure, block);
  return fmax(box.width, box.height) >= BOX_LEAST && box.x + box.width > layout->panel_x &&
         box.x < plot_right(figure) && box.y + box.height > layout->panel_y && box.y < plot_bottom(figure);
}

void plot_blocks_draw(plot_canvas *canvas, const plot_figure *figure) {
  const plot_layout *layout = &figure->layout;
  for (int64_t i = 0; figure->certificate && i < figure->certificate->block_count; i++) {
    const cla_ambiguous_block *block = &figure->certificate->blocks[i];
    const page_box box = box_of(figure, block);
    if (!plot_block_shows(figure, block)) continue;
    const double left = plot_clamp(box.x - BOX_SPACE, layout->panel_x, plot_right(figure));
    const double right = plot_clamp(box.x + box.width + BOX_SPACE, layout->panel_x, plot_right(figure));
    const double top = plot_clamp(box.y - BOX_SPACE, layout->panel_y, plot_bottom(figure));
    const double bottom = plot_clamp(box.y + box.height + BOX_SPACE, layout->panel_y, plot_bottom(figure));
    plot_rectangle(canvas, left, top, right - left, bottom - top,
                   plot_uncertain_colors[block->kind][PLOT_TINTS - 1]);
    plot_frame(canvas, left, top, right - left, bottom - top,
               (plot_pen){0.75, plot_uncertain_colors[block->kind][0]});
  }
}
