/* Groups of pairs with vectors of AVX512. */

#include "base/loops.h"
#include "dp/pair_lanes_internal.h"

#if X86_VECTORS

#if defined __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw")
#endif
#define LANES_AVX512
#include "dp/lanes.h"
#include "dp/letter_lanes.h"
#include "seq/sequence.h"

#define BITS 8
#include "dp/pair_lanes_text.h"
#undef BITS
#include "dp/strip_lanes_text.h"
#include "dp/tile_lanes_text.h"
#define BITS 16
#include "dp/pair_lanes_text.h"
#undef BITS

const lanes_way lanes_ways_avx512[2] = {
    {LANES_BYTES, 8, LANES_MASK_BITS_8, LANES_MASK_BYTES_8, {solve8, solve_scores, solve_tiles}},
    {LANES_BYTES / 2, 16, LANES_MASK_BITS_16, LANES_MASK_BYTES_16, {solve16}},
};

#if defined __clang__
#pragma clang attribute pop
#endif

#else
typedef int pair_lanes_avx512_is_for_other_machines; /* a file needs something */
#endif
