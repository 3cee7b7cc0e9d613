#ifndef HOST_TRACE_BAND_LINE_H
#define HOST_TRACE_BAND_LINE_H

#include "scoring/score_table.h"

/* One anti-diagonal of a live band (trace/live_band.h), cell by cell along the rows.
 *
 *      left  = (i, j-1) of the line before         upper = (i-1, j) of the line before
 *      pair  = (i-1, j-1) of the line before that
 *
 * All arrays are indexed by row, so that neighbours in memory are neighbours on the anti-diagonal and none
 * depends on another: a loop that every compiler can vectorise. Values are H, E and F less a number for each
 * row down, about what a row adds to a path at most, which keeps them small. */

/* Cells beyond the last one that a line may compute and write: every array has room for them. */
#define BAND_LINE_ROOM 64

/* Pointers to the first row's elements; of `values` bytes each. */
typedef struct band_line {
  void *h;                       /* the line's H */
  const void *before, *before_2; /* H of the two lines before, [-1] is read as well */
  void *e;                       /* E of the line before, replaced by this line's */
  void *f;
  const void *f_before; /* [-1] is read */
  void *e2, *f2;        /* of the second piece of gap costs; not used with one */
  const void *f2_before;
  const void *floor;          /* least value of a row's H: that of a fresh start, or the lowest */
  const void *query, *target; /* letters; target's in reverse, so that both run along the rows */
  const int32_t *scores;      /* BAND_PAIRS_TABLE: by query letter + target letter, less a row's number */
  const int8_t *line_scores;  /* BAND_PAIRS_LINE: of each cell, likewise */
  uint8_t *directions;        /* NULL: not wanted */
  int64_t count;              /* of cells */
} band_line;

typedef struct band_costs {
  int32_t first, ext;                           /* of a gap in the row */
  int32_t down_first, down_ext;                 /* of a gap down the rows: with a row's number */
  int32_t first2, ext2, down_first2, down_ext2; /* likewise by the second piece */
  int32_t equal, other;                         /* of a pair: less a row's number */
} band_costs;

/* Where the score of a pair comes from: its letters are equal or not, a table for any scores (values of 4
 * bytes only), or a byte for each cell (trace/score_lines.h). */
typedef enum band_pairs { BAND_PAIRS_EQUAL, BAND_PAIRS_TABLE, BAND_PAIRS_LINE } band_pairs;

/* The fastest function for values of 2 or 4 bytes on this machine. `two`: pieces of gap costs. */
typedef void (*band_line_function)(const band_line *line, const band_costs *costs);
band_line_function band_line_choose(int value_bytes, band_pairs pairs, bool two, bool directions);

/* Scores and letters in the form that a line takes: less what a row makes values fall by. */

/* M, the largest score of a table or 0. */
int64_t band_match(const score_table *table);

/* The least score that makes a difference where all nodes are within reach: what costs more than two gaps of
 * a letter each is never on a path; it must not look as if it gave the same value. */
int64_t band_least_score(const cla_scoring *scoring);

/* Scores below `least` count as that; values fall by `row_step` in each row. */
band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step);

/* The scores for band_line's `scores`, to be freed with free(). CLA_ERROR_MEMORY. */
cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error);

/* One letter as it is compared or, `by_table`, as its part of the index of the scores. */
int32_t band_letter(uint8_t code, bool of_query, bool by_table);

#endif
