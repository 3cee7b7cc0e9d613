#ifndef HOST_PLAN_PLAN_H
#define HOST_PLAN_PLAN_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"
#include "scoring/pair_problem.h"
#include "scoring/score_table.h"
#include "tuning/lookup.h"

/* The plan of one pair: all decisions that are made before the sweep, from lengths, scheme, device facts and
 * budgets. No device is opened and nothing is measured. */

/* Windows of a sweep. */
typedef struct plan_windows {
  double share;    /* part of the matrix inside the windows; 0: no windows */
  int64_t bytes;   /* device memory of the windows' costs */
  int64_t columns; /* columns of the widest window of a strip */
} plan_windows;

typedef struct plan_input {
  int64_t rows, columns; /* letters of the query's and the target's range, >= 1 */
  path_ends ends;
  const char *mode; /* the mode's name, for messages */
  bool score_only;
  const cla_scoring *scoring;
  const score_table *table;
  cla_alphabet alphabet; /* for messages */
  bool reverse;          /* the query is the reverse complement of the user's; for messages */
  const cla_device_info *device;
  int devices;             /* devices that share the sweep's rows; 0 means 1 */
  int alike;               /* how many of them are about as fast as this one; 0 means 1 */
  int nesting;             /* nesting of the sweep's region (scoring/lane_width.h); 0: the whole matrix */
  int64_t special_rows;    /* number of kept rows; negative: chosen here */
  int64_t memory_bytes;    /* budget of host memory, > 0 */
  int64_t memory_of_bytes; /* the whole budget of which memory_bytes is a share, for messages; 0: the same */
  int64_t device_memory_bytes;            /* budget of device memory, > 0 */
  bool memory_given, device_memory_given; /* the user gave this budget; for messages */
  bool bound_known;                       /* a path with score `bound` is known */
  int64_t bound;
  int64_t disk_bytes;       /* budget of the sweep's kept rows on disk; 0: they stay in memory */
  const char *kernel;       /* a variant's name, or NULL */
  const char *settings;     /* the kernel's settings by hand (plan/plan_internal.h), or NULL */
  int threads;              /* threads of the host, >= 1 */
  const cla_tuning *tuning; /* records of the device, or NULL */
  plan_windows windows;     /* windows of the sweep (region/region.h) */
} plan_input;

#define PLAN_REASON 1280 /* bytes of plan.reason: room for the path of a record and some words */

/* The blocks of a sweep on several devices (plan/plan_blocks.h). */
typedef struct plan_shared {
  int64_t rows;            /* least rows of a block; 0: as many as keep the device busy */
  int rounds;              /* most blocks of each device; 0: chosen there */
  uint64_t alphas_refused; /* bit i: a block may not have i rows a lane, because that kernel failed */
} plan_shared;

/* Cells of a block's largest band that one thread traces. In a larger one rows are kept, so that threads can
 * share it.
 */
#define PLAN_BAND_CELLS_MOST (INT64_C(1) << 28)

/* Estimates of what the stages take. */
typedef struct plan_prediction {
  int64_t device_bytes; /* device memory */
  int64_t host_bytes;   /* host memory at its peak */
  int64_t disk_bytes;   /* kept rows on disk, uncompressed; 0: none are there */
  int64_t sweep_cells;
  double traceback_cells;   /* cells of the traceback if gaps are few */
  double block_cells;       /* cells of the traceback that the device computes */
  double sweep_seconds;     /* by a record or a sample; negative: neither timed this kernel config */
  double traceback_seconds; /* negative if sweep_seconds is */
  double band_seconds;      /* the bands' part of traceback_seconds */
  int64_t bands;            /* number of bands */
  int64_t band_bytes;       /* bytes of a band's upper row */
} plan_prediction;

/* The use of a potential (bounds/potential.h). BAND and SWEEP are settings by hand, which small pairs follow,
 * too. */
typedef enum plan_bounds {
  PLAN_BOUNDS_CHOSEN, /* by what the potential leaves */
  PLAN_BOUNDS_OFF,    /* no potential */
  PLAN_BOUNDS_BAND,   /* a band on the host in place of the sweep */
  PLAN_BOUNDS_SWEEP   /* windows of the sweep */
} plan_bounds;

/* The traceback between kept rows. */
typedef struct plan_trace {
  int threads;               /* host threads that trace bands */
  int64_t block_rows_kept;   /* most rows that a block keeps within itself, >= 1 */
  int64_t block_bytes;       /* most memory for the kept rows of all nested blocks and one upper row */
  int64_t small_block_rows;  /* a block of at most so many rows is traced on the host */
  int64_t small_block_cells; /* a block of at most so many cells is traced on the host */
  int64_t blocks_ahead;      /* most blocks in work or waiting for the path, >= 1 */
  int64_t band_bytes;        /* most memory of a block's band; 0: no bands */
  int64_t band_interval;     /* lines from one kept line of a band to the next; 0: chosen there */
  int64_t band_rows_least;   /* a block of fewer rows is not traced in a band */
  int64_t wide_rows_least;   /* a block of fewer rows is not traced from many ends at once */
  int64_t ahead_rows_least;  /* with fewer rows to trace, one block follows the other */
} plan_trace;

