#include "dp/small_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "dp/directions.h"

#define PANEL_CELLS (INT64_C(1) << 20) /* cells of a panel, unless the block sets panel_cells */
#define PANEL_COLUMNS_LEAST 64

/* A panel: the block's columns between the nodes `first` and `last`, counted from the corner, and the values
 * on the panel's left border. */
typedef struct panel {
  int64_t first, last;
  /* Values at nodes 1 .. rows; element [0] is unused. left_e is the E that enters column first + 1, by piece
   * of gap costs. */
  int64_t *left_h, *left_e[CLA_GAP_PIECES];
} panel;

typedef struct workspace {
  int64_t rows;
  int pieces; /* number of pieces of gap costs */
  int64_t panels, panel_columns;
  int64_t *borders; /* left_h and left_e of every panel */
  row_values above; /* by column of a panel: H of the row above, and the F that enters the row */
  cell_direction *f_opened;
  cell_direction *directions; /* directions of a panel, rows x panel_columns */
  int64_t *used;              /* ascending list, ended by INT64_MAX, of a row's columns with used pairs */
} workspace;

static void free_workspace(workspace *w) {
  free(w->borders);
  row_values_free(&w->above);
  free(w->f_opened);
  free(w->directions);
  free(w->used);
}

static int64_t border_values(const workspace *w) {
  return (1 + w->pieces) * (w->rows + 1);
}

static workspace plan_workspace(int64_t rows, int64_t columns, int pieces, int64_t panel_cells) {
  workspace w = {
      .rows = rows, .pieces = pieces, .panel_columns = (panel_cells > 0 ? panel_cells : PANEL_CELLS) / rows};
  if (w.panel_columns < PANEL_COLUMNS_LEAST) w.panel_columns = PANEL_COLUMNS_LEAST;
  /* With this width, the directions of a panel take as much memory as the borders of all panels. */
  const int64_t even = (int64_t)sqrt((double)columns * 2 * sizeof(int64_t));
  if (w.panel_columns < even) w.panel_columns = even;
  if (w.panel_columns > columns) w.panel_columns = columns;
  w.panels = (columns + w.panel_columns - 1) / w.panel_columns;
  return w;
}

static cla_status make_workspace(workspace *w, const small_block *block, int64_t rows, int64_t columns,
                                 cla_error *error) {
  const cla_scoring *scoring = block->problem->scheme.scoring;
  const used_pairs *used = block->problem->scheme.table->used;
  *w = plan_workspace(rows, columns, gap_pieces(scoring), block->panel_cells);
  const int64_t nodes = w->panel_columns + 1;
  const int64_t size = (int64_t)sizeof(int64_t);
  cla_status status =
      allocate_array((void **)&w->borders, w->panels * border_values(w), size, "a block's borders", error);
  if (status == CLA_OK) status = row_values_make(&w->above, nodes, scoring, "a block's row", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->f_opened, nodes, "a block's row", error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&w->directions, rows * w->panel_columns, "a block's directions", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w->used, used_pairs_paths(used) + 1, size, "a row's used pairs", error);
  return status;
}

static panel get_panel(const workspace *w, int64_t index, int64_t columns) {
  const int64_t first = index * w->panel_columns;
  int64_t *border = w->borders + index * border_values(w);
  panel p = {.first = first,
             .last = first + w->panel_columns < columns ? first + w->panel_columns : columns,
             .left_h = border};
  for (int k = 0; k < w->pieces; k++) p.left_e[k] = border + (k + 1) * (w->rows + 1);
  return p;
}

/* Reads `count` nodes of the block's upper row from node `node` on. */
static void read_top(const small_block *block, int64_t node, int64_t count, row_values into) {
  if (block->read_top) {
    block->read_top(block->top_row, block->column + node, count, into);
    return;
  }
  for (int i = 0; i < GAP_LINES; i++) {
    int64_t *line = row_values_line(into, i);
    if (line) memcpy(line, row_values_line(block->top, i) + node, (size_t)count * sizeof *line);
  }
}

static void fill_left_border(const workspace *w, const panel *p, const small_block *block) {
  const path_scheme *scheme = &block->problem->scheme;
  int64_t corner = 0;
  read_top(block, 0, 1, (row_values){.h = &corner});
  for (int64_t i = 1; i <= w->rows; i++) {
    int64_t h = corner - border_fall(&block->left, i);
    if (scheme->ends.floor && h < 0) h = 0;
    p->left_h[i] = h;
    for (int k = 0; k < w->pieces; k++) p->left_e[k][i] = h - scheme->scoring->gap[k].first;
  }
}

/* The values of a panel's last cell, one for each state in which a path can be in that cell. */
typedef struct end_values {
  int64_t h, f[CLA_GAP_PIECES];
} end_values;

