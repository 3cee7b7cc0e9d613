#ifndef HOST_PLAN_PLAN_H
#define HOST_PLAN_PLAN_H

#include <stdbool.h>

#include "clalign/device.h"
#include "kernels/kernel.h"
#include "scoring/pair_problem.h"
#include "scoring/score_table.h"
#include "tuning/lookup.h"

/* From lengths, scheme, device facts and budgets to everything the pipeline decides beforehand. A pure
 * function: no device is opened, nothing is measured. */

/* Windows of a sweep. */
typedef struct plan_windows {
  double share;    /* of the matrix, that they leave; 0: there are none */
  int64_t bytes;   /* of device memory, for what is known of them */
  int64_t columns; /* of a strip, that they leave at most */
} plan_windows;

typedef struct plan_input {
  int64_t rows, columns; /* letters of the query's and the target's range, >= 1 */
  path_ends ends;
  const char *mode; /* the name of what the ends are, for people */
  bool score_only;
  const cla_scoring *scoring;
  const score_table *table;
  cla_alphabet alphabet; /* for people, as what follows */
  bool reverse;          /* the query is the reverse complement of what the user has */
  const cla_device_info *device;
  int devices;                 /* that share the rows of the sweep; 0 as 1 */
  int alike;                   /* of these, that have about as many as this one; 0 as 1 */
  int nesting;                 /* of the sweep's region (scoring/lane_width.h): 0 if it is the whole matrix */
  int64_t special_rows;        /* negative: chosen here */
  int64_t memory_bytes;        /* budget of host memory, > 0, */
  int64_t memory_of_bytes;     /* which is a share of that, for messages; 0: it is all */
  int64_t device_memory_bytes; /* budget of device memory, > 0 */
  bool memory_given, device_memory_given; /* by the user, for messages */
  bool bound_known;                       /* a path is known that scores `bound` */
  int64_t bound;
  int64_t disk_bytes;       /* budget of the sweep's special rows on disk, > 0; 0: they stay in RAM */
  const char *kernel;       /* a variant's name, or NULL */
  const char *settings;     /* of it by hand (plan/plan_internal.h), or NULL */
  int threads;              /* of the host, >= 1 */
  const cla_tuning *tuning; /* records of the device, or NULL */
  plan_windows windows;     /* of the sweep (wavefront/region.h) */
} plan_input;

#define PLAN_REASON 1280 /* letters: the path of a record and some words */

/* The blocks of a sweep on several devices (plan/plan_blocks.h). */
typedef struct plan_shared {
  int64_t rows;            /* of a block, at least; 0: as many as keep the device busy */
  int rounds;              /* blocks of each device, at most; 0: chosen there */
  uint64_t alphas_refused; /* rows a lane, a bit each, that a block may not have in place of the sweep's:
                            * their kernel failed */
} plan_shared;

/* A block with a larger band keeps rows, so that several threads can trace its parts. */
#define PLAN_BAND_CELLS_MOST (INT64_C(1) << 28)

/* What the stages are likely to take. */
typedef struct plan_prediction {
  int64_t device_bytes; /* of device memory */
  int64_t host_bytes;   /* of host memory, at its peak */
  int64_t disk_bytes;   /* of the special rows on disk, if they cannot be compressed; 0: none there */
  int64_t sweep_cells;
  double traceback_cells;   /* more where gaps can lie anywhere */
  double block_cells;       /* the part of the traceback's cells that the device computes */
  double sweep_seconds;     /* from a record; negative: no record timed this kernel config, nor a sample */
  double traceback_seconds; /* an estimate; negative where sweep_seconds is */
  double band_seconds;      /* of these: bands; of each of which */
  int64_t bands;            /* there are so many; */
  int64_t band_bytes;       /* its upper row has so many */
} plan_prediction;

/* What a potential (bound/potential.h) serves, if it is made: chosen by what it leaves; nothing; a band on
 * the host in place of the sweep; windows of the sweep. By hand it is made of every pair for which it can be,
 * small ones too. */
typedef enum plan_bounds {
  PLAN_BOUNDS_CHOSEN,
  PLAN_BOUNDS_OFF,
  PLAN_BOUNDS_BAND,
  PLAN_BOUNDS_SWEEP
} plan_bounds;

/* How the path is traced between kept rows. */
typedef struct plan_trace {
  int threads;               /* of the host, which trace bands */
  int64_t block_rows_kept;   /* the most rows that a traceback block keeps within itself, >= 1 */
  int64_t block_bytes;       /* the most memory for these rows of all nested blocks, and one's upper row */
  int64_t small_block_rows;  /* a block of so few rows is traced on the host, */
  int64_t small_block_cells; /* or of so few cells */
  int64_t blocks_ahead;      /* between kept rows, in work or waiting for the path, >= 1 */
  int64_t band_bytes;        /* the most memory that each may take for its band; 0: none are computed */
  int64_t band_interval;     /* between lines kept in a band; 0: chosen there */
  int64_t band_rows_least;   /* a block of fewer rows is not traced in its band */
  int64_t wide_rows_least;   /* nor with many ends at once, where the path's is not known */
  int64_t ahead_rows_least;  /* rows of fewer are traced one block after the other */
} plan_trace;

