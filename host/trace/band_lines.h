#ifndef HOST_TRACE_BAND_LINES_H
#define HOST_TRACE_BAND_LINES_H

#include "trace/band_line.h"
#include "trace/banded.h"

/* The lines of a band, antidiagonals from (0,0) on, one after the other: H, E and F of the line that was
 * computed last, in arrays by row, and lines that are kept to go back to. */

/* A line that is kept: it and the line before, from row `first` on. */
typedef struct band_kept {
  int64_t line, first, count, base;
  int32_t *values; /* h, h of the line before, e, f, e2, f2: `count` each; owned */
} band_kept;

typedef struct band_kept_list {
  band_kept *lines;
  int64_t count, capacity, interval; /* from one that is to be kept to the next */
} band_kept_list;

/* Values and letters by row. Line d has h[d % 3] and f[d % 2]; 2: of the second piece of gap costs. */
typedef struct line_arrays {
  int32_t *memory; /* of them all */
  int32_t *h[3], *f[2], *e, *floor, *query, *target;
  int32_t *f2[2], *e2;
} line_arrays;

typedef struct band_lines {
  banded_input in;
  int64_t low, high; /* diagonals, column less row */
  int64_t match;
  band_costs costs;
  int32_t *scores;
  band_line_function plain, directed;
  int64_t span;       /* rows of an array */
  int64_t offset;     /* the arrays' row 0 is this one of the matrix */
  int64_t target_end; /* column j is at target[target_end - j] */
  int64_t base;
  line_arrays arrays;
  bool two;                  /* pieces of gap costs */
  int64_t line, first, last; /* the line that was computed last, and its rows */
  int64_t moved, between;    /* the line at which the arrays were moved last, and lines from move to move */
  band_kept_list kept;
  int64_t cells;
} band_lines;

/* On line 0. CLA_ERROR_OPTION for scores that are too large for the band, CLA_ERROR_MEMORY for one that needs
 * more than the budget. Ends with band_lines_free, whatever the status is. */
cla_status band_lines_make(band_lines *b, const banded_input *in, cla_error *error);
void band_lines_free(band_lines *b);

/* Puts the band on line 0: the node (0,0). */
void band_lines_begin(band_lines *b);

/* The rows of a line; the last may be one less than the first: a line without a node. */
int64_t band_lines_first_row(const band_lines *b, int64_t line);
int64_t band_lines_last_row(const band_lines *b, int64_t line);

/* Computes the next line; `directions`, unless NULL, gets a byte for each cell, the first one's for row *row.
 */
void band_lines_next(band_lines *b, uint8_t *directions, int64_t *row);

/* H of the line's node in the row. */
int64_t band_lines_h(const band_lines *b, int64_t row);

/* The first row with the line's largest H. */
int64_t band_lines_largest_row(const band_lines *b);

/* Keeps the line, and puts the band on a kept one. */
cla_status band_lines_keep(band_lines *b, cla_error *error);
void band_lines_go_back(band_lines *b, const band_kept *kept);

#endif
