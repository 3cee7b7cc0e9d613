/* Stage 4 of CUDAlign 2.1 (section 4.7, figure 7d): Myers and Miller's halving, on threads, until all
 * partitions are small.
 *
 *   a . . . . . . .        forward to the middle row; then backward from b, to the node where values match.
 *     . . . . . . .
 *   ------x--------        Balanced splitting: the longer side is halved, so that partitions become square.
 * Without it . . . .         wide ones stay wide, and all columns are computed again and again. . . . b
 * Orthogonal: the second half stops at the match (goal_columns.c).
 *
 * Each round may double the crosspoints. The partitions of a round do not need each other. */

#include <stdatomic.h>
#include <stdlib.h>

#include "lines.h"

typedef struct splitting {
  const letter_pair *pair;
  const crosspoint_list *list;
  crosspoint *middles; /* of each partition; its i is -1: not split */
  bool balanced;
  _Atomic int64_t next, cells;
  _Atomic int status; /* the first that is not CLA_OK */
  cla_error *errors;  /* one a thread */
} splitting;

/* The same node with rows for columns. */
static crosspoint turned(crosspoint point) {
  static const crosspoint_type types[] = {CROSS_PLAIN, CROSS_DOWN, CROSS_ALONG};
  return (crosspoint){point.j, point.i, point.score, types[point.type]};
}

static cla_status halve(crosspoint *out, stage_work *work, const crosspoint *a, const crosspoint *b,
                        bool orthogonal, cla_error *error) {
  line_walk walk;
  const int64_t rows = (b->i - a->i) / 2, columns = b->j - a->j;
  cla_status status = lines_by_rows(&walk, &work->pair, a, columns, 1, error);
  while (status == CLA_OK && walk.line < rows) lines_next(&walk);
  work->cells += rows * columns;
  const goal_row goal = {.row = a->i + rows, .left = a->j, .h = walk.h, .f = walk.gap, .base = a->score};
  if (status == CLA_OK)
    status = orthogonal ? goal_by_columns(out, work, b, &goal, NULL, error)
                        : goal_by_rows(out, work, b, &goal, error);
  lines_end(&walk);
  return status;
}

static cla_status split(crosspoint *out, splitting *all, const crosspoint *a, const crosspoint *b,
                        cla_error *error) {
  const int64_t rows = b->i - a->i, columns = b->j - a->j;
  stage_work work = {.pair = *all->pair};
  cla_status status = CLA_OK;
  out->i = -1;
  if (rows <= STAGE4_MOST && columns <= STAGE4_MOST) return CLA_OK;
  if (all->balanced && columns > rows) {
    const crosspoint first = turned(*a), last = turned(*b);
    work.pair = (letter_pair){all->pair->across, all->pair->down, all->pair->costs};
    status = halve(out, &work, &first, &last, true, error);
    *out = turned(*out);
  } else if (rows >= 2)
    status = halve(out, &work, a, b, all->balanced, error);
  atomic_fetch_add(&all->cells, work.cells);
  return status;
}

static void work_on(void *user, int index) {
  splitting *all = user;
  for (int64_t k; (k = atomic_fetch_add(&all->next, 1)) < all->list->count - 1 && all->status == CLA_OK;) {
    const crosspoint *points = all->list->points + k;
    const cla_status status = split(&all->middles[k], all, points, points + 1, &all->errors[index]);
    if (status != CLA_OK) all->status = status;
  }
}

/* One round: *list gets the crosspoints between. */
static cla_status round_of(crosspoint_list *list, splitting *all, int threads, bool *more, cla_error *error) {
  crosspoint_list next = {0};
  cla_status status =
      allocate_array((void **)&all->middles, list->count, sizeof *all->middles, "crosspoints", error);
  all->list = list;
  all->next = 0;
  *more = false;
  if (status == CLA_OK) parallel_run(threads, work_on, all);
  if (status == CLA_OK) status = (cla_status)all->status;
  for (int64_t k = 0; k < list->count && status == CLA_OK; k++) {
    status = crosspoint_add(&next, list->points[k], error);
    if (k == list->count - 1 || all->middles[k].i < 0) continue;
    *more = true;
    if (status == CLA_OK) status = crosspoint_add(&next, all->middles[k], error);
  }
  free(all->middles);
  free(list->points);
  *list = next;
  return status;
}

cla_status stage4_split(crosspoint_list *list, stage_work *work, bool balanced, int threads,
                        cla_error *error) {
  splitting all = {.pair = &work->pair, .balanced = balanced};
  bool more = true;
  cla_status status = allocate_zeros((void **)&all.errors, threads, sizeof *all.errors, "messages", error);
  while (status == CLA_OK && more) status = round_of(list, &all, threads, &more, error);
  for (int k = 0; k < threads && all.status != CLA_OK; k++)
    if (all.errors[k].message[0] && error) *error = all.errors[k];
  work->cells += all.cells;
  free(all.errors);
  return status;
}
