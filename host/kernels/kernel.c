#include "kernels/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "clalign/kernel.h"
#include "scoring/lane_width.h"

const kernel_variant *const kernel_variants[] = {&kernel_nvidia16, &kernel_nvidia16m, &kernel_vector8,
                                                 &kernel_vector16, &kernel_vector32,  &kernel_wave16,
                                                 &kernel_wave32};
const int kernel_variant_count = (int)(sizeof kernel_variants / sizeof kernel_variants[0]);

/* Number of groups of a persistent launch if the config was made for launches by diagonals. More groups
 * would only wait. */
#define GROUPS_UNTOLD 1024
#define ROWS_AT_ONCE_BYTES (INT64_C(1) << 30)
/* Number of short kept rows in a piece. More rows would need more mapped memory, and mapping takes time. */
#define ROWS_IN_A_PIECE 4
#define WINDOW_TILES 4 /* additional tiles, because a strip's window starts and ends within tiles */
/* Maximum number of columns between sampled nodes. More columns would make pruning less exact without
 * saving time. */
#define PRUNE_SPACING_MOST 32

const kernel_variant *kernel_find(const char *name) {
  for (int i = 0; i < kernel_variant_count; i++)
    if (strcmp(kernel_variants[i]->name, name) == 0) return kernel_variants[i];
  return NULL;
}

bool kernel_same_but_tile(const kernel_config *a, const kernel_config *b) {
  return a->variant == b->variant && a->lanes == b->lanes && a->alpha == b->alpha && a->launch == b->launch &&
         (a->launch != KERNEL_PERSISTENT || a->groups == b->groups);
}

bool kernel_same_config(const kernel_config *a, const kernel_config *b) {
  return kernel_same_but_tile(a, b) && a->tile_columns == b->tile_columns;
}

void kernel_cheapest_rows(kernel_config *config, const cla_device_info *device, kernel_gaps gaps,
                          int64_t rows, int64_t columns, double share) {
  kernel_config tried = *config;
  double least = 0;
  for (const int *alpha = config->variant->alphas; *alpha; alpha++) {
    tried.alpha = *alpha;
    const double cost = config->variant->cost(&tried, device, gaps, rows, columns, share);
    if (least > 0 && cost >= least) continue;
    least = cost;
    config->alpha = *alpha;
  }
}

kernel_config kernel_pruned(const kernel_config *config) {
  kernel_config pruned = *config;
  if (!config->variant->persistent.single_tiles)
    pruned.launch = config->variant->run_columns ? KERNEL_PERSISTENT : KERNEL_DIAGONALS;
  if (pruned.launch == KERNEL_PERSISTENT && pruned.groups <= 0) pruned.groups = GROUPS_UNTOLD;
  return pruned;
}

int64_t kernel_run_columns(const kernel_config *config) {
  return config->variant->run_columns ? config->variant->run_columns : config->tile_columns;
}

/* Minimum number of columns of a region that uses the wide slant. Such a region has many launches. In each
 * launch, each strip starts one slant after the strip above, and the launch ends when the last strip is
 * done. So a launch lasts as long as all waits between strips. With a wide slant, strips wait only once.
 * Measured on an H200 with 8 million letters: a launch takes 0.14 ms instead of 0.25 ms. */
#define WIDE_COLUMNS (INT64_C(1) << 22)

int64_t kernel_slant(const kernel_config *config, int64_t columns) {
  return columns < WIDE_COLUMNS ? config->variant->persistent.slant : config->variant->persistent.wide_slant;
}

