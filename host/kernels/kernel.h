#ifndef HOST_KERNELS_KERNEL_H
#define HOST_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/device.h"
#include "scoring/pair_problem.h"
#include "scoring/score_table.h"

/* Descriptions of the kernels, one per .cl file, as data. Variant x is kernel x of x.cl. This room makes no
 * OpenCL call.
 */

typedef struct kernel_config kernel_config;

/* The kinds of gap costs, which are the values of a kernel's GAPS. */
typedef enum kernel_gaps {
  KERNEL_GAPS_LINEAR = 1, /* gap_first == gap_ext: E and F follow from H alone */
  KERNEL_GAPS_AFFINE = 2,
  KERNEL_GAPS_TWO_PIECES = 3
} kernel_gaps;

/* What a variant takes, beside match and mismatch. */
typedef struct kernel_takes {
  bool matrix; /* score matrices */
  bool used;   /* with `matrix`: used pairs (score_table.used) */
  bool pairs;  /* many pairs in one launch (packs/chain_internal.h) */
} kernel_takes;

/* A variant's persistent launches, on devices with device_counters. */
typedef struct kernel_persistence {
  bool single_tiles; /* chains take tiles, which may have to be repeated (strips.clh) */
  int slant; /* steps by which tiles begin earlier than those of the strip above; 0: at the same columns */
  int wide_slant; /* slant of regions with many columns (kernel_slant) */
} kernel_persistence;

/* Most local memory of a group: the sum of three terms. */
typedef struct kernel_local_bytes {
  int64_t lane;  /* bytes for each lane */
  int64_t row;   /* bytes for each of a lane's rows */
  int64_t group; /* bytes for the group */
} kernel_local_bytes;

typedef struct kernel_variant {
  const char *name;
  const char *summary; /* description for --explain */
  int lane_bits;       /* bits of values in lanes, bus and kept rows: 8, 16 or 32 */
  const int *segments; /* columns after which each lane's base moves: legal values of SEGMENT, descending,
                        * 0-terminated; NULL: a tile has one base */
  kernel_takes takes;
  bool columns; /* with look-ups and one piece of gap costs, all lanes work on one column (kernel_lane_lag) */
  int64_t value_limit; /* largest distance of a tile's values from its base (scoring/lane_width.h) */
  int items;           /* work-items of a chain, which computes a tile; 0: lanes / lanes_per_item */
  int lanes_per_item;  /* used if `items` is 0 */
  int chains;          /* chains of a work-group, each with its own strip; 0 means 1 */
  bool for_cpus;       /* chosen for CPU devices only */
  bool packed_pairs;   /* needs cla_device_info's packed_pairs */
  bool short_vectors;  /* chosen only if the device's native vectors have two shorts or more */
  bool shuffles;       /* built for the device's sub-groups, if they have a group's size */
  /* A tile's bus words of 32 bits are kept with the strip's state. In persistent launches words of 64 bits go
   * from strip to strip, on two lines after the bus, or four with two pieces. A kernel NAME_top makes those
   * of a border by rule. */
  bool bus_words;
  kernel_persistence persistent;
  /* With PRUNE: strips begin and end at multiples of this number of columns, and persistent launches take
   * whole strips. 0: strips begin and end at tiles, and the host follows them by diagonals. */
  int run_columns;
  int score_bits;      /* bits, unsigned, that a pair's score plus gap_first must fit; 0: no limit */
  const char *options; /* further build options for NVIDIA's compiler, or NULL */
  const int *lanes;    /* legal values of LANES, ascending, 0-terminated */
  const int *alphas;   /* legal values of ALPHA, ascending, 0-terminated */
  /* Chooses lanes, alpha, launch and groups for a device and a region, and tile_columns or 0, which means as
   * many as keep the device busy. */
  void (*choose)(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns);
  /* Cost of a sweep in a unit common to the variant's configs, for variants whose time does not grow with
   * rows, columns and cells alone. share: part of the cells that is computed; below 1 with PRUNE. Returns 0
   * for a config of unknown cost. Or NULL. */
  double (*cost)(const kernel_config *config, const cla_device_info *device, kernel_gaps gaps, int64_t rows,
                 int64_t columns, double share);
  /* Cost of a strip's step in such a unit. Or NULL. */
  double (*step_cost)(const kernel_config *config, kernel_gaps gaps);
  kernel_local_bytes local_bytes;
} kernel_variant;

