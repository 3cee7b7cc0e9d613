/* The backward sweep: from the last line to the first, the nodes of near-optimal alignments alone. The
 * forward values are exact, so no bound is needed: a node matters if both values together reach the optimum
 * less delta. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "certain/certain_internal.h"

#define DEAD REPLAY_DEAD

/* The state of the sweep. */
typedef struct near_sweep {
  cuts *cuts;
  optimal_graph *graph;
  replay *values;
  replay_block block;
  near_line lines[3]; /* line d is at [d % 3]; only the lines d, d + 1 and d + 2 are kept */
  int64_t first_end;  /* first line of the block with an end of the optimum; INT64_MAX: none */
  int64_t least;      /* the least score that matters */
  int64_t across;     /* best score of a pair across the line behind the current one */
  const cla_scoring *scoring;
  int pieces;
} near_sweep;

static near_line *line_of(near_sweep *s, int64_t line) {
  return &s->lines[(line + 3) % 3];
}

/* The neighbours of a node on the lines behind it; NULL: the node is on no alignment that matters. */
typedef struct near_next {
  const near_node *right, *below, *pair;
} near_next;

/* Sets the best rests of paths from the node. The score of a pair is `score`. */
static void set_rests(near_node *node, const near_sweep *s, const near_next *next, int64_t score) {
  int64_t rest = node->ends ? 0 : DEAD;
  if (next->pair) rest = larger(rest, score + next->pair->rest_h);
  for (int k = 0; k < s->pieces; k++) {
    const int64_t first = s->scoring->gap[k].first;
    if (next->right && next->right->e[k] > DEAD / 2) rest = larger(rest, next->right->rest_e[k] - first);
    if (next->below && next->below->f[k] > DEAD / 2) rest = larger(rest, next->below->rest_f[k] - first);
  }
  node->rest_h = rest;
  for (int k = 0; k < s->pieces; k++) {
    const int64_t ext = s->scoring->gap[k].ext;
    node->rest_e[k] = next->right ? larger(rest, next->right->rest_e[k] - ext) : rest;
    node->rest_f[k] = next->below ? larger(rest, next->below->rest_f[k] - ext) : rest;
  }
}

/* Returns the best score of an alignment with the gap's letter that leads to the node, along a row or down a
 * column. */
static int64_t gap_edge_score(const near_node *node, int pieces, bool across) {
  int64_t best = DEAD;
  for (int k = 0; k < pieces; k++)
    best = larger(best, across ? node->e[k] + node->rest_e[k] : node->f[k] + node->rest_f[k]);
  return best;
}

/* Notes the node's start and end in the cuts, and the gaps' letters that lead to it on alignments with these
 * scores. */
static void note_node(near_sweep *s, const near_node *node, int64_t column, int64_t across, int64_t down) {
  cuts *c = s->cuts;
  cuts_edge(c, CLA_RUN_TARGET, node->row, column, across);
  cuts_edge(c, CLA_RUN_QUERY, node->row, column, down);
  if (node->starts) cuts_start(c, node->row, column, node->rest_h);
  if (node->ends) cuts_end(c, node->row, column, node->h);
}

/* Adds the node of row `row` to line `line`, if an alignment through it matters. */
static cla_status offer(near_sweep *s, int64_t line, int64_t row, const near_next *next, cla_error *error) {
  near_line *to = line_of(s, line);
  const int64_t column = line - row;
  near_node node = {.row = row, .h = replay_value(&s->block, line, row, REPLAY_H)};
  if (row < 0 || column < 0 || node.h <= DEAD / 2) return CLA_OK;
  for (int k = 0; k < s->pieces; k++) {
    node.e[k] = replay_value(&s->block, line, row, REPLAY_E(k));
    node.f[k] = replay_value(&s->block, line, row, REPLAY_F(k));
  }
  node.starts = near_starts(s->cuts, row, column);
  node.ends = near_ends(s->cuts, row, column);
  const int64_t score = next->pair ? near_pair_score(s->cuts, row + 1, column + 1) : 0;
  set_rests(&node, s, next, score);
  const int64_t across = gap_edge_score(&node, s->pieces, true),
                down = gap_edge_score(&node, s->pieces, false);
  node.best = larger(node.h + node.rest_h, larger(across, down));
  if (node.best < s->least) return CLA_OK;
  note_node(s, &node, column, across, down);
  if (next->pair) {
    const int64_t through = node.h + score + next->pair->rest_h;
    cuts_edge(s->cuts, CLA_RUN_PAIR, row + 1, column + 1, through);
    s->across = larger(s->across, through);
  }
  cla_status status = allocate_grow((void **)&to->nodes, &to->capacity, to->count + 1, sizeof *to->nodes,
                                    "nodes of near-optimal alignments", error);
  if (status == CLA_OK) to->nodes[to->count++] = node;
  return status;
}

static int64_t row_at(const near_line *line, int64_t index) {
  return index < line->count ? line->nodes[index].row : INT64_MAX / 2;
}