kernel_geometry kernel_layout(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns) {
  kernel_geometry g = {0};
  const int64_t strip_rows = kernel_strip_rows(config);
  g.strips = (rows + strip_rows - 1) / strip_rows;
  /* The last lane lags by lanes - 1 columns, so more steps are needed until it reaches the last column. */
  g.tiles = (columns + config->lanes - 1 + config->tile_columns - 1) / config->tile_columns;
  g.tile_columns = config->tile_columns;
  g.slant = config->launch == KERNEL_PERSISTENT ? kernel_slant(config, columns) : 0;
  g.margin = config->lanes;
  g.stride = g.margin + g.tiles * config->tile_columns + config->lanes;
  g.value_bytes = config->variant->lane_bits / 8;
  g.lines = gaps == KERNEL_GAPS_TWO_PIECES ? 3 : 2;
  g.bus_bytes = 2 * g.lines * g.stride * g.value_bytes; /* separate lines for even and for odd strips */
  /* A strip's state consists of H, E and E2 of each lane's rows, F and F2 below the rows, and the
   * diagonal. */
  g.state_bytes = g.strips * g.lines * (config->alpha + 1) * config->lanes * g.value_bytes;
  if (config->variant->segments) /* each lane has a base value of its own */
    g.state_bytes += g.strips * config->lanes * (int64_t)sizeof(int32_t);
  if (config->variant->bus_words) { /* STRIP_WORDS of nvidia16.clh */
    const int words = g.lines - 1;  /* words of a column: one for H and F, one for F2 */
    const int64_t slot = g.state_bytes / g.strips + words * config->tile_columns * (int64_t)sizeof(uint32_t);
    g.state_bytes = g.strips * (2 * slot + 8 * (int64_t)sizeof(uint32_t));
    if (config->launch == KERNEL_PERSISTENT) g.word_bytes = 2 * words * g.stride * (int64_t)sizeof(uint64_t);
  }
  g.bus_bytes += g.word_bytes;
  g.base_bytes = g.strips * (int64_t)sizeof(int64_t);
  g.best_bytes = g.strips * (int64_t)sizeof(strip_best);
  g.row_bytes = g.lines * g.stride * g.value_bytes;
  g.bottom_bytes = g.stride * g.value_bytes;
  g.run_bytes = (g.strips + 1) * (int64_t)sizeof(strip_run);
  g.note_bytes = 2 * g.tiles * (int64_t)sizeof(tile_note);
  g.counter_bytes = KERNEL_COUNTERS(g.strips) * (int64_t)sizeof(int32_t);
  return g;
}

void kernel_diagonal(const kernel_geometry *geometry, int64_t diagonal, int64_t *first, int64_t *last) {
  const kernel_geometry *g = geometry;
  const int64_t begun = diagonal - (g->tiles - 1);
  if (g->slant > 0) {
    /* The strips s whose steps [s slant, s slant + all steps) overlap [begin, begin + tile_columns). */
    const int64_t begin = diagonal * g->tile_columns, ended = begin - g->tiles * g->tile_columns;
    *first = ended >= 0 ? ended / g->slant + 1 : 0;
    *last = smaller((begin + g->tile_columns - 1) / g->slant, g->strips - 1);
    return;
  }
  *first = begun > 0 ? (begun + 1) / 2 : 0;
  *last = smaller(diagonal / 2, g->strips - 1);
}

int64_t kernel_first_diagonal(const kernel_geometry *geometry, int64_t strip) {
  return geometry->slant == 0 ? 2 * strip : strip * geometry->slant / geometry->tile_columns;
}

int64_t kernel_last_diagonal(const kernel_geometry *geometry, int64_t strip) {
  return kernel_tile_diagonal(geometry, strip, geometry->tiles - 1);
}

int64_t kernel_tile_diagonal(const kernel_geometry *geometry, int64_t strip, int64_t tile) {
  if (geometry->slant == 0) return tile + 2 * strip;
  return (strip * geometry->slant + (tile + 1) * geometry->tile_columns - 1) / geometry->tile_columns;
}

int64_t kernel_diagonals(const kernel_geometry *geometry) {
  return kernel_last_diagonal(geometry, geometry->strips - 1) + 1;
}

int64_t kernel_columns_passed(const kernel_geometry *geometry, int64_t strip, int64_t end) {
  const kernel_geometry *g = geometry;
  const int64_t late = g->slant > 0 ? strip * g->slant : 2 * strip * g->tile_columns;
  const int64_t steps = smaller(end * g->tile_columns - late, g->tiles * g->tile_columns);
  return larger(steps - (g->margin - 1), 0); /* the margin has one column per lane */
}

