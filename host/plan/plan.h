#ifndef HOST_PLAN_PLAN_H
#define HOST_PLAN_PLAN_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"
#include "scoring/pair_problem.h"
#include "scoring/score_table.h"
#include "tuning/lookup.h"

/* The plan of one pair: all decisions made before the sweep. They depend on the lengths, the scheme, the
 * device's properties and the budgets. Planning opens no device and measures nothing. */

/* Windows of a sweep. */
typedef struct plan_windows {
  double share;    /* fraction of the matrix that the windows cover, 0 .. 1; 0: no windows */
  int64_t bytes;   /* device memory for the windows' costs */
  int64_t columns; /* columns of the widest window of a strip */
} plan_windows;

typedef struct plan_input {
  int64_t rows, columns; /* letters of the query's and the target's range, >= 1 */
  path_ends ends;
  const char *mode; /* name of the mode, for messages */
  bool score_only;
  const cla_scoring *scoring;
  const score_table *table;
  cla_alphabet alphabet; /* for messages */
  bool reverse;          /* the query is the reverse complement of the user's query; for messages */
  const cla_device_info *device;
  int devices;          /* devices that share the sweep's rows; 0 means 1 */
  int alike;            /* number of these devices that are about as fast as `device`; 0 means 1 */
  int nesting;          /* nesting of the sweep's region (scoring/lane_width.h); 0: the whole matrix */
  int64_t special_rows; /* number of kept rows; negative: plan_make chooses */
  int64_t memory_bytes; /* budget of host memory, > 0 */
  /* The budget of which memory_bytes is a share; 0: memory_bytes is the whole budget; for messages. */
  int64_t memory_of_bytes;
  int64_t device_memory_bytes;            /* budget of device memory, > 0 */
  bool memory_given, device_memory_given; /* the user gave the budget; for messages */
  bool bound_known;                       /* a path with score `bound` is known */
  int64_t bound;
  int64_t disk_bytes;       /* disk budget of the sweep's kept rows; 0: kept rows stay in memory */
  const char *kernel;       /* a variant's name, or NULL */
  const char *settings;     /* kernel settings made by hand (plan/plan_internal.h), or NULL */
  int threads;              /* threads of the host, >= 1 */
  const cla_tuning *tuning; /* records of the device, or NULL */
  plan_windows windows;     /* windows of the sweep (region/region.h) */
} plan_input;

#define PLAN_REASON 1280 /* bytes of plan.reason, enough for a record's path and some words */

/* The blocks of a sweep on several devices (plan/plan_blocks.h). */
typedef struct plan_shared {
  int64_t rows;            /* minimum rows of a block; 0: enough to keep the device busy */
  int rounds;              /* maximum number of blocks of each device; 0: plan_block_device chooses */
  uint64_t alphas_refused; /* bit i set: a kernel with i rows per lane has failed, so no block uses i rows per
                              lane */
} plan_shared;

/* Maximum number of cells of a band that one thread traces. In a block with a larger band, more rows are
 * kept, so that threads can share the work. */
#define PLAN_BAND_CELLS_MOST (INT64_C(1) << 28)

/* Predicted memory, cells and times of the stages. */
typedef struct plan_prediction {
  int64_t device_bytes; /* peak device memory */
  int64_t host_bytes;   /* peak host memory */
  int64_t disk_bytes;   /* bytes of kept rows on disk, uncompressed; 0: no rows on disk */
  int64_t sweep_cells;
  double traceback_cells;   /* cells of the traceback if gaps are few */
  double block_cells;       /* cells that the device computes for the traceback */
  double sweep_seconds;     /* from a record or a sample; negative: neither exists for this config */
  double traceback_seconds; /* negative if sweep_seconds is negative */
  double band_seconds;      /* the share of traceback_seconds that bands take */
  int64_t bands;            /* number of bands */
  int64_t band_bytes;       /* bytes of a band's upper row */
} plan_prediction;

/* How a potential (bounds/potential.h) is used. BAND and SWEEP are set by the user, and also apply to small
 * pairs. */
typedef enum plan_bounds {
  PLAN_BOUNDS_CHOSEN, /* chosen by how much of the matrix the potential does not exclude */
  PLAN_BOUNDS_OFF,    /* no potential */
  PLAN_BOUNDS_BAND,   /* a band on the host instead of the sweep */
  PLAN_BOUNDS_SWEEP   /* windows of the sweep */
} plan_bounds;

/* The traceback between kept rows. */
typedef struct plan_trace {
  int threads;               /* host threads that trace bands */
  int64_t block_rows_kept;   /* maximum number of rows kept within a block, >= 1 */
  int64_t block_bytes;       /* memory limit for the kept rows of all nested blocks and one upper row */
  int64_t small_block_rows;  /* the host traces a block of at most this many rows */
  int64_t small_block_cells; /* the host traces a block of at most this many cells */
  /* Maximum number of blocks that are computed or wait for the path at the same time, >= 1. */
  int64_t blocks_ahead;
  int64_t band_bytes;       /* maximum memory of a block's band; 0: no bands */
  int64_t band_interval;    /* lines from one kept line of a band to the next; 0: chosen by the traceback */
  int64_t band_rows_least;  /* minimum rows of a block that is traced in a band */
  int64_t wide_rows_least;  /* minimum rows of a block that is traced from many ends at once */
  int64_t ahead_rows_least; /* with fewer rows to trace, blocks are computed one after the other */
} plan_trace;

