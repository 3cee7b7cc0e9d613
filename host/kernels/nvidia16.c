#include "kernels/kernel.h"
#include "scoring/lane_width.h"

/* Describes both kernels of nvidia16.clh. */

static const int lanes[] = {64, 0};
/* Rows per lane with which the scores fit into local memory. */
static const int alphas[] = {2, 4, 6, 8, 10, 12, 14, 16, 20, 0};
/* Cycles of a step, by kernel_gaps and by number of rows per lane. Measured on an H200. */
static const int step_cycles[][9] = {
    [KERNEL_GAPS_LINEAR] = {61, 73, 85, 98, 121, 132, 149, 171, 210},
    [KERNEL_GAPS_AFFINE] = {63, 82, 103, 129, 159, 188, 215, 238, 294},
    [KERNEL_GAPS_TWO_PIECES] = {94, 134, 163, 212, 244, 286, 340, 368, 528},
};
/* Cycles of a step of a region, whose scores come from local memory with MANY_ROWS rows or more
 * (nvidia16_choices.clh). Measured for affine gap costs, and estimated for the others. */
static const int region_cycles[][9] = {
    [KERNEL_GAPS_LINEAR] = {61, 73, 85, 93, 108, 112, 124, 138, 165},
    [KERNEL_GAPS_AFFINE] = {63, 82, 103, 122, 143, 161, 176, 190, 224},
    [KERNEL_GAPS_TWO_PIECES] = {94, 134, 163, 200, 225, 258, 306, 331, 475},
};
static const int profile_cycles[][9] = {
    [KERNEL_GAPS_LINEAR] = {66, 90, 106, 117, 145, 155, 174, 192, 221},
    [KERNEL_GAPS_AFFINE] = {68, 84, 112, 134, 161, 190, 214, 234, 272},
    [KERNEL_GAPS_TWO_PIECES] = {93, 163, 165, 220, 252, 283, 331, 363, 523},
};
#define HANDOVER_CYCLES 1000 /* cycles until a strip sees a word that the strip above has written */
/* Cycles from the start of a pruned strip until its first column is found and its lanes have started. */
#define BEGIN_CYCLES 17000
/* Factor by which pruning lengthens a step, and what each row per lane above ROWS_PRUNED adds to it.
 * Measured on an H100, local alignment: 20 Mbp take 7.2, 5.9, 7.0 and 9.7 s with 4, 6, 8 and 12 rows; 100
 * Mbp take 38 and 81 s with 6 and 16 rows. */
#define STEP_PRUNED 1.3
#define STEP_PRUNED_ROW 0.13
#define ROWS_PRUNED 6

/* Steps between strips: a chain of 64 lanes and a block of at most 64 steps. A strip begins with a block. */
#define SLANT 128
#define WIDE_SLANT 192 /* SLANT plus a block, in which words from the strip above arrive */
/* Number of schedulers of a streaming multiprocessor; each issues instructions of one warp at a time. */
#define SCHEDULERS_PER_UNIT 4

#define LOCAL_BYTES 36 /* bytes per lane, with GAPS 3 and BEST */

/* Tile width for regions of few columns. With wide tiles, fewer ends of tiles are processed, but the last
 * tile, perhaps the only one, is padded. */
#define TILE_COLUMNS_SMALL 1024
#define TILE_COLUMNS 2048
#define COLUMNS_MANY 16384

static int64_t warps_of(const cla_device_info *device) {
  return (int64_t)device->compute_units * SCHEDULERS_PER_UNIT;
}

/* Returns the cycles of a step by one of the tables; 0 if they are not known. */
static double cycles_of(const kernel_config *config, const int *cycles) {
  int i = 0;
  while (alphas[i] && alphas[i] != config->alpha) i++;
  return alphas[i] ? cycles[i] : 0;
}

/* Returns the cycles of a step of a pair in a launch of many. */
static double step_cost(const kernel_config *config, kernel_gaps gaps) {
  return cycles_of(config, config->variant->takes.matrix ? profile_cycles[gaps] : step_cycles[gaps]);
}

/* Returns the cycles of a step of a region. */
static double region_cost(const kernel_config *config, kernel_gaps gaps) {
  return cycles_of(config, config->variant->takes.matrix ? profile_cycles[gaps] : region_cycles[gaps]);
}

