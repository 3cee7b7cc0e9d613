#include "trace/pack_reach.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "dp/directions.h"

#define DEAD (-(INT32_C(1) << 30))    /* less a few costs it still has 32 bits */
#define VALUE_MOST (INT64_C(1) << 26) /* the way forth keeps values SCALE times as large */

/* The nodes of a row that are not known to be dead: none if last < first. */
typedef struct reach_row {
  int32_t first, last;
} reach_row;

/* The nodes that an optimal path can use. */
typedef struct reach {
  int64_t row; /* the first one that may hold part of the path: 0, or one below a row without live nodes */
  reach_row *rows; /* from `row` to the end's; owned */
  int64_t cells;   /* computed */
} reach;

/* A row of nodes, with those of the row below until they are replaced. */
typedef struct row_of_nodes {
  int32_t *h, *f,
      *f2; /* R; R with a gap in the query open, of the first and of the second piece of gap costs */
  int32_t first, last;
} row_of_nodes;

typedef struct back_costs {
  int32_t opening, ext, opening2, ext2; /* first - ext, ext */
  bool two;                             /* pieces */
} back_costs;

bool pack_reach_takes(const path_scheme *scheme, int64_t rows, int64_t columns) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t gaps = gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring);
  return rows < INT32_MAX && columns < INT32_MAX && gaps < VALUE_MOST &&
         smaller(rows, columns) * scheme->table->maximum < VALUE_MOST;
}

