#include "trace/small_block.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/loops.h"

#define PANEL_CELLS (INT64_C(1) << 20)
#define PANEL_COLUMNS_LEAST 64

/* What is kept of a cell: where H came from, and whether E and F opened there; 2: of the second piece. */
enum {
  FROM_PAIR = 0,
  FROM_E = 1,
  FROM_F = 2,
  FROM_START = 3,
  FROM_E2 = 4,
  FROM_F2 = 5,
  FROM_MASK = 7,
  E_OPENED = 8,
  F_OPENED = 16,
  E2_OPENED = 32,
  F2_OPENED = 64
};

typedef enum trace_state { STATE_H, STATE_E, STATE_F, STATE_E2, STATE_F2, STATES } trace_state;

/* Columns of the block between nodes first and last (relative to the corner), with the values on the left. */
typedef struct panel {
  int64_t first, last;
  int64_t *left_h, *left_e; /* at nodes 1 .. rows ([0] unused): H, and E entering column first + 1 */
  int64_t *left_e2;         /* of the second piece */
} panel;

typedef struct workspace {
  int64_t rows;
  bool two; /* pieces of gap costs */
  int64_t panels, panel_columns;
  int64_t *borders;        /* left_h, left_e and left_e2 of every panel */
  int64_t *upper, *f, *f2; /* H of the row above, F entering the row: by column of a panel */
  uint8_t *f_opened;
  uint8_t *directions; /* rows x panel_columns */
  int64_t *used; /* of a row: columns of a panel that earlier alignments use, ascending, then INT64_MAX */
} workspace;

static void free_workspace(workspace *w) {
  free(w->borders);
  free(w->upper);
  free(w->f);
  free(w->f2);
  free(w->f_opened);
  free(w->directions);
  free(w->used);
}

static int64_t border_values(const workspace *w) {
  return (w->two ? 3 : 2) * (w->rows + 1);
}

static workspace plan_workspace(int64_t rows, int64_t columns, bool two) {
  workspace w = {.rows = rows, .two = two, .panel_columns = PANEL_CELLS / rows};
  if (w.panel_columns < PANEL_COLUMNS_LEAST) w.panel_columns = PANEL_COLUMNS_LEAST;
  if (w.panel_columns > columns) w.panel_columns = columns;
  w.panels = (columns + w.panel_columns - 1) / w.panel_columns;
  return w;
}

int64_t small_block_bytes(int64_t rows, int64_t columns, bool two) {
  const workspace w = plan_workspace(rows, columns, two);
  const int64_t of_row = (two ? 3 : 2) * (w.panel_columns + 1);
  return (w.panels * border_values(&w) + of_row) * (int64_t)sizeof(int64_t) + (rows + 1) * w.panel_columns;
}

static cla_status make_workspace(workspace *w, int64_t rows, int64_t columns, bool two,
                                 const used_pairs *used, cla_error *error) {
  *w = plan_workspace(rows, columns, two);
  const int64_t nodes = w->panel_columns + 1;
  const int64_t size = (int64_t)sizeof(int64_t);
  cla_status status =
      allocate_array((void **)&w->borders, w->panels * border_values(w), size, "a block's borders", error);
  if (status == CLA_OK) status = allocate_array((void **)&w->upper, nodes, size, "a block's row", error);
  if (status == CLA_OK) status = allocate_array((void **)&w->f, nodes, size, "a block's row", error);
  if (status == CLA_OK && two) status = allocate_array((void **)&w->f2, nodes, size, "a block's row", error);
  if (status == CLA_OK) status = allocate_array((void **)&w->f_opened, nodes, 1, "a block's row", error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&w->directions, rows * w->panel_columns, 1, "a block's directions", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w->used, used_pairs_paths(used) + 1, size, "a row's used pairs", error);
  return status;
}

static panel get_panel(const workspace *w, int64_t index, int64_t columns) {
  const int64_t first = index * w->panel_columns;
  int64_t *border = w->borders + index * border_values(w);
  return (panel){.first = first,
                 .last = first + w->panel_columns < columns ? first + w->panel_columns : columns,
                 .left_h = border,
                 .left_e = border + w->rows + 1,
                 .left_e2 = w->two ? border + 2 * (w->rows + 1) : NULL};
}

static void fill_left_border(const panel *p, const small_block *block, int64_t rows) {
  for (int64_t i = 1; i <= rows; i++) {
    int64_t h = block->top_h[0] - border_fall(&block->left, i);
    if (block->ends.floor && h < 0) h = 0;
    p->left_h[i] = h;
    p->left_e[i] = h - block->scoring->gap_first;
    if (p->left_e2) p->left_e2[i] = h - block->scoring->gap_first2;
  }
}

/* The values of a panel's last cell by state, as far as a path may be in it there. */
typedef struct end_values {
  int64_t of[STATES];
} end_values;

