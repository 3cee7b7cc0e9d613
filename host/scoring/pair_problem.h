#ifndef HOST_SCORING_PAIR_PROBLEM_H
#define HOST_SCORING_PAIR_PROBLEM_H

#include <stdint.h>

#include "scoring/path_ends.h"
#include "scoring/score_table.h"

/* What a path scores, and where it may begin and end. Nothing is owned. */
typedef struct path_scheme {
  const cla_scoring *scoring; /* costs of gaps; scores of letters are in the table */
  const score_table *table;
  path_ends ends;
} path_scheme;

/* A pair of sequences to align: the matrix has a row for each query letter, a column for each target letter.
 * Letter codes are those of seq/sequence.h: of row i it is query[i - 1]. Nothing is owned. */
typedef struct pair_problem {
  const uint8_t *query, *target;
  int64_t rows, columns; /* letters of the query and of the target, >= 0 */
  path_scheme scheme;
} pair_problem;

#endif
