#ifndef HOST_KERNELS_KERNEL_H
#define HOST_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/device.h"
#include "scoring/lane_width.h"
#include "scoring/pair_problem.h"
#include "scoring/score_table.h"

/* Descriptions of the kernels as data, one per .cl file. Variant x describes kernel x of x.cl. The files in
 * kernels/ do not call OpenCL. */

typedef struct kernel_config kernel_config;

/* The kinds of gap costs. The numbers are the values of the build option GAPS. */
typedef enum kernel_gaps {
  KERNEL_GAPS_LINEAR = 1, /* gap_first == gap_ext: E and F follow from H alone */
  KERNEL_GAPS_AFFINE = 2,
  KERNEL_GAPS_TWO_PIECES = 3
} kernel_gaps;

/* What a variant can compute in addition to match and mismatch scores. */
typedef struct kernel_takes {
  bool matrix; /* score matrices */
  bool used;   /* with `matrix`: used pairs (score_table.used) */
  bool pairs;  /* many pairs in one launch (packs/chain_internal.h) */
} kernel_takes;

/* How a variant's persistent launches work on devices that have counters (cla_device_info). */
typedef struct kernel_persistence {
  bool single_tiles; /* chains process single tiles, some of which are tried again later (strips.clh) */
  /* Steps from the start of a strip's tile to the start of the tile below; 0: both start at the same
   * column. */
  int slant;
  int wide_slant; /* like `slant`, for regions with many columns (kernel_slant) */
} kernel_persistence;

/* Local memory of a group, in bytes: the sum of three terms. */
typedef struct kernel_local_bytes {
  int64_t lane;  /* bytes for each lane */
  int64_t row;   /* bytes for each row of a lane */
  int64_t group; /* bytes for the group */
} kernel_local_bytes;

typedef struct kernel_variant {
  const char *name;
  const char *summary; /* description for --explain */
  int lane_bits;       /* bits of values in lanes, bus and kept rows: 8, 16 or 32 */
  /* Legal values of SEGMENT, the number of columns from one move of the lanes' bases to the next;
   * descending, ending with 0; NULL: a tile has one base. */
  const int *segments;
  kernel_takes takes;
  bool columns;        /* with look-ups and one piece of gap costs, all lanes work on the same column */
  int64_t value_limit; /* largest distance of a tile's values from its base (scoring/lane_width.h) */
  int items; /* number of work-items of a chain, which compute a tile together; 0: lanes / lanes_per_item */
  int lanes_per_item; /* used if `items` is 0 */
  int chains;         /* number of chains of a work-group, each with its own strip; 0 means 1 */
  bool for_cpus;      /* chosen for CPU devices only */
  bool packed_pairs;  /* needs packed_pairs of cla_device_info */
  bool short_vectors; /* chosen only if the device's native vectors have two shorts or more */
  bool byte_scores; /* programs without look-ups may take pair scores from bytes (BYTE_SCORES in wave.clh) */
  bool fixed_costs; /* programs have the scheme's gap costs as constants */
  bool shuffles;    /* uses shuffles if a sub-group of the device has the size of a group */
  /* A strip's state contains the bus words of a tile, 32 bits each. In persistent launches, strips pass words
   * of 64 bits to each other. These words are stored behind the bus: two lines, or four lines with two pieces
   * of gap costs. The kernel NAME_top writes the words of an upper border that follows a rule. */
  bool bus_words;
  kernel_persistence persistent;
  /* With PRUNE, strips start and end at multiples of this number of columns, and persistent launches compute
   * whole strips. 0: strips start and end at tiles, and the host launches diagonals. */
  int run_columns;
  int rise_most;  /* values may be raised by gap_ext for each column of a tile, if it is at most this */
  int score_bits; /* a pair's score plus gap_first must fit into this number of bits, unsigned; 0: no limit */
  const char *options; /* further build options for NVIDIA's compiler, or NULL */
  const int *lanes;    /* legal values of LANES, ascending, ending with 0 */
  const int *alphas;   /* legal values of ALPHA, ascending, ending with 0 */
  /* Chooses lanes, alpha, launch, groups and tile_columns for a device and a region. tile_columns 0: the
   * plan should choose a width that keeps the device busy. */
  void (*choose)(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns);
  /* Returns the cost of a sweep, in the same unit for all configs of the variant; 0 if the cost is not
   * known. `share` is the part of the cells that is computed, below 1 with PRUNE. The pointer is NULL if
   * the variant's time depends only on rows, columns and cells. */
  double (*cost)(const kernel_config *config, const cla_device_info *device, kernel_gaps gaps, int64_t rows,
                 int64_t columns, double share);
  /* Returns the cost of a strip's step, in the unit of `cost`. The pointer is NULL if the cost is not
   * known. */
  double (*step_cost)(const kernel_config *config, kernel_gaps gaps);
  kernel_local_bytes local_bytes;
} kernel_variant;

