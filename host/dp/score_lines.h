#ifndef HOST_DP_SCORE_LINES_H
#define HOST_DP_SCORE_LINES_H

#include "scoring/score_table.h"

/* The scores of a block's pairs in the order in which a live band needs them: along anti-diagonals, by
 * rows. A profile has a line for each distinct query letter, with the letter's scores against all columns.
 * Only the profile is made by look-ups. Row i uses the line of its query letter. On anti-diagonal d, row i
 * has the cell (i, d - i), so from one row to the next the cell moves one place to the left. Squares of 16
 * rows and 16 anti-diagonals are copied from these lines and transposed, so that each anti-diagonal becomes
 * contiguous bytes. */

#define SCORE_LINES_AT_ONCE 16
#define SCORE_LINES_MARGIN 64 /* up to this number of cells behind a line's last cell may be read */

typedef struct score_lines {
  int64_t rows, columns;
  int8_t *profile; /* a line for each letter; column j is at SCORE_LINES_MARGIN + j of a line */
  int64_t stride;  /* bytes of a line */
  int64_t *of_row; /* for each row, from 1: offset in `profile` of the line of the row's letter */
  int8_t *made;    /* SCORE_LINES_AT_ONCE anti-diagonals of made_stride bytes; row i is at i - made_first */
  int64_t made_stride, made_line, made_first, made_last; /* made_line -1: none */
} score_lines;

typedef struct score_lines_input {
  const uint8_t *query, *target; /* codes of the letters of rows and columns from 1 on */
  int64_t rows, columns;
  const score_table *table;
  int64_t least;    /* lower scores are raised to this score */
  int64_t subtract; /* number subtracted from all scores */
} score_lines_input;

/* True if all scores, raised to `least` and reduced by `subtract`, fit a byte. */
bool score_lines_fit(const score_table *table, int64_t least, int64_t subtract);

/* Returns an upper limit of the bytes of score lines for `rows` and `columns`. */
int64_t score_lines_bytes(int64_t rows, int64_t columns);

/* Makes score lines. The caller calls score_lines_free, even after an error. CLA_ERROR_MEMORY. */
cla_status score_lines_make(score_lines *out, const score_lines_input *input, cla_error *error);
void score_lines_free(score_lines *lines);

/* Makes score lines that share the profile of `from`, which must outlive them. CLA_ERROR_MEMORY. */
cla_status score_lines_share(score_lines *out, const score_lines *from, cla_error *error);
void score_lines_free_shared(score_lines *lines);

/* Returns the scores of anti-diagonal `line` in rows `first` >= 1 to `last`, valid until the next call. The
 * cell of row i is in column line - i, which must be in 0 .. columns. Later calls must not request rows
 * beyond `most`. */
const int8_t *score_lines_get(score_lines *lines, int64_t line, int64_t first, int64_t last, int64_t most);

#endif
