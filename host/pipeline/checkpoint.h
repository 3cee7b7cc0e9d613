#ifndef HOST_PIPELINE_CHECKPOINT_H
#define HOST_PIPELINE_CHECKPOINT_H

#include "pipeline/pipeline.h"
#include "team/sweep.h"
#include "trace/path.h"

/* A run that is kept in a run directory (docs/internals/format-run-dir.md): begun, gone on with, finished. */
typedef struct checkpoint checkpoint;

/* Begins the job's run in options->run.directory or, with options->run.resume, goes on with it, and locks the
 * folder. What is damaged there is noted and left out, but for the manifest. Errors as cla_align. What the
 * job's rival asks for is part of the run, as rows are pruned by it. A run of both strands has a folder with
 * a manifest and the result, and in it one for each strand. */
cla_status checkpoint_open(checkpoint **out, const align_job *job, cla_error *error);

/* Unlocks the folder, in which nobody may write any more: special rows are to be freed before. Adds to the
 * message of a failure that the run can be resumed, where it can. NULL is allowed. */
void checkpoint_close(checkpoint *c, cla_status status, cla_error *error);

/* Opens the special rows in the folder, of which so many threads write. */
cla_status checkpoint_rows(special_rows **out, checkpoint *c, const row_shape *shape, int threads,
                           cla_error *error);

/* The end cell if the sweep is done, else NULL; and, unless NULL, what it took: cells,
 * sweep_seconds, seconds. */
const trace_point *checkpoint_end(const checkpoint *c, cla_metrics *metrics);

/* The row below which the sweep begins: the last sound one, or 0. Those below it are dropped. */
int64_t checkpoint_sweep_row(const checkpoint *c, special_rows *rows);

/* The sweep is done: waits for its rows and writes down its end cell. */
cla_status checkpoint_swept(checkpoint *c, special_rows *rows, const trace_point *end,
                            const cla_metrics *metrics, cla_error *error);

/* The path so far and where it stands, if there is one; else both are left as they are. */
cla_status checkpoint_load_path(checkpoint *c, trace_point *point, path *steps, cla_error *error);

/* Saves the path so far, now and then. `user` is the checkpoint. */
cla_status checkpoint_save_path(void *user, const trace_point *point, const path *steps, cla_error *error);

/* Forgets the path, which has turned out to be wrong. */
void checkpoint_forget_path(checkpoint *c);

/* Writes result.cla. */
cla_status checkpoint_save_result(checkpoint *c, const cla_alignment *alignment, cla_error *error);

/* The run is finished, without a result where the strand has lost against its rival: frees the disk of the
 * rows. */
cla_status checkpoint_end_run(checkpoint *c, cla_error *error);

/* The run is finished: writes result.cla, the whole path if there is one, and frees the disk of the rows. */
cla_status checkpoint_finish(checkpoint *c, const cla_alignment *alignment, cla_error *error);

#endif