/* The ways in which a region's tiles are launched. */
typedef enum kernel_launch {
  KERNEL_DIAGONALS, /* one launch per diagonal of tiles */
  /* One launch for many diagonals: each group computes strips, waiting for the strip above. */
  KERNEL_PERSISTENT
} kernel_launch;

struct kernel_config {
  const kernel_variant *variant;
  int lanes, alpha;
  int64_t tile_columns; /* a multiple of lanes, <= KERNEL_TILE_LIMIT */
  kernel_launch launch;
  int groups;       /* persistent launches: number of chains, each with a strip in progress, >= 1 */
  int rows_at_once; /* largest number of kept rows that end in one batch of launches; 0: few */
};

/* The value of TILE in all builds: the largest width of a tile. */
#define KERNEL_TILE_LIMIT 2048

extern const kernel_variant kernel_nvidia16, kernel_nvidia16m, kernel_vector8, kernel_vector16,
    kernel_vector32, kernel_wave16, kernel_wave32;

/* All variants, in the order of their speed, fastest first. */
extern const kernel_variant *const kernel_variants[];
extern const int kernel_variant_count;

/* True if two configs are equal; kernel_same_but_tile ignores the tile's width. */
bool kernel_same_config(const kernel_config *a, const kernel_config *b);
bool kernel_same_but_tile(const kernel_config *a, const kernel_config *b);

/* Sets config->alpha to the number of rows per lane for which the variant's `cost` is least. The variant must
 * have the function `cost`, which must return a known cost for the config. */
void kernel_cheapest_rows(kernel_config *config, const cla_device_info *device, kernel_gaps gaps,
                          int64_t rows, int64_t columns, double share);

/* kernel_pruned returns the config for PRUNE. kernel_run_columns returns a number of columns; pruned strips
 * start and end at multiples of it. */
kernel_config kernel_pruned(const kernel_config *config);
int64_t kernel_run_columns(const kernel_config *config);

/* Returns the variant of that name, or NULL. */
const kernel_variant *kernel_find(const char *name);

/* True if the device can run the config, considering group size, local memory and instructions. If not,
 * writes the reason. */
bool kernel_runs_on(const kernel_config *config, const cla_device_info *device, char *reason, int64_t size);

/* True if the variant can compute with the scheme's pair scores. If not, writes the reason. Does not check
 * whether the kernel's lanes are wide enough; the plan does that. */
bool kernel_takes_scheme(const kernel_variant *variant, const cla_scoring *scoring, const score_table *table,
                         char *reason, int64_t size);

/* Returns the largest allowed width of the config's tiles in a region with depth `nesting`, according to
 * scoring/lane_width.h. The width is a multiple of the config's lanes, and at most KERNEL_TILE_LIMIT. Returns
 * 0 if the scheme's scores are too large for the lanes. */
int64_t kernel_tile_limit(const kernel_config *config, const cla_scoring *scoring, const score_table *table,
                          int nesting);

/* Returns the number of columns from one move of the lanes' bases to the next: the largest element of
 * variant->segments that the scheme allows. If the scheme allows none, returns the smallest element, which
 * kernel_tile_limit may reject. Returns 0 if a tile has one base. */
int kernel_segment(const kernel_config *config, const cla_scoring *scoring, const score_table *table);

/* Returns the values that a lane's first row may have at a segment's start, in a region with depth `nesting`
 * (scoring/lane_width.h). The variant has segments. */
lane_start kernel_lane_start(const kernel_config *config, const cla_scoring *scoring,
                             const score_table *table, int nesting);

/* Sets config->alpha to the largest legal value up to `most` with which each compute unit gets at least
 * `strips_per_unit` strips. With more rows per lane, a cell takes less time; with more strips, more of the
 * device is busy. */
void kernel_choose_alpha(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns,
                         int64_t strips_per_unit, int most);

/* True if the device's programs are compiled by NVIDIA's own compiler. */
bool kernel_nvidia_compiler(const cla_device_info *device);

/* Returns the number of chains of a work-group. */
static inline int kernel_chains(const kernel_config *config) {
  return config->variant->chains > 0 ? config->variant->chains : 1;
}

/* Returns the number of work-items of a group. */
static inline int kernel_group_items(const kernel_config *config) {
  const kernel_variant *variant = config->variant;
  const int items = variant->items > 0 ? variant->items : config->lanes / variant->lanes_per_item;
  return kernel_chains(config) * items;
}

