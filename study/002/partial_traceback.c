/* Stage 2 of CUDAlign 2.1 (section 4.5, figure 7b): from the end backward, from special row to special row,
 * until the start is found.
 *
 *   ----------x-------       each special row gives a crosspoint, from which the next search begins; between
 * rows, only \  |          what is near the path is computed. | is a special column, for stage 3.
 *   ------------x-----
 *                end */

#include "stages.h"

cla_status crosspoint_add(crosspoint_list *list, crosspoint point, cla_error *error) {
  const cla_status status = allocate_grow((void **)&list->points, &list->capacity, list->count + 1,
                                          sizeof *list->points, "the crosspoints", error);
  if (status == CLA_OK) list->points[list->count++] = point;
  return status;
}

/* The lowest special row above row i; without one, row 0. */
static goal_row row_above(const special_rows *rows, int64_t i) {
  goal_row goal = {.start_unknown = true};
  int64_t line = rows->count > 0 && i > 0 ? (i - 1) / rows->step : 0;
  if (line > rows->count) line = rows->count;
  if (line == 0) return goal;
  goal.row = line * rows->step;
  goal.h = rows->h + line * rows->stride;
  goal.f = rows->f + line * rows->stride;
  return goal;
}

cla_status stage2_trace(crosspoint_list *out, stage_work *work, const crosspoint *end,
                        const special_rows *rows, special_columns *keep, cla_error *error) {
  crosspoint next = *end;
  cla_status status = crosspoint_add(out, next, error);
  while (status == CLA_OK && !(next.score == 0 && next.type == CROSS_PLAIN)) {
    const crosspoint to = next;
    const goal_row goal = row_above(rows, to.i);
    if (keep) keep->owner = out->count - 1;
    status = keep ? goal_by_columns(&next, work, &to, &goal, keep, error)
                  : goal_by_rows(&next, work, &to, &goal, error);
    if (status == CLA_OK) status = crosspoint_add(out, next, error);
  }
  return status;
}