/* The ways in which a region's tiles are launched. */
typedef enum kernel_launch {
  KERNEL_DIAGONALS, /* one launch per diagonal of tiles */
  KERNEL_PERSISTENT /* one launch for many diagonals: groups take strips and wait for the strip above */
} kernel_launch;

struct kernel_config {
  const kernel_variant *variant;
  int lanes, alpha;
  int64_t tile_columns; /* a multiple of lanes, <= KERNEL_TILE_LIMIT */
  kernel_launch launch;
  int groups;       /* chains of a persistent launch, which is strips in flight, >= 1; else not used */
  int rows_at_once; /* most kept rows that end in one batch of launches; 0: a few */
};

/* The value of TILE with which kernels are built. Larger tiles are never launched. */
#define KERNEL_TILE_LIMIT 2048

extern const kernel_variant kernel_nvidia16, kernel_nvidia16m, kernel_vector8, kernel_vector16,
    kernel_vector32, kernel_wave16, kernel_wave32;

/* Every variant, fastest first. */
extern const kernel_variant *const kernel_variants[];
extern const int kernel_variant_count;

/* True if two configs are equal; kernel_same_but_tile ignores the tile's width. */
bool kernel_same_config(const kernel_config *a, const kernel_config *b);
bool kernel_same_but_tile(const kernel_config *a, const kernel_config *b);

/* Sets the rows a lane with the least `cost`, which the variant must have for the config. */
void kernel_cheapest_rows(kernel_config *config, const cla_device_info *device, kernel_gaps gaps,
                          int64_t rows, int64_t columns, double share);

/* The config with PRUNE, and the columns in which its strips' runs are counted. */
kernel_config kernel_pruned(const kernel_config *config);
int64_t kernel_run_columns(const kernel_config *config);

/* The variant of that name, or NULL. */
const kernel_variant *kernel_find(const char *name);

/* Whether the device can run the config: group size, local memory, instructions. If not, *reason says why. */
bool kernel_runs_on(const kernel_config *config, const cla_device_info *device, char *reason, int64_t size);

/* Whether the variant is right for the scheme's pair scores (its lanes are the plan's matter). */
bool kernel_takes_scheme(const kernel_variant *variant, const cla_scoring *scoring, const score_table *table,
                         char *reason, int64_t size);

/* Most columns of the config's tiles in a region of that nesting, by the proof of scoring/lane_width.h. They
 * are a multiple of its lanes, at most KERNEL_TILE_LIMIT. 0: the scheme's scores are too large for its lanes.
 */
int64_t kernel_tile_limit(const kernel_config *config, const cla_scoring *scoring, const score_table *table,
                          int nesting);

/* Columns after which the lanes' bases are moved: the variant's largest number that the scheme allows, else
 * its least. kernel_tile_limit tells if that is few enough. 0: a tile has one base. */
int kernel_segment(const kernel_config *config, const cla_scoring *scoring, const score_table *table);

/* Sets config->alpha to the largest legal value up to `most` that leaves `strips_per_unit` strips for each
 * compute unit. More rows a lane make a cell cheaper; more strips keep more of the device busy. */
void kernel_choose_alpha(kernel_config *config, const cla_device_info *device, int64_t rows, int64_t columns,
                         int64_t strips_per_unit, int most);

/* Whether the device's programs go through NVIDIA's own compiler. */
bool kernel_nvidia_compiler(const cla_device_info *device);

/* Chains of a work-group. */
static inline int kernel_chains(const kernel_config *config) {
  return config->variant->chains > 0 ? config->variant->chains : 1;
}

