#ifndef HOST_CERTAIN_CERTAIN_INTERNAL_H
#define HOST_CERTAIN_CERTAIN_INTERNAL_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/extremes.h"
#include "clalign/certain.h"
#include "scoring/pair_problem.h"
#include "trace/replay.h"

/* The parts of cla_certify (README.md). Nodes (i,j) lie behind i query letters and j target letters of the
 * ranges, on the strand that was aligned. Line d has the nodes with i + j = d. An edge is named by the node
 * to which it leads. */

/* Levels of bounds are made from this number of rows and columns on; smaller matrices are computed whole. */
#define BOUNDS_LETTERS 4000

/* How the bounds are made. */
typedef struct certify_bounds {
  int64_t letters; /* from this number of letters on in both sequences; a smaller matrix is computed whole */
  potential_shape shape;        /* all zero: chosen automatically; other shapes are for tests */
  int64_t parts, line_interval; /* passed on to whole_band_input; 0: chosen automatically */
  int64_t regions;              /* near_optimal_input.regions */
} certify_bounds;

/* Like cla_certify, with given bounds. */
cla_status certificate_make(cla_certificate **out, const cla_results *pair,
                            const cla_certify_options *options, const certify_bounds *bounds,
                            cla_error *error);

/* A node, with the best score of a path from a start to the node, and of a path from the node to an end. Both
 * by state: H, or inside a gap of a piece, E along the row and F down the column. */
typedef struct near_node {
  int64_t row;
  int64_t h, rest_h;
  int64_t e[CLA_GAP_PIECES], rest_e[CLA_GAP_PIECES];
  int64_t f[CLA_GAP_PIECES], rest_f[CLA_GAP_PIECES];
  int64_t best;      /* the best score of an alignment through the node */
  bool starts, ends; /* an alignment may start or end here */
} near_node;

/* Returns the best score of an alignment with the gap's letter that leads to the node, along a row or down a
 * column. */
static inline int64_t near_gap_score(const near_node *node, int pieces, bool across) {
  int64_t best = REPLAY_DEAD;
  for (int k = 0; k < pieces; k++)
    best = larger(best, across ? node->e[k] + node->rest_e[k] : node->f[k] + node->rest_f[k]);
  return best;
}

/* The nodes of a line that are on alignments which score at most delta less than the optimum, by row. */
typedef struct near_line {
  int64_t line;
  near_node *nodes;
  int64_t count, capacity;
} near_line;

/* A loss, at most delta + 1. Several threads may lower it at the same time. */
typedef _Atomic int32_t cut_loss;

/* The place where the path crosses from one row (or column) to the next. */
typedef struct path_crossing {
  int64_t across;   /* column of the edge, or row for a column's crossing */
  int64_t index;    /* column of the alignment */
  cut_loss loss;    /* what the best other crossing loses, at most delta + 1 */
  uint8_t kind;     /* cla_run_kind of the edge */
  atomic_bool seen; /* the sweep has found the edge with the optimal score */
} path_crossing;

/* What the best path loses that starts behind a place or ends before it, by row, column or line. */
typedef struct outside_losses {
  int64_t first, count;    /* the first place, and the number of places */
  cut_loss *starts, *ends; /* NULL: the mode has no free starts, or no free ends */
} outside_losses;

/* The cut formula: what is lost by crossing each row and each column elsewhere. */
typedef struct cuts {
  const pair_problem *problem;
  int64_t optimum, delta;
  int64_t start_row, start_column, stop_row, stop_column;
  path_crossing *rows, *columns; /* by row and by column, from the path's first one to its last one */
  uint8_t *kinds;                /* cla_run_kind by column of the alignment */
  int64_t column_count;
  outside_losses by_row, by_column, by_line;
  const int64_t *diagonals; /* displacements */
  int64_t displacements;
  cut_loss *far_rows, *far_columns; /* losses by row (column) and displacement */
  atomic_bool better;               /* an alignment scores more than the optimum */
} cuts;

/* Makes the cuts of a path; the caller calls cuts_free, also after an error. CLA_ERROR_MEMORY. */
cla_status cuts_make(cuts *c, const cla_run *runs, size_t run_count, cla_error *error);
void cuts_free(cuts *c);

/* Several threads may note edges, starts and ends at the same time. A score that is too low changes nothing
 * in the end, if the right one is noted too. */

/* Notes the edge of this kind that leads to the node, on an alignment with this score. */
void cuts_edge(cuts *c, cla_run_kind kind, int64_t row, int64_t column, int64_t score);

