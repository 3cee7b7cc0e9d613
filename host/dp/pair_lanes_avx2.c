/* Groups of pairs with vectors of AVX2. */

#include "dp/pair_lanes_internal.h"

#if defined __x86_64__ && defined __GNUC__
#pragma GCC target("avx2")
#define LANES_AVX2

#include "dp/lanes.h"
#include "dp/letter_lanes.h"
#include "seq/sequence.h"

#define BITS 8
#include "dp/pair_lanes_text.h"
#undef BITS
#define BITS 16
#include "dp/pair_lanes_text.h"
#undef BITS

const lanes_way lanes_ways_avx2[2] = {
    {LANES_BYTES, 8, LANES_MASK_BITS_8, LANES_MASK_BYTES_8, solve8, solve_scores},
    {LANES_BYTES / 2, 16, LANES_MASK_BITS_16, LANES_MASK_BYTES_16, solve16, NULL},
};

#else
typedef int pair_lanes_avx2_is_for_other_machines; /* a file needs something */
#endif
