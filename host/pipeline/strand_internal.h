#ifndef HOST_PIPELINE_STRAND_INTERNAL_H
#define HOST_PIPELINE_STRAND_INTERNAL_H

#include "bound/lower_bound.h"
#include "bound/potential.h"
#include "pipeline/checkpoint.h"
#include "pipeline/pipeline.h"
#include "team/sweep.h"
#include "trace/path.h"

/* The path that a traceback has had at some point, which only grows at its end. */
typedef struct path_mark {
  trace_point point;
  int64_t runs, last_length; /* of the last run */
} path_mark;

/* What each way is expected to take once the levels are made, with the traceback. */
typedef struct way_seconds {
  bool known;
  double band, windows, sweep;
} way_seconds;

/* One strand of the query against the target, on its way through the stages: plan (strand_plan.c), lower
 * bound, sweep (team/sweep.h), traceback (strand_stages.c). */
typedef struct strand_work {
  const align_job *job;
  cla_sequence *turned;       /* the query on the reverse strand, or NULL; owned */
  const cla_sequence *strand; /* the query as it is aligned; NULL before strand_work_turn */
  bool keeps;                 /* the whole matrix, for those that follow (pipeline/kept_matrix.h) */
  int64_t query_begin, target_begin;
  lower_bound bound;    /* of the score, known before the sweep */
  bool bound_known;     /* has been looked for */
  potential *potential; /* NULL unless a band on the host goes by it; owned */
  potential *spare;     /* made before a device was open, which may go by it in another way; or NULL; owned */
  double band_seconds;  /* that the potential's band is expected to take, and bounds before it */
  double opening_seconds;  /* that drivers take until a device can begin; 0: it is open */
  potential_levels levels; /* of the bounds, in use or not, */
  double levels_seconds;   /* what they took, */
  way_seconds ways;
  char level_text[64];    /* and for the progress, the one that is made */
  checkpoint *checkpoint; /* of a run directory, or NULL */
  sweep_work sweep;
  path_claims claims;              /* what the stages say of nodes on the path */
  path_mark traced;                /* how far the path is known for certain */
  int64_t start_row, start_column; /* of the traced path */
} strand_work;

/* A strand begins as {.job = job}. Looks ahead: plan and lower bound, where a device computes the strand.
 * Until strand_work_align the job's rival may change, and the run directory. Ends with strand_work_free or
 * strand_work_align, also after an error. */
cla_status strand_work_look(strand_work *r, cla_error *error);

/* pipeline_align_strand, after strand_work_look or without it; *r is then as it began. */
cla_status strand_work_align(cla_alignment **out, strand_work *r, cla_error *error);

/* From here on the query is r->strand, the one that is aligned: a sequence like any other, whose letters are
 * looked at once more where they are complements. */
cla_status strand_work_turn(strand_work *r, cla_error *error);

/* Table and plan for a device, the job's own or a guess. */
cla_status strand_work_plan(strand_work *r, const cla_device_info *device, cla_error *error);

/* The lower bound, if one is given or worth looking for. */
cla_status strand_work_bound(strand_work *r, cla_error *error);

/* Then the sweep passes over what can reach neither the bound nor what the rival asks for; with the user's
 * --lower-bound off it does neither. */
void strand_work_prune(strand_work *r);

/* Whether a bound that is found may spare the device's sweep. */
bool strand_band_possible(const strand_work *r);

/* Why there are no levels of bounds; NULL: nothing is in their way. */
const char *strand_band_hindrance(const strand_work *r);

/* A potential, where it is worth its time (pipeline/strand_band.c): for a band on the host in place of the
 * device's sweep, or for windows of that sweep, which is planned again from what it was without pruning. */
cla_status strand_band_plan(strand_work *r, const plan *unpruned, cla_error *error);
void strand_band_free(strand_work *r);

/* What the lower bound and the potential took, and its levels. */
void strand_bounds_count(cla_metrics *metrics, const strand_work *r);

/* Sweep and traceback by that potential, on the host. *done is false where memory is too small for it. */
cla_status strand_band_align(bool *done, strand_work *r, cla_alignment *alignment, cla_error *error);

/* Whether no alignment of this strand, whose sweep gave `score`, reaches what the rival asks for. A sweep
 * that passed over what does not reach that gives no score then, so nothing else can be checked; but a path
 * found beforehand that does reach it was lost by the device, and lower_bound_check says so. */
bool strand_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score);

/* The plans of the job's partners, and the seconds of all devices together. */
cla_status strand_work_team(strand_work *r, cla_error *error);

/* The same where no device is opened: a band on the host does all. */
cla_status strand_work_explain_band(char **out, const strand_work *r, cla_error *error);

/* The plan as text, with what each of several devices does. The caller frees it. */
cla_status strand_work_explain(char **out, const strand_work *r, cla_error *error);

/* All stages, timed: sweep and traceback. */
cla_status strand_work_stages(strand_work *r, cla_alignment *alignment, cla_error *error);

/* Verifies a score without its alignment (docs/internals/exactness.md, Verification): is there a path that
 * has it? From the end cell the canonical path is followed back on the host, through the rows that the sweep
 * has kept, for as long as that costs little beside the sweep. *out says how far it came. Errors:
 * CLA_ERROR_DEVICE where the values of the sweep contradict the score, CLA_ERROR_MEMORY, and what the run's
 * tick returns. */
cla_status score_check(cla_verified *out, strand_work *r, const trace_point *end, cla_stage *bands,
                       cla_error *error);

/* Ends with this, also after an error; the checkpoint is closed by its opener, afterwards. */
void strand_work_free(strand_work *r);

#endif
