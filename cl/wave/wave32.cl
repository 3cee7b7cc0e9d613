/* The GPU kernel for groups of work-items (wave.clh) with 32-bit lanes: right for every scheme. */

#define KERNEL wave32
#define LANE_BITS 32

#include "wave.clh"
