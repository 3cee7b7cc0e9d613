/* The schedules of Aji 2008, section 4.1.3, for many pairs, and clalign's own: each pair by cla_align on the
 * device, some at once, or all by cla_batch. */

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/machine.h"
#include "batches.h"
#include "clalign/batch.h"
#include "device/device_use.h"

/* As those of one pair (003/systems.c). */
static const study_scheme scheme = {
    .mode = CLA_MODE_LOCAL, .match = 5, .mismatch = -4, .gap_first = 10, .gap_ext = 1};

/* Pairs in work at once, at the most. */
#define AT_ONCE 8

static cla_status check(const study_task *task, const batch_pairs *pairs, int64_t index, int64_t found,
                        cla_error *error) {
  if (found == pairs->score[index]) return CLA_OK;
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "%s, pair %" PRId64 ": score %" PRId64 ", the oracle has %" PRId64, task->system->name,
                   index, found, pairs->score[index]);
}

/* A pair of a lot. */
typedef struct lot_pair {
  const study_task *task;
  const batch_pairs *pairs;
  int64_t index;
  cla_device *device;
  cla_status status;
  cla_error error;
  pthread_t thread;
} lot_pair;

static void *align_pair(void *user) {
  lot_pair *one = user;
  cla_alignment *found = NULL;
  cla_align_options options;
  cla_align_options_init(&options);
  options.scoring = one->task->problem->scoring;
  one->status = cla_align(&found, one->device, one->pairs->query[one->index], one->pairs->target[one->index],
                          &options, &one->error);
  if (one->status == CLA_OK)
    one->status = check(one->task, one->pairs, one->index, found ? found->score : 0, &one->error);
  cla_alignment_free(found);
  return NULL;
}

/* All pairs of a lot at once, each with a handle of its own; all wait for the longest. */
static cla_status align_lot(lot_pair *lot, int count, cla_error *error) {
  int started = 0;
  while (started < count && pthread_create(&lot[started].thread, NULL, align_pair, &lot[started]) == 0)
    started++;
  for (int i = 0; i < started; i++) pthread_join(lot[i].thread, NULL);
  for (int i = 0; i < started; i++)
    if (lot[i].status != CLA_OK) return error_set(error, lot[i].status, "%s", lot[i].error.message);
  return started == count ? CLA_OK : error_set(error, CLA_ERROR_MEMORY, "no thread can be started");
}

static int64_t letters_of(const batch_pairs *pairs, int64_t index) {
  return cla_sequence_length(pairs->query[index]);
}

/* How many pairs of a size are in work at once. */
typedef int at_once_rule(const study_task *task, int64_t letters);

static int one_at_once(const study_task *task, int64_t letters) {
  (void)task, (void)letters;
  return 1;
}

static int eight_at_once(const study_task *task, int64_t letters) {
  (void)task, (void)letters;
  return AT_ONCE;
}

/* As many as keep all compute units busy, each with a row of tiles of so many letters. */
#define TILE_LETTERS 4096

static int most_efficient(const study_task *task, int64_t letters) {
  const int64_t units = cla_device_describe(task->device)->compute_units;
  const int64_t busy = letters / TILE_LETTERS > 1 ? letters / TILE_LETTERS : 1;
  const int64_t count = units / busy;
  return count < 1 ? 1 : count > AT_ONCE ? AT_ONCE : (int)count;
}

/* The pairs' indices, by size or as they came. */
static void sort_pairs(int64_t order[BATCH_PAIRS], const batch_pairs *pairs, bool by_size) {
  for (int64_t i = 0; i < BATCH_PAIRS; i++) {
    int64_t at = i;
    for (; by_size && at > 0 && letters_of(pairs, order[at - 1]) > letters_of(pairs, i); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

static cla_status run_lots(study_result *out, const study_task *task, at_once_rule *rule, cla_error *error) {
  const batch_pairs *pairs = NULL;
  cla_device *handles[AT_ONCE] = {task->device};
  int64_t order[BATCH_PAIRS];
  cla_status status = batch_pairs_make(&pairs, task->system->scheme, task->problem->pair.rows, error);
  for (int i = 1; i < AT_ONCE && status == CLA_OK; i++)
    status = device_open_twin(&handles[i], task->device, error);
  if (status == CLA_OK) sort_pairs(order, pairs, rule != one_at_once);
  const double began = machine_seconds();
  for (int64_t done = 0; done < BATCH_PAIRS && status == CLA_OK;) {
    lot_pair lot[AT_ONCE];
    const int wanted = rule(task, letters_of(pairs, order[done]));
    int count = 0;
    for (; count < wanted && done < BATCH_PAIRS; count++)
      lot[count] = (lot_pair){.task = task, .pairs = pairs, .index = order[done++], .device = handles[count]};
    status = align_lot(lot, count, error);
  }
  out->compute = machine_seconds() - began;
  if (pairs) out->batch_cells = pairs->cells;
  for (int i = 1; i < AT_ONCE; i++) cla_device_close(handles[i]);
  return status;
}

static cla_status fcfs(study_result *out, const study_task *task, cla_error *error) {
  return run_lots(out, task, one_at_once, error);
}

static cla_status lots(study_result *out, const study_task *task, cla_error *error) {
  return run_lots(out, task, eight_at_once, error);
}

static cla_status toss(study_result *out, const study_task *task, cla_error *error) {
  return run_lots(out, task, most_efficient, error);
}

/* cla_batch: what is still to be read, and whether a result was wrong. */
typedef struct batch_run {
  const study_task *task;
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
  run->done++;
  if (result->status == CLA_OK) run->status = check(run->task, run->pairs, result->index, found, run->error);
  return run->status == CLA_OK;
}

static cla_status batch(study_result *out, const study_task *task, cla_error *error) {
  batch_run run = {.task = task, .error = error};
  cla_batch_options options;
  cla_status status = batch_pairs_make(&run.pairs, task->system->scheme, task->problem->pair.rows, error);
  if (status != CLA_OK) return status;
  cla_batch_options_init(&options);
  options.align.scoring = task->problem->scoring;
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

static const study_setting none[] = {{0, 0, 0}, {0, 0, 0}};

#define SYSTEM(NAME, SECTION, ADDS, RUN)                                                               \
  .paper = "003-batches", .name = (NAME), .source = "systems.c", .section = (SECTION), .adds = (ADDS), \
  .run = (RUN), .scheme = &scheme, .settings = none, .on_device = true, .by_clalign = true

const study_system paper_003_batches[] = {
    {SYSTEM("Fcfs", "4.1.3", "first come, first served; each pair on all cores", fcfs)},
    {SYSTEM("Static", "4.1.3", "lots of pairs of equal size at once", lots)},
    {SYSTEM("Toss", "4.1.3", "as many at once as is most efficient for their size", toss)},
    {SYSTEM("Model", "-", "clalign's own: the longest first, short ones packed", batch)},
    {.name = NULL},
};