double kernel_tiles_before(const kernel_geometry *geometry, const kernel_panel *panel, int64_t diagonal) {
  int64_t first = 0, last = 0;
  if (diagonal <= 0) return 0;
  kernel_diagonal(geometry, diagonal - 1, &first, &last);
  first = smaller(larger(first, panel->first), panel->last + 1);
  last = smaller(last, panel->last);
  double tiles = (double)first * (double)geometry->tiles; /* tiles of the strips that have already ended */
  for (int64_t strip = first; strip <= last; strip++) {
    const double late = geometry->slant > 0
                            ? (double)(strip * geometry->slant) / (double)geometry->tile_columns
                            : 2 * (double)strip;
    const double begun = (double)diagonal - late;
    tiles += begun < (double)geometry->tiles ? begun : (double)geometry->tiles;
  }
  return tiles;
}

int kernel_rows_at_once(const kernel_geometry *geometry, const kernel_config *config) {
  if (config->launch != KERNEL_PERSISTENT || config->variant->persistent.single_tiles) return 1;
  if (config->rows_at_once > 0) return config->rows_at_once;
  return (int)larger(smaller(ROWS_AT_ONCE_BYTES / geometry->row_bytes, KERNEL_ROWS_AT_ONCE_FEW), 1);
}

/* Returns the number of steps by which a strip starts later than the strip above. */
static int64_t steps_apart(const kernel_geometry *geometry) {
  return geometry->slant > 0 ? geometry->slant : 2 * geometry->tile_columns;
}

/* Returns the number of kept rows, except the first one, that can end in one diagonal. */
static int64_t rows_ending(const kernel_geometry *geometry, const kernel_config *config, int64_t interval) {
  return geometry->tile_columns / steps_apart(geometry) / (interval / kernel_strip_rows(config));
}

/* Returns the maximum number of kept rows that are complete and wait to be copied to the host. */
static int64_t kernel_rows_complete(const kernel_geometry *geometry, const kernel_config *config,
                                    int64_t interval) {
  if (interval <= 0) return 0;
  return kernel_rows_at_once(geometry, config) + rows_ending(geometry, config, interval);
}

kernel_row_pieces kernel_row_pieces_for(const kernel_geometry *geometry, const kernel_config *config,
                                        int64_t interval, int threads, bool prune) {
  const bool several = !prune && threads >= 2 * ROWS_IN_A_PIECE &&
                       ROWS_IN_A_PIECE * geometry->row_bytes <= KERNEL_ROW_PIECE_BYTES;
  const int rows = several ? ROWS_IN_A_PIECE : 1;
  const int64_t bytes = rows * geometry->row_bytes;
  const int64_t most = (kernel_rows_complete(geometry, config, interval) + rows - 1) / rows;
  const int64_t count = threads < 1 ? 1 : threads / rows;
  return (kernel_row_pieces){.bytes = bytes < KERNEL_ROW_PIECE_BYTES ? bytes : KERNEL_ROW_PIECE_BYTES,
                             .count = (int)(count < most ? count : most),
                             .rows = rows};
}

int64_t kernel_staged_bytes(const kernel_geometry *geometry) {
  return smaller(geometry->stride, KERNEL_NODES_STAGED) * geometry->lines * geometry->value_bytes;
}

int64_t kernel_row_slots(const kernel_geometry *geometry, const kernel_config *config,
                         const kernel_kept_rows *kept) {
  const int64_t interval = kept->interval;
  if (interval <= 0) return 0;
  const int64_t all = geometry->tiles * geometry->tile_columns;
  const int64_t window = kept->window + WINDOW_TILES * geometry->tile_columns;
  const int64_t steps = kept->prune && kept->window > 0 ? smaller(window, all) : all;
  const int64_t strips_apart = interval / kernel_strip_rows(config);
  /* After a launch of whole strips, every row is complete. */
  const bool whole = kept->prune && config->variant->run_columns > 0;
  const int64_t in_flight = whole ? 0 : (steps / steps_apart(geometry) + 1) / strips_apart + 1;
  /* While a batch is computed, rows completed by the previous batch are still being copied to the host. */
  const int64_t complete = kernel_rows_complete(geometry, config, interval);
  int64_t slots = in_flight + 2 * complete;
  if (kept->panel_rows > 0) slots = smaller(slots, (kept->panel_rows + interval - 1) / interval + complete);
  return smaller(slots, kept->rows / interval);
}