/* Notes that an alignment with this score starts, or ends, in the node. */
void cuts_start(cuts *c, int64_t row, int64_t column, int64_t score);
void cuts_end(cuts *c, int64_t row, int64_t column, int64_t score);

/* Completes the losses by rows, columns and lines. */
void cuts_finish(cuts *c);

/* Returns, after cuts_finish, what is lost by paths that start behind line `line` or end before it. */
int32_t cuts_outside_line(const cuts *c, int64_t line);

/* Sets margins, ambiguous and displacements. CLA_ERROR_VERIFICATION if values contradict each other;
 * CLA_ERROR_MEMORY. */
cla_status cuts_margins(cla_certificate *out, const cuts *c, cla_error *error);

/* A way through a block: the node where it starts, and its columns. */
typedef struct listed_way {
  int64_t row, column;
  int64_t first_kind, columns; /* in found_block.way_kinds */
} listed_way;

/* A block in matrix positions, and the losses of paths that avoid its first and its last node. */
typedef struct found_block {
  cla_ambiguous_block block;
  int64_t lines[2];  /* lines of both nodes; -1: the block begins with a start or ends with an end */
  int32_t losses[2]; /* by other nodes of the line, and by pairs across the line */
  float *supports;   /* owned; of the block's columns */
  listed_way *ways;  /* owned; the alignment's own way is the first; NULL: none are listed */
  int64_t way_count, way_capacity;
  uint8_t *way_kinds; /* owned; cla_run_kind by column of the ways */
  int64_t kind_count, kind_capacity;
  bool more_ways; /* the block has ways that are not listed */
} found_block;

/* What near_optimal_sweep needs besides. */
typedef struct near_optimal_input {
  const replay *values;
  int threads;
  int64_t bytes_limit;      /* limit for the nodes between two that all optimal alignments pass */
  int64_t regions;          /* number of regions that are swept at the same time; 0: chosen automatically */
  int64_t ways_most;        /* the largest number of optimal alignments to list */
  struct near_graph *graph; /* receives the nodes of near-optimal alignments; NULL: none */
  region_tick tick;         /* called on the caller's thread; NULL: none */
  void *tick_user;
} near_optimal_input;

/* The nodes of optimal alignments between two nodes that all optimal alignments pass. */
typedef struct optimal_graph {
  const cuts *cuts;
  const near_optimal_input *in;
  near_node *nodes; /* from the last line to the first */
  int64_t count, capacity;
  int64_t *offsets; /* by line: index of the line's first node */
  int64_t line_count, line_capacity;
  int64_t first_line;   /* number of the first line of `offsets`, the last one of the matrix */
  int64_t lowest_start; /* the largest line with a start; -1: none yet */
  bool below;           /* the first node is one that all optimal alignments pass */
  int32_t below_loss;
  int64_t passed;      /* the last line with a node that all optimal alignments pass; INT64_MAX: none yet */
  int64_t waits_for;   /* the graph begins in this line or before it, with a node that all optimal alignments
                          pass; -1: it has begun */
  int64_t begins;      /* the line in which the graph begins; INT64_MAX: the matrix' last line */
  found_block *blocks; /* from the last to the first */
  int64_t block_count, block_capacity;
  int64_t ways; /* product of the numbers of the blocks' listed ways */
} optimal_graph;

/* Returns the index of the line's first node, of all nodes, or of the node behind the last one. */
static inline int64_t graph_line_end(const optimal_graph *g, int64_t index) {
  return index + 1 < g->line_count ? g->offsets[index + 1] : g->count;
}

/* Returns the index of a node; -1: it is not in the graph. */
static inline int64_t graph_find(const optimal_graph *g, int64_t row, int64_t column) {
  const int64_t line = g->first_line - row - column;
  if (line < 0 || line >= g->line_count) return -1;
  int64_t from = g->offsets[line], end = graph_line_end(g, line);
  const int64_t last = end;
  if (from == end || row < g->nodes[from].row) return -1;
  /* Most rows follow each other. */
  const int64_t likely = from + row - g->nodes[from].row;
  if (likely < end && g->nodes[likely].row == row) return likely;
  if (likely < end) end = likely;
  while (from < end) {
    const int64_t middle = from + (end - from) / 2;
    if (g->nodes[middle].row < row)
      from = middle + 1;
    else
      end = middle;
  }
  return from < last && g->nodes[from].row == row ? from : -1;
}

