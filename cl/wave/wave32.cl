/* wave.clh with 32-bit lanes, for every scheme. */

#define KERNEL wave32
#define LANE_BITS 32

#include "wave.clh"