/* The row above a panel. */
static void fill_top(const workspace *w, const panel *p, const small_block *block) {
  for (int64_t c = 0; c <= p->last - p->first; c++) {
    const int64_t h = block->top_h[p->first + c];
    w->upper[c] = h;
    w->f[c] = block->top_f[p->first + c];
    w->f_opened[c] = w->f[c] == h - block->scoring->gap_first ? F_OPENED : 0;
    if (!w->two) continue;
    w->f2[c] = block->top_f2[p->first + c];
    if (w->f2[c] == h - block->scoring->gap_first2) w->f_opened[c] |= F2_OPENED;
  }
}

/* Lists the used cells of a row, by columns of the panel. */
static void list_used(int64_t *columns, const used_pairs *used, int64_t row, int64_t before) {
  int count = 0;
  for (int which = 0; which < used_pairs_paths(used); which++) {
    const int64_t column = used_pairs_in_row(used, which, row) - before;
    if (column <= 0) continue;
    int at = count++;
    for (; at > 0 && columns[at - 1] > column; at--) columns[at] = columns[at - 1];
    columns[at] = column;
  }
  columns[count] = INT64_MAX;
}

/* Computes a panel. `next`, unless NULL, gets its left border; `directions`, unless NULL, a byte per cell.
 * *end is of the last cell. `two` pieces of gap costs: a constant where it is called. */
ALWAYS_INLINE void fill_cells(const workspace *w, const panel *p, const small_block *block, const panel *next,
                              uint8_t *directions, end_values *end, bool two) {
  const int64_t first = block->scoring->gap_first, ext = block->scoring->gap_ext;
  const int64_t first2 = block->scoring->gap_first2, ext2 = block->scoring->gap_ext2;
  const int64_t columns = p->last - p->first;
  const bool floor = block->ends.floor;
  const uint8_t *target =
      block->target + block->column + p->first - 1; /* [c] for column c >= 1 of the panel */
  for (int64_t i = 1; i <= w->rows; i++) {
    const int32_t *scores = block->table->score + block->query[block->row + i - 1] * CLA_MATRIX_STRIDE;
    int64_t diagonal = w->upper[0], e = p->left_e[i], h = p->left_h[i], f = 0;
    int64_t e2 = two ? p->left_e2[i] : 0, f2 = 0;
    int opened = (e == h - first ? E_OPENED : 0) | (two && e2 == h - first2 ? E2_OPENED : 0);
    uint8_t *direction = directions ? directions + (i - 1) * w->panel_columns - 1 : NULL;
    const int64_t *used = w->used;
    list_used(w->used, block->table->used, block->row + i, block->column + p->first);
    w->upper[0] = h;
    for (int64_t c = 1; c <= columns; c++) {
      int64_t pair = diagonal + scores[target[c]];
      if (c == *used) {
        pair = INT64_MIN / 2;
        while (*used == c) used++;
      }
      diagonal = w->upper[c];
      f = w->f[c];
      if (two) f2 = w->f2[c];
      int from = FROM_PAIR;
      h = pair;
      if (e > h) h = e, from = FROM_E;
      if (two && e2 > h) h = e2, from = FROM_E2;
      if (f > h) h = f, from = FROM_F;
      if (two && f2 > h) h = f2, from = FROM_F2;
      if (floor && h <= 0) h = 0, from = FROM_START;
      if (direction) direction[c] = (uint8_t)(from | opened | w->f_opened[c]);
      const int64_t begun = h - first;
      opened = begun >= e - ext ? E_OPENED : 0;
      e = opened ? begun : e - ext;
      int f_opened = begun >= f - ext ? F_OPENED : 0;
      w->f[c] = f_opened ? begun : f - ext;
      if (two) {
        const int64_t begun2 = h - first2;
        const bool e2_opened = begun2 >= e2 - ext2, f2_opened = begun2 >= f2 - ext2;
        if (e2_opened) opened |= E2_OPENED;
        if (f2_opened) f_opened |= F2_OPENED;
        e2 = e2_opened ? begun2 : e2 - ext2;
        w->f2[c] = f2_opened ? begun2 : f2 - ext2;
      }
      w->f_opened[c] = (uint8_t)f_opened;
      w->upper[c] = h;
    }
    if (next) {
      next->left_h[i] = h;
      next->left_e[i] = e;
      if (two) next->left_e2[i] = e2;
    }
    *end = (end_values){.of = {[STATE_H] = h, [STATE_F] = f, [STATE_F2] = f2}};
  }
}

static void fill_panel(const workspace *w, const panel *p, const small_block *block, const panel *next,
                       uint8_t *directions, end_values *end) {
  fill_top(w, p, block);
  if (w->two)
    fill_cells(w, p, block, next, directions, end, true);
  else
    fill_cells(w, p, block, next, directions, end, false);
}

/* Where the trace is within the block: node (row, column) relative to the corner. */
typedef struct position {
  int64_t row, column;
  trace_state state;
  bool at_start;
} position;

