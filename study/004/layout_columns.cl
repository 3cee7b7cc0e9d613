/* Columns (Needleman-Wunsch layouts, section 3, figure 2): column after column.
 *
 *   0 3 6 9     A column of the slice is touched by all work-items, one in each step, one after the other: its lines are
 *   1 4 7 .     used up soon after they come into the cache. And a column has at most 1024 numbers, however long a row is,
 *   2 5 8 .     so more columns than rows fit. */

#define PLACE(i, j) ((j) * (ROWS + 1L) + (i))

#include "slice.clh"
