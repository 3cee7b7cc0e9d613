/* The node in which a path crosses a row, by Myers and Miller (CUDAlign 2.1, section 2.2). The matrix is
 * computed backward from the crosspoint, row by row, in all columns. In the row, both values of each node are
 * added.
 *
 *   goal    v v v v v v v v       forward values of these nodes are known: (H, F)
 *           ^ ^ ^ ^ ^ ^ ^ ^
 *           . . . . . . . .       every cell is computed, though only one node is wanted
 *           . . . . . . . to */

#include <inttypes.h>

#include "base/error.h"
#include "lines.h"

/* The node of the goal's row where the values match; place p of the walk is column to->j - p. */
static bool match(crosspoint *found, const line_walk *walk, const crosspoint *to, const goal_row *goal) {
  for (int64_t p = 0; p <= walk->places; p++) {
    const int64_t j = to->j - p;
    const int32_t h = goal->h[j - goal->left] + goal->base, f = goal->f[j - goal->left] + goal->base;
    const bool plain = h + walk->h[p] == to->score;
    if (!plain && !lines_match_gap(f, walk->gap[p], walk->costs, to->score)) continue;
    *found = (crosspoint){goal->row, j, plain ? h : f, plain ? CROSS_PLAIN : CROSS_DOWN};
    return true;
  }
  return false;
}

cla_status goal_by_rows(crosspoint *found, stage_work *work, const crosspoint *to, const goal_row *goal,
                        cla_error *error) {
  line_walk walk;
  bool is_found = false;
  const cla_status status = lines_by_rows(&walk, &work->pair, to, to->j - goal->left, -1, error);
  while (status == CLA_OK) {
    const int64_t place = goal->start_unknown ? lines_find(&walk, to->score) : -1;
    is_found = place >= 0;
    if (is_found) *found = (crosspoint){to->i - walk.line, to->j - place, 0, CROSS_PLAIN};
    if (is_found || walk.line == to->i - goal->row) break;
    lines_next(&walk);
    work->cells += walk.places;
  }
  if (status == CLA_OK && !is_found && goal->h) is_found = match(found, &walk, to, goal);
  lines_end(&walk);
  if (status != CLA_OK || is_found) return status;
  return error_set(error, CLA_ERROR_VERIFICATION, "row %" PRId64 " has no crosspoint", goal->row);
}
