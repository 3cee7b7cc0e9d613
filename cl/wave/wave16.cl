/* wave.clh with two 16-bit lanes in a register. */

#define KERNEL wave16
#define LANE_BITS 16

#include "wave.clh"
