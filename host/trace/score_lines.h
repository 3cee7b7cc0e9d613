#ifndef HOST_TRACE_SCORE_LINES_H
#define HOST_TRACE_SCORE_LINES_H

#include "scoring/score_table.h"

/* The scores of a block's pairs in the order in which a live band takes them: along anti-diagonals, by rows.
 *
 * First a line for each letter of the query, with its scores against all columns of the block, is made: the
 * only look-ups. Row i of the block has the line of its letter; cell (i, d - i) of anti-diagonal d is found
 * there one place further left for each row further down. Squares of 16 rows and 16 anti-diagonals are
 * copied out of these lines and transposed, so that every anti-diagonal becomes contiguous bytes. */

#define SCORE_LINES_AT_ONCE 16
#define SCORE_LINES_MARGIN 64 /* cells beyond a line's last one that may be read */

typedef struct score_lines {
  int64_t rows, columns;
  int8_t *profile; /* letter line after letter line: column j at [SCORE_LINES_MARGIN + j] */
  int64_t stride;
  int64_t *of_row; /* where the line of row i = 1 .. begins; rows + SCORE_LINES_MARGIN of them */
  int8_t *made;    /* SCORE_LINES_AT_ONCE lines of made_stride bytes: row i at [i - made_first] */
  int64_t made_stride, made_line, made_first, made_last; /* made_line -1: none */
} score_lines;

typedef struct score_lines_input {
  const uint8_t *query, *target; /* codes: of row 1 and column 1 */
  int64_t rows, columns;
  const score_table *table;
  int64_t least;    /* scores below count as that */
  int64_t subtract; /* from all scores */
} score_lines_input;

/* Whether all scores, so changed, fit a byte. */
bool score_lines_fit(const score_table *table, int64_t least, int64_t subtract);

/* The memory that they take at most. */
int64_t score_lines_bytes(int64_t rows, int64_t columns);

/* To be freed with score_lines_free, also after an error: CLA_ERROR_MEMORY. */
cla_status score_lines_make(score_lines *out, const score_lines_input *input, cla_error *error);
void score_lines_free(score_lines *lines);

/* The scores of the cells in rows `first` to `last`, at least 1, of anti-diagonal `line`, in which row i has
 * column line - i, from 0 to `columns`. They are valid until the next call. No row beyond `most` will be
 * asked for with the lines that follow. */
const int8_t *score_lines_get(score_lines *lines, int64_t line, int64_t first, int64_t last, int64_t most);

#endif
