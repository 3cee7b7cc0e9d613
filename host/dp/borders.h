#ifndef HOST_DP_BORDERS_H
#define HOST_DP_BORDERS_H

#include <stddef.h>
#include <stdint.h>

#include "scoring/pair_problem.h"

/* Borders of a rectangle of the matrix. A border is given by a rule, or by the values of a row. */

/* A border given by a rule. At a node k >= 1 nodes from the corner, H is H(corner) - fall. The fall is the
 * smallest value of first + (k-1) ext among the pieces, or 0 if there are no pieces. */
typedef struct border_rule {
  int pieces;
  struct {
    int64_t first, ext;
  } piece[CLA_GAP_PIECES];
} border_rule;

/* Returns the rule for a border that is a gap. At the corner, the gap already contains `open` >= 0
 * letters. */
static inline border_rule border_of_gap(const cla_scoring *scoring, int64_t open) {
  border_rule rule = {.pieces = gap_pieces(scoring)};
  for (int k = 0; k < rule.pieces; k++) {
    rule.piece[k].first =
        gap_line(scoring->gap[k].first, scoring->gap[k].ext, open + 1) - gap_cost(scoring, open);
    rule.piece[k].ext = scoring->gap[k].ext;
  }
  return rule;
}

/* Returns the fall of the border at `nodes` >= 0 nodes from the corner. */
static inline int64_t border_fall(const border_rule *rule, int64_t nodes) {
  if (nodes == 0 || rule->pieces == 0) return 0;
  int64_t least = INT64_MAX;
  for (int k = 0; k < rule->pieces; k++) {
    const int64_t fall = gap_line(rule->piece[k].first, rule->piece[k].ext, nodes);
    if (fall < least) least = fall;
  }
  return least;
}

/* Whether a path is in a gap of query letters at a node: NO_QUERY_GAP in state H; in state F, QUERY_GAP plus
 * the index of the piece of gap costs. The values are stored in files. */
typedef enum query_gap { NO_QUERY_GAP = 0, QUERY_GAP = 1 } query_gap;

/* The values of a row: a line of H, and for each piece of gap costs a line of F. F is the value that enters
 * the row below. */
typedef struct row_values {
  int64_t *h, *f[CLA_GAP_PIECES]; /* the line f[k] is NULL if the scheme has no piece k or if the line is not
                                     needed */
} row_values;

/* Returns line number `line`: 0 is H, 1 is F of the first piece, and so on. */
static inline int64_t *row_values_line(row_values values, int line) {
  return line == 0 ? values.h : values.f[line - 1];
}

/* Returns pointers to the lines in `memory`, which are stored one after the other, with `nodes` nodes
 * each. */
static inline row_values row_values_in(int64_t *memory, int64_t nodes, const cla_scoring *scoring) {
  row_values out = {.h = memory};
  for (int k = 0; k < gap_pieces(scoring); k++) out.f[k] = memory + (k + 1) * nodes;
  return out;
}

/* Sets F of a node, in all lines that are not NULL, to the value of a gap that opens in this node. */
static inline void row_values_open(row_values into, int64_t node, const cla_scoring *scoring) {
  for (int k = 0; k < CLA_GAP_PIECES; k++)
    if (into.f[k]) into.f[k][node] = into.h[node] - scoring->gap[k].first;
}

/* Allocates lines of `nodes` nodes. `what` is the purpose, for messages. The caller calls row_values_free.
 * CLA_ERROR_MEMORY. */
cla_status row_values_make(row_values *out, int64_t nodes, const cla_scoring *scoring, const char *what,
                           cla_error *error);
void row_values_free(row_values *values);

/* A function that reads `count` nodes of a row from `column` on. Lines of into.f may be NULL. */
typedef void (*row_reader)(const void *row, int64_t column, int64_t count, row_values into);

/* The row_reader for row 0 of the matrix. `scheme` is a path_scheme. */
void border_read_top(const void *scheme, int64_t column, int64_t count, row_values into);

/* Returns the lines without their first `nodes` nodes. */
static inline row_values row_values_from(row_values lines, int64_t nodes) {
  lines.h += nodes;
  for (int k = 0; k < CLA_GAP_PIECES; k++)
    if (lines.f[k]) lines.f[k] += nodes;
  return lines;
}

#endif
