#include "trace/corridor_path.h"

#include "trace/band_line.h"
#include "trace/band_step.h"

/* The direction of a node; false if it is none of the corridor's. */
static inline bool find_direction(uint8_t *out, const corridor *c, int64_t row, int64_t column) {
  const int64_t line = row + column;
  if (line < c->low) return false;
  const int64_t lane = row - c->top[line];
  if (lane < 0 || lane >= c->lanes) return false;
  *out = c->directions[line * c->lanes + lane];
  return true;
}

/* Goes back over a run of pairs, and notes its nodes. */
static cla_status follow_pairs(band_place *at, path *into, path_row *known, const corridor *c,
                               cla_error *error) {
  const int64_t before = at->row;
  uint8_t direction = 0;
  while (at->row > 0 && at->column > 0 && find_direction(&direction, c, at->row, at->column) &&
         (direction & BAND_FROM_MASK) == BAND_FROM_PAIR) {
    at->row--;
    at->column--;
    known[at->row] = (path_row){.first = (int32_t)at->column, .last = (int32_t)at->column};
  }
  return path_add(into, CLA_RUN_PAIR, before - at->row, error);
}

cla_status corridor_follow(bool *inside, corridor_begin *begin, path *into, path_row *known,
                           const corridor *c, cla_error *error) {
  band_place at = {.row = c->rows, .column = c->columns, .state = BAND_H};
  cla_status status = CLA_OK;
  uint8_t direction = 0;
  *inside = true;
  for (int64_t i = 0; i <= c->rows; i++) known[i] = (path_row){.first = 1, .last = 0};
  known[at.row] = (path_row){.first = (int32_t)at.column, .last = (int32_t)at.column};
  while (status == CLA_OK && !at.started) {
    if (at.state == BAND_H) status = follow_pairs(&at, into, known, c, error);
    if (status != CLA_OK || at.row == 0 || at.column == 0) break;
    *inside = find_direction(&direction, c, at.row, at.column);
    if (!*inside) break;
    const int64_t row = at.row;
    status = band_step(&at, direction, into, error);
    if (at.row < row) known[at.row].last = (int32_t)at.column;
    known[at.row].first = (int32_t)at.column;
  }
  *begin = (corridor_begin){.row = at.row, .column = at.column};
  return status;
}
