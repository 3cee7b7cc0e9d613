#ifndef HOST_PIPELINE_CHECKPOINT_H
#define HOST_PIPELINE_CHECKPOINT_H

#include "dp/path.h"
#include "pipeline/pipeline.h"
#include "sweep/sweep.h"

/* A run whose state is kept in a run directory (docs/internals/format-run-dir.md). */
typedef struct checkpoint checkpoint;

/* Starts the job's run in options->run.directory or, with options->run.resume, resumes it. Locks the
 * folder. Damaged files are ignored with a note, but a damaged manifest is an error. Fails like cla_align.
 * The rival's score is part of the run, because rows are pruned by it. A run of both strands has a folder
 * with manifest and result, and in it a folder for each strand. */
cla_status checkpoint_open(checkpoint **out, const align_job *job, cla_error *error);

/* Unlocks the folder and frees the checkpoint. Special rows must be freed before, because no thread may
 * write to an unlocked folder. If a failed run can be resumed, the error message says so. NULL is allowed. */
void checkpoint_close(checkpoint *c, cla_status status, cla_error *error);

/* Opens the special rows in the folder. `threads` threads write them. */
cla_status checkpoint_rows(special_rows **out, checkpoint *c, const row_shape *shape, int threads,
                           cla_error *error);

/* Returns the end cell if the sweep is done, otherwise NULL. If `metrics` is not NULL, sets the sweep's
 * cells, sweep_seconds and seconds. */
const trace_point *checkpoint_end(const checkpoint *c, cla_metrics *metrics);

/* Returns the row below which the sweep starts: the last undamaged row, or 0. Drops the rows further down. */
int64_t checkpoint_sweep_row(const checkpoint *c, special_rows *rows);

/* Ends the sweep: waits for its rows, and saves its end cell. */
cla_status checkpoint_swept(checkpoint *c, special_rows *rows, const trace_point *end,
                            const cla_metrics *metrics, cla_error *error);

/* Loads the saved path and its current point. If there is no saved path, *point and *steps do not change. */
cla_status checkpoint_load_path(checkpoint *c, trace_point *point, path *steps, cla_error *error);

/* Saves the path computed so far, if enough time has passed. `user` is the checkpoint. */
cla_status checkpoint_save_path(void *user, const trace_point *point, const path *steps, cla_error *error);

/* Drops the saved path, because it is wrong. */
void checkpoint_forget_path(checkpoint *c);

/* Writes result.cla. */
cla_status checkpoint_save_result(checkpoint *c, const cla_alignment *alignment, cla_error *error);

/* Ends the run of a strand that has lost against its rival. There is no result. Frees the rows' disk space.
 */
cla_status checkpoint_end_run(checkpoint *c, cla_error *error);

/* Ends the run: writes result.cla and, if there is one, the whole path. Frees the rows' disk space. */
cla_status checkpoint_finish(checkpoint *c, const cla_alignment *alignment, cla_error *error);

#endif
