#include <math.h>
#include <stdio.h>

#include "base/extremes.h"
#include "plan/plan.h"
#include "plan/plan_internal.h"
#include "scoring/lane_width.h"

/* Pruning saves time if at most this fraction of the matrix is computed; the checks cost about 2 %. */
#define SHARE_MOST 0.95
/* Seconds of a tile diagonal on a GPU, whatever its number of tiles. Without pruning, all strips run
 * simultaneously. Measured on an H200 with wave32: 56 to 79 microseconds per diagonal; without pruning,
 * 1.2e12 to 1.6e12 cells per second. */
#define SECONDS_PER_DIAGONAL 7e-5
#define CELLS_PER_SECOND 1.2e12
#define SHARE_MOST_GPU 0.2 /* SHARE_MOST for GPUs */
/* SHARE_MOST for kernels in which each strip decides where it ends, in modes other than local. Measured on
 * an H100 with unrelated sequences at a share of 60 %: 3 Mbp 2.1 s, unpruned 1.9 s; 8 Mbp 23 to 56 s,
 * unpruned 12 s. */
#define SHARE_MOST_RUNS 0.35
/* Columns of a pruned sweep's tiles. Narrow tiles cover fewer unneeded cells, and occupy more cores.
 * Measured on 2 cores, 200 kbp at 1 %: 512, 1024 and 2048 columns compute 6.3, 6.6 and 7.0 % of the cells. */
#define TILE_COLUMNS_CPU 512
#define TILE_COLUMNS_GPU 256
#define PRUNED_NESTING 1 /* nesting of a pruned region (scoring/lane_width.h) */
/* Time per cell with pruning, divided by the time without pruning: checks take time, and launches are not
 * full. Measured on 2 cores, vector8, 1 Mbp: 1.1 to 1.2. */
#define CELL_PRUNED 1.15

/* Sets the numbers of rows and columns in which a path of score `bound` may start. */
static void plan_start_area(double *rows, double *columns, const plan_input *input, int64_t bound) {
  const double pairs = (double)bound / (double)larger(input->table->maximum, 1);
  *rows = fmax((double)input->rows - pairs, 0);
  *columns = fmax((double)input->columns - pairs, 0);
}

/* Estimates the fraction of the matrix, 0 .. 1, that a sweep computes if a path of score `bound` is known. */
static double plan_prune_share(const plan_input *input, int64_t bound) {
  const double rows = (double)input->rows, columns = (double)input->columns;
  const double match = input->table->maximum, ext = (double)gap_least_ext(input->scoring);
  const double most = input->windows.share > 0 ? input->windows.share : 1;
  const double shorter = rows < columns ? rows : columns, longer = rows < columns ? columns : rows;
  double share = 1;
  const bool starts_free = input->ends.anywhere || input->ends.query_start || input->ends.target_start;
  if (match <= 0 && starts_free) return most;
  const double lost = (double)plan_best_conceivable(input) - (double)bound;
  if (!input->ends.floor && (input->ends.query_start || input->ends.target_start)) {
    /* Cells next to a border where paths may start, plus cells beside the best path. */
    const double from = lost / match;
    const double start =
        (input->ends.target_start ? from / rows : 0) + (input->ends.query_start ? from / columns : 0);
    share = start + lost / ((match + ext) * longer);
  } else if (input->ends.anywhere) {
    /* Cells in which a path may start, plus cells beside the best path. The width beside it shrinks along
     * the path, because leaving the path costs `match + ext` per column. */
    const double from = lost / match;
    double start_rows, start_columns;
    plan_start_area(&start_rows, &start_columns, input, bound);
    const double start = start_rows * start_columns / (rows * columns);
    const double to_go = from < shorter ? 1 - from / shorter : 0;
    share = start + to_go * to_go * lost / ((match + ext) * longer);
    if (bound <= 0) share = 1;
  } else {
    share = plan_lost_share(input, bound);
  }
  return share < 0 ? 0 : share < most ? share : most;
}

/* Returns half the rows per lane. On a GPU, fewer rows give more strips in a narrow part of the matrix, and
 * leave registers for pruning's checks. */
static int fewer_rows(const kernel_config *config) {
  const int *alpha = config->variant->alphas;
  while (alpha[1] && alpha[1] <= config->alpha / 2) alpha++;
  return *alpha;
}

/* Returns the seconds of all tile diagonals, with tiles of `tile_columns` columns. */
static double diagonals_seconds(const kernel_config *config, const plan_input *input, int64_t tile_columns) {
  const double tiles = (double)input->columns / (double)tile_columns;
  const double strips = (double)input->rows / (double)kernel_strip_rows(config);
  return (tiles + 2 * strips) * SECONDS_PER_DIAGONAL;
}

