/* Draws the panel of a plot: computed cells, special rows, exact matches, paths, gaps, crosspoints. */

#include <math.h>

#include "result/alignment.h"
#include "result/path_check.h"
#include "write/plots/plot_internal.h"

/* Least distance, in points, between drawn special rows and between drawn crosspoints. */
#define ROW_DISTANCE 8.0
#define CROSSPOINT_DISTANCE 20.0
#define PATH_WIDTH 2.5
#define FURTHER_WIDTH 1.5
#define DOT_WIDTH 1.25
/* Gaps of at least this length, in points, have a number. */
#define GAP_LEAST 4.0
#define LABEL_HEIGHT 11.0

/* Draws cells of the matrix as an area of whole points. So there are no seams between neighbours, and no area
 * is too thin. */
static void draw_cells(plot_canvas *canvas, const plot_figure *figure, const cla_work_band *cells,
                       plot_color color) {
  const double first_y = plot_row_at(figure, cells->row),
               last_y = plot_row_at(figure, cells->row + cells->rows);
  const double top = plot_clamp(floor(fmin(first_y, last_y)), figure->layout.panel_y, plot_bottom(figure));
  const double bottom = plot_clamp(ceil(fmax(first_y, last_y)), figure->layout.panel_y, plot_bottom(figure));
  const double left =
      plot_clamp(floor(plot_column_at(figure, cells->column)), figure->layout.panel_x, plot_right(figure));
  const double right = plot_clamp(ceil(plot_column_at(figure, cells->column + cells->columns)),
                                  figure->layout.panel_x, plot_right(figure));
  plot_rectangle(canvas, left, top, right - left, bottom - top, color);
}

static void draw_areas(plot_canvas *canvas, const plot_figure *figure) {
  const cla_work *work = figure->first->work;
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const int64_t rows = query->end - query->begin, columns = target->end - target->begin;
  draw_cells(canvas, figure, &(cla_work_band){.rows = rows, .columns = columns}, PLOT_PRUNED);
  draw_cells(canvas, figure, &(cla_work_band){.rows = work->unknown_rows, .columns = columns}, PLOT_UNKNOWN);
  plot_levels_draw(canvas, figure, false);
  for (size_t i = 0; i < work->band_count; i++)
    if (work->bands[i].columns > 0) draw_cells(canvas, figure, &work->bands[i], PLOT_COMPUTED);
  plot_levels_draw(canvas, figure, true);
}

cla_work_band plot_special_row(const plot_figure *figure, int64_t row) {
  const cla_work *work = figure->first->work;
  const cla_work_band whole = {.columns = figure->first->target.end - figure->first->target.begin};
  const cla_work_band *band = row <= work->unknown_rows ? &whole : work_record_band(work, row - 1);
  return band ? *band : (cla_work_band){0};
}

static void draw_special_rows(plot_canvas *canvas, plot_figure *figure) {
  const cla_work *work = figure->first->work;
  double before = -ROW_DISTANCE;
  for (size_t i = 0; i < work->special_row_count; i++) {
    const int64_t row = work->special_rows[i];
    const double y = plot_row_at(figure, row);
    const cla_work_band band = plot_special_row(figure, row);
    if (band.columns == 0 || fabs(y - before) < ROW_DISTANCE || y < figure->layout.panel_y ||
        y > plot_bottom(figure))
      continue;
    const double left = fmax(plot_column_at(figure, band.column), figure->layout.panel_x);
    const double right = fmin(plot_column_at(figure, band.column + band.columns), plot_right(figure));
    if (left > right) continue;
    plot_line(canvas, left, y, right, y, (plot_pen){PLOT_ROW_WIDTH, PLOT_ROW});
    figure->rows_drawn++;
    before = y;
  }
}

static void draw_crosspoints(plot_canvas *canvas, plot_figure *figure) {
  const cla_work *work = figure->first->work;
  double before_x = -CROSSPOINT_DISTANCE, before_y = -CROSSPOINT_DISTANCE;
  for (size_t i = 0; i < work->crosspoint_count; i++) {
    const double x = plot_column_at(figure, work->crosspoints[i].column);
    const double y = plot_row_at(figure, work->crosspoints[i].row);
    if (hypot(x - before_x, y - before_y) < CROSSPOINT_DISTANCE || x < figure->layout.panel_x ||
        x > plot_right(figure) || y < figure->layout.panel_y || y > plot_bottom(figure))
      continue;
    plot_circle(canvas, x, y, 3, PLOT_CROSSPOINT, PLOT_INK);
    figure->crosspoints_drawn++;
    before_x = x;
    before_y = y;
  }
}

typedef struct plot_label {
  double x, y, width; /* left end of the number's base line */
} plot_label;

static bool labels_meet(const plot_label *a, const plot_label *b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && fabs(a->y - b->y) < LABEL_HEIGHT;
}

bool plot_gap_shows(const plot_figure *figure, int number) {
  const plot_piece *piece = &figure->gaps.items[number].piece;
  const plot_axis *query = &figure->view.query, *target = &figure->view.target;
  const double across = plot_axis_at(target, piece->to_target) - plot_axis_at(target, piece->target);
  const double down = plot_axis_at(query, piece->to_query) - plot_axis_at(query, piece->query);
  return fabs(across) + fabs(down) >= GAP_LEAST;
}

