#ifndef HOST_SWEEP_SWEEP_H
#define HOST_SWEEP_SWEEP_H

#include "dp/small_block.h"
#include "rows/work_notes.h"
#include "scoring/pair_problem.h"
#include "sweep/device_team.h"
#include "sweep/progress.h"

/* The forward sweep of one strand, on one device or on several: its score, its end cell and its kept rows. */

/* The begin of a sweep: row 0 at the matrix' top, without a border, or a kept row. */
typedef struct sweep_start {
  int64_t row;
  row_values top;                            /* values of the row, unless `rows` is set; owned */
  const special_rows *rows;                  /* the rows from which the values are read, or NULL */
  int64_t best_score, best_row, best_column; /* best cell of the rows above */
  double seconds;                            /* duration of the rows above */
} sweep_start;

/* Makes a begin below kept row `row`, which becomes the upper border. */
cla_status sweep_start_below(sweep_start *out, const special_rows *rows, int64_t row, int64_t matrix_columns,
                             const cla_scoring *scoring, cla_error *error);
void sweep_start_free(sweep_start *start);

/* Turns a part of a kept row of the region below `start` into a part of a matrix row. */
region_row_part sweep_start_part(const sweep_start *start, const region_row_part *part);

/* The input, the state and the progress of a sweep. */
typedef struct sweep_work {
  const cla_align_options *options;
  score_table table;
  pair_problem problem; /* pair of the two ranges; the query is on the strand that is aligned */
  plan_input input;
  plan plan;
  device_team team;  /* several devices; `input`, `plan` and `engine` are then those of the first one */
  wavefront *engine; /* owned, unless it belongs to a team */
  special_rows *kept;
  bool on_disk; /* the kept rows are a run directory's */
  sweep_start start;
  work_notes *notes;   /* notes of the run's work, or NULL */
  row_windows windows; /* owned; windows of paths that reach plan.bound; count 0: not known */
  strand_progress progress;
} sweep_work;

/* The shape of the run's kept rows. */
row_shape sweep_row_shape(const sweep_work *s);

/* Engines of the devices, with the sweep's kernel built and tested. The traceback's are, too, if the plan has
 * blocks for the device or a long sweep; else sweep_kernel makes them when they are needed. Passed tests are
 * kept for the next run. *seconds: duration. */
cla_status sweep_engines(sweep_work *s, cla_device *device, double *seconds, cla_error *error);

/* Builds and tests a kernel for regions without a best cell, unless the engine's device has it already: a
 * traceback's `kernel`, whose user is the sweep_work. Errors as self_test, and CLA_ERROR_INTERRUPTED. */
cla_status sweep_kernel(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                        cla_error *error);

/* Estimates the seconds of an unpruned sweep over the whole matrix on the device, by a sample of random
 * letters. The sweep's kernel is built and tested for it, and kept. Errors as sweep_engines. */
cla_status sweep_sample(double *seconds, sweep_work *s, cla_device *device, cla_error *error);

/* Sets plan, input and engine to those of the first device that is left, after a device was lost. */
void sweep_follow(sweep_work *s);

/* Replaces the first device, which has failed with `status` and `reason`. CLA_OK if another member can do its
 * work. */
cla_status sweep_lose_first(sweep_work *s, cla_status status, const cla_error *reason, cla_error *error);

/* The best known score at the sweep's present row. */
int64_t sweep_reached(const sweep_work *s);

/* A bound that every path reaches. */
#define SWEEP_NOTHING_KNOWN (-(INT64_C(1) << 60))

/* The region from row `row` to `end`, without borders above and below, rows and callbacks. `bound` is the
 * known score. */
region sweep_region(const sweep_work *s, int64_t row, int64_t end, int64_t bound);

/* Sweeps from s->start to row `end` on the first device. bottom: gets that row, or NULL. */
cla_status sweep_to(sweep_work *s, region_result *result, int64_t end, int64_t row_interval, int64_t *bottom,
                    cla_error *error);

/* Makes the sweep begin below a row that was kept. CLA_ERROR_OUTPUT if it cannot be read again. */
cla_status sweep_go_below(sweep_work *s, int64_t row, cla_error *error);

/* Sweeps from s->start to the last row on all devices of the team, in blocks of rows (plan/plan_blocks.h).
 * Each block is a region whose upper border arrives from the block above. A device that fails is left out,
 * and the sweep goes on below the last whole row. At the end s->start and *result are those of the last
 * block, as after sweep_start_below. bottom: gets the last row, or NULL. *cells: the number of computed
 * cells. */
cla_status sweep_blocks(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                        cla_error *error);

/* The result of a block whose best cell is wanted even if other blocks have better ones. */
typedef struct sweep_part {
  region_result result;
  int64_t least; /* cells with lower scores were not looked for */
} sweep_part;

/* The blocks of a kept matrix, each of `rows` rows or fewer. `take` gets each block once it is done and its
 * rows are kept, from the top down, on the thread that began the sweep. It sets *goes_on to false if lower
 * blocks are not wanted any more. Blocks that begin later need not look for scores below *least. */
typedef struct sweep_parts {
  int64_t rows;
  cla_status (*take)(bool *goes_on, int64_t *least, void *user, const sweep_part *part, cla_error *error);
  void *user;
} sweep_parts;

/* How other processes take part in sweeps. sweep_alone is the table of a process without others. */
typedef struct sweep_peers {
  /* The number of processes, this one included, that share a sweep of such a matrix. planned: its plan; NULL:
   * it is not pruned. *why is the explanation's line that says why others take no part, or NULL. */
  int (*share)(const char **why, const cla_align_options *options, int64_t rows, int64_t columns,
               const plan *planned);
  /* sweep_blocks on the devices of all processes, if they take part. A failure of another process ends the
   * sweep with a message that names it. */
  cla_status (*blocks)(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                       cla_error *error);
  /* Sweeps a kept matrix, from s->start on, on the devices of all processes, if they take part. *cells: the
   * number of computed cells, also in blocks that were not taken. Errors as `blocks`. */
  cla_status (*parts)(int64_t *cells, sweep_work *s, const sweep_parts *parts, cla_error *error);
} sweep_peers;

extern const sweep_peers sweep_alone;

/* Reports the cells of this stage, if a report is due. `user` is the sweep_work. */
cla_status sweep_tick(void *user, int64_t cells, cla_error *error);

/* The best end above a sweep that begins with row 0: one of the upper border. */
void sweep_end_begin(sweep_start *start, const plan_input *input);

/* The node in which the canonical path ends (docs/internals/exactness.md): the best of the ends above the
 * sweep, its best cell and, where that counts, the last row `bottom`. Its value is INT64_MIN where all was
 * passed over for a bound that no path reaches: the caller compares. */
trace_point sweep_end(const sweep_start *start, const plan_input *input, const region_result *result,
                      const int64_t *bottom);

#endif
