/* Computes groups of pairs with AVX-512 vectors. */

#include "base/loops.h"
#include "dp/pair_lanes_internal.h"

#if X86_VECTORS

#if defined __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw")
#endif
#define LANES_AVX512
#define LANES_WAYS lanes_ways_avx512
#include "dp/lanes_ways.h"

#if defined __clang__
#pragma clang attribute pop
#endif

#else
typedef int pair_lanes_avx512_is_for_other_machines; /* a C file must have a declaration */
#endif
