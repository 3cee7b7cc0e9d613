/* The schedules of Aji 2008, section 4.1.3, for many pairs, and clalign's own: `clalign batch --schedule`, on
 * the device. */

#include <inttypes.h>

#include "base/error.h"
#include "batches.h"
#include "clalign/batch.h"

/* As those of one pair (003/systems.c). */
static const study_scheme scheme = {
    .mode = CLA_MODE_LOCAL, .match = 5, .mismatch = -4, .gap_first = 10, .gap_ext = 1};

/* One run: what is still to be read, and whether a result was wrong. */
typedef struct batch_run {
  const batch_pairs *pairs;
  int64_t next, done;
  cla_status status;
  cla_error *error;
} batch_run;

static bool next_pair(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  batch_run *run = user;
  (void)status, (void)error;
  if (run->next == BATCH_PAIRS) return false;
  pair->query = run->pairs->query[run->next];
  pair->target = run->pairs->target[run->next++];
  return true;
}

/* Each result is checked; time goes on meanwhile, as it does for whoever uses them. */
static bool take(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  const int64_t found = result->count > 0 ? result->alignments[0]->score : 0;
  const int64_t known = run->pairs->score[result->index];
  run->done++;
  if (result->status == CLA_OK && found != known)
    run->status = error_set(run->error, CLA_ERROR_VERIFICATION,
                            "pair %" PRId64 ": score %" PRId64 ", the oracle has %" PRId64, result->index,
                            found, known);
  return run->status == CLA_OK;
}

static cla_status run_schedule(study_result *out, const study_task *task, cla_schedule schedule,
                               cla_error *error) {
  batch_run run = {.error = error};
  cla_batch_options options;
  cla_status status = batch_pairs_make(&run.pairs, task->system->scheme, task->problem->pair.rows, error);
  if (status != CLA_OK) return status;
  cla_batch_options_init(&options);
  options.align.scoring = task->problem->scoring;
  options.schedule = schedule;
  options.fail_fast = true;
  options.sink = take;
  options.sink_user = &run;
  const cla_batch_source pairs = {.next = next_pair, .user = &run};
  cla_batch_progress done;
  status = cla_batch(&done, (cla_device *const[]){task->device}, 1, &pairs, &options, error);
  out->compute = done.seconds - done.build_seconds; /* kernels are built before, as those of all systems */
  out->batch_cells = run.pairs->cells;
  if (run.status != CLA_OK) return run.status;
  if (status == CLA_OK && run.done != BATCH_PAIRS)
    return error_set(error, CLA_ERROR_VERIFICATION, "%s: %" PRId64 " of %d pairs have a result",
                     task->system->name, run.done, BATCH_PAIRS);
  return status;
}

#define SCHEDULE(NAME, SCHEDULE)                                                        \
  static cla_status NAME(study_result *out, const study_task *task, cla_error *error) { \
    return run_schedule(out, task, SCHEDULE, error);                                    \
  }
SCHEDULE(fcfs, CLA_SCHEDULE_FCFS)
SCHEDULE(lots, CLA_SCHEDULE_STATIC)
SCHEDULE(toss, CLA_SCHEDULE_TOSS)
SCHEDULE(model, CLA_SCHEDULE_MODEL)

static const study_setting none[] = {{0, 0, 0}, {0, 0, 0}};

#define SYSTEM(NAME, SECTION, ADDS, RUN)                                                               \
  .paper = "003-batches", .name = (NAME), .source = "systems.c", .section = (SECTION), .adds = (ADDS), \
  .run = (RUN), .scheme = &scheme, .settings = none, .on_device = true, .by_clalign = true

const study_system paper_003_batches[] = {
    {SYSTEM("Fcfs", "4.1.3", "first come, first served; each pair on all cores", fcfs)},
    {SYSTEM("Static", "4.1.3", "lots of pairs of equal size at once", lots)},
    {SYSTEM("Toss", "4.1.3", "as many at once as is most efficient for their size", toss)},
    {SYSTEM("Model", "-", "clalign's own: the longest first, short ones packed", model)},
    {.name = NULL},
};
