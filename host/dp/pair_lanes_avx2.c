/* Computes groups of pairs with AVX2 vectors. */

#include "base/loops.h"
#include "dp/pair_lanes_internal.h"

#if X86_VECTORS
#if defined __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define LANES_AVX2
#define LANES_WAYS lanes_ways_avx2
#include "dp/lanes_ways.h"

#if defined __clang__
#pragma clang attribute pop
#endif

#else
typedef int pair_lanes_avx2_is_for_other_machines; /* a C file must have a declaration */
#endif