typedef struct plan {
  kernel_config sweep;
  kernel_config blocks;     /* of all regions but the sweep: traceback's blocks, the start search */
  char reason[PLAN_REASON]; /* why this kernel */
  bool prune;               /* the sweep passes over what no path uses that reaches `bound` */
  int64_t bound;
  double prune_share; /* of the matrix that is computed then, about */
  int64_t first_rows; /* that the sweep computes to the end before it goes on below, a multiple of the
                       * strip's rows; 0: all at once (plan_prune.c) */
  plan_bounds bounds;
  bool kernel_set;    /* something but the bounds is set by hand */
  int64_t panel_rows; /* of a panel of the sweep, a multiple of the strip's rows; 0: all are one */
  plan_shared shared;
  int64_t special_rows; /* kept by the forward sweep */
  int64_t row_interval; /* of the sweep's special rows, a multiple of the strip's rows; 0 for none */
  int64_t
      matrix_block_rows; /* of a matrix that is kept (plan_keep), a multiple of row_interval; 0: none is */
  bool verifies; /* score only: enough memory to follow the path back from its end, as far as that is cheap */
  int rows_at_once;    /* of those on disk: threads that take them over, and others that write, >= 1 */
  int64_t search_rows; /* rows that the start search looks at first */
  plan_trace trace;
  plan_prediction predicted;
} plan;

/* Errors: CLA_ERROR_OPTION (an unknown kernel, one that the scheme or device does not allow),
 * CLA_ERROR_MEMORY (a budget below the least that would do, which the message names; then out->predicted has
 * the least bytes of host and device). */
cla_status plan_make(plan *out, const plan_input *input, cla_error *error);

/* Sets what the stages take by the seconds of a sweep over the whole matrix; negative: not known. */
void plan_set_seconds(plan *p, const plan_input *input, double sweep_seconds);

/* Whether the kernel of that name can keep paths from pairs that they may not make. */
bool plan_takes_used(const char *kernel);

/* The command that makes the tuning record's entries for such scores, for people. */
const char *plan_tune_command(const plan_input *input);

/* The config for a smaller region of the same run: `blocks` with tiles of fitting width. */
kernel_config plan_region(const plan *whole, const plan_input *input, int64_t columns);

/* The interval of the rows that the first part of a sweep in two keeps: its last one, at least. */
int64_t plan_first_interval(const plan *whole);

/* The interval of the rows that a traceback block of `rows` rows keeps within itself, a multiple of the
 * strip's rows; 0 if it keeps none and is traced letter by letter. Memory has room for `most` rows of it and
 * of the blocks within it: where that is too little for several rows in each, it keeps one, in the place from
 * which fewest cells are computed again. */
int64_t plan_block_interval(const plan *whole, int64_t rows, int64_t most);

/* Memory of a special row of so many nodes, or disk where it cannot be compressed. */
int64_t plan_row_bytes(const plan_input *input, int64_t nodes);

/* The part of the matrix that is computed, about, when some path is known to reach `bound`: 0 .. 1. For local
 * alignments the cells that a path may start in; the others lie near paths that score high. */
double plan_prune_share(const plan_input *input, int64_t bound);

/* Lets the sweep of a plan that has been made pass over what no path can use that reaches `bound`, if that
 * saves enough to pay: with narrower tiles or other rows a lane. Rows and memory follow. Where it does not,
 * or a budget has no room, only rows follow that suit a pair with the input's bound. */
void plan_prune(plan *out, const plan_input *input, int64_t bound);

/* Whether plan_prune would make the sweep pass over something for the best bound that there can be. */
bool plan_prune_possible(const plan *unpruned, const plan_input *input);

/* Lets a sweep that passes over nothing keep its whole matrix for the strand's further alignments, in blocks
 * of rows (pipeline/kept_matrix.h): sets the plan's matrix_block_rows, a multiple of row_interval, or 0 where
 * no rows are kept. So many devices share the blocks out: these are smaller then, for each to have some.
 * Lanes hold a block if they hold the sweep: no row was pruned, so its values are those of the matrix, of
 * which scoring/lane_width.h says (2) with L = 0. */
void plan_keep(plan *out, const plan_input *input, int sharing);

/* Lets the sweep go in blocks of `block_rows` rows that have been chosen before: other rows a lane and
 * another row_interval, if need be. False, and nothing is changed, where the kernel has no strips that fit.
 */
bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows);

/* Likewise the pair and its scores, for which there is no plan: one thread of the host does without a device.
 */
cla_status plan_explain_host(char **out, const plan_input *input, const char *why, cla_error *error);

/* The plan as text of several lines for a person; the caller frees *out with free(). */
cla_status plan_explain(char **out, const plan *what, const plan_input *input, cla_error *error);

#endif
