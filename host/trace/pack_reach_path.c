#include "trace/pack_reach_path.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/poison.h"

/* Values are kept 8 times as large, so that where H came from can stand in their lowest bits: the largest of
 * all that H may be then says both, and of equal ones it is the one that is preferred. */
#define SCALE 8
#define DEAD (-(INT32_C(1) << 30)) /* less a few costs it still has 32 bits */

/* What is kept of a cell: where H came from, and whether E and F opened there; 2: of the second piece of gap
 * costs. */
enum {
  FROM_F2 = 2,
  FROM_F = 3,
  FROM_E2 = 4,
  FROM_E = 5,
  FROM_PAIR = 6,
  FROM_START = 7,
  FROM_MASK = 7,
  E_OPENED = 8,
  F_OPENED = 16,
  E2_OPENED = 32,
  F2_OPENED = 64
};

/* Node (i,j) stands after i letters of the query and j of the target. The arrays hold the nodes `first` to
 * `last` of the row before until they are replaced. */
typedef struct short_band {
  const path_scheme *scheme;
  const pack_pair *pair;
  const pack_reach *reach;
  int32_t *h, *f, *f2;
  uint8_t *opened;     /* F_OPENED, F2_OPENED of the F that enters the next row */
  uint8_t *directions; /* of the cells of all rows */
  int64_t *offsets;    /* where a row's begin, less its first column; by rows from reach->row on */
  int64_t count;
  int32_t first, last;
} short_band;

/* The costs as the cells take them. */
typedef struct row_costs {
  int32_t first, ext, first2, ext2;
  bool floor;
} row_costs;

/* The arrays of a row; bytes that are stored may be any of them, so that a loop needs copies of its own. */
typedef struct row_arrays {
  int32_t *h, *f, *f2;
  uint8_t *opened;
} row_arrays;

/* A cell's neighbours' values: on the diagonal, and gaps from the left. */
typedef struct cell_state {
  int32_t diagonal, e, e2;
  int opened;
} cell_state;

static inline int32_t most(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* One cell; `score` is its pair's, up, f and f2 are from above. Returns its directions. A gap that opens
 * where one of the same kind ends is no better than that one made longer, and the path the same: so E is
 * opened from g. */
ALWAYS_INLINE int cell(const row_arrays *b, cell_state *s, const row_costs *c, int32_t j, int32_t score,
                       int32_t up, int32_t f, int32_t f2, int f_opened, bool two) {
  int32_t g = most(s->diagonal + score + FROM_PAIR, f + FROM_F);
  if (two) g = most(g, f2 + FROM_F2);
  if (c->floor) g = most(g, FROM_START);
  int32_t h = most(g, s->e + FROM_E);
  if (two) h = most(h, s->e2 + FROM_E2);
  const int direction = (h & FROM_MASK) | s->opened | f_opened;
  h = most(h & ~FROM_MASK, DEAD);
  g = most(g & ~FROM_MASK, DEAD);
  const int32_t begun = g - c->first, e = s->e - c->ext, begun_below = h - c->first, lower = f - c->ext;
  int opened = begun >= e ? E_OPENED : 0, opened_below = begun_below >= lower ? F_OPENED : 0;
  s->e = most(begun, e);
  b->f[j] = most(begun_below, lower);
  if (two) {
    const int32_t begun2 = g - c->first2, e2 = s->e2 - c->ext2;
    const int32_t begun_below2 = h - c->first2, lower2 = f2 - c->ext2;
    opened |= begun2 >= e2 ? E2_OPENED : 0;
    opened_below |= begun_below2 >= lower2 ? F2_OPENED : 0;
    s->e2 = most(begun2, e2);
    b->f2[j] = most(begun_below2, lower2);
  }
  s->opened = opened;
  b->opened[j] = (uint8_t)opened_below;
  s->diagonal = up;
  b->h[j] = h;
  return direction;
}

/* A row's cells that have none above them in reach. */
ALWAYS_INLINE int32_t fill_without(uint8_t *directions, const row_arrays *a, cell_state *s,
                                   const row_costs *c, const int32_t *scores, const uint8_t *target,
                                   int32_t from, int32_t to, bool two) {
  for (int32_t j = from; j <= to; j++)
    directions[j] = (uint8_t)cell(a, s, c, j, SCALE * scores[target[j - 1]], DEAD, DEAD, DEAD, 0, two);
  return to >= from ? to + 1 : from;
}

/* The cells of row i. */
ALWAYS_INLINE void fill_row(short_band *b, const row_costs *costs, int64_t i, bool two) {
  const reach_row here = b->reach->rows[i];
  const uint8_t *target = b->pair->target;
  const int32_t *scores = b->scheme->table->score + b->pair->query[i - 1] * CLA_MATRIX_STRIDE;
  const int32_t above_first = b->first, above_last = b->last;
  const row_costs c = *costs;
  const row_arrays a = {.h = b->h, .f = b->f, .f2 = b->f2, .opened = b->opened};
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
    s.e = h - c.first;
    s.e2 = h - c.first2;
    s.opened = E_OPENED | E2_OPENED;
    j = 1;
  }
  b->offsets[i - b->reach->row] = b->count - j;
  b->first = here.first;
  b->last = here.last;
  uint8_t *directions = b->directions + b->count - j;
  if (here.last >= j) b->count += here.last - j + 1;
  j = fill_without(directions, &a, &s, &c, scores, target, j,
                   above_first - 1 < here.last ? above_first - 1 : here.last, two);
  for (; j <= above_last && j <= here.last; j++)
    directions[j] = (uint8_t)cell(&a, &s, &c, j, SCALE * scores[target[j - 1]], a.h[j], a.f[j],
                                  two ? a.f2[j] : DEAD, a.opened[j], two);
  fill_without(directions, &a, &s, &c, scores, target, j, here.last, two);
}