static int64_t end_value(const end_values *end, trace_state state) {
  return trace_down(state) ? end->f[trace_piece(state)] : end->h;
}

/* Fills the row above a panel. */
static void fill_top(const workspace *w, const panel *p, const small_block *block) {
  const cla_gap_piece *gap = block->problem->scheme.scoring->gap;
  read_top(block, p->first, p->last - p->first + 1, w->above);
  for (int64_t c = 0; c <= p->last - p->first; c++) {
    int opened = 0;
    for (int k = 0; k < w->pieces; k++)
      opened |= direction_opened(w->above.f[k][c], w->above.h[c] - gap[k].first, OPENED(FROM_F - k));
    w->f_opened[c] = (cell_direction)opened;
  }
}

/* Lists the panel's columns in which row `row` has used pairs, and returns the list. */
static const int64_t *list_used(int64_t *columns, const used_pairs *used, int64_t row, int64_t before) {
  int count = 0;
  for (int which = 0; which < used_pairs_paths(used); which++) {
    const int64_t column = used_pairs_in_row(used, which, row) - before;
    if (column <= 0) continue;
    int at = count++;
    for (; at > 0 && columns[at - 1] > column; at--) columns[at] = columns[at - 1];
    columns[at] = column;
  }
  columns[count] = INT64_MAX;
  return columns;
}

/* A value below every H. */
#define NEVER INT64_MIN

/* Computes a panel: for each cell the pair, H with the incoming gaps, the direction, and the outgoing gaps.
 * If `next`, the next panel, is not NULL, stores the left border of that panel. If `directions` is not NULL,
 * stores one direction per cell. Callers pass a constant for `pieces`. */
ALWAYS_INLINE end_values fill_cells(const workspace *w, const panel *p, const small_block *block,
                                    const panel *next, cell_direction *directions, int pieces) {
  const path_scheme *scheme = &block->problem->scheme;
  const cla_gap_piece *gap = scheme->scoring->gap;
  int64_t *upper = w->above.h, *const *next_f = w->above.f;
  const int64_t columns = p->last - p->first, start = scheme->ends.floor ? 0 : NEVER;
  const uint8_t *query = block->problem->query + block->row;
  const uint8_t *target =
      block->problem->target + block->column + p->first - 1; /* target[c] is the letter of column c >= 1 */
  end_values end = {0};
  for (int64_t i = 1; i <= w->rows; i++) {
    const int32_t *scores = scheme->table->score + query[i - 1] * CLA_MATRIX_STRIDE;
    int64_t diagonal = upper[0], h = p->left_h[i], e[CLA_GAP_PIECES], f[CLA_GAP_PIECES] = {0};
    int opened = 0;
    UNROLLED
    for (int k = 0; k < pieces; k++) {
      e[k] = p->left_e[k][i];
      opened |= direction_opened(e[k], h - gap[k].first, OPENED(FROM_E - k));
    }
    cell_direction *direction = directions ? directions + (i - 1) * w->panel_columns - 1 : NULL;
    const int64_t *used = list_used(w->used, scheme->table->used, block->row + i, block->column + p->first);
    upper[0] = h;
    for (int64_t c = 1; c <= columns; c++) {
      int64_t pair = diagonal + scores[target[c]];
      if (c == *used) {
        pair = INT64_MIN / 2;
        while (*used == c) used++;
      }
      diagonal = upper[c];
      h = larger(pair, start);
      UNROLLED
      for (int k = 0; k < pieces; k++) {
        f[k] = next_f[k][c];
        h = larger(h, larger(e[k], f[k]));
      }
      if (direction) {
        const int from = direction_of(h, start, pair, DIRECTION_OF_GAP(h, e, f, pieces));
        direction[c] = (cell_direction)(from | opened | w->f_opened[c]);
      }
      int f_opened = opened = 0;
      UNROLLED
      for (int k = 0; k < pieces; k++) {
        const int64_t begun = h - gap[k].first;
        e[k] = larger(begun, e[k] - gap[k].ext);
        next_f[k][c] = larger(begun, f[k] - gap[k].ext);
        opened |= direction_opened(e[k], begun, OPENED(FROM_E - k));
        f_opened |= direction_opened(next_f[k][c], begun, OPENED(FROM_F - k));
      }
      w->f_opened[c] = (cell_direction)f_opened;
      upper[c] = h;
    }
    if (next) next->left_h[i] = h;
    end.h = h;
    UNROLLED
    for (int k = 0; k < pieces; k++) end.f[k] = f[k];
    UNROLLED
    for (int k = 0; next && k < pieces; k++) next->left_e[k][i] = e[k];
  }
  return end;
}

