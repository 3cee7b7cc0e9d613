#ifndef HOST_DP_BORDERS_H
#define HOST_DP_BORDERS_H

#include <stddef.h>
#include <stdint.h>

#include "scoring/pair_problem.h"

/* Borders of a rectangle of the matrix: by rule, or a row's values. */

/* A border by rule. H at k nodes from the corner is H(corner) - fall: first + (k-1) further, or with two
 * pieces the lesser of that and first2 + (k-1) further2. */
typedef struct border_rule {
  int64_t first, further;
  bool two_pieces;
  int64_t first2, further2;
} border_rule;

/* A border along which a gap goes on. It has `open` >= 0 letters at the corner. */
static inline border_rule border_of_gap(const cla_scoring *scoring, int64_t open) {
  const int64_t paid = gap_cost(scoring, open);
  return (border_rule){.first = gap_line(scoring->gap_first, scoring->gap_ext, open + 1) - paid,
                       .further = scoring->gap_ext,
                       .two_pieces = gap_two_pieces(scoring),
                       .first2 = gap_line(scoring->gap_first2, scoring->gap_ext2, open + 1) - paid,
                       .further2 = scoring->gap_ext2};
}

/* The fall of the border at `nodes` >= 0 nodes from the corner. */
static inline int64_t border_fall(const border_rule *rule, int64_t nodes) {
  if (nodes == 0) return 0;
  const int64_t fall = gap_line(rule->first, rule->further, nodes);
  const int64_t other = gap_line(rule->first2, rule->further2, nodes);
  return rule->two_pieces && other < fall ? other : fall;
}

/* In which gap of query letters a node of a path stands: in none, which is state H, or in state F of either
 * piece of gap costs. The values are stored. */
typedef enum query_gap { NO_QUERY_GAP = 0, QUERY_GAP = 1, QUERY_GAP_2 = 2 } query_gap;

/* The lines of a row's values: H, F entering the row below, and F2, of the second piece of gap costs. */
typedef struct row_values {
  int64_t *h, *f, *f2; /* f2 is NULL with one piece; f and f2 are NULL where they are not wanted */
} row_values;

/* Makes room for `nodes` nodes. what: the purpose, for messages. The caller ends with row_values_free.
 * CLA_ERROR_MEMORY. */
cla_status row_values_make(row_values *out, int64_t nodes, const cla_scoring *scoring, const char *what,
                           cla_error *error);
void row_values_free(row_values *values);

/* Reads nodes of a row: `count` of them from `column` on. into.f and into.f2 may be NULL. */
typedef void (*row_reader)(const void *row, int64_t column, int64_t count, row_values into);

/* Reads nodes of row 0 of the matrix. scheme: a path_scheme. */
void border_read_top(const void *scheme, int64_t column, int64_t count, row_values into);

/* The lines without their first `nodes` nodes. */
static inline row_values row_values_from(row_values lines, int64_t nodes) {
  return (row_values){
      .h = lines.h + nodes, .f = lines.f ? lines.f + nodes : NULL, .f2 = lines.f2 ? lines.f2 + nodes : NULL};
}

#endif