/* Follows the path within a panel until it leaves it at the top or on the left, or starts. */
static cla_status trace_panel(position *at, path *into, const workspace *w, const panel *p,
                              cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && at->row > 0 && at->column > p->first && !at->at_start) {
    const uint8_t direction = w->directions[(at->row - 1) * w->panel_columns + at->column - p->first - 1];
    if (at->state == STATE_H) {
      const int from = direction & FROM_MASK;
      if (from == FROM_START) {
        at->at_start = true;
      } else if (from == FROM_PAIR) {
        status = path_add(into, CLA_RUN_PAIR, 1, error);
        at->row--;
        at->column--;
      } else {
        at->state = from == FROM_E    ? STATE_E
                    : from == FROM_E2 ? STATE_E2
                    : from == FROM_F  ? STATE_F
                                      : STATE_F2;
      }
    } else if (at->state == STATE_E || at->state == STATE_E2) {
      status = path_add(into, CLA_RUN_TARGET, 1, error);
      at->column--;
      if (direction & (at->state == STATE_E ? E_OPENED : E2_OPENED)) at->state = STATE_H;
    } else {
      status = path_add(into, CLA_RUN_QUERY, 1, error);
      at->row--;
      if (direction & (at->state == STATE_F ? F_OPENED : F2_OPENED)) at->state = STATE_H;
    }
  }
  return status;
}

static cla_status contradiction(const trace_point *point, int64_t value, cla_error *error) {
  return error_set(
      error, CLA_ERROR_DEVICE,
      "wrong value: the sweep or a block gave %lld at (%lld, %lld), and a small block of the traceback gives "
      "%lld; " WRONG_VALUE_REMEDY,
      (long long)point->value, (long long)point->row, (long long)point->column, (long long)value);
}

/* Turns the position at which the block was left into the next point. */
static cla_status leave_block(trace_point *point, const position *at, path *into, const small_block *block,
                              cla_error *error) {
  const int64_t row = block->row + at->row, column = block->column + at->column;
  const bool starts = block->ends.query_start;
  if (block->part && block->ends.floor && at->state == STATE_H && !at->at_start) {
    *point = (trace_point){.row = row, .column = column, .at_start = true}; /* borders of fresh starts */
    return CLA_OK;
  }
  if (at->row > 0 && !at->at_start) { /* on the left border: legal only where the matrix itself ends */
    if (column > 0 || (starts && at->state != STATE_H))
      return error_set(
          error, CLA_ERROR_DEVICE,
          "wrong value: a small block of the traceback leaves its window at (%lld, %lld), where no optimal "
          "path is; " WRONG_VALUE_REMEDY,
          (long long)row, (long long)column);
    *point = (trace_point){.row = starts ? row : 0, .at_start = true};
    return starts ? CLA_OK : path_add(into, CLA_RUN_QUERY, row, error);
  }
  *point = (trace_point){.row = row, .column = column, .at_start = at->at_start};
  if (at->at_start) return CLA_OK;
  if (at->state == STATE_F) {
    point->in_query_gap = QUERY_GAP;
    point->value = block->top_f[at->column] + block->scoring->gap_ext;
  } else if (at->state == STATE_F2) {
    point->in_query_gap = QUERY_GAP_2;
    point->value = block->top_f2[at->column] + block->scoring->gap_ext2;
  } else {
    point->value = block->top_h[at->column];
  }
  return CLA_OK;
}

static trace_state state_of(const trace_point *point) {
  if (point->in_query_gap == NO_QUERY_GAP) return STATE_H;
  return point->in_query_gap == QUERY_GAP ? STATE_F : STATE_F2;
}

cla_status small_block_trace(trace_point *point, path *into, const small_block *block, int64_t *cells,
                             cla_error *error) {
  const int64_t rows = point->row - block->row, columns = point->column - block->column;
  workspace w = {0};
  position at = {.row = rows, .column = columns, .state = state_of(point)};
  end_values end = {0}, unused;
  if (columns == 0) return leave_block(point, &at, into, block, error);
  const bool two = gap_two_pieces(block->scoring);
  cla_status status = make_workspace(&w, rows, columns, two, block->table->used, error);
  if (status != CLA_OK) goto done;
  panel here = get_panel(&w, 0, columns);
  fill_left_border(&here, block, rows);
  for (int64_t index = 0; index < w.panels; index++) {
    const bool last = index == w.panels - 1;
    panel next = here;
    if (!last) next = get_panel(&w, index + 1, columns);
    fill_panel(&w, &here, block, last ? NULL : &next, last ? w.directions : NULL, &end);
    *cells += rows * (here.last - here.first);
    here = next;
    if (block->tick) status = block->tick(block->tick_user, *cells, error);
    if (status != CLA_OK) goto done;
  }
  const int64_t value = end.of[state_of(point)];
  if (block->part && value < point->value) goto done;
  if (value != point->value) {
    status = contradiction(point, value, error);
    goto done;
  }
  for (int64_t index = w.panels - 1; index >= 0; index--) {
    here = get_panel(&w, index, columns);
    if (index < w.panels - 1) {
      fill_panel(&w, &here, block, NULL, w.directions, &unused);
      *cells += rows * (here.last - here.first);
    }
    if (block->tick) status = block->tick(block->tick_user, *cells, error);
    if (status == CLA_OK) status = trace_panel(&at, into, &w, &here, error);
    if (status != CLA_OK || at.at_start || at.row == 0) break;
  }
  if (status == CLA_OK) status = leave_block(point, &at, into, block, error);

done:
  free_workspace(&w);
  return status;
}