/* The upper row: the matrix', or one without nodes. */
static int64_t begin(short_band *b) {
  const cla_scoring *scoring = b->scheme->scoring;
  if (b->reach->row > 0) {
    b->first = 0;
    b->last = -1;
    return b->reach->row;
  }
  b->first = b->reach->rows[0].first;
  b->last = b->reach->rows[0].last;
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
  for (int64_t i = begin(b); i <= b->pair->end_query; i++) {
    if (b->f2)
      fill_row(b, &c, i, true);
    else
      fill_row(b, &c, i, false);
  }
}

/* Back from the end: every predecessor of a node of an optimal path is in reach. */
static cla_status follow(int64_t *row, int64_t *column, path *into, const short_band *b, cla_error *error) {
  const int64_t top = b->reach->row > 0 ? b->reach->row - 1 : 0;
  int64_t i = b->pair->end_query, j = b->pair->end_target;
  int state = FROM_PAIR; /* which stands for H */
  cla_status status = CLA_OK;
  while (status == CLA_OK && i > top && j > 0) {
    const uint8_t direction = b->directions[b->offsets[i - b->reach->row] + j];
    if (state == FROM_PAIR) state = direction & FROM_MASK;
    if (state == FROM_START) break;
    if (state == FROM_PAIR) {
      int64_t pairs = 0; /* of a run */
      do {
        pairs++;
        i--;
        j--;
      } while (i > top && j > 0 &&
               (b->directions[b->offsets[i - b->reach->row] + j] & FROM_MASK) == FROM_PAIR);
      status = path_add(into, CLA_RUN_PAIR, pairs, error);
      continue;
    }
    const bool across = state == FROM_E || state == FROM_E2;
    const int opened = state == FROM_E    ? E_OPENED
                       : state == FROM_E2 ? E2_OPENED
                       : state == FROM_F  ? F_OPENED
                                          : F2_OPENED;
    status = path_add(into, across ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, error);
    if (direction & opened) state = FROM_PAIR;
    if (across)
      j--;
    else
      i--;
  }
  *row = i;
  *column = j;
  return status;
}

cla_status pack_short_trace(int64_t *row, int64_t *column, path *into, bool *met, int64_t *cells,
                            const path_scheme *scheme, const pack_pair *pair, const pack_reach *reach,
                            cla_error *error) {
  short_band b = {.scheme = scheme, .pair = pair, .reach = reach};
  const int64_t nodes = pair->end_target + 1, lines = gap_two_pieces(scheme->scoring) ? 3 : 2;
  const reach_row end = reach->rows[pair->end_query];
  *met = false;
  if (reach->row > pair->end_query || end.last != pair->end_target) return CLA_OK;
  cla_status status = allocate_array((void **)&b.h, nodes * lines, sizeof *b.h, "a pair's rows", error);
  if (status == CLA_OK) status = allocate_array((void **)&b.opened, nodes, 1, "a pair's rows", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&b.offsets, pair->end_query - reach->row + 1, sizeof *b.offsets,
                            "a pair's rows", error);
  if (status == CLA_OK) {
    b.directions = malloc((size_t)reach->cells);
    if (!b.directions) status = error_set(error, CLA_ERROR_MEMORY, "out of memory for a pair's directions");
    if (status == CLA_OK) poison_memory(b.directions, reach->cells, POISON_LETTERS);
  }
  if (status != CLA_OK) goto done;
  b.f = b.h + nodes;
  if (lines == 3) b.f2 = b.f + nodes;
  fill(&b);
  *cells += b.count;
  *met = b.h[pair->end_target] == SCALE * pair->score;
  if (*met) status = follow(row, column, into, &b, error);

done:
  free(b.h);
  free(b.opened);
  free(b.offsets);
  free(b.directions);
  return status;
}
