/* Goal-based matching and orthogonal execution (CUDAlign 2.1, sections 4.5 and 4.7). The score at the
 * crosspoint is known: that is the goal. So the first node whose two values make it ends the search. Backward
 * column by column, one node of the row comes with each column, and what lies left of the crosspoint is never
 * computed:
 *
 *   goal    v v v v v v v v       forward values: (H, F)
 *                   ^ ^ ^ ^
 *                   . . . .       computed from right to left, until a node matches
 *                   . . . to
 *
 * Some of the columns are kept: stage 3's special columns. */

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "lines.h"

static cla_status keep_column(special_columns *keep, const line_walk *walk, const crosspoint *to,
                              cla_error *error) {
  const size_t bytes = (size_t)(walk->places + 1) * sizeof *walk->h;
  special_column column = {
      .column = to->j - walk->line, .bottom = to->i, .places = walk->places, .owner = keep->owner};
  cla_status status = allocate_grow((void **)&keep->columns, &keep->capacity, keep->count + 1,
                                    sizeof *keep->columns, "the special columns", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&column.h, (int64_t)bytes, 1, "a special column", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&column.e, (int64_t)bytes, 1, "a special column", error);
  if (column.h && column.e) {
    memcpy(column.h, walk->h, bytes);
    memcpy(column.e, walk->gap, bytes);
  }
  if (column.h) keep->columns[keep->count++] = column;
  return status;
}

/* Whether the path begins in this column or leads through its node of the goal's row, the last place. */
static bool ends_here(crosspoint *found, const line_walk *walk, const crosspoint *to, const goal_row *goal) {
  const int64_t j = to->j - walk->line;
  const int64_t place = goal->start_unknown ? lines_find(walk, to->score) : -1;
  if (place >= 0) *found = (crosspoint){to->i - place, j, 0, CROSS_PLAIN};
  if (place >= 0 || !goal->h) return place >= 0;
  const int32_t h = goal->h[j - goal->left] + goal->base, f = goal->f[j - goal->left] + goal->base;
  const bool plain = h + walk->h[walk->places] == to->score;
  if (!plain && !lines_match_gap(f, walk->last_gap, walk->costs, to->score)) return false;
  *found = (crosspoint){goal->row, j, plain ? h : f, plain ? CROSS_PLAIN : CROSS_DOWN};
  return true;
}

cla_status goal_by_columns(crosspoint *found, stage_work *work, const crosspoint *to, const goal_row *goal,
                           special_columns *keep, cla_error *error) {
  line_walk walk;
  bool is_found = false;
  cla_status status = lines_by_columns(&walk, &work->pair, to, to->i - goal->row, -1, error);
  while (status == CLA_OK) {
    is_found = ends_here(found, &walk, to, goal);
    if (is_found || walk.line == to->j - goal->left) break;
    if (keep && walk.line > 0 && walk.line % keep->step == 0) status = keep_column(keep, &walk, to, error);
    lines_next(&walk);
    work->cells += walk.places;
  }
  lines_end(&walk);
  if (status != CLA_OK || is_found) return status;
  return error_set(error, CLA_ERROR_VERIFICATION, "row %" PRId64 " has no crosspoint", goal->row);
}