typedef struct plan {
  kernel_config sweep;
  kernel_config blocks;     /* config for the traceback's blocks and the start search */
  char reason[PLAN_REASON]; /* why this kernel was chosen */
  bool prune;               /* the sweep skips tiles that no path of score `bound` uses */
  int64_t bound;
  double prune_share; /* estimated fraction of the matrix that a pruned sweep computes */
  int64_t first_rows; /* rows of a sweep's first part, in whole strips; 0: only one part */
  plan_bounds bounds;
  bool kernel_set;    /* the user made a setting other than the bounds */
  int64_t panel_rows; /* rows of a panel, in whole strips; 0: one panel */
  plan_shared shared;
  int64_t special_rows; /* number of rows that the forward sweep keeps */
  int64_t row_interval; /* rows from one kept row to the next, in whole strips; 0: no rows are kept */
  /* Rows of a block of a kept matrix, a multiple of row_interval; 0: the matrix is not kept. */
  int64_t matrix_block_rows;
  bool verifies;       /* score only: memory suffices to verify the score near the path's end */
  int rows_at_once;    /* number of kept rows received, or written to disk, at the same time; >= 1 */
  int64_t search_rows; /* number of rows that the start search computes first */
  plan_trace trace;
  plan_prediction predicted;
} plan;

/* Makes the plan. Fails with CLA_ERROR_OPTION if the kernel is unknown, or if the scheme or the device does
 * not allow it. Fails with CLA_ERROR_MEMORY if a budget is too small. Then out->predicted has the least
 * bytes of host and device that would suffice. */
cla_status plan_make(plan *out, const plan_input *input, cla_error *error);

/* Predicts the seconds of all stages. `sweep_seconds`: time of a sweep over the whole matrix; negative: not
 * known. */
void plan_set_seconds(plan *p, const plan_input *input, double sweep_seconds);

/* True if the kernel with that name can exclude used pairs. */
bool plan_takes_used(const char *kernel);

/* Returns the command that tunes for the input's scores, for messages. */
const char *plan_tune_command(const plan_input *input);

/* Returns the config for a smaller region of the same run: whole->blocks with tiles that suit `columns`
 * columns. */
kernel_config plan_region(const plan *whole, const plan_input *input, int64_t columns);

/* Returns the interval of the kept rows in the first part of a sweep in two parts. The last row of the first
 * part is always kept. */
int64_t plan_first_interval(const plan *whole);

/* Returns the interval of the rows kept within a traceback block of `rows` rows, a multiple of the strip's
 * rows. 0: no rows are kept, and the block is traced letter by letter. Memory has room for `most` kept rows
 * of the block and its nested blocks. If that is too little for several rows in each, the block keeps one
 * row, placed so that the fewest cells are computed again. */
int64_t plan_block_interval(const plan *whole, int64_t rows, int64_t most);

/* Returns the bytes of a kept row of `nodes` nodes, in memory or uncompressed on disk. */
int64_t plan_row_bytes(const plan_input *input, int64_t nodes);

/* Changes a finished plan to a sweep pruned by `bound`, if pruning saves time and fits the budgets. Tiles
 * may become narrower and the rows per lane may change; kept rows and memory follow. If the sweep is not
 * pruned, only the kept rows change, according to the input's bound. */
void plan_prune(plan *out, const plan_input *input, int64_t bound);

/* True if plan_prune would prune with the best possible bound. */
bool plan_prune_possible(const plan *unpruned, const plan_input *input);

/* Sets matrix_block_rows: an unpruned sweep keeps its whole matrix, in blocks of rows, for the strand's
 * further alignments (pipeline/kept_matrix.h). The result is 0 if no rows are kept. `sharing`: number of
 * devices that share the blocks; more devices get smaller blocks. Lanes that hold the sweep's values also
 * hold a block's values: its rows are true rows of the matrix, so (2) of scoring/lane_width.h holds with L
 * = 0. */
void plan_keep(plan *out, const plan_input *input, int sharing);

/* Adapts the sweep to blocks of `block_rows` rows, a number that was chosen earlier, by changing the rows
 * per lane or row_interval. Returns false, and changes nothing, if no strips of the kernel fit. */
bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows);

/* Describes the scores, and that one host thread aligns the pair without a device. `why`: the reason for
 * using no device. The caller frees *out. */
cla_status plan_explain_host(char **out, const plan_input *input, const char *why, cla_error *error);

/* Describes the plan in several lines. The caller frees *out. */
cla_status plan_explain(char **out, const plan *what, const plan_input *input, cla_error *error);

#endif
