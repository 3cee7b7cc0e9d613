#ifndef HOST_DP_BAND_LINE_H
#define HOST_DP_BAND_LINE_H

#include "dp/directions.h"
#include "scoring/score_table.h"

/* One anti-diagonal of a live band (trace/live_band.h), cell by cell along the rows.
 *
 *      left  = (i, j-1) of the line before         upper = (i-1, j) of the line before
 *      pair  = (i-1, j-1) of the line before that
 *
 * All arrays are indexed by row. So neighbours in memory are neighbours on the anti-diagonal, and no cell
 * depends on another: every compiler can vectorise the loop. Values are H, E and F less a number for each row
 * down, which is about a row's worth and keeps them small. */

/* Cells beyond the last one that a line may compute and write. Every array has room for them. */
#define BAND_LINE_ROOM 64

/* Pointers to the first row's elements. */
typedef struct band_line {
  void *h;                       /* the line's H */
  const void *before, *before_2; /* H of the two lines before, [-1] is read as well */
  void *e[CLA_GAP_PIECES];       /* by piece: E of the line before, replaced by this line's */
  void *f[CLA_GAP_PIECES];
  const void *f_before[CLA_GAP_PIECES]; /* [-1] is read */
  const void *floor;                    /* least value of a row's H: that of a fresh start, or the lowest */
  const void *query, *target; /* letters; the target's in reverse, so that both run along the rows */
  const int32_t *scores;      /* BAND_PAIRS_TABLE: by query letter + target letter, less a row's number */
  const int8_t *line_scores;  /* BAND_PAIRS_LINE: by cell, less a row's number */
  cell_direction *directions; /* output by cell; NULL: not wanted */
  int64_t count;              /* number of cells */
} band_line;

/* The source of a pair's score.
 *
 * - BAND_PAIRS_EQUAL: whether its letters are equal
 * - BAND_PAIRS_TABLE: a table of any scores, for values of 4 bytes only
 * - BAND_PAIRS_LINE: a byte for each cell (dp/score_lines.h) */
typedef enum band_pairs { BAND_PAIRS_EQUAL, BAND_PAIRS_TABLE, BAND_PAIRS_LINE } band_pairs;

typedef struct band_costs {
  int pieces;                           /* of gap costs */
  cla_gap_piece across[CLA_GAP_PIECES]; /* a gap along the row */
  cla_gap_piece down[CLA_GAP_PIECES];   /* a gap down the rows, plus a row's number */
  int32_t equal, other;                 /* a pair of equal or unequal letters, less a row's number */
  band_pairs pairs;
  int value_bytes; /* 2 or 4 */
} band_costs;

/* Computes a line of either width, by the widest vectors of this machine. */
void band_line_compute(const band_line *line, const band_costs *costs);

/* Scores and letters as lines take them: less the number for each row. */

/* M, the largest score of a table or 0. */
int64_t band_match(const score_table *table);

/* The least score of a pair that matters if all nodes are within reach. A pair that costs more than two gaps
 * of a letter is on no path, and must not look as if it gave an equal value. */
int64_t band_least_score(const cla_scoring *scoring);

/* The costs as lines take them, for equal letters and values of 4 bytes at first. Scores below `least` count
 * as `least`; row_step: the number for each row. */
band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step);

/* Makes band_line.scores, to be freed with free(). CLA_ERROR_MEMORY. */
cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error);

/* A letter in the form that lines compare; by_table: its part of the index into band_line.scores. */
int32_t band_letter(uint8_t code, bool of_query, bool by_table);

#endif