static inline int32_t most(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* R of a node's neighbours below and to the right. */
typedef struct node_state {
  int32_t diagonal, right, e, e2; /* R there; R with a gap in the target open */
} node_state;

/* R of a node, with no gap open or one of the query. */
typedef struct node_below {
  int32_t h, f, f2;
} node_below;

ALWAYS_INLINE void node(const row_of_nodes *nodes, node_state *s, const back_costs *c, int32_t j,
                        int32_t score, node_below below) {
  const int32_t f = most(below.h, below.f) - c->ext;
  s->e = most(s->right, s->e) - c->ext;
  int32_t h = most(s->diagonal + score, most(most(s->e, f) - c->opening, DEAD));
  if (c->two) {
    const int32_t f2 = most(below.h, below.f2) - c->ext2;
    s->e2 = most(s->right, s->e2) - c->ext2;
    h = most(h, most(s->e2, f2) - c->opening2);
    nodes->f2[j] = most(f2, DEAD);
    s->e2 = most(s->e2, DEAD);
  }
  nodes->f[j] = most(f, DEAD);
  s->e = most(s->e, DEAD);
  nodes->h[j] = s->right = h;
  s->diagonal = below.h;
}

/* The least R of a live node of a row. It follows from the largest H of the nearest known row above and a
 * pair for each row since. */
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

/* A node of the row below. */
ALWAYS_INLINE node_below node_at(const row_of_nodes *nodes, int32_t j, bool two) {
  return (node_below){.h = nodes->h[j], .f = nodes->f[j], .f2 = two ? nodes->f2[j] : DEAD};
}

/* Goes up to `row`. Right of the live nodes below none is alive: paths go right and down. `two`: a constant
 * where it is called. */
ALWAYS_INLINE void go_up(row_of_nodes *nodes, const path_scheme *scheme, const pack_pair *pair,
                         const back_costs *costs, int64_t row, bool two) {
  const int32_t *scores = scheme->table->score + pair->query[row] * CLA_MATRIX_STRIDE;
  const uint8_t *target = pair->target;
  const row_of_nodes a = *nodes;
  const node_below none = {DEAD, DEAD, DEAD};
  const int64_t least = least_of_row(scheme, pair, row);
  node_state s = {.diagonal = DEAD, .right = DEAD, .e = DEAD, .e2 = DEAD};
  back_costs c = *costs;
  c.two = two;
  int32_t j = a.last;
  /* The last one may be column n, which no letter follows. */
  node(&a, &s, &c, j, 0, node_at(&a, j, two));
  for (j--; j >= a.first; j--) node(&a, &s, &c, j, scores[target[j]], node_at(&a, j, two));
  for (; j >= 0 && (j == a.first - 1 || is_alive(nodes, scheme, pair->score, least, j + 1)); j--)
    node(&a, &s, &c, j, scores[target[j]], none);
  nodes->first = j + 1;
  while (nodes->last >= nodes->first && !is_alive(nodes, scheme, pair->score, least, nodes->last))
    nodes->last--;
  while (nodes->first <= nodes->last && !is_alive(nodes, scheme, pair->score, least, nodes->first))
    nodes->first++;
}

/* The end's own row: gaps lead to the end. */
static void begin_back(row_of_nodes *nodes, const path_scheme *scheme, const pack_pair *pair) {
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

/* *done is false, and nothing is owned, if there are more than `cells_most` nodes. */
static cla_status find_reach(reach *out, bool *done, const path_scheme *scheme, const pack_pair *pair,
                             int64_t cells_most, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const back_costs costs = {.opening = scoring->gap_first - scoring->gap_ext,
                            .ext = scoring->gap_ext,
                            .opening2 = scoring->gap_first2 - scoring->gap_ext2,
                            .ext2 = scoring->gap_ext2};
  row_of_nodes nodes = {0};
  int64_t row = pair->end_query;
  *out = (reach){0};
  *done = false;
  cla_status status = make_nodes(&nodes, scheme, pair->end_target, error);
  if (status == CLA_OK)
    status =
        allocate_array((void **)&out->rows, row + 1, sizeof *out->rows, "where a pair's path can run", error);
  if (status == CLA_OK) begin_back(&nodes, scheme, pair);
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

/* Factor of values in the forward pass. The lowest bits have H's direction, so the largest of all candidates
 * gives both value and direction. Among equal values it is the preferred direction (dp/directions.h). */
#define SCALE (FROM_MASK + 1)

/* Node (i,j) stands after i letters of the query and j of the target. The arrays hold the nodes `first` to
 * `last` of the row before until they are replaced. */
typedef struct short_band {
  const path_scheme *scheme;
  const pack_pair *pair;
  const reach *in;
  int32_t *h, *f, *f2;
  uint8_t *opened;     /* F_OPENED, F2_OPENED of the F that enters the next row */
  uint8_t *directions; /* of the cells of all rows */
  int64_t *offsets;    /* by row from in->row on; index of the row's first direction, less its first column */
  int64_t count;
  int32_t first, last;
} short_band;

/* The costs as the cells take them. */
typedef struct row_costs {
  int32_t first, ext, first2, ext2;
  bool floor, two; /* pieces */
} row_costs;

/* The values above a cell: H, F and whether F opened there. */
typedef struct cell_above {
  int32_t h, f, f2;
  int opened;
} cell_above;

/* A row to fill. Its arrays have the values of the row before until these are replaced. Loops copy the
 * pointers, because a compiler must assume that stored bytes change them. */
typedef struct row_fill {
  int32_t *h, *f, *f2;
  uint8_t *opened;
  uint8_t *directions;
  row_costs costs;
  const int32_t *scores;
  const uint8_t *target;
} row_fill;

/* A cell's neighbours' values: on the diagonal, and gaps from the left. */
typedef struct cell_state {
  int32_t diagonal, e, e2;
  int opened;
} cell_state;

/* Computes a cell. A gap that opens where a gap of the same kind ends is no better than the longer gap, and
 * gives the same path. So E is opened from g. */
ALWAYS_INLINE void cell(const row_fill *b, cell_state *s, int32_t j, cell_above above) {
  const row_costs *c = &b->costs;
  const bool two = c->two;
  const int32_t score = SCALE * b->scores[b->target[j - 1]];
  int32_t g = most(s->diagonal + score + FROM_PAIR, above.f + FROM_F);
  if (two) g = most(g, above.f2 + FROM_F2);
  if (c->floor) g = most(g, FROM_START);
  int32_t h = most(g, s->e + FROM_E);
  if (two) h = most(h, s->e2 + FROM_E2);
  b->directions[j] = (uint8_t)((h & FROM_MASK) | s->opened | above.opened);
  h = most(h & ~FROM_MASK, DEAD);
  g = most(g & ~FROM_MASK, DEAD);
  const int32_t begun = g - c->first, begun_below = h - c->first;
  const int32_t e = most(begun, s->e - c->ext), f = most(begun_below, above.f - c->ext);
  int opened = direction_opened(e, begun, E_OPENED),
      opened_below = direction_opened(f, begun_below, F_OPENED);
  s->e = e;
  b->f[j] = f;
  if (two) {
    const int32_t begun2 = g - c->first2, begun_below2 = h - c->first2;
    const int32_t e2 = most(begun2, s->e2 - c->ext2), f2 = most(begun_below2, above.f2 - c->ext2);
    opened |= direction_opened(e2, begun2, E2_OPENED);
    opened_below |= direction_opened(f2, begun_below2, F2_OPENED);
    s->e2 = e2;
    b->f2[j] = f2;
  }
  s->opened = opened;
  b->opened[j] = (uint8_t)opened_below;
  s->diagonal = above.h;
  b->h[j] = h;
}

/* Fills the row's cells without a cell above them in reach. */
ALWAYS_INLINE int32_t fill_without(const row_fill *a, cell_state *s, int32_t from, int32_t to) {
  const cell_above none = {DEAD, DEAD, DEAD, 0};
  for (int32_t j = from; j <= to; j++) cell(a, s, j, none);
  return to >= from ? to + 1 : from;
}

/* The cells of row i. */
ALWAYS_INLINE void fill_row(short_band *b, const row_costs *costs, int64_t i, bool two) {
  const reach_row here = b->in->rows[i];
  const int32_t above_first = b->first, above_last = b->last;
  row_fill a = {.h = b->h,
                .f = b->f,
                .f2 = b->f2,
                .opened = b->opened,
                .costs = *costs,
                .scores = b->scheme->table->score + b->pair->query[i - 1] * CLA_MATRIX_STRIDE,
                .target = b->pair->target};
  a.costs.two = two;
  cell_state s = {.diagonal = DEAD, .e = DEAD, .e2 = DEAD};
  int32_t j = here.first;
  if (j > above_first && j - 1 <= above_last) s.diagonal = a.h[j - 1];
  if (j == 0) { /* the matrix' left border, where paths may begin, or have a gap from the corner */
    const int32_t h = SCALE * (int32_t)path_ends_left_h(&b->scheme->ends, b->scheme->scoring, i);
    s.diagonal = above_first == 0 && above_last >= 0 ? a.h[0] : DEAD;
    a.h[0] = h;
    a.f[0] = DEAD;
    if (two) a.f2[0] = DEAD;
    a.opened[0] = 0;
    s.e = h - costs->first;
    s.e2 = h - costs->first2;
    s.opened = E_OPENED | E2_OPENED;
    j = 1;
  }
  b->offsets[i - b->in->row] = b->count - j;
  b->first = here.first;
  b->last = here.last;
  a.directions = b->directions + b->count - j;
  if (here.last >= j) b->count += here.last - j + 1;
  j = fill_without(&a, &s, j, above_first - 1 < here.last ? above_first - 1 : here.last);
  for (; j <= above_last && j <= here.last; j++) {
    const cell_above above = {.h = a.h[j], .f = a.f[j], .f2 = two ? a.f2[j] : DEAD, .opened = a.opened[j]};
    cell(&a, &s, j, above);
  }
  fill_without(&a, &s, j, here.last);
}

/* The upper row: the matrix', or one without nodes. */
static int64_t begin_forth(short_band *b) {
  const cla_scoring *scoring = b->scheme->scoring;
  if (b->in->row > 0) {
    b->first = 0;
    b->last = -1;
    return b->in->row;
  }
  b->first = b->in->rows[0].first;
  b->last = b->in->rows[0].last;
  for (int32_t j = b->first; j <= b->last; j++) {
    const int32_t h = (int32_t)path_ends_top_h(&b->scheme->ends, scoring, j);
    b->h[j] = SCALE * h;
    b->f[j] = SCALE * (h - scoring->gap_first);
    if (b->f2) b->f2[j] = SCALE * (h - scoring->gap_first2);
    b->opened[j] = F_OPENED | F2_OPENED;
  }
  return 1;
}

static void fill(short_band *b) {
  const cla_scoring *scoring = b->scheme->scoring;
  const row_costs c = {.first = SCALE * scoring->gap_first,
                       .ext = SCALE * scoring->gap_ext,
                       .first2 = SCALE * scoring->gap_first2,
                       .ext2 = SCALE * scoring->gap_ext2,
                       .floor = b->scheme->ends.floor};
  for (int64_t i = begin_forth(b); i <= b->pair->end_query; i++) {
    if (b->f2)
      fill_row(b, &c, i, true);
    else
      fill_row(b, &c, i, false);
  }
}

/* Every predecessor of a node of an optimal path is in reach. */
static bool find_direction(uint8_t *out, const trace_place *at, void *user) {
  const short_band *b = user;
  if (at->column <= 0 || at->row <= larger(b->in->row - 1, 0)) return false;
  *out = b->directions[b->offsets[at->row - b->in->row] + at->column];
  return true;
}

/* Goes forth through the reach, row by row with directions of all cells, and follows them. */
static cla_status follow(pack_reach *out, path *into, short_band *b, cla_error *error) {
  const pack_pair *pair = b->pair;
  const int64_t nodes = pair->end_target + 1, lines = gap_two_pieces(b->scheme->scoring) ? 3 : 2;
  trace_place at = {.row = pair->end_query, .column = pair->end_target};
  if (b->in->row > pair->end_query || b->in->rows[pair->end_query].last != pair->end_target) return CLA_OK;
  cla_status status = allocate_array((void **)&b->h, nodes * lines, sizeof *b->h, "a pair's rows", error);
  if (status == CLA_OK) status = allocate_array((void **)&b->opened, nodes, 1, "a pair's rows", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&b->offsets, pair->end_query - b->in->row + 1, sizeof *b->offsets,
                            "a pair's rows", error);
  if (status != CLA_OK) return status;
  b->directions = malloc((size_t)b->in->cells);
  if (!b->directions) return error_set(error, CLA_ERROR_MEMORY, "out of memory for a pair's directions");
  poison_memory(b->directions, b->in->cells, POISON_LETTERS);
  b->f = b->h + nodes;
  if (lines == 3) b->f2 = b->f + nodes;
  fill(b);
  out->cells += b->count;
  out->met = b->h[pair->end_target] == SCALE * pair->score;
  if (out->met) status = directions_walk(&at, into, find_direction, b, error);
  out->row = at.row;
  out->column = at.column;
  return status;
}

cla_status pack_reach_trace(pack_reach *out, path *into, const path_scheme *scheme, const pack_pair *pair,
                            int64_t nodes_most, cla_error *error) {
  reach found = {0};
  short_band b = {.scheme = scheme, .pair = pair, .in = &found};
  *out = (pack_reach){0};
  cla_status status = find_reach(&found, &out->done, scheme, pair, nodes_most, error);
  out->cells = found.cells;
  if (status == CLA_OK && out->done) status = follow(out, into, &b, error);
  free(found.rows);
  free(b.h);
  free(b.opened);
  free(b.offsets);
  free(b.directions);
  return status;
}