/* True if an optimal alignment starts, or ends, in the node of the graph's part. `above`: the last node is
 * one that all optimal alignments pass. */
static inline bool graph_starts(const optimal_graph *g, bool above, int64_t index) {
  if (above) return index == g->count - 1;
  return g->nodes[index].starts && g->nodes[index].rest_h == g->cuts->optimum;
}

static inline bool graph_ends(const optimal_graph *g, int64_t index) {
  if (g->below) return index == 0;
  return g->nodes[index].ends && g->nodes[index].h == g->cuts->optimum;
}

/* Lists the ways of the block that the graph's part is: as many as ways_most still needs. `start` is the
 * node behind which the alignment's own columns begin. `above`: the last node is one that all optimal
 * alignments pass. Blocks come from the last to the first. CLA_ERROR_MEMORY. */
cla_status block_ways_list(found_block *block, optimal_graph *g, const int64_t start[2], bool above,
                           cla_error *error);
void block_ways_free(found_block *block);

/* The alignment to which a list belongs. */
typedef struct list_origin {
  const cla_alignment *alignment;
  int64_t query_first, target_first; /* positions of the matrix' first letters on the strand */
  int64_t memory_bytes;
} list_origin;

/* The graph of near-optimal alignments in the lines of a block. */
typedef struct near_graph {
  int64_t number;      /* the block's number, from 1 */
  const char *letters; /* the alphabet's letters by code */
  list_origin origin;
  int64_t top, bottom; /* the block's first and last line */
  optimal_graph graph; /* only nodes, offsets and lines are used */
} near_graph;

/* Sets origin and lines. */
void near_graph_place(near_graph *g, const cla_ambiguous_block *block, const list_origin *origin);

/* Adds a line's nodes; lines come from the last to the first. CLA_ERROR_MEMORY. */
cla_status near_graph_line(near_graph *g, const near_line *line, cla_error *error);
void near_graph_write(FILE *file, const near_graph *g, const cuts *c);

/* Sets the certificate's optimal alignments, at most `most`, from the ways of the graph's blocks.
 * CLA_ERROR_MEMORY. */
cla_status optimal_list_make(cla_certificate *out, const optimal_graph *g, const list_origin *origin,
                             int64_t most, cla_error *error);

/* Sets an empty graph. `input` may be NULL if the graph only receives blocks. `waits_for`: see optimal_graph.
 */
void graph_begin(optimal_graph *g, const cuts *c, const near_optimal_input *input, int64_t waits_for);

/* Adds the optimal nodes of a line. Lines come from the last to the first. `across` is the best score of a
 * pair across the line; `ends_before` is true if an optimal alignment ends in a line above. CLA_ERROR_MEMORY.
 */
cla_status graph_line(optimal_graph *g, const near_line *line, int64_t across, bool ends_before,
                      cla_error *error);

/* Completes the part at the alignments' starts. CLA_ERROR_MEMORY. */
cla_status graph_finish(optimal_graph *g, cla_error *error);
void graph_free(optimal_graph *g);

/* Visits all nodes of alignments that score at most delta less than the optimum. Adds them to the cuts, and
 * the blocks to the graph. *cells: number of cells computed so far, with those of the replay. Errors:
 * CLA_ERROR_MEMORY, CLA_ERROR_VERIFICATION, and errors of the tick. */
cla_status near_optimal_sweep(cuts *c, optimal_graph *g, int64_t *cells, const near_optimal_input *input,
                              cla_error *error);

/* Sets *out to the largest margin that scores allow for each column of the path. */
void ceilings_find(int64_t *out, const cuts *c, const cla_run *runs, size_t run_count);

/* True if alignments may start, or end, in the node. */
static inline bool near_starts(const cuts *c, int64_t row, int64_t column) {
  const path_ends *ends = &c->problem->scheme.ends;
  return ends->floor || (row == 0 && (column == 0 || ends->target_start)) ||
         (column == 0 && ends->query_start);
}

static inline bool near_ends(const cuts *c, int64_t row, int64_t column) {
  const path_ends *ends = &c->problem->scheme.ends;
  if (ends->anywhere) return true;
  const bool last_row = row == c->problem->rows, last_column = column == c->problem->columns;
  return (last_row && (last_column || ends->target_end)) || (last_column && ends->query_end);
}

static inline int64_t near_pair_score(const cuts *c, int64_t row, int64_t column) {
  const pair_problem *p = c->problem;
  return p->scheme.table->score[p->query[row - 1] * CLA_MATRIX_STRIDE + p->target[column - 1]];
}

#endif
