#ifndef TOOLS_STUDY_003_SWAT_H
#define TOOLS_STUDY_003_SWAT_H

#include "base/allocate.h"
#include "study.h"

/* What the systems of Aji 2008, section 4, share: Smith-Waterman with affine gaps, H, E and F of every cell
 * kept, the path followed through them on the host. E and F of borders are 0, as H: with the floor of 0 no H
 * depends on it. */

/* A cell with its H, the best one found; all 0: none above 0. */
typedef struct swat_best {
  int32_t score, row, column;
} swat_best;

static inline int32_t swat_larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* The score of the letters of row i and column j. */
static inline int32_t swat_score(const study_problem *problem, int64_t i, int64_t j) {
  const bool equal = problem->pair.query[i - 1] == problem->pair.target[j - 1];
  return equal ? problem->scoring.match : problem->scoring.mismatch;
}

/* Three matrices one behind the other, row by row: H, then E, then F, `plane` numbers each. */
typedef struct swat_rows {
  const study_problem *problem;
  int32_t *h; /* not owned */
  int64_t plane;
} swat_rows;

/* A rectangle: rows top + 1 to bottom, columns left + 1 to right. */
typedef struct swat_part {
  int64_t top, bottom, left, right;
} swat_part;

/* Fills a part row by row; its upper and left neighbours are known. */
void swat_fill_rows(const swat_rows *matrix, const swat_part *part, swat_best *best);

/* A matrix of zeros, which the result owns: `numbers` in all, H(i,j) where out->place says, or row by row.
 * CLA_ERROR_MEMORY. */
cla_status swat_make(study_result *out, int64_t numbers, cla_error *error);

/* The path to the best cell, and its score: E(i,j) lies `plane` numbers behind H(i,j), F(i,j) as far again.
 * CLA_ERROR_MEMORY. */
cla_status swat_trace(study_result *out, const study_task *task, int64_t plane, const swat_best *best,
                      cla_error *error);

/* A system of the host with H, E and F row by row: `fill` computes them and finds the best cell, by
 * `setting`. */
typedef cla_status swat_fill(swat_best *best, const swat_rows *matrix, study_setting setting,
                             cla_error *error);
cla_status swat_on_host(study_result *out, const study_task *task, swat_fill *fill, cla_error *error);

/* The better of the two becomes *best. */
static inline void swat_take(swat_best *best, const swat_best *other) {
  if (other->score > best->score) *best = *other;
}

/* The diagonal layout: anti-diagonal d has the cells with i + j = d, i growing, without gaps; each begins at
 * a multiple of `align` numbers. H(i, d - i) is at swat_origin(...) + i. */
int64_t swat_origin(const pair_problem *pair, int align, int64_t diagonal);

/* Numbers of all diagonals. */
int64_t swat_diagonals_size(const pair_problem *pair, int align);

/* The first row of diagonal d, and its last. */
static inline int64_t swat_first_row(const pair_problem *pair, int64_t d) {
  return d > pair->columns ? d - pair->columns : 0;
}

static inline int64_t swat_last_row(const pair_problem *pair, int64_t d) {
  return d < pair->rows ? d : pair->rows;
}

#endif
