#include "schedule/corridor_proof.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* A path is cut where it comes back into the corridor, and where it joins the known one again, which may be
 * with the other kind of gap: then two are cut. Where it leaves the corridor first, all before lies inside,
 * and the edge's H is that of the path itself. A gap that is cut is paid for in one of its parts. */
#define GAPS_CUT 3

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

cla_status corridor_most_outside(int64_t *out, outside_kind kind, const corridor *c, const path_row *known,
                                 const packed_scheme *scheme, const packed_pair *pair, cla_error *error) {
  const int64_t opening = GAPS_CUT * (int64_t)(scheme->scoring->gap_first - scheme->scoring->gap_ext);
  outside_path outside = {0};
  edge_row *rows = NULL;
  cla_status status = outside_path_make(&outside, kind, scheme, pair, known, error);
  if (status == CLA_OK) status = make_edge_rows(&rows, c, &outside, opening, error);
  if (status == CLA_OK) *out = most_outside(c, rows, opening, outside.slope);
  free(rows);
  outside_path_free(&outside);
  return status;
}