/* Draws the gaps of the list over the path, and their numbers where there is room. */
static void draw_gaps(plot_canvas *canvas, const plot_figure *figure) {
  plot_label placed[PLOT_GAPS_MOST];
  int count = 0;
  const plot_text_style style = {.size = PLOT_SMALL_TEXT, .bold = true, .color = PLOT_GAP};
  for (int i = 0; i < figure->gaps.count; i++) {
    const plot_piece *piece = &figure->gaps.items[i].piece;
    const double x = plot_axis_at(&figure->view.target, piece->target);
    const double to_x = plot_axis_at(&figure->view.target, piece->to_target);
    const double y = plot_axis_at(&figure->view.query, piece->query);
    const double to_y = plot_axis_at(&figure->view.query, piece->to_query);
    char number[PLOT_NUMBER_SIZE];
    if (!plot_gap_shows(figure, i)) continue;
    plot_line(canvas, x, y, to_x, to_y, (plot_pen){PATH_WIDTH, PLOT_GAP});
    plot_number_text(number, i + 1);
    plot_label label = {.width = plot_text_width(number, style.size, true) + 3};
    label.x = piece->kind == CLA_RUN_QUERY ? x + 7 : (x + to_x) / 2 - label.width / 2;
    label.y = piece->kind == CLA_RUN_QUERY ? (y + to_y) / 2 + 4 : y - 7;
    if (label.y < figure->layout.panel_y + LABEL_HEIGHT) label.y = y + LABEL_HEIGHT + 7;
    if (label.x + label.width > plot_right(figure)) label.x = x - 7 - label.width;
    bool free_place = true;
    for (int k = 0; k < count; k++) free_place &= !labels_meet(&label, &placed[k]);
    if (!free_place) continue;
    placed[count++] = label;
    plot_text(canvas, label.x, label.y, &style, number);
  }
}

/* Draws the end of an alignment that has a score without a path. */
static void draw_end(plot_canvas *canvas, const plot_figure *figure) {
  const cla_side *query = &figure->first->query;
  const int64_t stop = figure->first->strand == CLA_STRAND_REVERSE ? query->start : query->stop;
  const double x = plot_axis_at(&figure->view.target, (double)figure->first->target.stop);
  const double y = plot_axis_at(&figure->view.query, (double)stop);
  if (x < figure->layout.panel_x || x > plot_right(figure) || y < figure->layout.panel_y ||
      y > plot_bottom(figure))
    return;
  plot_circle(canvas, x, y, 4, plot_path_colors[0][0], PLOT_INK);
}

static void draw_dots(plot_canvas *canvas, const plot_figure *figure) {
  const plot_view *view = &figure->view;
  if (figure->dots.count == 0) return;
  plot_stroke_begin(canvas, DOT_WIDTH, PLOT_DOT);
  for (int64_t i = 0; i < figure->dots.count; i++) {
    const plot_dot *dot = &figure->dots.items[i];
    const int64_t begin = dot->query, end = dot->query + dot->length;
    plot_stroke_move(canvas, plot_axis_at(&view->target, (double)dot->target),
                     plot_axis_at(&view->query, (double)(dot->reverse ? end : begin)));
    plot_stroke_line(canvas, plot_axis_at(&view->target, (double)(dot->target + dot->length)),
                     plot_axis_at(&view->query, (double)(dot->reverse ? begin : end)));
  }
  plot_stroke_end(canvas);
}

/* Draws a line across the panel where a circular record starts. */
static void draw_origins(plot_canvas *canvas, const plot_figure *figure) {
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const plot_axis *rows = &figure->view.query, *columns = &figure->view.target;
  const plot_pen pen = {1, PLOT_GRID};
  const int64_t row = query->length - query->rotation, column = target->length - target->rotation;
  if (query->rotation > 0 && row > rows->from && row < rows->to) {
    const double y = plot_axis_at(rows, (double)row);
    plot_line(canvas, figure->layout.panel_x, y, plot_right(figure), y, pen);
  }
  if (target->rotation > 0 && column > columns->from && column < columns->to) {
    const double x = plot_axis_at(columns, (double)column);
    plot_line(canvas, x, figure->layout.panel_y, x, plot_bottom(figure), pen);
  }
}

static void draw_work(plot_canvas *canvas, plot_figure *figure) {
  draw_areas(canvas, figure);
  draw_special_rows(canvas, figure);
}

void plot_matrix_draw(plot_canvas *canvas, plot_figure *figure) {
  figure->rows_drawn = figure->crosspoints_drawn = 0;
  if (figure->work) draw_work(canvas, figure);
  draw_origins(canvas, figure);
  draw_dots(canvas, figure);
  plot_blocks_draw(canvas, figure);
  plot_frame(canvas, figure->layout.panel_x, figure->layout.panel_y, figure->layout.panel_width,
             figure->layout.panel_height, (plot_pen){1, PLOT_FAINT_INK});
  for (size_t i = figure->count; i-- > 1;)
    plot_path_draw(canvas, figure, figure->alignments[i],
                   plot_in_pieces(figure) ? PATH_WIDTH : FURTHER_WIDTH);
  plot_path_draw(canvas, figure, figure->first, PATH_WIDTH);
  if (!figure->first->has_path && !path_is_nowhere(figure->first)) draw_end(canvas, figure);
  if (figure->work) draw_crosspoints(canvas, figure);
  if (figure->first->has_path) draw_gaps(canvas, figure);
}