/* Returns the number of groups of a launch that has a chain for each of `strips` strips. */
static inline int64_t kernel_groups(const kernel_config *config, int64_t strips) {
  const int64_t chains = kernel_chains(config);
  return (strips + chains - 1) / chains;
}

/* Returns the number of rows of a strip. */
static inline int64_t kernel_strip_rows(const kernel_config *config) {
  return (int64_t)config->lanes * config->alpha;
}

kernel_gaps kernel_gaps_of(const cla_scoring *scoring);

/* The properties for which a kernel is built. */
typedef struct kernel_build {
  bool local;     /* regions with a floor */
  best_kind best; /* the kind of best cell that regions search for */
  bool matrix;    /* score matrices */
  bool used;      /* used pairs may not be aligned again; needs `matrix` */
  bool prune;     /* tiles that cannot contain a part of an optimal path are skipped */
  bool pairs;     /* many pairs in one launch */
  kernel_gaps gaps;
  const cla_scoring *scoring; /* programs of variants with fixed_costs contain its gap costs */
  const score_table *table;   /* the pair scores; NULL is allowed if the variant has no byte_scores */
  int segment;                /* result of kernel_segment */
} kernel_build;

/* Returns the lag of lane `lane` of a strip, in columns: at step k of a tile, the lane computes column k -
 * lag. The last lane's lag is always LANES - 1. LANE_LAG of common.clh computes the same. */
int64_t kernel_lane_lag(const kernel_config *config, const kernel_build *build, int64_t lane);

/* The strips and tiles of a region of rows x columns, and the sizes of its buffers. */
typedef struct kernel_geometry {
  int64_t strips, tiles;       /* number of strips, and of tiles per strip */
  int64_t tile_columns, slant; /* two numbers that define the tile diagonals (cl/shared/strips.clh) */
  int lines;           /* lines of the bus and of kept rows: H, F and, with two pieces of gap costs, F2 */
  int64_t stride;      /* number of values of one line: margin, columns and tail */
  int64_t margin;      /* number of values before column 0 */
  int64_t value_bytes; /* bytes of a lane's value */
  int64_t bus_bytes, state_bytes, base_bytes, best_bytes, row_bytes, bottom_bytes, counter_bytes;
  int64_t word_bytes;            /* bytes at the end of the bus that must be 0 before the first launch */
  int64_t run_bytes, note_bytes; /* sizes of the buffers that only pruned regions need */
} kernel_geometry;

/* Returns the number of steps by which a strip starts later than the strip above, in a persistent launch over
 * `columns` columns. */
int64_t kernel_slant(const kernel_config *config, int64_t columns);

kernel_geometry kernel_layout(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);

/* Sets [*first, *last] to the range of strips with a tile on `diagonal`; the range is empty if *first >
 * *last. */
void kernel_diagonal(const kernel_geometry *geometry, int64_t diagonal, int64_t *first, int64_t *last);

/* Returns the number of tile diagonals. */
int64_t kernel_diagonals(const kernel_geometry *geometry);

/* These functions return the first and the last diagonal with a tile of `strip`. */
int64_t kernel_first_diagonal(const kernel_geometry *geometry, int64_t strip);
int64_t kernel_last_diagonal(const kernel_geometry *geometry, int64_t strip);

/* Returns the diagonal in which tile `tile` of the strip ends. */
int64_t kernel_tile_diagonal(const kernel_geometry *geometry, int64_t strip, int64_t tile);

/* Returns the number of columns that the last lane of `strip` has computed after all diagonals before `end`.
 */
int64_t kernel_columns_passed(const kernel_geometry *geometry, int64_t strip, int64_t end);

/* A panel: the strips `first` to `last`. All of them are completed before the strips below them start. */
typedef struct kernel_panel {
  int64_t first, last;
} kernel_panel;

/* Returns the approximate number of tiles that are done when the panel reaches `diagonal`. The tiles of all
 * panels above it are included. */
double kernel_tiles_before(const kernel_geometry *geometry, const kernel_panel *panel, int64_t diagonal);

/* Limits of the number of kept rows that end in one batch of launches. If chains take strips by ticket,
 * they are idle at the end of a launch for the time of one strip. So it is worth using more memory for
 * launches over many rows. */
#define KERNEL_ROWS_AT_ONCE_FEW 32
#define KERNEL_ROWS_AT_ONCE_MOST 512
int kernel_rows_at_once(const kernel_geometry *geometry, const kernel_config *config);