/* Work-items of a group. */
static inline int kernel_group_items(const kernel_config *config) {
  const kernel_variant *variant = config->variant;
  const int items = variant->items > 0 ? variant->items : config->lanes / variant->lanes_per_item;
  return kernel_chains(config) * items;
}

/* Groups of a launch that has a chain for each of `strips` strips. */
static inline int64_t kernel_groups(const kernel_config *config, int64_t strips) {
  const int64_t chains = kernel_chains(config);
  return (strips + chains - 1) / chains;
}

/* Rows of a strip. */
static inline int64_t kernel_strip_rows(const kernel_config *config) {
  return (int64_t)config->lanes * config->alpha;
}

kernel_gaps kernel_gaps_of(const cla_scoring *scoring);

/* The properties for which a kernel is built. */
typedef struct kernel_build {
  bool local;     /* regions with a floor */
  best_kind best; /* the best cell that these regions seek */
  bool matrix;    /* score matrices */
  bool used;      /* some pairs may not be made; needs `matrix` */
  bool prune;     /* tiles that cannot matter are passed over */
  bool pairs;     /* many pairs in one launch */
  kernel_gaps gaps;
  int segment; /* kernel_segment's */
} kernel_build;

/* Columns by which `lane` of a strip stands behind a tile's steps: at step k it works on column k - lag. The
 * last lane's lag is LANES - 1 always. common.clh's LANE_LAG. */
int64_t kernel_lane_lag(const kernel_config *config, const kernel_build *build, int64_t lane);

/* How a region of rows x columns lies in strips and tiles, and the buffers it needs. */
typedef struct kernel_geometry {
  int64_t strips, tiles;       /* tiles per strip */
  int64_t tile_columns, slant; /* cl/shared/strips.clh describes how they make the diagonals */
  int lines;                   /* lines of the bus and of kept rows: H, F and, with two pieces, F2 */
  int64_t stride;              /* values of one line: margin, columns, tail */
  int64_t margin;              /* values before column 0 */
  int64_t value_bytes;         /* bytes of a lane's value */
  int64_t bus_bytes, state_bytes, base_bytes, best_bytes, row_bytes, bottom_bytes, counter_bytes;
  int64_t word_bytes;            /* the end of the bus that must be 0 at first */
  int64_t run_bytes, note_bytes; /* of pruned regions */
} kernel_geometry;

/* Steps by which the config's strips of `columns` columns begin one after the other in a persistent launch.
 */
int64_t kernel_slant(const kernel_config *config, int64_t columns);

kernel_geometry kernel_layout(const kernel_config *config, kernel_gaps gaps, int64_t rows, int64_t columns);

/* The strips that work on `diagonal`: [*first, *last], empty if *first > *last. */
void kernel_diagonal(const kernel_geometry *geometry, int64_t diagonal, int64_t *first, int64_t *last);

/* The number of diagonals. */
int64_t kernel_diagonals(const kernel_geometry *geometry);

/* The diagonals with which `strip` begins and ends. */
int64_t kernel_first_diagonal(const kernel_geometry *geometry, int64_t strip);
int64_t kernel_last_diagonal(const kernel_geometry *geometry, int64_t strip);

/* The diagonal with which a tile of the strip ends. */
int64_t kernel_tile_diagonal(const kernel_geometry *geometry, int64_t strip, int64_t tile);

/* Columns that the last lane of `strip` has passed when all diagonals before `end` have been computed. */
int64_t kernel_columns_passed(const kernel_geometry *geometry, int64_t strip, int64_t end);

/* A panel: strips `first` to `last`, which are computed to their ends before the strips below begin. */
typedef struct kernel_panel {
  int64_t first, last;
} kernel_panel;

/* Tiles of the panel, and of all panels above it, when its diagonals before `diagonal` have been computed,
 * about. */
double kernel_tiles_before(const kernel_geometry *geometry, const kernel_panel *panel, int64_t diagonal);

