#include "schedule/packed_corridor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "pipeline/band_line.h"
#include "pipeline/band_step.h"
#include "schedule/corridor.h"
#include "schedule/outside_path.h"

/* A path is cut where it comes back into the corridor, and where it joins the known one again, which may be
 * with the other kind of gap: then two are cut. Where it leaves the corridor first, all before lies inside,
 * and the edge's H is that of the path itself. A gap that is cut is paid for in one of its parts. */
#define GAPS_CUT 3

/* Where the rows of a block, which are passed without a difference, take a part of what the corridor's edges
 * cost, less is shown. */
#define TIGHT_SHARE 0.35

/* Whether paths outside could be shown to score less: the best path must not miss more. */
static bool has_a_chance(outside_kind kind, const packed_scheme *scheme, const packed_pair *pair, int lanes) {
  const bool is_tight = kind == OUTSIDE_BY_DIFFERENCES && lanes < CORRIDOR_LANES_MOST;
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t off = lanes * (2 * scoring->gap_ext + match) + 2 * scoring->gap_first;
  return (double)(match * pair->end_query - pair->score - off) <
         (is_tight ? TIGHT_SHARE : 1) * outside_path_reach(kind, scheme) * (double)pair->end_query;
}

/* The direction of a node; false if it is none of the corridor's. */
static inline bool find_direction(uint8_t *out, const corridor *c, int64_t row, int64_t column) {
  const int64_t line = row + column;
  if (line < c->low) return false;
  const int64_t lane = row - c->top[line];
  if (lane < 0 || lane >= c->lanes) return false;
  *out = c->directions[line * c->lanes + lane];
  return true;
}

/* Goes back over a run of pairs, and notes its nodes. */
static cla_status follow_pairs(band_place *at, path *into, path_row *known, const corridor *c,
                               cla_error *error) {
  const int64_t before = at->row;
  uint8_t direction = 0;
  while (at->row > 0 && at->column > 0 && find_direction(&direction, c, at->row, at->column) &&
         (direction & BAND_FROM_MASK) == BAND_FROM_PAIR) {
    at->row--;
    at->column--;
    known[at->row] = (path_row){.first = (int32_t)at->column, .last = (int32_t)at->column};
  }
  return path_add(into, CLA_RUN_PAIR, before - at->row, error);
}

/* Follows the path back, and notes its nodes. *inside is false if it leaves the corridor. */
static cla_status follow(bool *inside, corridor_start *start, path *into, path_row *known, const corridor *c,
                         cla_error *error) {
  band_place at = {.row = c->rows, .column = c->columns, .state = BAND_H};
  cla_status status = CLA_OK;
  uint8_t direction = 0;
  *inside = true;
  known[at.row] = (path_row){.first = (int32_t)at.column, .last = (int32_t)at.column};
  while (status == CLA_OK && !at.started) {
    if (at.state == BAND_H) status = follow_pairs(&at, into, known, c, error);
    if (status != CLA_OK || at.row == 0 || at.column == 0) break;
    *inside = find_direction(&direction, c, at.row, at.column);
    if (!*inside) break;
    const int64_t row = at.row;
    status = band_step(&at, direction, into, error);
    if (at.row < row) known[at.row].last = (int32_t)at.column;
    known[at.row].first = (int32_t)at.column;
  }
  start->row = at.row;
  start->column = at.column;
  return status;
}

/* What paths have at most that go through an edge node, but for twice the node's loss, by its row; all of it
 * is twice as large as scores. */
typedef struct edge_row {
  int32_t leaving; /* those that leave the corridor there: less what they could gain to there outside */
  int32_t coming;  /* those that come back there: with the rest of the path, */
  int32_t begun;   /* and those that have been outside from their start on, but for what columns allow */
} edge_row;

static cla_status make_edge_rows(edge_row **out, const corridor *c, const outside_path *outside,
                                 int64_t opening, cla_error *error) {
  cla_status status = allocate_array((void **)out, c->rows + 1, sizeof **out, "a pair's path", error);
  for (int64_t row = 0; status == CLA_OK && row <= c->rows; row++) {
    const int64_t rest = 2 * (c->match * (c->rows - row) + opening);
    (*out)[row] = (edge_row){.leaving = (int32_t)(2 * c->match * row - outside_from(outside, row)),
                             .coming = (int32_t)(outside_to(outside, row) + rest),
                             .begun = (int32_t)(outside_most(outside, row) + rest)};
  }
  return status;
}

