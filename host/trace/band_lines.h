#ifndef HOST_TRACE_BAND_LINES_H
#define HOST_TRACE_BAND_LINES_H

#include "dp/band_line.h"
#include "trace/banded.h"

/* The lines of a band: anti-diagonals from (0,0) on, one after the other. The last line's H, E and F are in
 * arrays by row. Some lines are kept to go back to. */

/* A kept line, with the line before it. */
typedef struct band_kept {
  int64_t line, first, count, base;
  /* H, h of the line before, e, f, e2, f2, `count` values each, from row `first` on; owned. */
  int32_t *values;
} band_kept;

typedef struct band_kept_list {
  band_kept *lines;
  int64_t count, capacity;
  int64_t interval; /* lines from one kept line to the next */
} band_kept_list;

/* Values and letters by row. Line d has h[d % 3] and f[d % 2]; f2 and e2 are for the second piece of gap
 * costs. */
typedef struct line_arrays {
  int32_t *memory; /* memory of all arrays */
  int32_t *h[3], *f[2], *e, *floor, *query, *target;
  int32_t *f2[2], *e2;
} line_arrays;

typedef struct band_lines {
  banded_input in;
  int64_t low, high; /* lowest and highest diagonal, column less row */
  int64_t match;
  band_costs costs;
  int32_t *scores;
  int64_t span;       /* rows of an array */
  int64_t offset;     /* matrix row of the arrays' row 0 */
  int64_t target_end; /* column j is at target[target_end - j] */
  int64_t base;
  line_arrays arrays;
  bool two;                  /* two pieces of gap costs */
  int64_t line, first, last; /* the last computed line, and its rows */
  int64_t moved;             /* the line at which the arrays were moved last */
  int64_t between;           /* lines from one move to the next */
  band_kept_list kept;
  int64_t cells;
} band_lines;

/* Makes the band on line 0. CLA_ERROR_OPTION for scores that are too large for it, CLA_ERROR_MEMORY if it
 * needs more than the budget. The caller ends with band_lines_free, also after an error. */
cla_status band_lines_make(band_lines *b, const banded_input *in, cla_error *error);
void band_lines_free(band_lines *b);

/* Puts the band on line 0: the node (0,0). */
void band_lines_begin(band_lines *b);

/* The first and last row of a line. In a line without nodes, the last is one less than the first. */
int64_t band_lines_first_row(const band_lines *b, int64_t line);
int64_t band_lines_last_row(const band_lines *b, int64_t line);

/* Computes the next line. directions: output, a byte for each cell, or NULL. *row: the first cell's row. */
void band_lines_next(band_lines *b, uint8_t *directions, int64_t *row);

/* H of the line's node in the row. */
int64_t band_lines_h(const band_lines *b, int64_t row);

/* The first row with the line's largest H. */
int64_t band_lines_largest_row(const band_lines *b);

/* Keep the line; put the band on a kept line. */
cla_status band_lines_keep(band_lines *b, cla_error *error);
void band_lines_go_back(band_lines *b, const band_kept *kept);

#endif