/* A region that keeps rows. */
typedef struct kernel_kept_rows {
  int64_t rows, interval; /* rows of the region; distance from one kept row to the next */
  int64_t panel_rows;     /* rows of a panel; 0: the region is one panel */
  bool prune;
  int64_t window; /* with `prune`: largest number of columns computed in a strip; 0: all */
} kernel_kept_rows;

/* Returns the number of kept rows for which the device needs room at the same time. */
int64_t kernel_row_slots(const kernel_geometry *geometry, const kernel_config *config,
                         const kernel_kept_rows *kept);

/* Kept rows are copied to the host in pieces of at most this number of bytes, counting all lines. Each thread
 * has one piece. */
#define KERNEL_ROW_PIECE_BYTES (INT64_C(1) << 20)
typedef struct kernel_row_pieces {
  int64_t bytes; /* bytes of a piece */
  int count;
  /* Number of rows in a piece. If rows are short, a piece has several, because reading a single row takes
   * as long. If rows are pruned, it has one. */
  int rows;
} kernel_row_pieces;
kernel_row_pieces kernel_row_pieces_for(const kernel_geometry *geometry, const kernel_config *config,
                                        int64_t interval, int threads, bool prune);

/* Largest number of nodes of a line in the staging memory. */
#define KERNEL_NODES_STAGED (INT64_C(1) << 18)

/* Returns the size in bytes of the memory in which a piece of kept rows is staged. */
int64_t kernel_staged_bytes(const kernel_geometry *geometry);

/* Writes the build options of a config on a device to `out`. */
void kernel_options(char *out, int64_t size, const kernel_config *config, const cla_device_info *device,
                    kernel_build build);

/* Indices of the counters that groups share. The counters are 32-bit integers (COUNTER_... in common.clh). */
#define KERNEL_COUNTER_STRIDE 16
#define KERNEL_COUNTER_ABANDONED 1
#define KERNEL_COUNTER_KNOWN KERNEL_COUNTER_STRIDE
#define KERNEL_COUNTER_PROGRESS(strip) ((2 + (strip)) * KERNEL_COUNTER_STRIDE)
#define KERNEL_COUNTERS(strips) ((2 + (strips)) * KERNEL_COUNTER_STRIDE)

/* The kernels' parameter block; common.clh defines the same structs and explains each field. */
typedef struct gap_costs {
  struct {
    int64_t first, ext;
  } piece[CLA_GAP_PIECES];
} gap_costs;

/* Returns the scheme's gap costs; the costs of a missing piece are 0. */
gap_costs kernel_gap_costs(const cla_scoring *scoring);

typedef struct prune_params {
  int64_t bound, down_ext, across_ext, spacing, rows_beyond;
  int64_t bucket, diagonals, letters, known;
} prune_params;

typedef struct region_params {
  int64_t rows, columns;
  int64_t query_first, target_first;
  int64_t query_step, target_step;
  int64_t strips, tiles, tile_columns;
  int64_t corner;
  gap_costs left, top, gap;
  int64_t match, mismatch, largest;
  int64_t row_interval, row_slots;
  int64_t bottom;
  int64_t stride;
  int64_t known_shift;
  int64_t slant;
  int64_t lane_least, lane_most;
  prune_params prune;
} region_params;

/* The same as strip_run in common.clh. The element for strip s is at index s + 1. */
typedef struct strip_run {
  int64_t start, end, stopped, live;
  int64_t corner, edge, open;
  int64_t least, most;
  int64_t start_least, start_most;
  int64_t costs, cost_first, cost_last;
} strip_run;

/* The same as tile_note in common.clh. There is a line of notes for even strips, and one for odd strips. */
typedef struct tile_note {
  int64_t anchor, flags;
} tile_note;

/* The flags of tiles on the region's upper border, which prune.clh treats as strip -1. */
#define TILE_NOTE_COMPUTED 4
#define TILE_NOTE_RIGHT 2
#define TILE_NOTE_LEFT 1

/* Returns the distance, in columns, between the nodes that pruning samples (prune.clh). H is stored modulo
 * 2^bits of a lane. From one sampled node to the next, H changes so little that its true value can be
 * derived. */
int64_t kernel_prune_spacing(const kernel_config *config, const cla_scoring *scoring,
                             const score_table *table);

/* The same as used_run in common.clh: pairs that may not be aligned, as cells of the region, counted from
 * (0,0). */
typedef struct strip_used {
  int64_t row, column, length;
} strip_used;

/* The same as strip_best in common.clh. */
typedef struct strip_best {
  int64_t score, row, column;
} strip_best;

#endif
