#ifndef HOST_PIPELINE_STRAND_INTERNAL_H
#define HOST_PIPELINE_STRAND_INTERNAL_H

#include "bounds/potential.h"
#include "path/lower_bound.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "plan/ways.h"
#include "sweep/sweep.h"
#include "trace/path_claims.h"

/* A mark on a traceback's path. The path only grows at its end. */
typedef struct path_mark {
  trace_point point;
  int64_t runs, last_length; /* number of runs, and length of the last run */
} path_mark;

/* One strand of the query against the target, with the state of its stages: plan (strand_plan.c), lower
 * bound, sweep (sweep/sweep.h), traceback (strand_stages.c). */
typedef struct strand_work {
  const align_job *job;
  cla_sequence *turned; /* owned; the query on the reverse strand, or NULL */
  align_job aligned;    /* the job with its query on the strand; zero before strand_work_turn */
  bool keeps;           /* the run keeps the whole matrix for further alignments (pipeline/kept_matrix.h) */
  int64_t query_begin, target_begin;
  lower_bound bound;    /* lower bound on the score, known before the sweep */
  bool bound_known;     /* the search for a bound is done */
  potential *potential; /* owned; the potential of a band on the host, or NULL */
  potential
      *spare; /* owned; a potential for the device's windows, made before the device was open, or NULL */
  double band_seconds;     /* predicted seconds of the band and its levels */
  double opening_seconds;  /* seconds until the device is open; 0: it is open */
  potential_levels levels; /* levels of the bounds, used or not */
  double levels_seconds;   /* duration of making the levels, in seconds */
  way_seconds ways;
  char level_text[64];    /* the current level's name, for progress reports */
  checkpoint *checkpoint; /* the checkpoint in the run directory, or NULL */
  sweep_work sweep;
  path_claims claims;              /* values that the stages claim for nodes of the path */
  path_mark traced;                /* the part of the path that is certain */
  int64_t start_row, start_column; /* start of the traced path */
} strand_work;

/* Makes plan and lower bound, if a device computes the strand. Before, the caller sets *r to {.job = job};
 * afterwards, also after an error, it calls strand_work_free or strand_work_align. Until it calls
 * strand_work_align, the caller may change the job's rival and run directory. */
cla_status strand_work_look(strand_work *r, cla_error *error);

/* Like pipeline_align_strand, but strand_work_look may have been called before. Resets *r to {.job = job}. */
cla_status strand_work_align(cla_alignment **out, strand_work *r, cla_error *error);

/* Sets r->aligned. The letters of a reverse complement are checked again. */
cla_status strand_work_turn(strand_work *r, cla_error *error);

/* Makes table and plan for `device`, which is the job's device or a guess. */
cla_status strand_work_plan(strand_work *r, const cla_device_info *device, cla_error *error);

/* Finds the lower bound, if a bound is given or a search for one would save time. */
cla_status strand_work_bound(strand_work *r, cla_error *error);

/* Makes the sweep prune by the bound and the rival's score, unless --lower-bound is off. */
void strand_work_prune(strand_work *r);

/* Returns the numbers that determine how to align, according to the current plan. */
ways_input strand_band_ways(const strand_work *r);

/* True if bounds may save a part of the device's sweep. */
bool strand_band_possible(const strand_work *r);

/* Returns why no levels of bounds are made; NULL: they may be made. */
const char *strand_band_hindrance(const strand_work *r);

/* Makes a potential, if it is predicted to save time (pipeline/strand_band.c). It serves a band on the
 * host, which replaces the sweep, or the windows of a sweep. That sweep is planned again from `unpruned`. */
cla_status strand_band_plan(strand_work *r, const plan *unpruned, cla_error *error);
void strand_band_free(strand_work *r);

/* Adds to the metrics the work of lower bound and potential, and the levels. */
void strand_bounds_count(cla_metrics *metrics, const strand_work *r);

/* Sweeps and traces in the potential's band on the host. *done is false if memory is too small. */
cla_status strand_band_align(bool *done, strand_work *r, cla_alignment *alignment, cla_error *error);

/* True if the strand, with the score that the sweep found, has lost against its rival. The sweep was pruned
 * by the rival's score, so a lost strand's score is not known and cannot be checked. If the bound's path
 * reaches the rival's score, the device has missed this path. Then the function returns false, and
 * lower_bound_check reports the error. */
bool strand_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score);

/* Makes the plans of the job's partners, and predicts the seconds that all devices together need. */
cla_status strand_work_team(strand_work *r, cla_error *error);

/* Describes the plan, including each device's part if there are several. Without a device, describes the band
 * on the host. The caller frees *out. */
cla_status strand_work_explain(char **out, const strand_work *r, cla_error *error);

/* Runs sweep and traceback, and times them. */
cla_status strand_work_stages(strand_work *r, cla_alignment *alignment, cla_error *error);

/* Verifies a score without an alignment (docs/internals/exactness.md, Verification). The host follows the
 * canonical path back from the end cell, through the kept rows, as long as that costs little compared to the
 * sweep. *out receives how much was verified. Fails with CLA_ERROR_DEVICE if values of the sweep contradict
 * the score, with CLA_ERROR_MEMORY, or with the tick's status. */
cla_status score_check(cla_verified *out, strand_work *r, const trace_point *end, cla_stage *bands,
                       cla_error *error);

/* Frees everything that *r owns, also after an error. The function that opened the checkpoint closes it
 * later. */
void strand_work_free(strand_work *r);

#endif
