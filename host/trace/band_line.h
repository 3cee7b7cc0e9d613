#ifndef HOST_TRACE_BAND_LINE_H
#define HOST_TRACE_BAND_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* One anti-diagonal of a live band (trace/live_band.h), cell by cell along the rows.
 *
 *      left  = (i, j-1) of the line before         upper = (i-1, j) of the line before
 *      pair  = (i-1, j-1) of the line before that
 *
 * All arrays are indexed by row, so that neighbours in memory are neighbours on the anti-diagonal and none
 * depends on another: a loop that every compiler can vectorise. Values are H, E and F less a number for each
 * row down, about what a row adds to a path at most, which keeps them small. */

/* What a direction byte tells of a cell: where H came from, and whether E and F opened there; 2: of the
 * second piece of gap costs. */
enum {
  BAND_FROM_PAIR = 0,
  BAND_FROM_E = 1,
  BAND_FROM_F = 2,
  BAND_FROM_START = 3,
  BAND_FROM_E2 = 4,
  BAND_FROM_F2 = 5,
  BAND_FROM_MASK = 7,
  BAND_E_OPENED = 8,
  BAND_F_OPENED = 16,
  BAND_E2_OPENED = 32,
  BAND_F2_OPENED = 64
};

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

#endif
