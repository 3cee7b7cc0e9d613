/* Stage 3 of CUDAlign 2.1 (section 4.6, figure 7c): each partition of stage 2 is split where its path crosses
 * special columns. Forward, row by row, so orthogonal to stage 2; only up to the column, and only until its
 * node matches.
 *
 *   a . . .|                 | a special column: values of paths from its nodes to b are known
 *     . . .x                 x: where they match, the next search begins
 *          |. . .|
 *                x . . b */

#include <inttypes.h>

#include "base/error.h"
#include "lines.h"

/* The first row at which a path from `from` crosses the column on its way to `to`. */
static cla_status cross_column(crosspoint *found, stage_work *work, const crosspoint *from,
                               const crosspoint *to, const special_column *column, cla_error *error) {
  line_walk walk;
  bool plain = false, in_gap = false;
  const cla_status status = lines_by_rows(&walk, &work->pair, from, column->column - from->j, 1, error);
  while (status == CLA_OK) {
    const int64_t place = column->bottom - from->i - walk.line;
    plain = from->score + walk.h[walk.places] + column->h[place] == to->score;
    in_gap = lines_match_gap(from->score + walk.last_gap, column->e[place], walk.costs, to->score);
    if (plain || in_gap || place == 0) break;
    lines_next(&walk);
    work->cells += walk.places;
  }
  if (plain || in_gap)
    *found = (crosspoint){from->i + walk.line, column->column,
                          from->score + (plain ? walk.h[walk.places] : walk.last_gap),
                          plain ? CROSS_PLAIN : CROSS_ALONG};
  lines_end(&walk);
  if (status != CLA_OK || plain || in_gap) return status;
  return error_set(error, CLA_ERROR_VERIFICATION, "column %" PRId64 " has no crosspoint", column->column);
}

cla_status stage3_split(crosspoint_list *out, stage_work *work, const crosspoint_list *from,
                        const special_columns *columns, cla_error *error) {
  int64_t next = columns->count - 1; /* stage 2 has come from the right: its last column is the first one */
  cla_status status = CLA_OK;
  for (int64_t k = from->count - 1; k > 0 && status == CLA_OK; k--) {
    crosspoint point = from->points[k];
    const crosspoint *to = &from->points[k - 1];
    status = crosspoint_add(out, point, error);
    for (; status == CLA_OK && next >= 0 && columns->columns[next].owner == k - 1; next--) {
      const crosspoint before = point;
      status = cross_column(&point, work, &before, to, &columns->columns[next], error);
      if (status == CLA_OK) status = crosspoint_add(out, point, error);
    }
  }
  return status == CLA_OK ? crosspoint_add(out, from->points[0], error) : status;
}
