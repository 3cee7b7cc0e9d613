#ifndef HOST_PIPELINE_STRAND_INTERNAL_H
#define HOST_PIPELINE_STRAND_INTERNAL_H

#include "bounds/potential.h"
#include "path/lower_bound.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "plan/ways.h"
#include "sweep/sweep.h"
#include "trace/path_claims.h"

/* A mark on a traceback's path, which only grows at its end. */
typedef struct path_mark {
  trace_point point;
  int64_t runs, last_length; /* number of runs, and length of the last one */
} path_mark;

/* One strand of the query against the target, on its way through the stages: plan (strand_plan.c), lower
 * bound, sweep (sweep/sweep.h), traceback (strand_stages.c). */
typedef struct strand_work {
  const align_job *job;
  cla_sequence *turned; /* the query on the reverse strand, or NULL; owned */
  align_job aligned;    /* the job with its query on the strand; all zero before strand_work_turn */
  bool keeps;           /* the run keeps its whole matrix (pipeline/kept_matrix.h) */
  int64_t query_begin, target_begin;
  lower_bound bound;       /* lower bound of the score, known before the sweep */
  bool bound_known;        /* the search for a bound is done */
  potential *potential;    /* the potential of a band on the host, or NULL; owned */
  potential *spare;        /* a potential made before the device was open, for its windows, or NULL; owned */
  double band_seconds;     /* predicted seconds of the band and its levels */
  double opening_seconds;  /* seconds until the device is open; 0: it is open */
  potential_levels levels; /* levels of the bounds, used or not */
  double levels_seconds;   /* duration of the levels */
  way_seconds ways;
  char level_text[64];    /* the current level's name, for the progress */
  checkpoint *checkpoint; /* the run directory's, or NULL */
  sweep_work sweep;
  path_claims claims;              /* values that the stages claim for nodes of the path */
  path_mark traced;                /* the point to which the path is certain */
  int64_t start_row, start_column; /* start of the traced path */
} strand_work;

/* Makes plan and lower bound, if a device computes the strand. *r begins as {.job = job}. The job's rival and
 * run directory may change until strand_work_align. Ends with strand_work_free or strand_work_align, also
 * after an error. */
cla_status strand_work_look(strand_work *r, cla_error *error);

/* pipeline_align_strand, after strand_work_look or without it. Leaves *r as it began. */
cla_status strand_work_align(cla_alignment **out, strand_work *r, cla_error *error);

/* Sets r->aligned. The letters of a reverse complement are checked again. */
cla_status strand_work_turn(strand_work *r, cla_error *error);

/* Makes table and plan for a device, the job's own or a guess. */
cla_status strand_work_plan(strand_work *r, const cla_device_info *device, cla_error *error);

/* Finds the lower bound, if one is given or worth seeking. */
cla_status strand_work_bound(strand_work *r, cla_error *error);

/* Lets the sweep prune by the bound and the rival's score, unless --lower-bound is off. */
void strand_work_prune(strand_work *r);

/* The numbers by which a way is chosen, as the plan is now. */
ways_input strand_band_ways(const strand_work *r);

/* True if a bound may spare the device's sweep. */
bool strand_band_possible(const strand_work *r);

/* The reason why there are no levels of bounds; NULL: there may be. */
const char *strand_band_hindrance(const strand_work *r);

/* Makes a potential, if it is worth its time (pipeline/strand_band.c). It serves a band on the host in place
 * of the sweep, or windows of the sweep, which is planned again from `unpruned`. */
cla_status strand_band_plan(strand_work *r, const plan *unpruned, cla_error *error);
void strand_band_free(strand_work *r);

/* Adds the work of lower bound and potential, and the levels, to the metrics. */
void strand_bounds_count(cla_metrics *metrics, const strand_work *r);

/* Sweeps and traces in the potential's band on the host. *done is false if memory is too small. */
cla_status strand_band_align(bool *done, strand_work *r, cla_alignment *alignment, cla_error *error);

/* True if the strand, whose sweep gave `score`, has lost against its rival. A sweep that pruned by the
 * rival's score gives no score then, so nothing else can be checked. If the bound's path reaches the rival's
 * score, the device has lost it: then the result is false, and lower_bound_check reports the error. */
bool strand_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score);

/* Makes the plans of the job's partners, and predicts the seconds of all devices together. */
cla_status strand_work_team(strand_work *r, cla_error *error);

/* Describes the plan, with the part of each of several devices; without a device, the band on the host. The
 * caller frees *out. */
cla_status strand_work_explain(char **out, const strand_work *r, cla_error *error);

/* Runs sweep and traceback, and times them. */
cla_status strand_work_stages(strand_work *r, cla_alignment *alignment, cla_error *error);

/* Verifies a score without an alignment (docs/internals/exactness.md, Verification). The host follows the
 * canonical path back from the end cell, through the kept rows, as long as that costs little beside the
 * sweep. *out: how far it came. Errors: CLA_ERROR_DEVICE if values of the sweep contradict the score,
 * CLA_ERROR_MEMORY, and the tick's. */
cla_status score_check(cla_verified *out, strand_work *r, const trace_point *end, cla_stage *bands,
                       cla_error *error);

/* Frees all that *r owns, also after an error. Whoever opened the checkpoint closes it afterwards. */
void strand_work_free(strand_work *r);

#endif
