#ifndef HOST_DP_BAND_LINE_H
#define HOST_DP_BAND_LINE_H

#include "dp/directions.h"
#include "scoring/score_table.h"

/* One anti-diagonal of a live band (trace/live_band.h), cell by cell along the rows.
 *
 *      left  = (i, j-1) of the line before         upper = (i-1, j) of the line before
 *      pair  = (i-1, j-1) of the line before that
 *
 * All arrays are indexed by row. So neighbours in memory are neighbours on the anti-diagonal, and no cell of
 * a line depends on another. Every compiler can therefore vectorise the loop. A stored value is H, E or F
 * minus row_step for each row. Values stay small, because row_step is close to the score that a path gains
 * per row. */

/* Up to this number of cells after the last cell may be computed and written. Every array has room for
 * them. */
#define BAND_LINE_ROOM 64

/* A line to compute. Each pointer points to the element of the line's first row. */
typedef struct band_line {
  void *h;                       /* output: H of the line */
  const void *before, *before_2; /* H of the two lines before; element [-1] is also read */
  void *e[CLA_GAP_PIECES];       /* by piece: on entry E of the previous line, on return E of this line */
  void *f[CLA_GAP_PIECES];
  const void *f_before[CLA_GAP_PIECES]; /* F of the line before; element [-1] is also read */
  const void *floor; /* by row, the lower limit of H: the value of a path that starts in the cell, or the
                        lowest value */
  const void *query, *target; /* letters by row; the target's letters are in reverse order */
  const int32_t *scores;      /* BAND_PAIRS_TABLE: score by query letter + target letter, minus row_step */
  const int8_t *line_scores;  /* BAND_PAIRS_LINE: score of each cell's pair, minus row_step */
  cell_direction *directions; /* output: direction of each cell; NULL: no output */
  int64_t count;              /* number of cells */
} band_line;

/* The source of a pair's score.
 *
 * - BAND_PAIRS_EQUAL: two scores, for equal and for unequal letters
 * - BAND_PAIRS_TABLE: a table of scores, for values of 4 bytes only
 * - BAND_PAIRS_LINE: a score of one byte for each cell (dp/score_lines.h) */
typedef enum band_pairs { BAND_PAIRS_EQUAL, BAND_PAIRS_TABLE, BAND_PAIRS_LINE } band_pairs;

typedef struct band_costs {
  int pieces;                           /* number of pieces of gap costs */
  cla_gap_piece across[CLA_GAP_PIECES]; /* costs of a gap along the row */
  cla_gap_piece down[CLA_GAP_PIECES];   /* costs of a gap down the rows; row_step is added to each */
  int32_t equal, other;                 /* scores of a pair of equal and of unequal letters, minus row_step */
  band_pairs pairs;
  int value_bytes; /* 2 or 4 */
} band_costs;

/* Computes a line, whose values have 2 or 4 bytes, with the widest vectors of this machine. */
void band_line_compute(const band_line *line, const band_costs *costs);

/* The functions below convert scores and letters to the form that lines use, where row_step is subtracted
 * from each pair's score. */

/* Returns the largest score of a table, at least 0. */
int64_t band_match(const score_table *table);

/* Returns the least score with which a pair can matter, if all nodes are computed. A pair that costs more
 * than two gaps of one letter is on no optimal path, but its stored score must stay below the score of
 * those gaps. */
int64_t band_least_score(const cla_scoring *scoring);

/* Returns the costs in the form that lines use. Scores below `least` are raised to `least`. row_step is
 * subtracted for each row. The source of scores is BAND_PAIRS_EQUAL and a value has 4 bytes; callers may
 * change both. */
band_costs band_costs_of(const score_table *table, const cla_scoring *scoring, int64_t least,
                         int64_t row_step);

/* Makes band_line.scores; the caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status band_scores_make(int32_t **out, const score_table *table, int64_t least, int64_t row_step,
                            cla_error *error);

/* Returns a letter in the form in which lines compare letters. If by_table, returns the number that the
 * letter adds to an index into band_line.scores. */
int32_t band_letter(uint8_t code, bool of_query, bool by_table);

#endif
