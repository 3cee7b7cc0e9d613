#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"
#include "scoring/used_pairs.h"

/* The score that a strand must reach to beat the other strand, or to be wanted at all. A strand below it has
 * lost, which is no error. */
typedef struct strand_rival {
  bool given; /* `least` is set */
  int64_t least;
  bool lost;           /* set by the call: no alignment reaches `least`, so none is returned */
  cla_metrics metrics; /* set by the call, also where the strand has lost */
} strand_rival;

/* The state that a strand's earlier alignments leave for its next one. */
typedef struct kept_matrix kept_matrix;
typedef struct strand_rest {
  const used_pairs *used; /* forbidden pairs of letters, in rows of that strand; NULL: none */
  kept_matrix *matrix;    /* pipeline/kept_matrix.h; NULL: nothing is kept */
  int64_t wanted;         /* number of alignments wanted, the next one included */
} strand_rest;

/* A device that is opened when a call first needs it. */
typedef struct late_device {
  const cla_align_options *options; /* the caller's: callbacks.device */
  cla_device *device;               /* NULL until the device is open */
  const cla_tuning *tuning;         /* records of the device */
  cla_device_info guess;            /* assumed facts until the device is open; set by the first strand */
  double host_seconds;              /* predicted seconds of bands in place of the device; no clock decides */
} late_device;

/* One pair to align on one device, with partners in the options. Owns nothing. All stages take settled jobs
 * (align_settle) and check nothing again. */
typedef struct align_job {
  cla_device *device; /* NULL: `late` has it, or none is needed */
  late_device *late;  /* or NULL */
  const cla_sequence *query, *target;
  const cla_align_options *options;
  strand_rival *rival; /* set for one strand only, or NULL */
  strand_rest *rest;   /* set for one strand only, or NULL */
  /* For tests: changes the plan before anything runs, for instance to many small blocks. The changed plan
   * must be legal for the scheme. Or NULL. */
  void (*adjust)(plan *whole);
} align_job;

/* The job's device; NULL: none is open. */
static inline cla_device *align_job_device(const align_job *job) {
  return job->device || !job->late ? job->device : job->late->device;
}

/* The device's name in metrics if no device has computed anything. */
#define ALIGN_ON_HOST "one thread of the host"

/* cla_align and cla_align_several on devices that are already taken, with results from malloc. */
cla_status pipeline_align_placed(cla_alignment **out, const align_job *job, cla_error *error);
cla_status pipeline_align_several(cla_alignment ***out, size_t *count, const align_job *job,
                                  cla_error *error);

/* pipeline_align_placed without the placing of gaps. */
cla_status pipeline_align(cla_alignment **out, const align_job *job, cla_error *error);

/* pipeline_align for one strand, forward or reverse. *out is NULL if the strand has lost. */
cla_status pipeline_align_strand(cla_alignment **out, const align_job *job, cla_error *error);

/* CLA_ERROR_INPUT if query and target have more cells than can be counted. */
cla_status align_cells_check(const int64_t letters[2], const char *const locations[2], cla_error *error);

/* Budgets of host memory and threads: the caller's, or this process' share, or the machine's. */
int64_t align_memory_budget(const cla_align_options *options);
int align_threads(const cla_align_options *options);

/* A budget of host memory that does not follow the memory that is free; 0: there is none. */
int64_t align_memory_fixed(const cla_align_options *options);

struct far_bands;
struct sweep_peers;
struct traceback;

/* How other processes take part in a job. */
struct cla_peers {
  const struct sweep_peers *sweep; /* sweep/sweep.h */
  cla_status (*begin_far)(struct far_bands **out, const struct traceback *t,
                          cla_error *error); /* trace/traceback.h; NULL: none take part */
};

/* The options' table; that of a process alone where they have none. */
const cla_peers *align_peers(const cla_align_options *options);

/* The number of processes that share an unpruned sweep of such a matrix. */
int align_processes(const cla_align_options *options, int64_t rows, int64_t columns);

/* Makes the plan's input: the letters of query and target, the options with their defaults, and the table of
 * scores of any letters. The table must not move. The options must be settled (align_settle).
 * CLA_ERROR_OPTION for impossible scores. */
cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device,
                            const int64_t letters[2], const cla_align_options *options, cla_error *error);

/* Moves the alignment's gaps to where the options want them, and verifies it again. *alignment may be NULL;
 * after an error it is. */
cla_status pipeline_place_gaps(cla_alignment **alignment, const cla_sequence *query,
                               const cla_sequence *target, const cla_align_options *options,
                               cla_error *error);

/* True if min_score can rule out an alignment. */
bool pipeline_asks_for_score(const cla_align_options *options);

/* True if reaching the claimed score also satisfies the least score that is asked for. */
bool pipeline_claim_is_least(const cla_align_options *options);

/* Sets and returns CLA_ERROR_OPTION for a claim that no strand reaches. A claim is of the better strand, so
 * one strand may stay below it. */
cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error);

/* Adds the cells and seconds of one more run. The size of the matrix and its bound stay. */
void pipeline_add_work(cla_metrics *sum, const cla_metrics *more);

/* A job with all options and the pair checked, and a scheme for the pair's letters. The stages take `job` and
 * check nothing again. It must not move, because the job points to the options. */
typedef struct settled_job {
  align_job job;
  cla_align_options options;
} settled_job;

/* Settles a caller's job; `asked` need not have a device. CLA_ERROR_OPTION for options that are impossible or
 * do not go together; CLA_ERROR_INPUT for a pair that does not fit them. */
cla_status align_settle(settled_job *out, const align_job *asked, cla_error *error);

/* Checks options without a pair. CLA_ERROR_OPTION. */
cla_status align_options_check(const cla_align_options *options, cla_error *error);

/* True if the job uses a device. Otherwise the calling thread computes it. */
bool settled_needs_device(const settled_job *settled);

#endif
