#ifndef TESTS_SUPPORT_CASES_REGION_CASE_H
#define TESTS_SUPPORT_CASES_REGION_CASE_H

#include "reference/reference.h"
#include "region/wavefront.h"
#include "seq/random_stream.h"
#include "support/random_pairs.h"

/* A region, and all that the oracle needs to fill the same rectangle. */
typedef struct region_case {
  region what;
  uint8_t *query, *target; /* the region's letters in its own direction */
  row_values top;          /* the region's upper border, gap values as they enter */
  int64_t *oracle_f[CLA_GAP_PIECES], *left_h, *left_e;
  reference_matrix matrix;
  path_ends ends; /* ends of paths through the region, for pruning and the best cell */
} region_case;

/* The kind of region of the pair's matrix: the whole, a reverse one, or the part below a row and right of a
 * column. The last one takes its upper border from the oracle's matrix. */
typedef enum region_kind { REGION_WHOLE, REGION_REVERSE, REGION_BELOW_A_ROW, REGION_KINDS } region_kind;

typedef struct region_place {
  region_kind kind;
  int64_t row, column; /* corner of REGION_BELOW_A_ROW */
} region_place;

/* Make a random region of the pair's matrix, or the one at `place`. The caller calls region_case_free. */
void region_case_make(region_case *c, const random_pair *pair, const score_table *table,
                      random_stream *stream);
void region_case_make_at(region_case *c, const random_pair *pair, const score_table *table,
                         const region_place *place, random_stream *stream);
void region_case_free(region_case *c);

/* Chooses where paths may end, and so which best cell is searched. */
void region_case_choose_ends(region_case *c, random_stream *stream);

/* The best cell in the searched part, by the oracle. */
reference_cell region_case_best(const region_case *c);

/* The best score of all paths that end in a cell of the region. */
int64_t region_case_best_end(const region_case *c);

/* The F of a piece of gap costs that enters the cell below (row, column), by the oracle. */
int64_t region_case_f_below(const reference_matrix *matrix, const cla_scoring *scoring, int piece,
                            int64_t row, int64_t column);

/* The full value of element `index` of a part of a kept row: the one nearest to `neighbour`. */
int64_t region_case_unwrap(const void *values, int64_t index, int lane_bits, int64_t neighbour);

/* Allocates `count` zeros; the caller frees them. */
int64_t *region_case_values(int64_t count);

#endif
