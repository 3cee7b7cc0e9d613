/* Diagonals (Needleman-Wunsch layouts, section 5, planned there): anti-diagonal after anti-diagonal.
 *
 *   0 3 6 9     The numbers of a step lie side by side, and so do their neighbours, which are those of the two steps before:
 *   4 7 . .     the GPU moves whole lines, and each once. The price: the corners of the parallelogram stay empty, a slice
 *   8 . . .     has ROWS + 1 diagonals more than columns. */

#define PLACE(i, j) (((i) + (j)) * (ROWS + 1L) + (i))

#include "slice.clh"
