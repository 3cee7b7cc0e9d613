#ifndef HOST_SWEEP_SWEEP_H
#define HOST_SWEEP_SWEEP_H

#include "dp/small_block.h"
#include "rows/work_notes.h"
#include "scoring/pair_problem.h"
#include "sweep/device_team.h"
#include "sweep/progress.h"

/* The forward sweep of one strand, on one or several devices. It finds the score and the end cell, and keeps
 * rows. */

/* The start of a sweep: row 0, at the top of the matrix without a border, or a kept row. */
typedef struct sweep_start {
  int64_t row;
  row_values top;                            /* owned; values of the row if `rows` is NULL */
  const special_rows *rows;                  /* rows from which the values are read, or NULL */
  int64_t best_score, best_row, best_column; /* best cell of the rows above */
  double seconds;                            /* seconds of the rows above */
} sweep_start;

/* Makes the start of a sweep below kept row `row`, which becomes the upper border. */
cla_status sweep_start_below(sweep_start *out, const special_rows *rows, int64_t row, int64_t matrix_columns,
                             const cla_scoring *scoring, cla_error *error);
void sweep_start_free(sweep_start *start);

/* Converts a part of a kept row from the coordinates of the region below `start` to those of the matrix. */
region_row_part sweep_start_part(const sweep_start *start, const region_row_part *part);

/* The input, the state and the progress of a sweep. */
typedef struct sweep_work {
  const cla_align_options *options;
  score_table table;
  pair_problem problem; /* pair of the two ranges; the query is on the strand that is aligned */
  plan_input input;
  plan plan;
  device_team team;  /* several devices; `input`, `plan` and `engine` are then those of the first member */
  wavefront *engine; /* owned, unless it belongs to a team */
  special_rows *kept;
  bool on_disk; /* the kept rows are files of a run directory */
  sweep_start start;
  work_notes *notes;   /* records the run's work; NULL: not wanted */
  row_windows windows; /* owned; windows of the paths that reach plan.bound; count 0: not known */
  strand_progress progress;
} sweep_work;

/* Returns the shape of the run's kept rows. */
row_shape sweep_row_shape(const sweep_work *s);

/* Makes the engines of the devices, and builds and tests the sweep's kernel. If the plan has blocks for the
 * device, or the sweep is long, does the same for the traceback's kernels. Otherwise, sweep_kernel does so
 * when a kernel is needed. Kernels that pass are cached for later runs. *seconds receives the duration. */
cla_status sweep_engines(sweep_work *s, cla_device *device, double *seconds, cla_error *error);

/* Builds and tests a kernel for regions without a best cell, unless the engine's device already has the
 * kernel. Can be used as the `kernel` function of a traceback whose user is the sweep_work. Fails like
 * self_test, or with CLA_ERROR_INTERRUPTED. */
cla_status sweep_kernel(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                        cla_error *error);

/* Estimates the seconds of an unpruned sweep over the whole matrix on the device, from a sample of random
 * letters. Builds, tests and caches the sweep's kernel. Fails like sweep_engines. */
cla_status sweep_sample(double *seconds, sweep_work *s, cla_device *device, cla_error *error);

/* Sets plan, input and engine to those of the team's first member that is not lost. */
void sweep_follow(sweep_work *s);

/* Replaces the team's first member, which has failed with `status` and `reason`. Returns CLA_OK if another
 * member can take over. */
cla_status sweep_lose_first(sweep_work *s, cla_status status, const cla_error *reason, cla_error *error);

/* Returns the best score that is known at the start of the sweep. */
int64_t sweep_reached(const sweep_work *s);

/* A bound that every path reaches, for use if no bound is known. */
#define SWEEP_NOTHING_KNOWN (-(INT64_C(1) << 60))

/* Returns the region from row `row` to `end` with the known score `bound`. The values of the upper border,
 * outputs, kept rows and callbacks are not set. */
region sweep_region(const sweep_work *s, int64_t row, int64_t end, int64_t bound);

/* Sweeps from s->start to row `end` on the first device. `bottom` receives row `end`; NULL: not wanted. */
cla_status sweep_to(sweep_work *s, region_result *result, int64_t end, int64_t row_interval, int64_t *bottom,
                    cla_error *error);

/* Makes the sweep start below a kept row. Fails with CLA_ERROR_OUTPUT if the row cannot be read again. */
cla_status sweep_go_below(sweep_work *s, int64_t row, cla_error *error);

/* Sweeps from s->start to the last row on all devices of the team, in blocks of rows (plan/plan_blocks.h).
 * Each block is a region whose upper border arrives from the block above. If a device fails, the sweep
 * continues without it, below the last complete row. At the end, s->start and *result are those of the last
 * block, as after sweep_start_below. `bottom` receives the last row; NULL: not wanted. *cells receives the
 * number of computed cells. */
cla_status sweep_blocks(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                        cla_error *error);

/* The result of a block whose best cell is wanted, even if other blocks have better cells. */
typedef struct sweep_part {
  region_result result;
  int64_t least; /* lower limit of the scores that were sought */
} sweep_part;

/* The blocks of a kept matrix, each with at most `rows` rows. For each block, from top to bottom, `take` is
 * called once the block is done and its rows are kept; on the thread that started the sweep. It sets
 * *goes_on to false if lower blocks are not wanted. Blocks that start later need not seek scores below
 * *least. */
typedef struct sweep_parts {
  int64_t rows;
  cla_status (*take)(bool *goes_on, int64_t *least, void *user, const sweep_part *part, cla_error *error);
  void *user;
} sweep_parts;

/* How other processes take part in sweeps. sweep_alone is the table for a process that works alone. */
typedef struct sweep_peers {
  /* Returns the number of processes, including this one, that share a sweep over rows x columns. `planned`:
   * the sweep's plan; NULL: the sweep is not pruned. *why receives the reason why other processes take no
   * part, as a line of text, or NULL. */
  int (*share)(const char **why, const cla_align_options *options, int64_t rows, int64_t columns,
               const plan *planned);
  /* Like sweep_blocks, but on the devices of all processes that take part. If another process fails, the
   * sweep ends with a message that names the failed process. */
  cla_status (*blocks)(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                       cla_error *error);
  /* Sweeps a kept matrix from s->start on, on the devices of all processes that take part. *cells receives
   * the number of computed cells, also of blocks that were not taken. Fails like `blocks`. */
  cla_status (*parts)(int64_t *cells, sweep_work *s, const sweep_parts *parts, cla_error *error);
} sweep_peers;

extern const sweep_peers sweep_alone;

/* Reports the number of cells done in this stage, if a report is due. `user` is the sweep_work. */
cla_status sweep_tick(void *user, int64_t cells, cla_error *error);

/* Sets the best end above a sweep that starts with row 0. This end lies on the upper border. */
void sweep_end_begin(sweep_start *start, const plan_input *input);

/* Returns the node in which the canonical path ends (docs/internals/exactness.md). It is the best of three:
 * the best end above the sweep, the sweep's best cell and, if paths may end there, the best node of the last
 * row `bottom`. The value is INT64_MIN if all cells were skipped because no path reaches the bound; the
 * caller must check this. */
trace_point sweep_end(const sweep_start *start, const plan_input *input, const region_result *result,
                      const int64_t *bottom);

#endif
