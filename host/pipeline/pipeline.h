#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"
#include "scoring/used_pairs.h"

/* The score that a strand must reach to beat the other strand, or to be returned at all. A strand with a
 * lower score has lost. That is no error. */
typedef struct strand_rival {
  bool given; /* `least` is set */
  int64_t least;
  bool lost;           /* set by the call: no alignment reaches `least`, so no alignment is returned */
  cla_metrics metrics; /* set by the call, even if the strand has lost */
} strand_rival;

/* State kept from a strand's earlier alignments for the next alignment. */
typedef struct kept_matrix kept_matrix;
typedef struct strand_rest {
  const used_pairs *used; /* forbidden pairs of letters, with rows on this strand; NULL: none */
  kept_matrix *matrix;    /* pipeline/kept_matrix.h; NULL: nothing is kept */
  int64_t wanted;         /* number of alignments still wanted, including the next one */
} strand_rest;

/* A device that is opened when a call first needs it. */
typedef struct late_device {
  const cla_align_options *options; /* options of the caller, with callbacks.device */
  cla_device *device;               /* NULL until the device is open */
  const cla_tuning *tuning;         /* records of the device */
  cla_device_info guess;            /* assumed properties until the device is open; set by the first strand */
  double host_seconds; /* seconds that the host needs for the work that replaced the device, predicted */
} late_device;

/* One pair to align on one device, with partners in the options. Owns nothing. All stages receive settled
 * jobs (align_settle), and do not check them again. */
typedef struct align_job {
  cla_device *device; /* NULL: `late` provides a device, or no device is needed */
  late_device *late;  /* may be NULL */
  const cla_sequence *query, *target;
  const cla_align_options *options;
  strand_rival *rival; /* set only for jobs of one strand, otherwise NULL */
  strand_rest *rest;   /* set only for jobs of one strand, otherwise NULL */
  /* For tests: changes the plan before anything runs, for instance to many small blocks; may be NULL. The
   * changed plan must be legal for the scheme. */
  void (*adjust)(plan *whole);
} align_job;

/* Returns the job's device; NULL: none is open. */
static inline cla_device *align_job_device(const align_job *job) {
  return job->device || !job->late ? job->device : job->late->device;
}

/* The device's name in metrics if no device has computed anything. */
#define ALIGN_ON_HOST "one thread of the host"

/* Like cla_align and cla_align_several, but the devices are already taken, and the results come from
 * malloc. */
cla_status pipeline_align_placed(cla_alignment **out, const align_job *job, cla_error *error);
cla_status pipeline_align_several(cla_alignment ***out, size_t *count, const align_job *job,
                                  cla_error *error);

/* Like pipeline_align_placed, but does not place gaps. */
cla_status pipeline_align(cla_alignment **out, const align_job *job, cla_error *error);

/* Like pipeline_align, for one strand, forward or reverse. *out is NULL if the strand has lost. */
cla_status pipeline_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

/* Fails with CLA_ERROR_INPUT if the matrix of query and target has more cells than can be counted. */
cla_status align_cells_check(const int64_t letters[2], const char *const locations[2], cla_error *error);

/* Return the budgets of host memory and threads: those of the caller, otherwise this process' share,
 * otherwise those of the machine. */
int64_t align_memory_budget(const cla_align_options *options);
int align_threads(const cla_align_options *options);

/* Returns a budget of host memory that does not depend on the free memory; 0: the caller gave no budget. */
int64_t align_memory_fixed(const cla_align_options *options);

struct far_bands;
struct batch_peers;
struct sweep_peers;
struct traceback;

/* Functions by which other processes take part in a job. */
struct cla_peers {
  const struct sweep_peers *sweep; /* sweep/sweep.h */
  cla_status (*begin_far)(struct far_bands **out, const struct traceback *t,
                          cla_error *error); /* trace/traceback.h; NULL: no other processes */
  const struct batch_peers *batch;           /* batch/executor_internal.h; NULL: no other processes */
};

/* Returns the options' table or, if they have none, the table for a single process. */
const cla_peers *align_peers(const cla_align_options *options);

/* Returns the number of processes that share an unpruned sweep of a matrix of this size. */
int align_processes(const cla_align_options *options, int64_t rows, int64_t columns);

/* Makes the plan's input from the numbers of letters, the options with their defaults, and the score table
 * for all letters. *table must not move. The options must be settled (align_settle). Fails with
 * CLA_ERROR_OPTION if scores are invalid. */
cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device,
                            const int64_t letters[2], const cla_align_options *options, cla_error *error);

/* Places the alignment's gaps as the options request, and verifies the alignment again. *alignment may be
 * NULL, and is NULL after an error. */
cla_status pipeline_place_gaps(cla_alignment **alignment, const cla_sequence *query,
                               const cla_sequence *target, const cla_align_options *options,
                               cla_error *error);

/* True if min_score can rule out an alignment. */
bool pipeline_asks_for_score(const cla_align_options *options);

/* True if an alignment with the claimed score also satisfies min_score. */
bool pipeline_claim_is_least(const cla_align_options *options);

/* Sets *error to CLA_ERROR_OPTION for a claim that no strand reaches, and returns this status. A claim is
 * about the better strand, so the other strand may score less. */
cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error);

/* Adds the cells and seconds of a further run. Does not change the size of the matrix and its bound. */
void pipeline_add_work(cla_metrics *sum, const cla_metrics *more);

/* A job for which all options and the pair have been checked, with a scheme for the pair's letters. The
 * stages receive `job`, and check nothing again. The struct must not move, because the job points to the
 * options. */
typedef struct settled_job {
  align_job job;
  cla_align_options options;
} settled_job;

/* Settles a caller's job; `asked` need not have a device. Fails with CLA_ERROR_OPTION if options are invalid
 * or cannot be combined, or with CLA_ERROR_INPUT if the pair does not suit the options. */
cla_status align_settle(settled_job *out, const align_job *asked, cla_error *error);

/* Checks options without a pair. Fails with CLA_ERROR_OPTION. */
cla_status align_options_check(const cla_align_options *options, cla_error *error);

/* True if the job uses a device. Otherwise the calling thread computes the job. */
bool settled_needs_device(const settled_job *settled);

#endif