bool kernel_nvidia_compiler(const cla_device_info *device) {
  return strcmp(device->platform, "NVIDIA CUDA") == 0;
}

/* Returns the build options that define how groups of a persistent launch see each other's progress. */
static const char *counter_options(const kernel_config *config, const cla_device_info *device) {
  if (config->launch != KERNEL_PERSISTENT) return "-DPERSISTENT=0";
  return device->counters == CLA_COUNTERS_PTX ? "-DPERSISTENT=1 -DSYNC_PTX=1" : "-DPERSISTENT=1 -DSYNC_PTX=0";
}

/* Returns how the work-items of a group exchange values (SHUFFLE in wave.clh): by shuffles if the group is
 * one sub-group. */
static cla_shuffle group_shuffle(const kernel_config *config, const cla_device_info *device) {
  const bool whole = config->variant->shuffles && (device->sub_group_sizes & kernel_group_items(config));
  return whole ? device->shuffle : CLA_SHUFFLE_NONE;
}

/* Returns the option for the language version, if the kernel uses functions of a later version than the
 * compiler's default. */
static const char *language_option(const kernel_config *config, const cla_device_info *device) {
  const bool persistent = config->launch == KERNEL_PERSISTENT;
  if (persistent && device->counters == CLA_COUNTERS_ATOMICS) return " -cl-std=CL3.0";
  if (group_shuffle(config, device) != CLA_SHUFFLE_KHR) return "";
  return strncmp(device->version, "OpenCL 2.", 9) == 0 ? " -cl-std=CL2.0" : " -cl-std=CL3.0";
}

kernel_gaps kernel_gaps_of(const cla_scoring *scoring) {
  if (gap_pieces(scoring) > 1) return KERNEL_GAPS_TWO_PIECES;
  return scoring->gap[0].first == scoring->gap[0].ext ? KERNEL_GAPS_LINEAR : KERNEL_GAPS_AFFINE;
}

gap_costs kernel_gap_costs(const cla_scoring *scoring) {
  gap_costs out = {0};
  for (int k = 0; k < gap_pieces(scoring); k++) {
    out.piece[k].first = scoring->gap[k].first;
    out.piece[k].ext = scoring->gap[k].ext;
  }
  return out;
}

/* True if all lanes of the build work on the same column. */
static bool in_columns(const kernel_config *config, const kernel_build *build) {
  return config->variant->columns && build->matrix && build->gaps != KERNEL_GAPS_TWO_PIECES;
}

int64_t kernel_lane_lag(const kernel_config *config, const kernel_build *build, int64_t lane) {
  return in_columns(config, build) ? config->lanes - 1 : lane;
}

/* Writes the scheme's gap costs as build options. */
static void write_costs(char *out, int64_t size, const cla_scoring *scoring) {
  const gap_costs gap = kernel_gap_costs(scoring);
  int64_t at = 0;
  for (int k = 0; k < gap_pieces(scoring); k++)
    at += snprintf(out + at, (size_t)(size - at), " -DFIRST%s=%lld -DEXT%s=%lld", k ? "2" : "",
                   (long long)gap.piece[k].first, k ? "2" : "", (long long)gap.piece[k].ext);
}

/* True if the program should take scores from bytes: each pair's score plus gap_first fits into 8 bits, and
 * the compiler has an instruction that chooses bytes. On CPUs, only tests run the variants that do this. */
