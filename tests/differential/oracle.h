#ifndef TESTS_DIFFERENTIAL_ORACLE_H
#define TESTS_DIFFERENTIAL_ORACLE_H

#include "differential/cases.h"

/* What docs/internals/exactness.md, modes.md, gaps.md and matrices.md say, cell by cell with 64-bit numbers
 * over the whole matrix. Nothing of it is clalign's own code. Aborts when out of memory. */

/* One alignment, in letters of the strand that was aligned, and of the sequences as they were rotated. */
typedef struct oracle_path {
  int64_t score;
  int64_t query_start, query_stop, target_start, target_stop;
  bool reverse;     /* the query's reverse complement was aligned */
  int64_t rotation; /* of the circular sequence, on the strand that was aligned */
  cla_run *runs;    /* owned */
  size_t run_count;
} oracle_path;

/* What is to be found for a pair, best first. */
typedef struct oracle_result {
  oracle_path *paths; /* owned */
  size_t count;
} oracle_result;

/* The alignments of one of the case's pairs, whatever its bounds and least score are. */
oracle_result oracle_align(const drawn_case *one, const case_pair *pair);
void oracle_free(oracle_result *result);

/* What a pair of letters scores. */
int64_t oracle_score(const drawn_case *one, char query, char target);

/* What a gap of so many letters costs. */
int64_t oracle_gap(const cla_scoring *scoring, int64_t letters);

/* The letters of the query's other strand; the caller frees. */
char *oracle_reverse(const char *letters, int64_t length);

/* The path's score letter by letter, over the letters that it was aligned with. */
int64_t oracle_rescore(const drawn_case *one, const char *query, const char *target, const cla_run *runs,
                       size_t run_count);

/* For the files of the oracle: one matrix. */
typedef struct oracle_matrix {
  const char *query, *target;
  int64_t rows, columns;
  const int64_t (*scores)[128]; /* by letters */
  const cla_scoring *costs;
  bool query_start, query_end, target_start, target_end, floor, anywhere;
  bool has_band;
  int64_t lowest, highest; /* of j - i in a band */
  const uint8_t *used;     /* (rows + 1) x (columns + 1): pairs that may not be made; NULL: none */
} oracle_matrix;

/* The canonical path; `score_alone`: only score and end. */
oracle_path oracle_solve(const oracle_matrix *matrix, bool score_alone);

/* Moves the gaps of a path as --gap-placement says. */
void oracle_place_gaps(oracle_path *path, const oracle_matrix *matrix, cla_gap_placement placement);

#endif