/* True if pruning with `config` is faster on a GPU than a sweep with `without` that is not pruned. */
static bool pays(const kernel_config *config, const kernel_config *without, const plan_input *input,
                 double share) {
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  if (config->variant->cost && !input->ends.floor && share > SHARE_MOST_RUNS) return false;
  if (config->variant->cost)
    return config->variant->cost(config, input->device, gaps, input->rows, input->columns, share) <
           SHARE_MOST * config->variant->cost(without, input->device, gaps, input->rows, input->columns, 1);
  const double all = (double)input->rows * (double)input->columns / CELLS_PER_SECOND;
  return diagonals_seconds(config, input, TILE_COLUMNS_GPU) < all && share < SHARE_MOST_GPU;
}

/* Returns the maximum columns of a pruned tile of the config. */
static int64_t tile_limit(const kernel_config *config, const plan_input *input) {
  return kernel_tile_limit(config, input->scoring, input->table, input->nesting + PRUNED_NESTING);
}

/* Returns the width of the config's lanes divided by that of the plan's lanes. */
static double wider_by(const kernel_config *config, const plan *without) {
  return (double)config->variant->lane_bits / without->sweep.variant->lane_bits;
}

/* Chooses the fastest kernel of a CPU whose lanes can hold a pruned matrix, if the plan's lanes cannot.
 * Measured with EDNAFULL and its gap costs, 1 Mbp at 5 %: vector8 unpruned 33 s; vector16, pruned to 0.4 %
 * of the cells, 3 s. */
static bool choose_wider(kernel_config *out, const plan *without, const plan_input *input) {
  if (input->device->kind != CLA_DEVICE_CPU || input->kernel || input->settings) return false;
  plan_input nested = *input;
  nested.nesting += PRUNED_NESTING;
  for (int i = 0; i < kernel_variant_count; i++)
    if (kernel_variants[i]->lane_bits > without->sweep.variant->lane_bits &&
        kernel_choice_fits(out, kernel_variants[i], &nested, nested.nesting))
      return true;
  return false;
}

/* Predicts the seconds of the pruned sweep from the seconds of the unpruned one; negative: not known. */
static double pruned_seconds(const plan *pruned, const plan *without, const plan_input *input) {
  const kernel_variant *variant = pruned->sweep.variant;
  const double share = pruned->prune_share;
  const int64_t rows = input->rows, columns = input->columns;
  if (without->predicted.sweep_seconds < 0) return -1;
  if (variant->cost) {
    const kernel_gaps gaps = kernel_gaps_of(input->scoring);
    const double cost = variant->cost(&pruned->sweep, input->device, gaps, rows, columns, share);
    const double all = variant->cost(&without->sweep, input->device, gaps, rows, columns, 1);
    return cost > 0 && all > 0 ? without->predicted.sweep_seconds * cost / all : -1;
  }
  const double seconds =
      without->predicted.sweep_seconds * share * CELL_PRUNED * wider_by(&pruned->sweep, without);
  if (input->device->kind != CLA_DEVICE_GPU) return seconds;
  return fmax(seconds, diagonals_seconds(&pruned->sweep, input, pruned->sweep.tile_columns));
}

/* Changes the plan to a pruned sweep, if pruning saves time. */
static void prune_sweep(plan *out, const plan_input *input, int64_t bound) {
  const bool gpu = input->device->kind == CLA_DEVICE_GPU;
  const double share = plan_prune_share(input, bound);
  kernel_config config = out->sweep;
  if (share > SHARE_MOST) return;
  config = kernel_pruned(&config);
  if (gpu && !input->settings && config.variant->cost)
    kernel_cheapest_rows(&config, input->device, kernel_gaps_of(input->scoring), input->rows, input->columns,
                         share);
  else if (gpu && !input->settings)
    config.alpha = fewer_rows(&config);
  if (gpu && !input->settings && !pays(&config, &out->sweep, input, share)) return;
  int64_t limit = tile_limit(&config, input);
  const bool narrow = limit < config.lanes;
  if (narrow) {
    if (!choose_wider(&config, out, input) || share * wider_by(&config, out) > SHARE_MOST) return;
    config = kernel_pruned(&config);
    limit = tile_limit(&config, input);
  }
  if (!input->settings && !config.variant->run_columns) {
    const int64_t wanted = smaller(gpu ? TILE_COLUMNS_GPU : TILE_COLUMNS_CPU, limit);
    int64_t tile = config.lanes;
    while (tile * 2 <= wanted) tile *= 2;
    config.tile_columns = smaller(config.tile_columns, tile);
  }
  config.tile_columns = smaller(config.tile_columns, limit);
  plan pruned = *out;
  pruned.sweep = config;
  pruned.prune = true;
  pruned.bound = bound;
  pruned.prune_share = share;
  pruned.first_rows = 0;
  cla_error unfit = {0};
  if (plan_rows(&pruned, input, &unfit) != CLA_OK) return; /* the pruned plan needs too much memory */
  plan_parts(&pruned, input);
  plan_set_seconds(&pruned, input, pruned_seconds(&pruned, out, input));
  if (narrow)
    snprintf(pruned.reason, sizeof pruned.reason, "the fastest whose lanes hold what pruning needs, not %s",
             out->sweep.variant->name);
  *out = pruned;
}