/* Most kept rows that end in one batch of launches, or in one diagonal. Where chains take strips by ticket,
 * the end of a launch leaves them idle for the time of a strip. So launches over many rows are worth some
 * memory. */
#define KERNEL_ROWS_AT_ONCE_FEW 32
#define KERNEL_ROWS_AT_ONCE_MOST 512
int kernel_rows_at_once(const kernel_geometry *geometry, const kernel_config *config);

/* A region that keeps rows. */
typedef struct kernel_kept_rows {
  int64_t rows, interval; /* number of kept rows; rows from one to the next */
  int64_t panel_rows;     /* computed to their ends before those below; 0: all at once */
  bool prune;
  int64_t window; /* with `prune`: most columns in which a strip is computed; 0: all */
} kernel_kept_rows;

/* Rows that may be in flight at once. */
int64_t kernel_row_slots(const kernel_geometry *geometry, const kernel_config *config,
                         const kernel_kept_rows *kept);

/* Most bytes of a piece in which kept rows come to the host, all lines together. Each thread has one piece.
 */
#define KERNEL_ROW_PIECE_BYTES (INT64_C(1) << 20)
typedef struct kernel_row_pieces {
  int64_t bytes; /* of a piece */
  int count;
  int rows; /* whole ones in a piece: several short ones, because reading takes as long for one, unless
             * pruning gives each nodes of its own */
} kernel_row_pieces;
kernel_row_pieces kernel_row_pieces_for(const kernel_geometry *geometry, const kernel_config *config,
                                        int64_t interval, int threads, bool prune);

/* Nodes of a line that go to the device, or come from it, through the staging memory at once. */
#define KERNEL_NODES_STAGED (INT64_C(1) << 18)

/* The bytes of the memory in which a piece of kept rows is staged. */
int64_t kernel_staged_bytes(const kernel_geometry *geometry);

/* The build options of a config on a device, in `out`. */
void kernel_options(char *out, int64_t size, const kernel_config *config, const cla_device_info *device,
                    kernel_build build);

/* Counters that groups share, common.clh's COUNTER_...: indices of 32-bit integers. */
#define KERNEL_COUNTER_STRIDE 16
#define KERNEL_COUNTER_ABANDONED 1
#define KERNEL_COUNTER_KNOWN KERNEL_COUNTER_STRIDE
#define KERNEL_COUNTER_PROGRESS(strip) ((2 + (strip)) * KERNEL_COUNTER_STRIDE)
#define KERNEL_COUNTERS(strips) ((2 + (strips)) * KERNEL_COUNTER_STRIDE)

/* The kernels' parameter block; common.clh has the same structs and the meaning of each field. */
typedef struct gap_costs {
  struct {
    int64_t first, ext;
  } piece[CLA_GAP_PIECES];
} gap_costs;

/* The scheme's costs; 0 of a piece that it does not have. */
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
  prune_params prune;
} region_params;

/* common.clh's strip_run: of strip s at index s + 1. */
typedef struct strip_run {
  int64_t start, end, stopped, live;
  int64_t corner, edge, open;
  int64_t least, most;
  int64_t start_least, start_most;
  int64_t costs, cost_first, cost_last;
} strip_run;

/* common.clh's tile_note, a line for even and one for odd strips. */
typedef struct tile_note {
  int64_t anchor, flags;
} tile_note;

/* The flags of a tile of the region's upper border, as prune.clh has them of strip -1. */
#define TILE_NOTE_COMPUTED 4
#define TILE_NOTE_RIGHT 2
#define TILE_NOTE_LEFT 1

/* Columns between those that pruning looks at (prune.clh): as many as H, kept modulo its lane's width, can
 * be followed over. */
int64_t kernel_prune_spacing(const kernel_config *config, const cla_scoring *scoring,
                             const score_table *table);

/* common.clh's used_run: pairs that may not be made, as cells of the region from (0,0) on. */
typedef struct strip_used {
  int64_t row, column, length;
} strip_used;

/* common.clh's strip_best. */
typedef struct strip_best {
  int64_t score, row, column;
} strip_best;

#endif