static bool takes_bytes(const kernel_config *config, const cla_device_info *device,
                        const kernel_build *build) {
  if (!config->variant->byte_scores || build->matrix) return false;
  if (device->kind != CLA_DEVICE_CPU && strcmp(device->platform, "AMD Accelerated Parallel Processing") != 0)
    return false;
  const int64_t first = build->scoring->gap[0].first;
  const int64_t equal = build->table->match + first;
  const int64_t unequal = lane_width_clamp(build->table->mismatch, build->scoring) + first;
  return smaller(equal, unequal) >= 0 && larger(equal, unequal) <= UINT8_MAX;
}

void kernel_options(char *out, int64_t size, const kernel_config *config, const cla_device_info *device,
                    kernel_build build) {
  const char *more = kernel_nvidia_compiler(device) ? config->variant->options : NULL;
  char segment[32] = "", costs[112] = "";
  if (config->variant->fixed_costs) write_costs(costs, sizeof costs, build.scoring);
  if (build.segment > 0) snprintf(segment, sizeof segment, " -DSEGMENT=%d", build.segment);
  snprintf(
      out, (size_t)size,
      "-DLANES=%d -DALPHA=%d -DTILE=%d -DLOCAL=%d -DBEST=%d -DMATRIX=%d -DGAPS=%d%s%s%s%s%s -DSHUFFLE=%d "
      "%s%s%s%s%s%s",
      config->lanes, config->alpha, KERNEL_TILE_LIMIT, build.local, (int)build.best, build.matrix,
      (int)build.gaps, in_columns(config, &build) ? " -DCOLUMNS=1" : "", build.prune ? " -DPRUNE=1" : "",
      build.used ? " -DUSED=1" : "", takes_bytes(config, device, &build) ? " -DBYTE_SCORES=1" : "",
      build.pairs ? " -DPAIRS=1" : "", (int)group_shuffle(config, device), counter_options(config, device),
      language_option(config, device), segment, costs, more ? " " : "", more ? more : "");
}

/* Returns the bytes of local memory that a group uses. */
static int64_t local_bytes(const kernel_config *config) {
  const kernel_variant *variant = config->variant;
  const int64_t of_lane = variant->local_bytes.lane + variant->local_bytes.row * config->alpha;
  return of_lane * config->lanes * kernel_chains(config) + variant->local_bytes.group;
}

bool kernel_runs_on(const kernel_config *config, const cla_device_info *device, char *reason, int64_t size) {
  const kernel_variant *variant = config->variant;
  const int items = kernel_group_items(config);
  if (items > device->max_group_size)
    snprintf(reason, (size_t)size, "%s needs groups of %d work-items, the device allows %lld", variant->name,
             items, (long long)device->max_group_size);
  else if (local_bytes(config) > device->local_memory_bytes)
    snprintf(reason, (size_t)size, "%s needs more local memory than the device has", variant->name);
  else if (variant->packed_pairs && !device->packed_pairs)
    snprintf(reason, (size_t)size, "%s is for NVIDIA GPUs from compute capability 9.0 on", variant->name);
  else if (variant->lane_bits == 8 && strcmp(device->platform, "Oclgrind") == 0)
    snprintf(reason, (size_t)size, "Oclgrind has no saturating subtraction of vectors, which %s compiles to",
             variant->name);
  else if (config->launch == KERNEL_PERSISTENT && device->counters == CLA_COUNTERS_NONE)
    snprintf(reason, (size_t)size,
             "a persistent launch needs atomics of device scope with acquire and release, which the device "
             "does not offer");
  else
    return true;
  return false;
}

bool kernel_takes_scheme(const kernel_variant *variant, const cla_scoring *scoring, const score_table *table,
                         char *reason, int64_t size) {
  const int64_t most = variant->score_bits > 0 ? (INT64_C(1) << variant->score_bits) - 1 : INT64_MAX;
  const int64_t lowest = lane_width_clamp(table->minimum, scoring) + (int64_t)scoring->gap[0].first;
  if (table->used && !variant->takes.used)
    snprintf(reason, (size_t)size, "%s cannot keep paths from the pairs of earlier alignments",
             variant->name);
  else if (table->needs_lookup && !variant->takes.matrix)
    snprintf(reason, (size_t)size, "%s looks no scores up", variant->name);
  else if (variant->score_bits > 0 && (table->maximum + (int64_t)scoring->gap[0].first > most || lowest < 0))
    snprintf(reason, (size_t)size, "%s takes pair scores from -%lld to %lld only with these gap costs",
             variant->name, (long long)scoring->gap[0].first, (long long)(most - scoring->gap[0].first));
  else
    return true;
  return false;
}

