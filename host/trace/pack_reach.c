#include "trace/pack_reach.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"

#define DEAD (-(INT32_C(1) << 30))
#define VALUE_MOST (INT64_C(1) << 26) /* pack_reach_path.c keeps values 8 times as large */

/* A row of nodes, with those of the row below until they are replaced. */
typedef struct row_of_nodes {
  int32_t *h, *f,
      *f2; /* R; R with a gap in the query open, of the first and of the second piece of gap costs */
  int32_t first, last;
} row_of_nodes;

typedef struct row_costs {
  int32_t opening, ext, opening2, ext2; /* first - ext, ext */
} row_costs;

bool pack_reach_takes(const path_scheme *scheme, int64_t rows, int64_t columns) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t gaps = gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring);
  return rows < INT32_MAX && columns < INT32_MAX && gaps < VALUE_MOST &&
         smaller(rows, columns) * scheme->table->maximum < VALUE_MOST;
}

static inline int32_t most(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* What a node has below it and to the right. */
typedef struct node_state {
  int32_t diagonal, right, e, e2; /* R there; R with a gap in the target open */
} node_state;

ALWAYS_INLINE void node(const row_of_nodes *nodes, node_state *s, const row_costs *c, int32_t j,
                        int32_t score, int32_t h_below, int32_t f_below, int32_t f2_below, bool two) {
  const int32_t f = most(h_below, f_below) - c->ext;
  s->e = most(s->right, s->e) - c->ext;
  int32_t h = most(s->diagonal + score, most(most(s->e, f) - c->opening, DEAD));
  if (two) {
    const int32_t f2 = most(h_below, f2_below) - c->ext2;
    s->e2 = most(s->right, s->e2) - c->ext2;
    h = most(h, most(s->e2, f2) - c->opening2);
    nodes->f2[j] = most(f2, DEAD);
    s->e2 = most(s->e2, DEAD);
  }
  nodes->f[j] = most(f, DEAD);
  s->e = most(s->e, DEAD);
  nodes->h[j] = s->right = h;
  s->diagonal = h_below;
}

/* The least R of a live node of a row: what the nearest row above that is known has, and a pair for each row
 * since. */
static int64_t least_of_row(const path_scheme *scheme, const pack_pair *pair, int64_t row) {
  const pack_rows *rows = &pair->rows;
  const int64_t pair_most = scheme->table->maximum > 0 ? scheme->table->maximum : 0;
  int64_t most_before = pair_most * row;
  if (rows->most && row >= rows->step) {
    const int64_t known = row / rows->step, above = known * rows->step;
    const int64_t inside = rows->most[(known - 1) * rows->stride];
    const int64_t beside = path_ends_left_h(&scheme->ends, scheme->scoring, above);
    most_before = smaller(most_before, larger(inside, beside) + pair_most * (row - above));
  }
  const int64_t least = pair->score - most_before;
  return scheme->ends.floor ? larger(least, 0) : least;
}

static bool is_alive(const row_of_nodes *nodes, const path_scheme *scheme, int64_t score, int64_t least,
                     int32_t j) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t open = gap_most_cut(scoring);
  const int64_t of_column = score - (int64_t)j * (scheme->table->maximum > 0 ? scheme->table->maximum : 0);
  return nodes->h[j] + open >= larger(least, of_column);
}

/* Goes up to `row`. Right of the live nodes below none is alive: paths go right and down. */
ALWAYS_INLINE void go_up(row_of_nodes *nodes, const path_scheme *scheme, const pack_pair *pair,
                         const row_costs *costs, int64_t row, bool two) {
  const int32_t *scores = scheme->table->score + pair->query[row] * CLA_MATRIX_STRIDE;
  const uint8_t *target = pair->target;
  const row_costs c = *costs;
  const row_of_nodes a = *nodes;
  const int64_t least = least_of_row(scheme, pair, row);
  node_state s = {.diagonal = DEAD, .right = DEAD, .e = DEAD, .e2 = DEAD};
  int32_t j = a.last;
  /* The last one may be column n, which no letter follows. */
  node(&a, &s, &c, j, 0, a.h[j], a.f[j], two ? a.f2[j] : DEAD, two);
  for (j--; j >= a.first; j--)
    node(&a, &s, &c, j, scores[target[j]], a.h[j], a.f[j], two ? a.f2[j] : DEAD, two);
  for (; j >= 0 && (j == a.first - 1 || is_alive(nodes, scheme, pair->score, least, j + 1)); j--)
    node(&a, &s, &c, j, scores[target[j]], DEAD, DEAD, DEAD, two);
  nodes->first = j + 1;
  while (nodes->last >= nodes->first && !is_alive(nodes, scheme, pair->score, least, nodes->last))
    nodes->last--;
  while (nodes->first <= nodes->last && !is_alive(nodes, scheme, pair->score, least, nodes->first))
    nodes->first++;
}

/* The end's own row: gaps lead to the end. */
static void begin(row_of_nodes *nodes, const path_scheme *scheme, const pack_pair *pair) {
  const int64_t least = least_of_row(scheme, pair, pair->end_query);
  int32_t j = (int32_t)pair->end_target;
  nodes->last = j;
  for (; j >= 0; j--) {
    nodes->h[j] = -(int32_t)gap_cost(scheme->scoring, pair->end_target - j);
    nodes->f[j] = DEAD;
    if (nodes->f2) nodes->f2[j] = DEAD;
    if (!is_alive(nodes, scheme, pair->score, least, j)) break;
  }
  nodes->first = j + 1;
}

static cla_status make_nodes(row_of_nodes *nodes, const path_scheme *scheme, int64_t columns,
                             cla_error *error) {
  const int lines = gap_two_pieces(scheme->scoring) ? 3 : 2;
  cla_status status = allocate_array((void **)&nodes->h, (columns + 1) * lines, sizeof *nodes->h,
                                     "where a pair's path can run", error);
  if (status != CLA_OK) return status;
  nodes->f = nodes->h + columns + 1;
  nodes->f2 = lines == 3 ? nodes->f + columns + 1 : NULL;
  return CLA_OK;
}

cla_status pack_reach_find(pack_reach *out, bool *done, const path_scheme *scheme, const pack_pair *pair,
                           int64_t cells_most, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const row_costs costs = {.opening = scoring->gap_first - scoring->gap_ext,
                           .ext = scoring->gap_ext,
                           .opening2 = scoring->gap_first2 - scoring->gap_ext2,
                           .ext2 = scoring->gap_ext2};
  row_of_nodes nodes = {0};
  int64_t row = pair->end_query;
  *out = (pack_reach){0};
  *done = false;
  cla_status status = make_nodes(&nodes, scheme, pair->end_target, error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&out->rows, row + 1, sizeof *out->rows, "where a pair's path can run", error);
  if (status == CLA_OK) begin(&nodes, scheme, pair);
  while (status == CLA_OK && out->cells <= cells_most) {
    out->rows[row] = (reach_row){.first = nodes.first, .last = nodes.last};
    out->cells += nodes.last - nodes.first + 1;
    *done = row == 0 || nodes.last < nodes.first;
    if (*done) break;
    row--;
    if (nodes.f2)
      go_up(&nodes, scheme, pair, &costs, row, true);
    else
      go_up(&nodes, scheme, pair, &costs, row, false);
  }
  free(nodes.h);
  if (*done) {
    out->row = nodes.last < nodes.first ? row + 1 : 0;
  } else {
    free(out->rows);
    out->rows = NULL;
  }
  return status;
}
