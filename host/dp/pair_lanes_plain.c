/* Computes groups of pairs with vectors of 16 bytes, on any processor. */

#include "dp/pair_lanes_internal.h"
#define LANES_WAYS lanes_ways_plain
#include "dp/lanes_ways.h"