bool plan_prune_possible(const plan *unpruned, const plan_input *input) {
  plan pruned = *unpruned;
  prune_sweep(&pruned, input, plan_best_conceivable(input));
  return pruned.prune;
}

void plan_prune(plan *out, const plan_input *input, int64_t bound) {
  cla_error unfit = {0};
  prune_sweep(out, input, bound);
  if (out->prune || input->ends.floor || plan_unlike(input)) return;
  plan like = *out; /* a known bound makes the predicted bands narrower */
  if (plan_rows(&like, input, &unfit) != CLA_OK) return;
  plan_set_seconds(&like, input, out->predicted.sweep_seconds);
  *out = like;
}

/* A path that arose by chance falls below the bound within this many rows, if a match scores 1. Even
 * dissimilar sequences reach some score by chance, and H is not checked in every node. */
#define ROWS_OF_CHANCE 256.0
/* Columns between two checks of a strip that decides where it ends (nvidia16_runs.clh). */
#define RUN_STEP 256.0
/* Minimum ratio of a one-part sweep's cells to a two-part sweep's cells for a sweep in two parts. */
#define GAIN_LEAST 1.5

/* Returns the number of unneeded cells in a sweep in one part. Each strip ends only one tile, or one step,
 * before the end of the strip above. */
static double cells_for_nothing(const plan *pruned, const plan_input *input, double columns, double first) {
  const double strip_rows = (double)kernel_strip_rows(&pruned->sweep);
  const double step = pruned->sweep.variant->run_columns ? RUN_STEP : (double)pruned->sweep.tile_columns;
  const double falls = step / strip_rows; /* by how many columns the end moves left per row */
  const double rows = fmin(columns / falls, (double)input->rows - first);
  return rows * (columns - rows * falls / 2);
}

/* Returns the rows of the first part, a multiple of the strip's rows; 0: a sweep in one part is better. */
static int64_t first_rows(const plan *pruned, const plan_input *input) {
  const int64_t strip_rows = kernel_strip_rows(&pruned->sweep), interval = pruned->row_interval;
  const double largest = (double)larger(input->table->maximum, 1);
  double rows, columns;
  if (input->windows.share > 0 || (!input->ends.floor && !input->ends.target_start)) return 0;
  plan_start_area(&rows, &columns, input, pruned->bound);
  const double wanted = rows + ROWS_OF_CHANCE / largest;
  if (wanted >= (double)input->rows) return 0;
  const int64_t unit = interval > 0 && wanted > (double)interval ? interval : strip_rows;
  const int64_t first = (int64_t)ceil(wanted / (double)unit) * unit;
  if (first >= input->rows) return 0;
  /* The first part has few strips. `idle`: the cells that the device's idle part could compute in the same
   * time. */
  const double at_once = (double)plan_strips_at_once(&pruned->sweep, input->device);
  const double rounds = ceil((double)first / (double)strip_rows / at_once);
  const double idle = columns * ((double)strip_rows * rounds * at_once - (double)first);
  const double saved = cells_for_nothing(pruned, input, columns, (double)first);
  const double needed =
      columns * (double)first + pruned->prune_share * (double)input->rows * (double)input->columns;
  return saved > idle && saved + needed > GAIN_LEAST * (idle + needed) ? first : 0;
}

/* True if the lanes can hold the values of the second part, whose upper border is a kept row. */
static bool lanes_hold(const plan *pruned, const plan_input *input) {
  const int nesting = (int)larger(input->nesting, LANE_WIDTH_BELOW_ROW) + 1;
  return kernel_tile_limit(&pruned->sweep, input->scoring, input->table, nesting) >=
         pruned->sweep.tile_columns;
}

void plan_parts(plan *pruned, const plan_input *input) {
  plan parts = *pruned;
  cla_error unfit = {0};
  pruned->first_rows = 0;
  if (!lanes_hold(pruned, input)) return;
  parts.first_rows = first_rows(pruned, input);
  if (parts.first_rows == 0 || plan_rows(&parts, input, &unfit) != CLA_OK) return;
  if (parts.row_interval == pruned->row_interval) *pruned = parts;
}
