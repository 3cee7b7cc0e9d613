#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"
#include "scoring/used_pairs.h"

/* The score that one strand must reach: to be better than the other, or to be wanted at all. A strand below
 * it has lost, which is no error. */
typedef struct strand_rival {
  bool given; /* there is such a score */
  int64_t least;
  bool lost;           /* set by the call: no alignment reaches `least`, and there is none */
  cla_metrics metrics; /* set by the call, also where the strand has lost */
} strand_rival;

/* What a strand's earlier alignments have left for its next one. */
typedef struct kept_matrix kept_matrix;
typedef struct strand_rest {
  const used_pairs *used; /* pairs of letters that may not be made, in rows of that strand; NULL: none */
  kept_matrix *matrix;    /* pipeline/kept_matrix.h; NULL: nothing is kept */
  int64_t wanted;         /* alignments that are asked for, the next one included */
} strand_rest;

/* A device that is opened when a call first needs it. */
typedef struct late_device {
  const cla_align_options *options; /* the caller's: callbacks.device */
  cla_device *device;               /* NULL until then */
  const cla_tuning *tuning;         /* of it */
  cla_device_info guess;            /* what it is taken for until then; set by the first strand */
  double host_seconds;              /* that bands are expected to have taken in its place: no clock decides */
} late_device;

/* One pair to align on one device, with partners in the options. Nothing is owned. What follows takes settled
 * ones (pipeline/align_settle.h) and checks nothing again. */
typedef struct align_job {
  cla_device *device; /* NULL: `late` has it, or none is needed */
  late_device *late;  /* or NULL */
  const cla_sequence *query, *target;
  const cla_align_options *options;
  strand_rival *rival; /* of one strand; or NULL */
  strand_rest *rest;   /* likewise */
  /* NULL, or a test's hand in the plan: it may change the plan before anything runs, as to many small blocks
   * or other tiles. Whatever it sets must be legal for the scheme. */
  void (*adjust)(plan *whole);
} align_job;

/* The job's device; NULL: none is open. */
static inline cla_device *align_job_device(const align_job *job) {
  return job->device || !job->late ? job->device : job->late->device;
}

/* What metrics name where no device has computed anything. */
#define ALIGN_ON_HOST "one thread of the host"

/* Opens the job's late device, unless it is open, and takes it for the call. Status of the callback, and of
 * device_take. */
cla_status late_device_open(late_device *late, cla_error *error);

/* cla_align and cla_align_several on a device that is the caller's, with results from malloc. */
cla_status pipeline_align_placed(cla_alignment **out, const align_job *job, cla_error *error);
cla_status pipeline_align_several(cla_alignment ***out, size_t *count, const align_job *job,
                                  cla_error *error);

/* The same before gaps are placed. */
cla_status pipeline_align(cla_alignment **out, const align_job *job, cla_error *error);

/* The same for one strand, forward or reverse; *out is NULL where the strand has lost. */
cla_status pipeline_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

/* CLA_ERROR_INPUT if query and target of so many letters make more cells than can be counted. */
cla_status align_cells_check(const int64_t letters[2], const char *const locations[2], cla_error *error);

/* Host memory and threads that the stages may use: what was asked for, or a rank's share, or the machine's.
 */
int64_t align_memory_budget(const cla_align_options *options);
int align_threads(const cla_align_options *options);

/* What the plan is made from: letters of the query and of the target, the options with their defaults filled
 * in, and the table of scores of any letters, which must stay where it is. The options are settled
 * (pipeline/align_settle.h). CLA_ERROR_OPTION for scores of letters that cannot be. */
cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device,
                            const int64_t letters[2], const cla_align_options *options, cla_error *error);

/* Moves the gaps of the alignment, unless it is NULL, where the options want them, and verifies it again;
 * after an error *alignment is NULL. */
cla_status pipeline_place_gaps(cla_alignment **alignment, const cla_sequence *query,
                               const cla_sequence *target, const cla_align_options *options,
                               cla_error *error);

/* Whether the options ask for more than every alignment has. */
bool pipeline_asks_for_score(const cla_align_options *options);

/* True if reaching the claimed score also satisfies the least score that is asked for. */
bool pipeline_claim_is_least(const cla_align_options *options);

/* CLA_ERROR_OPTION for a claim that no strand reaches. A claim is of the better strand: the first one may
 * stay below it, and the second one too if the first did not. */
cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error);

/* Adds the cells and seconds of one more run; the size of the matrix and its bound stay. */
void pipeline_add_work(cla_metrics *sum, const cla_metrics *more);

#endif
