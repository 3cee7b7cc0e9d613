/* Defines the array LANES_WAYS: the ways to compute groups with one set of instructions (dp/lanes.h). */

#include "dp/lanes.h"
#include "dp/letter_lanes.h"
#include "seq/sequence.h"

#include "dp/look_up_lanes_text.h"

#define BITS 8
#include "dp/pair_lanes_text.h"
#undef BITS
#include "dp/strip_lanes_text.h"
#include "dp/tile_lanes_text.h"
#define BITS 16
#include "dp/pair_lanes_text.h"
#undef BITS

const lanes_way LANES_WAYS[2] = {
    {LANES_BYTES, 8, LANES_MASK_BITS_8, LANES_MASK_BYTES_8, {solve8, solve_scores, solve_tiles}},
    {LANES_BYTES / 2, 16, LANES_MASK_BITS_16, LANES_MASK_BYTES_16, {solve16}},
};
