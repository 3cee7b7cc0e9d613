#ifndef HOST_PIPELINE_STRAND_INTERNAL_H
#define HOST_PIPELINE_STRAND_INTERNAL_H

#include "bound/lower_bound.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "team/sweep.h"
#include "trace/path_claims.h"

/* The path that a traceback has had at some point, which only grows at its end. */
typedef struct path_mark {
  trace_point point;
  int64_t runs, last_length; /* of the last run */
} path_mark;

/* One strand of the query against the target, on its way through the stages: plan (strand_plan.c), lower
 * bound, sweep (team/sweep.h), traceback (strand_stages.c). */
typedef struct strand_run {
  const align_job *job;
  cla_sequence *turned; /* the query on the reverse strand, or NULL; owned */
  bool keeps;           /* the whole matrix, for those that follow (pipeline/kept_matrix.h) */
  int64_t query_begin, target_begin;
  lower_bound bound;      /* of the score, known before the sweep */
  checkpoint *checkpoint; /* of a run directory, or NULL */
  sweep_run sweep;
  path_claims claims;              /* what the stages say of nodes on the path */
  path_mark traced;                /* how far the path is known for certain */
  int64_t start_row, start_column; /* of the traced path */
} strand_run;

/* What can be refused before a run directory is made. From here on the query is *strand, the one that is
 * aligned: a sequence like any other. */
cla_status strand_run_check(strand_run *r, const cla_sequence **strand, cla_error *error);

/* Table and plan; `strand` is the query on the strand that is aligned. */
cla_status strand_run_plan(strand_run *r, const cla_sequence *strand, cla_error *error);

/* The lower bound, if one is given or worth looking for; the plan follows it. */
cla_status strand_run_bound(strand_run *r, cla_error *error);

/* The plans of the job's partners, and the seconds of all devices together. */
cla_status strand_run_team(strand_run *r, cla_error *error);

/* The plan as text, with what each of several devices does. The caller frees it. */
cla_status strand_run_explain(char **out, const strand_run *r, cla_error *error);

/* All stages, timed: sweep and traceback. */
cla_status strand_run_stages(strand_run *r, cla_alignment *alignment, cla_error *error);

/* Ends with this, also after an error; the checkpoint is closed by its opener, afterwards. */
void strand_run_free(strand_run *r);

#endif