static end_values fill_panel(const workspace *w, const panel *p, const small_block *block, const panel *next,
                             cell_direction *directions) {
  fill_top(w, p, block);
#define CALL(pieces) return fill_cells(w, p, block, next, directions, pieces)
  BY_GAP_PIECES(w->pieces, CALL);
#undef CALL
}

/* A panel and the directions of its cells. */
typedef struct panel_view {
  const workspace *w;
  const panel *p;
} panel_view;

/* Finds the direction of a cell. Returns false if the path has left the panel at the top or on the left. */
static bool find_direction(cell_direction *out, const trace_place *at, void *user) {
  const panel_view *view = user;
  if (at->row <= 0 || at->column <= view->p->first) return false;
  *out = view->w->directions[(at->row - 1) * view->w->panel_columns + at->column - view->p->first - 1];
  return true;
}

static cla_status contradiction(const trace_point *point, int64_t value, cla_error *error) {
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: the sweep or a block gave %lld at (%lld, %lld), and a small block of the traceback gives "
      "%lld; " WRONG_VALUE_REMEDY,
      (long long)point->value, (long long)point->row, (long long)point->column, (long long)value);
}

/* Sets *point to the place where the path left the block. */
static cla_status leave_block(trace_point *point, const trace_place *at, path *into, const small_block *block,
                              cla_error *error) {
  const int64_t row = block->row + at->row, column = block->column + at->column;
  const bool starts = block->problem->scheme.ends.query_start;
  if (block->part && block->problem->scheme.ends.floor && at->state == STATE_H && !at->started) {
    *point =
        (trace_point){.row = row, .column = column, .at_start = true}; /* paths may start on these borders */
    return CLA_OK;
  }
  if (at->row > 0 &&
      !at->started) { /* on the left border, which a path may reach only if it is the matrix' left border */
    if (column > 0 || (starts && at->state != STATE_H))
      return error_set(
          error, CLA_ERROR_DEVICE,
          "wrong value: a small block of the traceback leaves its window at (%lld, %lld), where no optimal "
          "path is; " WRONG_VALUE_REMEDY,
          (long long)row, (long long)column);
    *point = (trace_point){.row = starts ? row : 0, .at_start = true};
    return starts ? CLA_OK : path_add(into, CLA_RUN_QUERY, row, error);
  }
  *point = (trace_point){.row = row, .column = column, .at_start = at->started};
  if (at->started) return CLA_OK;
  int64_t h = 0, f = 0;
  row_values top = {.h = &h};
  const int piece = trace_piece(at->state);
  if (trace_down(at->state)) top.f[piece] = &f;
  read_top(block, at->column, 1, top);
  point->in_query_gap = query_gap_of(at->state);
  point->value = trace_down(at->state) ? f + block->problem->scheme.scoring->gap[piece].ext : h;
  return CLA_OK;
}

cla_status small_block_trace(trace_point *point, path *into, const small_block *block, int64_t *cells,
                             cla_error *error) {
  const int64_t rows = point->row - block->row, columns = point->column - block->column;
  workspace w = {0};
  trace_place at = {.row = rows, .column = columns, .state = query_gap_state(point->in_query_gap)};
  end_values end = {0};
  if (columns == 0) return leave_block(point, &at, into, block, error);
  cla_status status = make_workspace(&w, block, rows, columns, error);
  if (status != CLA_OK) goto done;
  panel here = get_panel(&w, 0, columns);
  fill_left_border(&w, &here, block);
  for (int64_t index = 0; index < w.panels; index++) {
    const bool last = index == w.panels - 1;
    panel next = here;
    if (!last) next = get_panel(&w, index + 1, columns);
    end = fill_panel(&w, &here, block, last ? NULL : &next, last ? w.directions : NULL);
    *cells += rows * (here.last - here.first);
    here = next;
    if (block->tick) status = block->tick(block->tick_user, *cells, error);
    if (status != CLA_OK) goto done;
  }
  const int64_t value = end_value(&end, at.state);
  if (block->part && value < point->value) goto done;
  if (value != point->value && !block->any_value) {
    status = contradiction(point, value, error);
    goto done;
  }
  for (int64_t index = w.panels - 1; index >= 0; index--) {
    here = get_panel(&w, index, columns);
    if (index < w.panels - 1) {
      fill_panel(&w, &here, block, NULL, w.directions);
      *cells += rows * (here.last - here.first);
    }
    if (block->tick) status = block->tick(block->tick_user, *cells, error);
    panel_view view = {&w, &here};
    if (status == CLA_OK) status = directions_walk(&at, into, find_direction, &view, error);
    if (status != CLA_OK || at.started || at.row == 0) break;
  }
  if (status == CLA_OK) status = leave_block(point, &at, into, block, error);

done:
  free_workspace(&w);
  return status;
}