/* Returns the cycles of a persistent launch. Each scheduler computes one strip after the other, in rounds.
 * A second warp would only wait while the first one works (docs/measurements/performance.md). Every strip
 * of a round starts later than the strip above. With pruning, a strip's first column lies further right
 * than that of the strip above, by the rows of a strip. Each strip waits until the strip above has passed
 * that distance, so strips of few rows are best. */
static double cost(const kernel_config *config, const cla_device_info *device, kernel_gaps gaps, int64_t rows,
                   int64_t columns, double share) {
  const int64_t warps = warps_of(device), strip_rows = kernel_strip_rows(config);
  const int64_t strips = (rows + strip_rows - 1) / strip_rows, rounds = (strips + warps - 1) / warps;
  const double cycles = region_cost(config, gaps), late = (double)kernel_slant(config, columns) * cycles;
  if (config->launch != KERNEL_PERSISTENT || cycles <= 0) return 0;
  if (config->tile_columns > 0) /* the last tile is padded */
    columns =
        (columns + lanes[0] - 1 + config->tile_columns - 1) / config->tile_columns * config->tile_columns;
  if (share >= 1)
    return (double)rounds * (double)columns * cycles +
           (double)(strips < warps ? strips : warps) * (late + HANDOVER_CYCLES);
  const int more = config->alpha > ROWS_PRUNED ? config->alpha - ROWS_PRUNED : 0;
  const double run =
      share * (double)columns * cycles * STEP_PRUNED * (1 + STEP_PRUNED_ROW * more); /* time of one strip */
  const double moves = (1 - share) * (double)strip_rows * (double)columns / (double)rows * cycles;
  const double one_by_one = (double)strips * (late + moves + BEGIN_CYCLES),
               by_all = (double)strips / (double)warps * run;
  /* If paths may start anywhere, all strips have much work, and `by_all` is larger. Otherwise, each strip
   * waits for the strip above along the path, and `one_by_one` is larger. */
  return run + (one_by_one > by_all ? one_by_one + by_all / 3 : by_all + one_by_one / 3);
}

/* Chooses the number of rows per lane with the least cost. The last round is then nearly full. Assumes
 * affine gap costs, because the plan sets the gap costs later. */
static void choose(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns) {
  config->lanes = lanes[0];
  config->launch = KERNEL_PERSISTENT;
  config->tile_columns = 0;
  kernel_cheapest_rows(config, device, KERNEL_GAPS_AFFINE, rows, columns, 1);
  config->launch = device->counters == CLA_COUNTERS_NONE ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  config->groups = (int)warps_of(device);
  if (config->launch == KERNEL_PERSISTENT)
    config->tile_columns = columns < COLUMNS_MANY ? TILE_COLUMNS_SMALL : TILE_COLUMNS;
}

/* The fields that nvidia16 and nvidia16m share. */
#define FIELDS                                                                                         \
  .lane_bits = 16, .value_limit = LANE_LIMIT_16, .items = 32, .packed_pairs = true, .bus_words = true, \
  .persistent = {.slant = SLANT, .wide_slant = WIDE_SLANT}, .run_columns = 32, .score_bits = 7,        \
  .fixed_costs = true, .lanes = lanes, .choose = choose, .cost = cost, .step_cost = step_cost

const kernel_variant kernel_nvidia16 = {
    FIELDS,
    .name = "nvidia16",
    .summary = "packed pairs of 16-bit lanes, one warp per strip",
    .takes = {.pairs = true},
    .alphas = alphas,
    .rise_most = 12,
    /* The formula of nvidia16.clh divided by 64 lanes, rounded up. */
    .local_bytes = {.lane = LOCAL_BYTES + 10, .row = 36},
};

const kernel_variant kernel_nvidia16m = {
    FIELDS,
    .name = "nvidia16m",
    .summary = "packed pairs of 16-bit lanes, one warp per strip, with a profile of scores",
    .takes = {.matrix = true, .pairs = true},
    .alphas = alphas,
    /* For each row the profile has a byte for each of 32 letters, and one for no letter. */
    .local_bytes = {.lane = LOCAL_BYTES + 2 * 33, .row = 33},
};
