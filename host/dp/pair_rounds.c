/* Rounds of the pair_solver: which pairs form the groups of a round, and where their paths are stored. */

#include <stdlib.h>

#include "base/allocate.h"
#include "dp/pair_solver_internal.h"

cla_status solver_add_again(pair_solver *s, pending again, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&s->again, &s->again_room, s->again_count + 1, "pairs to be solved", error);
  if (status == CLA_OK) s->again[s->again_count++] = again;
  return status;
}

/* Orders pairs so that the pairs of a group are similar: by width of lanes, then by kind, by rounded number
 * of rows, and by band. */
static int compare(const void *left, const void *right) {
  const pending *a = left, *b = right;
  const int class = solver_class(a->rows) - solver_class(b->rows);
  if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
  if (a->large != b->large) return a->large ? 1 : -1;
  if (a->scouts != b->scouts) return a->scouts ? 1 : -1;
  if (class != 0) return class;
  return (a->band > b->band) - (a->band < b->band);
}

int64_t solver_next_round(pair_solver *s) {
  pending *queue = s->queue;
  const int64_t room = s->queue_room, count = s->again_count;
  s->queue = s->again;
  s->queue_room = s->again_room;
  s->again = queue;
  s->again_room = room;
  s->again_count = 0;
  qsort(s->queue, (size_t)count, sizeof *s->queue, compare);
  return count;
}

int solver_group_size(const pair_solver *s, const pending *first, int64_t left) {
  const lanes_way *way = s->ways[first->bits == 16];
  int count = 1;
  while (count < way->lanes && count < left && first[count].bits == first->bits &&
         first[count].large == first->large && first[count].scouts == first->scouts)
    count++;
  return count;
}

void solver_sort_lanes(pending *first, int count) {
  for (int i = 1; i < count; i++) {
    const pending moved = first[i];
    int at = i;
    for (; at > 0 && first[at - 1].rows > moved.rows; at--) first[at] = first[at - 1];
    first[at] = moved;
  }
}

cla_status solver_take_path(pair_solver *s, const solver_pairs *pairs, int64_t pair, const lanes_group *group,
                            int lane, cla_error *error) {
  lanes_path path;
  cla_status status = lanes_walk(&path, group, lane, s->matches, s->space, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&s->runs, &s->run_room, s->run_count + path.run_count, "the runs of paths", error);
  if (status != CLA_OK) return status;
  pairs->start_row[pair] = path.start_row;
  pairs->start_column[pair] = path.start_column;
  pairs->runs[pair] = s->run_count;
  pairs->run_count[pair] = path.run_count;
  for (int32_t k = path.run_count - 1; k >= 0; k--) s->runs[s->run_count++] = path.runs[k];
  return CLA_OK;
}
