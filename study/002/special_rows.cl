/* Stage 1 of CUDAlign 2.1 without block pruning (section 4.4.1): CUDAlign 1.0, and some rows go to the host. With them,
 * later stages need not compute the matrix again from the top. */

#include "phases.cl"
#include "flush.clh"