/* True if an alignment that matters may end in the node of the block. */
static bool is_end(const near_sweep *s, int64_t line, int64_t row) {
  return near_ends(s->cuts, row, line - row) && replay_value(&s->block, line, row, REPLAY_H) >= s->least;
}

/* Returns the first row of the line, from `row` on, in which an alignment that matters ends. */
static int64_t next_end(const near_sweep *s, int64_t line, int64_t row) {
  const replay_line *values = &s->block.lines[line - s->block.first];
  if (!s->block.has_ends) return INT64_MAX / 2;
  row = larger(row, values->first);
  if (!s->cuts->problem->scheme.ends.anywhere) {
    const int64_t last_column = line - s->cuts->problem->columns, last_row = s->cuts->problem->rows;
    if (last_column >= row && last_column <= values->last && is_end(s, line, last_column)) return last_column;
    return last_row >= row && last_row <= values->last && is_end(s, line, last_row) ? last_row
                                                                                    : INT64_MAX / 2;
  }
  while (row <= values->last && !is_end(s, line, row)) row++;
  return row <= values->last ? row : INT64_MAX / 2;
}

/* Makes the line from the two lines behind it. */
static cla_status make_line(near_sweep *s, int64_t line, cla_error *error) {
  const near_line *behind = line_of(s, line + 1), *second = line_of(s, line + 2);
  int64_t right = 0, below = 0, pair = 0, end = next_end(s, line, 0);
  cla_status status = CLA_OK;
  s->across = DEAD;
  *line_of(s, line) =
      (near_line){.line = line, .nodes = line_of(s, line)->nodes, .capacity = line_of(s, line)->capacity};
  while (status == CLA_OK) {
    const int64_t row = smaller(smaller(row_at(behind, right), row_at(behind, below) - 1),
                                smaller(row_at(second, pair) - 1, end));
    if (row > s->cuts->problem->rows) break;
    const near_next next = {
        .right = row_at(behind, right) == row ? &behind->nodes[right++] : NULL,
        .below = row_at(behind, below) == row + 1 ? &behind->nodes[below++] : NULL,
        .pair = row_at(second, pair) == row + 1 ? &second->nodes[pair++] : NULL,
    };
    if (end == row) end = next_end(s, line, row + 1);
    status = offer(s, line, row, &next, error);
  }
  return status;
}

static void widen(replay_reach *reach, const near_line *line) {
  for (int64_t i = 0; i < line->count; i++) {
    const int64_t row = line->nodes[i].row, column = line->line - row;
    if (reach->row < 0) reach->low_diagonal = reach->high_diagonal = column - row;
    reach->row = larger(reach->row, row);
    reach->column = larger(reach->column, column);
    reach->low_diagonal = smaller(reach->low_diagonal, column - row);
    reach->high_diagonal = larger(reach->high_diagonal, column - row);
  }
}

/* Sets first_end. */
static void find_first_end(near_sweep *s) {
  s->first_end = INT64_MAX;
  for (int64_t line = s->block.last; line >= s->block.first; line--)
    for (int64_t row = next_end(s, line, 0); row < INT64_MAX / 2; row = next_end(s, line, row + 1))
      if (replay_value(&s->block, line, row, REPLAY_H) >= s->cuts->optimum) s->first_end = line;
}

/* Gives the line behind the current one to the graph. Only now all pairs across that line are known. */
static cla_status give_line(near_sweep *s, int64_t line, cla_error *error) {
  const bool ends_before = replay_ends_before(s->values, s->cuts->optimum) || s->first_end < line;
  return graph_line(s->graph, line_of(s, line), s->across, ends_before, error);
}

static cla_status sweep_block(near_sweep *s, int64_t last_line, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t line = s->block.last; line >= s->block.first && status == CLA_OK; line--) {
    status = make_line(s, line, error);
    if (status == CLA_OK && line < last_line) status = give_line(s, line + 1, error);
  }
  return status;
}

cla_status near_optimal_sweep(cuts *c, optimal_graph *g, replay *values, cla_error *error) {
  near_sweep s = {.cuts = c,
                  .graph = g,
                  .values = values,
                  .least = c->optimum - c->delta,
                  .scoring = c->problem->scheme.scoring,
                  .pieces = gap_pieces(c->problem->scheme.scoring)};
  cla_status status = CLA_OK;
  bool more = true;
  int64_t last_line = -1;
  while (status == CLA_OK && more) {
    replay_reach reach = {.row = -1, .column = -1};
    if (last_line >= 0) widen(&reach, line_of(&s, s.block.first));
    if (last_line >= 0) widen(&reach, line_of(&s, s.block.first + 1));
    status = replay_next(&s.block, &more, values, &reach, error);
    if (status != CLA_OK || !more) break;
    if (last_line < 0) last_line = g->first_line = s.block.last;
    find_first_end(&s);
    status = sweep_block(&s, last_line, error);
  }
  s.across = DEAD;
  s.first_end = INT64_MAX;
  if (status == CLA_OK && last_line >= 0) status = give_line(&s, 0, error);
  for (int i = 0; i < 3; i++) free(s.lines[i].nodes);
  return status;
}
