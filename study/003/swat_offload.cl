/* Offload (Aji 2008, section 4.2.2, figure 4.24): the diagonal layout on the GPU, a launch a diagonal.
 *
 *   memory   | d0 | d1 d1 | d2 d2 d2 | d3 ...     Neighbouring work-items touch neighbouring numbers. But a diagonal begins
 *                         ^ anywhere              anywhere, and the thesis' GPU moves 16 numbers at once only if they begin at
 *                                                 a multiple of 64 bytes: else it moved them one by one.
 *
 * There are as many launches as diagonals: 41 % of the thesis' time went there. */

#include "swat_diagonal.clh"