/* The segment is chosen for the whole matrix, whatever the nesting, because a config has one program for
 * all regions. */
int kernel_segment(const kernel_config *config, const cla_scoring *scoring, const score_table *table) {
  const int *segment = config->variant->segments;
  if (!segment) return 0;
  while (segment[1] && lane_width_segment_tile(config->variant->value_limit, table->maximum, scoring,
                                               config->alpha, *segment, 0) == 0)
    segment++;
  return *segment;
}

lane_start kernel_lane_start(const kernel_config *config, const cla_scoring *scoring,
                             const score_table *table, int nesting) {
  return lane_width_segment_start(config->variant->value_limit, table->maximum, scoring, config->alpha,
                                  kernel_segment(config, scoring, table), nesting);
}

int64_t kernel_tile_limit(const kernel_config *config, const cla_scoring *scoring, const score_table *table,
                          int nesting) {
  const kernel_variant *variant = config->variant;
  const cla_scoring raised = lane_width_raised(scoring);
  const bool rises = scoring->gap_ext < scoring->gap_first && scoring->gap_ext <= variant->rise_most;
  int64_t limit =
      variant->segments
          ? lane_width_segment_tile(variant->value_limit, table->maximum, scoring, config->alpha,
                                    kernel_segment(config, scoring, table), nesting)
          : lane_width_tile_columns(variant->value_limit, table->maximum, rises ? &raised : scoring,
                                    kernel_strip_rows(config), config->lanes, nesting);
  if (limit > KERNEL_TILE_LIMIT) limit = KERNEL_TILE_LIMIT;
  return limit / config->lanes * config->lanes;
}

int64_t kernel_prune_spacing(const kernel_config *config, const cla_scoring *scoring,
                             const score_table *table) {
  const int64_t most = (INT64_C(1) << (config->variant->lane_bits - 1)) - 1;
  /* the loop lowers the nesting to the deepest one that the lanes allow */
  int nesting = LANE_WIDTH_BELOW_ROW + 1;
  while (nesting > 1 && kernel_tile_limit(config, scoring, table, nesting) < config->lanes) nesting--;
  int64_t spacing = 1;
  while (spacing < PRUNE_SPACING_MOST &&
         lane_width_rise(table->maximum, scoring, 2 * spacing, nesting) <= most)
    spacing *= 2;
  return spacing;
}

void kernel_choose_alpha(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns,
                         int64_t strips_per_unit, int most) {
  const int64_t shorter = rows < columns ? rows : columns;
  const int64_t strips = strips_per_unit * device->compute_units;
  const int *alpha = config->variant->alphas;
  while (alpha[1] && alpha[1] <= most && shorter >= strips * config->lanes * alpha[1]) alpha++;
  config->alpha = *alpha;
}

cla_status cla_kernels_list(cla_kernel_info **out, size_t *count, cla_error *error) {
  *out = NULL;
  *count = 0;
  cla_kernel_info *list = NULL;
  cla_status status = ALLOCATE_ARRAY(&list, kernel_variant_count, "the list of kernels", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < kernel_variant_count; i++) {
    const kernel_variant *variant = kernel_variants[i];
    list[i] = (cla_kernel_info){.name = variant->name,
                                .summary = variant->summary,
                                .lane_bits = variant->lane_bits,
                                .for_cpus = variant->for_cpus};
  }
  *out = list;
  *count = (size_t)kernel_variant_count;
  return CLA_OK;
}

void cla_kernels_free(cla_kernel_info *kernels) {
  free(kernels);
}