typedef struct plan {
  kernel_config sweep;
  kernel_config blocks;     /* config of the traceback's blocks and the start search */
  char reason[PLAN_REASON]; /* why this kernel */
  bool prune;               /* the sweep passes over tiles that no path of score `bound` uses */
  int64_t bound;
  double prune_share; /* estimated part of the matrix that a pruned sweep computes */
  int64_t first_rows; /* rows of the first part of a sweep in two, a multiple of the strip's; 0: one part */
  plan_bounds bounds;
  bool kernel_set;    /* some setting other than the bounds was made by hand */
  int64_t panel_rows; /* rows of a panel, a multiple of the strip's; 0: one panel */
  plan_shared shared;
  int64_t special_rows; /* number of rows that the forward sweep keeps */
  int64_t row_interval; /* rows from one kept row to the next, a multiple of the strip's; 0: none kept */
  /* Rows of a block of a kept matrix, a multiple of row_interval; 0: it is not kept. */
  int64_t matrix_block_rows;
  bool verifies;       /* score only: memory suffices to follow the path back from its end where cheap */
  int rows_at_once;    /* kept rows on disk that are taken over or written at once, >= 1 */
  int64_t search_rows; /* rows that the start search looks at first */
  plan_trace trace;
  plan_prediction predicted;
} plan;

/* Makes the plan. Errors: CLA_ERROR_OPTION for a kernel that is unknown or that scheme or device do not
 * allow; CLA_ERROR_MEMORY for a budget that is too small. Then out->predicted has the least bytes of host and
 * device. */
cla_status plan_make(plan *out, const plan_input *input, cla_error *error);

/* Sets the predicted seconds of all stages by those of a sweep over the whole matrix; negative: not known. */
void plan_set_seconds(plan *p, const plan_input *input, double sweep_seconds);

/* True if the kernel of that name can forbid used pairs. */
bool plan_takes_used(const char *kernel);

/* The command that tunes for the input's scores, for messages. */
const char *plan_tune_command(const plan_input *input);

/* The config for a smaller region of the same run: whole->blocks with tiles of fitting width. */
kernel_config plan_region(const plan *whole, const plan_input *input, int64_t columns);

/* The interval of the kept rows in the first part of a sweep in two. Its last row is always kept. */
int64_t plan_first_interval(const plan *whole);

/* The interval of the rows that a traceback block of `rows` rows keeps within itself, a multiple of the
 * strip's rows. 0: it keeps none and is traced letter by letter. Memory has room for `most` rows of the block
 * and the blocks nested in it. If that is too little for several rows in each, the block keeps one, where
 * fewest cells are computed again. */
int64_t plan_block_interval(const plan *whole, int64_t rows, int64_t most);

/* Bytes of a kept row of `nodes` nodes, in memory or uncompressed on disk. */
int64_t plan_row_bytes(const plan_input *input, int64_t nodes);

/* Changes a finished plan for a pruned sweep by `bound`, if that pays and fits the budgets: narrower tiles or
 * other rows a lane, then kept rows and memory. Otherwise only the kept rows change, by the input's bound. */
void plan_prune(plan *out, const plan_input *input, int64_t bound);

/* True if plan_prune would prune for the best bound that is conceivable. */
bool plan_prune_possible(const plan *unpruned, const plan_input *input);

/* Sets matrix_block_rows: an unpruned sweep keeps its whole matrix for the strand's further alignments, in
 * blocks of rows (pipeline/kept_matrix.h). 0 if no rows are kept. `sharing`: devices that share the blocks;
 * more make blocks smaller. Lanes that hold the sweep hold a block, too. Its rows are true rows of the
 * matrix, so scoring/lane_width.h's (2) holds with L = 0. */
void plan_keep(plan *out, const plan_input *input, int sharing);

/* Fits the sweep to blocks of `block_rows` rows that were chosen before, by other rows a lane or another
 * row_interval. Returns false, and changes nothing, if no strips of the kernel fit. */
bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows);

/* Describes a pair that one host thread aligns without a device, and its scores. why: the reason for that
 * way. The caller frees *out with free(). */
cla_status plan_explain_host(char **out, const plan_input *input, const char *why, cla_error *error);

/* Describes the plan in several lines. The caller frees *out with free(). */
cla_status plan_explain(char **out, const plan *what, const plan_input *input, cla_error *error);

#endif
