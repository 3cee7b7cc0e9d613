/* Rows (Needleman-Wunsch layouts, section 3, figure 2): row after row, as C has it.
 *
 *   0 1 2 3     In a step neighbouring work-items stand a row apart: each touches a line of memory of its own, of which it
 *   4 5 6 7     needs one number now and the next ones in the steps that follow. A line must stay in the cache until then,
 *   8 9 . .     beside those of all 1024 work-items, each of another row. */

#define PLACE(i, j) ((i) * (columns + 1L) + (j))

#include "slice.clh"
