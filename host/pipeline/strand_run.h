#ifndef HOST_PIPELINE_STRAND_RUN_H
#define HOST_PIPELINE_STRAND_RUN_H

#include "bound/lower_bound.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "pipeline/progress_gate.h"
#include "store/work_notes.h"
#include "team/device_team.h"
#include "trace/path.h"
#include "wavefront/wavefront.h"

/* The path that a traceback has had at some point, which only grows at its end. */
typedef struct path_mark {
  trace_point point;
  int64_t runs, last_length; /* of the last run */
} path_mark;

/* One run of the pipeline: a strand of the query against the target, on a device. */
typedef struct strand_run {
  const cla_align_options *options;
  plan_input input;
  cla_sequence *turned; /* the query on the reverse strand, or NULL; owned */
  strand_rival *rival;  /* or NULL */
  strand_rest *rest;    /* of the alignments before, or NULL */
  bool keeps;           /* the whole matrix, for those that follow (pipeline/kept_matrix.h) */
  plan plan;
  score_table table;
  const uint8_t *query, *target; /* codes of the ranges */
  int64_t query_begin, target_begin;
  lower_bound bound; /* of the score, known before the sweep */
  device_team team;  /* of several devices: `input`, `plan` and `engine` are those of its first one */
  wavefront *engine;
  special_rows *kept;
  checkpoint *checkpoint; /* of a run directory, or NULL */
  sweep_start start;
  work_notes *notes;  /* or NULL */
  path_claims claims; /* what the stages say of nodes on it */
  path_mark traced;   /* how far the path is known for certain */
  const char *stage;
  int64_t start_row, start_column; /* of the traced path */
  double began;
  progress_gate progress;
  int64_t done_before;                /* cells of the stages that have ended */
  int64_t stage_before;               /* cells of this stage above the part, or the resumed rest, in work */
  int64_t passed_over, passed_before; /* cells of this region, and of those before in this stage */
} strand_run;

/* What can be refused before a run directory is made. From here on the query is *strand, the one that is
 * aligned: a sequence like any other. */
cla_status strand_run_check(strand_run *r, const cla_sequence **strand, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* Table and plan; `query` is on the strand that is aligned. */
cla_status strand_run_plan(strand_run *r, const cla_device_info *device, const cla_sequence *query,
                           const cla_sequence *target, cla_error *error);

/* The lower bound, if one is given or worth looking for; the plan follows it. */
cla_status strand_run_bound(strand_run *r, cla_error *error);

/* The plan as text, with what each of several devices does. The caller frees it. */
cla_status strand_run_explain(char **out, const strand_run *r, cla_error *error);

/* Engines of the devices, with every kernel built and tested that the stages may launch; what passed is kept
 * for the next run. */
cla_status strand_run_engines(strand_run *r, cla_device *device, cla_error *error);

/* After a device of the team was lost: plan, input and engine are those of the first one that is left. */
void strand_run_follow(strand_run *r);

/* After that one has failed with `status` and `reason`: CLA_OK if another member can do its work. */
cla_status strand_run_lose_first(strand_run *r, cla_status status, const cla_error *reason, cla_error *error);

/* What is known of the score where the sweep has come to. */
int64_t strand_run_reached(const strand_run *r);

/* The region of the sweep from row `row` to `end`, without borders above and below, rows and callbacks.
 * `bound` is what is known of the score. */
region strand_run_region(const strand_run *r, int64_t row, int64_t end, int64_t bound);

/* Sweeps from where the sweep has come to, r->start, down to row `end`; `bottom`, unless NULL, gets that row.
 */
cla_status strand_run_sweep_to(strand_run *r, region_result *result, int64_t end, int64_t row_interval,
                               int64_t *bottom, cla_error *error);

/* All stages, timed: sweep and traceback. */
cla_status strand_run_stages(strand_run *r, cla_alignment *alignment, cla_error *error);

/* What the run's kept rows are like. */
row_shape strand_run_row_shape(const strand_run *r);

/* Makes the sweep begin below a row that was kept. CLA_ERROR_OUTPUT if it cannot be read again. */
cla_status strand_run_go_below(strand_run *r, int64_t row, cla_error *error);

/* Reports progress, a few times a second at most, and asks whether to go on. `user` is the run, `cells` those
 * of this stage. */
cla_status strand_run_tick(void *user, int64_t cells, cla_error *error);

/* Ends with this, also after an error; the checkpoint is closed by its opener, afterwards. */
void strand_run_free(strand_run *r);

#endif
