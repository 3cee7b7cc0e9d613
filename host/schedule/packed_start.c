#include "schedule/packed_start.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define NONE (INT64_MIN / 4) /* of nodes that no path to the end comes through */
#define PIECES 2

/* A row of nodes, by columns, with those of the row below it until they are replaced. */
typedef struct row_of_nodes {
  int64_t *h;          /* R */
  int64_t *f[PIECES];  /* R with a gap in the query open, of either piece of gap costs */
  int64_t first, last; /* the live ones; none: last < first */
} row_of_nodes;

typedef struct costs {
  int pieces;
  int64_t first[PIECES], ext[PIECES];
} costs;

static costs costs_of(const cla_scoring *scoring) {
  return (costs){.pieces = gap_two_pieces(scoring) ? 2 : 1,
                 .first = {scoring->gap_first, scoring->gap_first2},
                 .ext = {scoring->gap_ext, scoring->gap_ext2}};
}

/* Goes up to `row`. Of the nodes right of the live ones below none is alive: paths go right and down. */
static void go_up(row_of_nodes *nodes, const packed_scheme *scheme, const packed_pair *pair, const costs *c,
                  int64_t row, int64_t *cells) {
  const int64_t best = scheme->table->maximum > 0 ? scheme->table->maximum : 0;
  const int32_t *scores =
      scheme->table->score + (row < pair->end_query ? pair->query[row] : 0) * CLA_MATRIX_STRIDE;
  const int64_t below_first = nodes->first, below_last = nodes->last;
  int64_t h_right = NONE, below_right = NONE, e[PIECES] = {NONE, NONE};
  int64_t first = below_last + 1, last = below_first - 1;
  for (int64_t j = below_last; j >= 0; j--) {
    const bool below = j >= below_first;
    int64_t h = below_right > NONE ? below_right + scores[pair->target[j]] : NONE, open = NONE;
    for (int i = 0; i < c->pieces; i++) {
      const int64_t f = below ? larger(nodes->h[j], nodes->f[i][j]) : NONE;
      nodes->f[i][j] = f > NONE ? f - c->ext[i] : NONE;
      e[i] = larger(h_right, e[i]);
      if (e[i] > NONE) e[i] -= c->ext[i];
      const int64_t gap = larger(e[i], nodes->f[i][j]);
      open = larger(open, gap);
      if (gap > NONE) h = larger(h, gap - (c->first[i] - c->ext[i]));
    }
    below_right = below ? nodes->h[j] : NONE;
    nodes->h[j] = h_right = h;
    ++*cells;
    const int64_t least = larger(0, pair->score - best * smaller(row, j));
    if (larger(h, open) >= least) {
      if (last < first) last = j;
      first = j;
    } else {
      nodes->h[j] = h_right = NONE;
      for (int i = 0; i < c->pieces; i++) nodes->f[i][j] = e[i] = NONE;
      if (j < below_first) break;
    }
  }
  nodes->first = first;
  nodes->last = last;
}

/* The end's own row: the end, and gaps that lead to it. */
static void begin(row_of_nodes *nodes, const packed_pair *pair, const costs *c) {
  for (int i = 0; i < c->pieces; i++) nodes->f[i][pair->end_target] = NONE;
  nodes->h[pair->end_target] = 0;
  nodes->first = nodes->last = pair->end_target;
}

cla_status packed_start(int64_t *row, int64_t *cells, const packed_scheme *scheme, const packed_pair *pair,
                        cla_error *error) {
  const costs c = costs_of(scheme->scoring);
  const int64_t nodes_most = pair->end_target + 1;
  row_of_nodes nodes = {0};
  cla_status status = allocate_array((void **)&nodes.h, nodes_most, (1 + PIECES) * (int64_t)sizeof *nodes.h,
                                     "the search for a start", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < PIECES; i++) nodes.f[i] = nodes.h + (1 + i) * nodes_most;
  begin(&nodes, pair, &c);
  /* No path with a score ends in a gap: in its own row the end alone is alive. */
  for (*row = pair->end_query; *row > 0 && nodes.last >= nodes.first;)
    go_up(&nodes, scheme, pair, &c, --*row, cells);
  free(nodes.h);
  return CLA_OK;
}
