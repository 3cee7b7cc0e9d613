#include "schedule/packed_corridor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "pipeline/band_line.h"
#include "pipeline/band_step.h"
#include "schedule/corridor.h"
#include "schedule/outside_path.h"

/* A path is cut where it leaves the known one, where it comes back into the corridor, and where it joins the
 * known one again; a gap that is cut is paid for in one of its parts. */
#define GAPS_CUT 3

/* A score that is known to have no proof: the best path misses more than all blocks off it can be shown to.
 */
static bool has_a_chance(const packed_scheme *scheme, const packed_pair *pair, int lanes) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t in_row = smaller(match - scheme->table->mismatch, scoring->gap_ext + match);
  const int64_t block = smaller(smaller(in_row, scoring->gap_first), match * OUTSIDE_BLOCK);
  const int64_t off = lanes * (2 * scoring->gap_ext + match) + 2 * scoring->gap_first;
  return match * pair->end_query - pair->score < pair->end_query / OUTSIDE_BLOCK * block + off;
}

/* Follows the path back, and notes its nodes. False if it leaves the corridor, or what was computed of it. */
static cla_status follow(bool *inside, corridor_start *start, path *into, path_row *known, const corridor *c,
                         cla_error *error) {
  band_place at = {.row = c->rows, .column = c->columns, .state = BAND_H};
  cla_status status = CLA_OK;
  *inside = true;
  known[at.row] = (path_row){.first = (int32_t)at.column, .last = (int32_t)at.column};
  while (status == CLA_OK && !at.started && at.row > 0 && at.column > 0) {
    const int64_t line = at.row + at.column, lane = line < c->low ? -1 : at.row - c->top[line];
    *inside = lane >= 0 && lane < c->lanes;
    if (!*inside) break;
    const int64_t row = at.row;
    status = band_step(&at, c->directions[line * c->lanes + lane], into, error);
    if (at.row < row) known[at.row].last = (int32_t)at.column;
    known[at.row].first = (int32_t)at.column;
  }
  start->row = at.row;
  start->column = at.column;
  return status;
}

static bool is_node(const corridor *c, int64_t row, int64_t column) {
  return row >= 0 && column >= 0 && row <= c->rows && column <= c->columns;
}

/* What is known of paths through the corridor's edge nodes, from the first line on. */
typedef struct edge_check {
  const corridor *corridor;
  const outside_path *outside;
  int64_t score, opening;
  int64_t leaving; /* the most that a path has that left before, less what it could gain to there */
} edge_check;

/* A path may leave the corridor in this node. */
static void note_leaving(edge_check *check, int64_t row, int64_t column, int64_t loss) {
  if (!is_node(check->corridor, row, column)) return;
  const int64_t value = check->corridor->match * row - loss - outside_from(check->outside, row);
  check->leaving = larger(check->leaving, value);
}

/* A path may come in in this node. Whether none does that has the pair's score. */
static bool is_closed(const edge_check *check, int64_t row, int64_t column, int64_t loss) {
  const corridor *c = check->corridor;
  if (!is_node(c, row, column)) return true;
  const int64_t rest = c->match * (c->rows - row) - loss + check->opening;
  const int64_t begun = smaller(outside_most(check->outside, row), c->match * column);
  return begun + rest < check->score &&
         check->leaving + outside_to(check->outside, row) + rest < check->score;
}

/* Whether all paths that leave the corridor, and those that begin outside, score less than the pair. */
static bool is_proven(const corridor *c, const outside_path *outside, const packed_scheme *scheme,
                      const packed_pair *pair) {
  edge_check check = {.corridor = c,
                      .outside = outside,
                      .score = pair->score,
                      .opening = GAPS_CUT * (scheme->scoring->gap_first - scheme->scoring->gap_ext),
                      .leaving = INT32_MIN};
  for (int64_t line = c->low; line <= c->rows + c->columns; line++) {
    const int64_t first = c->top[line], last = first + c->lanes - 1;
    note_leaving(&check, first, line - first, c->forth[line].first);
    note_leaving(&check, last, line - last, c->forth[line].last);
    if (!is_closed(&check, first, line - first, c->back[line].first) ||
        !is_closed(&check, last, line - last, c->back[line].last))
      return false;
  }
  return true;
}

/* Proves that the path that was followed is the canonical one. */
static cla_status prove(bool *done, const corridor *c, const path_row *known, const packed_scheme *scheme,
                        const packed_pair *pair, cla_error *error) {
  outside_path outside = {0};
  cla_status status = outside_path_make(&outside, scheme, pair, known, error);
  if (status == CLA_OK) *done = is_proven(c, &outside, scheme, pair);
  outside_path_free(&outside);
  return status;
}

static cla_status try_width(bool *done, corridor_start *start, path *into, const packed_scheme *scheme,
                            const packed_pair *pair, int lanes, cla_error *error) {
  corridor c = {0};
  path_row *known = NULL;
  bool inside = false;
  cla_status status = corridor_make(&c, scheme, pair, lanes, error);
  if (status != CLA_OK) return status;
  if (!corridor_go_back(&c)) goto done;
  corridor_go_forth(&c, scheme);
  start->cells += 2 * lanes * (c.rows + c.columns - c.low + 1);
  if (c.match * c.rows - c.loss != pair->score) goto done;
  status = allocate_array((void **)&known, c.rows + 1, sizeof *known, "a pair's path", error);
  for (int64_t i = 0; status == CLA_OK && i <= c.rows; i++) known[i] = (path_row){.first = 1, .last = 0};
  if (status == CLA_OK) status = follow(&inside, start, into, known, &c, error);
  if (status == CLA_OK && inside) status = prove(done, &c, known, scheme, pair, error);

done:
  if (!*done) path_free(into);
  free(known);
  corridor_free(&c);
  return status;
}

cla_status packed_corridor_trace(bool *done, corridor_start *start, path *into, const packed_scheme *scheme,
                                 const packed_pair *pair, cla_error *error) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_LANES_MOST};
  cla_status status = CLA_OK;
  *done = false;
  *start = (corridor_start){0};
  if (!corridor_takes(scheme, pair)) return CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK && !*done; i++)
    if (has_a_chance(scheme, pair, widths[i]))
      status = try_width(done, start, into, scheme, pair, widths[i], error);
  return status;
}
