#include <stdlib.h>

#include "base/allocate.h"
#include "bound/potential_internal.h"

/* The bound's path at borders between chunks, and what its costs there say of paths beside it
 * (docs/internals/bounds.md, "Beside the bound's path"). */

static int64_t whole_gap_cost(const potential *p, int64_t letters) {
  return 2 * gap_cost(p->problem.scheme.scoring, letters) + p->costs.match * letters;
}

cla_status path_follow(level_work *w, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const lower_bound *bound = p->bound;
  int64_t row = bound->query_start, column = bound->target_start, border = 0;
  int64_t cost = p->costs.free_start ? p->costs.match * (row + column) : 0;
  cla_status status =
      allocate_zeros((void **)&w->nodes, l->chunks + 1, sizeof *w->nodes, "a potential", error);
  if (status != CLA_OK) return status;
  while (border <= l->chunks && chunk_row(p, l, border) < row) border++;
  for (size_t i = 0; i < bound->run_count; i++) {
    const cla_run *run = &bound->runs[i];
    const int64_t gap = run->kind == CLA_RUN_PAIR ? 0 : whole_gap_cost(p, run->length);
    for (int64_t left = run->length; left > 0;) {
      const int64_t rest = border <= l->chunks ? chunk_row(p, l, border) - row : INT64_MAX;
      if (rest == 0) {
        w->nodes[border++] =
            (path_node){.diagonal = column - row, .before = cost, .known = gap == 0 || left == run->length};
        continue;
      }
      const int64_t count = run->kind == CLA_RUN_TARGET ? left : smaller(left, rest);
      if (gap == 0) cost += pairs_cost(p, row, column, count);
      if (run->kind != CLA_RUN_TARGET) row += count;
      if (run->kind != CLA_RUN_QUERY) column += count;
      left -= count;
    }
    cost += gap;
  }
  if (p->costs.free_end) cost += p->costs.match * (p->problem.rows - row + p->problem.columns - column);
  const int64_t total = p->costs.match * (p->problem.rows + p->problem.columns) - 2 * bound->score;
  for (int64_t b = 0; b <= l->chunks; b++) {
    w->nodes[b].behind = total - w->nodes[b].before;
    w->nodes[b].known &= cost <= total && !p->plain;
  }
  return CLA_OK;
}

void path_raise(const cost_row *row, const level_work *w, int64_t border, bool to_end) {
  const path_node *node = &w->nodes[border];
  if (!node->known) return;
  /* A path that crosses the border within a gap has opened it above. */
  const int64_t own = to_end ? node->behind - 2 * gap_most_cut(w->p->problem.scheme.scoring) : node->before;
  for (int64_t b = row->first; b <= row->last; b++) {
    const int64_t first = first_diagonal(w->p, w->l, b), last = first_diagonal(w->p, w->l, b + 1) - 1;
    const int64_t away = larger(llabs(first - node->diagonal), llabs(last - node->diagonal));
    int32_t *cost = &row->cost[b - row->first];
    *cost = least_cost(larger(*cost, own - whole_gap_cost(w->p, away)), NEVER);
  }
}