/* What is known of paths through the corridor's edge nodes, from the first line on. */
typedef struct edge_check {
  const corridor *corridor;
  const edge_row *rows;
  int64_t opening, slope;
  int64_t leaving; /* the most of those that left before */
  int64_t most;    /* of any path that is not only in the corridor */
} edge_check;

static inline void check_edge(edge_check *check, int64_t row, int64_t column, int64_t forth, int64_t back) {
  const corridor *c = check->corridor;
  if (row < 0 || column < 0 || row > c->rows || column > c->columns) return;
  const edge_row *here = &check->rows[row];
  const int64_t by_columns = 2 * (c->match * (column + c->rows - row) + check->opening);
  const int64_t moved = check->slope * (column - row);
  check->leaving = larger(check->leaving, here->leaving - moved - 2 * forth);
  check->most = larger(check->most, check->leaving + here->coming + moved - 2 * back);
  check->most = larger(check->most, smaller(here->begun, by_columns) - 2 * back);
}

/* Twice the most that paths have which leave the corridor, or begin outside. */
static int64_t most_outside(const corridor *c, const edge_row *rows, int64_t opening, int64_t slope) {
  edge_check check = {.corridor = c,
                      .rows = rows,
                      .opening = opening,
                      .slope = slope,
                      .leaving = INT32_MIN,
                      .most = INT32_MIN};
  for (int64_t line = c->low; line <= c->rows + c->columns; line++) {
    const int64_t first = c->top[line], last = first + c->lanes - 1;
    check_edge(&check, first, line - first, c->forth[line].first, c->back[line].first);
    check_edge(&check, last, line - last, c->forth[line].last, c->back[line].last);
  }
  return check.most;
}

/* Proves that the path that was followed is the canonical one. */
static cla_status prove(bool *done, outside_kind kind, const corridor *c, const path_row *known,
                        const packed_scheme *scheme, const packed_pair *pair, cla_error *error) {
  const int64_t opening = GAPS_CUT * (int64_t)(scheme->scoring->gap_first - scheme->scoring->gap_ext);
  outside_path outside = {0};
  edge_row *rows = NULL;
  if (!has_a_chance(kind, scheme, pair, c->lanes)) return CLA_OK;
  cla_status status = outside_path_make(&outside, kind, scheme, pair, known, error);
  if (status == CLA_OK) status = make_edge_rows(&rows, c, &outside, opening, error);
  if (status == CLA_OK) *done = most_outside(c, rows, opening, outside.slope) < 2 * pair->score;
  free(rows);
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
  if (status == CLA_OK && inside) status = prove(done, OUTSIDE_BY_WORDS, &c, known, scheme, pair, error);
  /* Which takes blocks of more rows than a narrow corridor leaves room for. */
  if (status == CLA_OK && inside && !*done && lanes > CORRIDOR_NARROW)
    status = prove(done, OUTSIDE_BY_DIFFERENCES, &c, known, scheme, pair, error);

done:
  if (!*done) path_free(into);
  free(known);
  corridor_free(&c);
  return status;
}

cla_status packed_corridor_trace(bool *done, corridor_start *start, path *into, const packed_scheme *scheme,
                                 const packed_pair *pair, cla_error *error) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_MIDDLE, CORRIDOR_LANES_MOST};
  cla_status status = CLA_OK;
  *done = false;
  *start = (corridor_start){0};
  if (!corridor_takes(scheme, pair)) return CLA_OK;
  for (int i = 0; i < 3 && status == CLA_OK && !*done; i++)
    if (has_a_chance(OUTSIDE_BY_WORDS, scheme, pair, widths[i]) ||
        (widths[i] > CORRIDOR_NARROW && has_a_chance(OUTSIDE_BY_DIFFERENCES, scheme, pair, widths[i])))
      status = try_width(done, start, into, scheme, pair, widths[i], error);
  return status;
}
