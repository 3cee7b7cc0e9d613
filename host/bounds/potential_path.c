#include <stdlib.h>

#include "base/allocate.h"
#include "bounds/potential_internal.h"

/* The bound's path in chunks, and at the borders between chunks. Its cost at a border limits the costs of
 * paths beside it (docs/internals/bounds.md, "Beside the bound's path"). */

static int64_t whole_gap_cost(const potential *p, int64_t letters) {
  return 2 * gap_cost(p->problem.scheme.scoring, letters) + p->costs.match * letters;
}

/* Returns the cost of `count` pairs on a diagonal. If all matches score the same, matches cost nothing and
 * are skipped. */
static int64_t pairs_cost(const potential *p, int64_t row, int64_t column, int64_t count) {
  const uint8_t *query = p->problem.query + row, *target = p->problem.target + column;
  int64_t cost = 0;
  for (int64_t k = 0; k < count; k++) {
    if (p->alike) k += bound_match_length(query + k, target + k, count - k);
    if (k < count) cost += 2 * (p->costs.match - (int64_t)bound_pair_score(p->pair, row + k, column + k));
  }
  return cost;
}

static void add_part(path_part *part, int64_t cost, int64_t diagonal) {
  if (part->first > part->last) part->enters = diagonal;
  part->leaves = diagonal;
  part->cost += cost;
  part->first = smaller(part->first, diagonal);
  part->last = larger(part->last, diagonal);
}

/* A place on the path. */
typedef struct path_place {
  int64_t row, column;
  int64_t border; /* the first border at or below the row */
  int64_t cost;   /* cost so far, with gaps exactly as in the scheme */
} path_place;

/* Moves the place to the run's end, and sets the nodes of the borders that the run crosses. Adds the run's
 * cost to the chunks. There, gaps cost as in cost_scheme. */
static void follow_run(path_place *at, const level_work *w, const cla_run *run) {
  const potential *p = w->p;
  const level *l = w->l;
  const bool pair = run->kind == CLA_RUN_PAIR, down = run->kind != CLA_RUN_TARGET;
  int64_t open = pair ? 0 : cost_open_gap(&p->costs);
  for (int64_t left = run->length, count; left > 0; left -= count) {
    const int64_t rest = at->border <= l->chunks ? chunk_row(p, l, at->border) - at->row : INT64_MAX;
    count = 0;
    if (rest == 0) {
      w->nodes[at->border++] = (path_node){
          .diagonal = at->column - at->row, .before = at->cost, .known = pair || left == run->length};
      continue;
    }
    count = down ? smaller(left, rest) : left;
    const int64_t pairs = pair ? pairs_cost(p, at->row, at->column, count) : 0;
    /* The bound's path in the chunk above the border. */
    path_part *part = w->path ? &w->path[smaller(at->border, l->chunks) - 1] : NULL;
    if (part) add_part(part, 0, at->column - at->row);
    if (down) at->row += count;
    if (run->kind != CLA_RUN_QUERY) at->column += count;
    if (part) add_part(part, pair ? pairs : count * p->costs.ext + open, at->column - at->row);
    at->cost += pairs;
    open = 0;
  }
  if (!pair) at->cost += whole_gap_cost(p, run->length);
}

static cla_status make_path(level_work *w, cla_error *error) {
  const int64_t chunks = w->l->chunks;
  cla_status status = ALLOCATE_ZEROS(&w->nodes, chunks + 1, "a potential", error);
  if (status == CLA_OK && w->l->fits) status = ALLOCATE_ARRAY(&w->path, chunks, "a potential", error);
  for (int64_t c = 0; c < chunks && status == CLA_OK && w->path; c++)
    w->path[c] = (path_part){.first = INT64_MAX, .last = INT64_MIN, .low = INT64_MAX, .high = INT64_MIN};
  return status;
}

cla_status path_follow(level_work *w, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const lower_bound *bound = p->input->bound;
  const int64_t start = p->costs.free_start ? p->costs.match * (bound->query_start + bound->target_start) : 0;
  path_place at = {.row = bound->query_start, .column = bound->target_start, .cost = start};
  cla_status status = make_path(w, error);
  if (status != CLA_OK) return status;
  while (at.border <= l->chunks && chunk_row(p, l, at.border) < at.row) at.border++;
  for (size_t i = 0; i < bound->run_count; i++) follow_run(&at, w, &bound->runs[i]);
  if (p->costs.free_end)
    at.cost += p->costs.match * (p->problem.rows - at.row + p->problem.columns - at.column);
  const int64_t total = p->costs.match * (p->problem.rows + p->problem.columns) - 2 * bound->path_score;
  for (int64_t b = 0; b <= l->chunks; b++) {
    w->nodes[b].behind = total - w->nodes[b].before;
    w->nodes[b].known &= at.cost <= total && !p->shape.plain;
  }
  int64_t before = start;
  for (int64_t c = 0; c < l->chunks && w->path; c++) {
    w->path[c].before = before;
    before += w->path[c].cost;
  }
  return CLA_OK;
}

cla_status path_spread(potential *p, level *l, int64_t threshold, cla_error *error) {
  level_work w = {.p = p, .l = l};
  int64_t gain = 0;
  l->fits = true;
  l->chunks = (p->problem.rows + l->chunk_rows - 1) / l->chunk_rows;
  cla_status status = path_follow(&w, error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    gain = larger(gain + path_without_gap(p, &w.path[c]) - threshold, 0);
    p->spread += (double)gain / p->costs.ext * (double)l->chunk_rows;
  }
  free(w.nodes);
  free(w.path);
  return status;
}

void path_raise(const cost_row *row, const level_work *w, int64_t border, bool to_end) {
  const path_node *node = &w->nodes[border];
  if (!node->known) return;
  /* A path that crosses the border within a gap has paid the gap's opening above the border. */
  const int64_t own = to_end ? node->behind - 2 * gap_most_cut(w->p->problem.scheme.scoring) : node->before;
  for (int64_t b = row->first; b <= row->last; b++) {
    const int64_t first = first_diagonal(w->p, w->l, b), last = first_diagonal(w->p, w->l, b + 1) - 1;
    const int64_t away = larger(llabs(first - node->diagonal), llabs(last - node->diagonal));
    int32_t *cost = &row->cost[b - row->first];
    *cost = least_cost(larger(*cost, own - whole_gap_cost(w->p, away)), NEVER);
  }
}
