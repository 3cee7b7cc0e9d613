/* cla_batch: reads pairs, has the executor align them, and hands out the results. All of this runs on the
 * caller's thread. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "batch/batch_results.h"
#include "batch/executor.h"
#include "device/device.h"

/* Seconds of reading before the threads start, so that there are many pairs to choose from. The shorter
 * time applies if all devices are alike and no plan is wanted. */
#define SECONDS_OF_READING 0.2
#define SECONDS_FOR_ALIKE 0.02
/* Minimum seconds of work after which the time left can be estimated. */
#define SECONDS_THAT_TELL 0.1
/* The executor gets the pairs, and is asked for results, only after this many pairs or this many seconds.
 * Each time takes the executor's lock, which all threads need. */
#define PAIRS_BETWEEN_LOOKS 32
#define SECONDS_BETWEEN_LOOKS 0.001

typedef struct batch {
  executor *executor;
  const cla_batch_source *source;
  const cla_batch_options *options;
  cla_batch_progress progress;
  double began, reported;
  bool ended;             /* no more pairs can be read */
  cla_status read_status; /* CLA_OK, or the error that ended the reading */
  cla_error read_error;
  slot_list slots;        /* results that are not handed out yet */
  batch_job *jobs;        /* all jobs, in whatever state */
  int64_t pairs, letters; /* number of pairs, and of their letters, that were read and are not released */
  double seconds_of_reading;
  double cells_read;
  bool explained;
} batch;

/* Estimates the seconds left from the fraction of cells that are done; negative: unknown. */
static double seconds_left(const batch *b) {
  double unread = 0;
  const bool known = b->ended || (b->source->left && b->source->left(&unread, b->source->user));
  const double done = (1 - unread) * (b->cells_read > 0 ? b->progress.cells_done / b->cells_read : 0);
  const double seconds = b->progress.seconds - b->progress.build_seconds;
  return known && done > 0 && seconds > SECONDS_THAT_TELL ? seconds * (1 - done) / done : -1;
}

static cla_status report(batch *b, cla_error *error) {
  const double now = machine_seconds();
  executor_tell(b->executor);
  b->progress.seconds = now - b->began;
  b->progress.build_seconds = executor_build_seconds(&b->progress.building, b->executor);
  if (!b->options->progress || now - b->reported < CLA_PROGRESS_SECONDS) return CLA_OK;
  b->reported = now;
  b->progress.seconds_left = seconds_left(b);
  if (b->options->progress(&b->progress, b->options->progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED,
                   "interrupted; of the %lld pairs that were read %lld are done",
                   (long long)b->progress.pairs_read, (long long)b->progress.pairs_done);
}

static cla_status make_job(batch_job **out, batch *b, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a pair", error);
  if (status != CLA_OK) return status;
  (*out)->after = b->jobs;
  if (b->jobs) b->jobs->before = *out;
  b->jobs = *out;
  b->pairs++;
  return CLA_OK;
}

static void free_job(batch *b, batch_job *job) {
  if (!job) return;
  if (job->after) job->after->before = job->before;
  if (job->before)
    job->before->after = job->after;
  else
    b->jobs = job->after;
  b->pairs--;
  b->letters -= batch_job_letters(job);
  if (job->readable && b->source->release) b->source->release(&job->pair, b->source->user);
  batch_job_clear(job);
  free(job);
}

/* Returns true if too many pairs or letters are in memory. The pairs that the first group keeps do not
 * count: only reading more pairs can complete that group. */
static bool is_full(const batch *b) {
  const batch_slot *head = b->options->best_of_group > 0 ? b->slots.first : NULL;
  const int64_t pairs = b->pairs - (head ? head->best.count : 0);
  const int64_t letters = b->letters - (head ? head->best.letters : 0);
  return pairs >= b->options->pairs_ahead || (pairs > 0 && letters >= b->options->letters_ahead);
}

/* Closes the slot: no more pairs will be added to it. */
static void close_slot(batch *b, batch_slot *slot) {
  slot->closed = true;
  slot_list_touch(&b->slots, slot);
}

/* Finds the slot for the next pair: the slot of its group, or a new one. */
static cla_status find_slot(batch_slot **out, batch *b, int64_t group, cla_error *error) {
  batch_slot *slot = b->slots.last;
  *out = slot;
  if (b->options->best_of_group > 0 && slot && !slot->closed && slot->group == group) return CLA_OK;
  if (slot && !slot->closed) close_slot(b, slot);
  cla_status status = ALLOCATE_ZEROS(out, 1, "the place of a result", error);
  if (status != CLA_OK) return status;
  (*out)->group = group;
  (*out)->best.most = b->options->best_of_group;
  (*out)->closed = b->options->best_of_group == 0;
  slot_list_add(&b->slots, *out);
  return CLA_OK;
}

static void note_done(batch *b, const batch_job *job) {
  b->progress.pairs_done++;
  b->progress.pairs_failed += job->status != CLA_OK;
  if (job->status == CLA_OK) b->progress.cells_done += batch_job_cells(job);
}

/* Takes over the result that an earlier run found for the pair. */
static void take_finished(batch *b, batch_job *job) {
  cla_finished_unit *unit = job->pair.finished;
  job->alignments = unit->pairs[0].alignments;
  job->count = unit->pairs[0].count;
  unit->count = 0; /* the job owns the alignments now */
  cla_finished_unit_free(unit);
  job->pair.finished = NULL;
  job->kept = true;
  job->slot->single = job;
  slot_list_touch(&b->slots, job->slot);
}

/* Reads a pair and gives it to the executor. If the pair cannot be read, stores the error as its result. */
static cla_status read_pair(batch *b, cla_error *error) {
  cla_status read = CLA_OK;
  cla_error why = {.status = CLA_OK};
  batch_job *job = NULL;
  batch_slot *slot = NULL;
  cla_status status = make_job(&job, b, error);
  if (status != CLA_OK) return status;
  b->ended = !b->source->next(&job->pair, &read, &why, b->source->user);
  if (b->ended) {
    b->read_status = read;
    b->read_error = why;
    if (b->slots.last) close_slot(b, b->slots.last);
    free_job(b, job);
    return CLA_OK;
  }
  job->index = b->progress.pairs_read++;
  job->readable = read == CLA_OK;
  job->how = b->options;
  b->letters += batch_job_letters(job);
  b->cells_read += batch_job_cells(job);
  status = find_slot(&slot, b, job->pair.group, error);
  if (status != CLA_OK) return status;
  job->slot = slot;
  if (job->readable && job->pair.finished) {
    take_finished(b, job);
    return CLA_OK;
  }
  if (job->readable) {
    job->only_score = b->options->best_of_group > 0;
    job->gate = b->options->best_of_group > 0 ? &slot->gate : NULL;
    slot->outstanding++;
    executor_add(b->executor, job);
    return CLA_OK;
  }
  batch_job_fail(job, read, &why);
  slot_list_touch(&b->slots, slot);
  note_done(b, job);
  if (b->options->best_of_group > 0)
    job_list_return(&slot->failed, job);
  else
    slot->single = job;
  return CLA_OK;
}

/* Once all scores of a group are known, has the group's best pairs aligned. If only scores are wanted, has
 * these pairs verified instead. */
static void align_best(batch *b, batch_slot *slot) {
  if (!batch_slot_is_complete(slot) || slot->aligning || b->options->best_of_group == 0) return;
  slot->aligning = true;
  group_best_sort(&slot->best);
  slot->outstanding = slot->best.count;
  for (int64_t i = 0; i < slot->best.count; i++) {
    batch_job *job = slot->best.jobs[i];
    job->only_score = false;
    job->chosen = true;
    job->score = job->alignments[0]->score;
    job->gate = NULL;
    job->needed = (score_gate){0};
    job->alone = false;
    job->failed_on = 0;
    executor_add(b->executor, job);
  }
}

/* Takes the score of a pair of a group. Keeps the pair if its score is among the best; otherwise frees the
 * pair. */
static cla_status take_score(batch *b, batch_job *job, cla_error *error) {
  batch_slot *slot = job->slot;
  batch_job *out = job;
  int64_t least = 0;
  cla_status status = CLA_OK;
  note_done(b, job);
  if (job->status != CLA_OK) {
    job_list_return(&slot->failed, job);
    return CLA_OK;
  }
  if (job->count > 0) status = group_best_add(&out, &slot->best, job, error);
  if (status != CLA_OK) return status;
  free_job(b, out);
  if (group_best_least(&slot->best, &least)) executor_raise(b->executor, &slot->gate, least);
  return status;
}

/* Fails the job if its alignment does not have the score for which the pair was chosen. */
static void check_chosen(const batch *b, batch_job *job) {
  const cla_scoring *scoring = &b->options->align.scoring;
  char texts[2][CLA_SCORE_TEXT_SIZE] = {"", "nothing that is wanted"};
  cla_error why = {.status = CLA_OK};
  if (job->status != CLA_OK || (job->count > 0 && job->alignments[0]->score == job->score)) return;
  cla_score_text(texts[0], job->score, scoring);
  if (job->count > 0) cla_score_text(texts[1], job->alignments[0]->score, scoring);
  error_set(
      &why, CLA_ERROR_VERIFICATION,
      "wrong value: the pair was chosen for a score of %s, but aligned it gives %s; " WRONG_VALUE_REMEDY,
      texts[0], texts[1]);
  batch_job_fail(job, CLA_ERROR_VERIFICATION, &why);
}

/* Takes the jobs that the executor has done. */
static cla_status take_done(batch *b, cla_error *error) {
  cla_status status = CLA_OK;
  for (batch_job *job = executor_take_done(b->executor), *next; job && status == CLA_OK; job = next) {
    batch_slot *slot = job->slot;
    next = job->next;
    job->next = NULL;
    slot->outstanding--;
    slot_list_touch(&b->slots, slot);
    if (b->options->best_of_group == 0) {
      note_done(b, job);
      slot->single = job;
      if (b->options->directory) status = batch_job_keep(job, b->options->directory, error);
    } else if (!slot->aligning) {
      status = take_score(b, job, error);
    } else {
      check_chosen(b, job);
      b->progress.pairs_failed += job->status != CLA_OK; /* the pair was scored, but its alignment failed */
    }
    if (status == CLA_OK) align_best(b, slot);
  }
  return status;
}

/* Hands out the result of a pair and frees the job. */
static cla_status hand_out(batch *b, batch_job *job, cla_error *error) {
  const cla_batch_result result = batch_job_result(job);
  cla_status status = CLA_OK;
  b->progress.results++;
  if (!b->options->sink(&result, b->options->sink_user))
    status =
        error_set(error, CLA_ERROR_INTERRUPTED, "the taker of the results wants no more; %lld were taken",
                  (long long)b->progress.results);
  else if (job->status != CLA_OK && b->options->fail_fast)
    status = error_set(error, job->status, "%s", job->error->message);
  free_job(b, job);
  return status;
}

/* Hands out all jobs of the slot. */
static cla_status hand_out_jobs(batch *b, batch_slot *slot, cla_error *error) {
  cla_status status = CLA_OK;
  for (batch_job *job; status == CLA_OK && (job = batch_slot_take(slot));) status = hand_out(b, job, error);
  return status;
}

/* Hands out the errors of a group to which pairs may still be added, so that errors do not fill the memory.
 * Errors must be in the order of the pairs. So it waits until no pair of the group is being aligned. */
static cla_status hand_out_failed(batch *b, batch_slot *slot, cla_error *error) {
  cla_status status = CLA_OK;
  if (slot->outstanding > 0) return CLA_OK;
  for (batch_job *job; status == CLA_OK && (job = job_list_take(&slot->failed));)
    status = hand_out(b, job, error);
  return status;
}

/* Hands out what is known of a slot's result. *gone: the slot was complete and is freed. */
static cla_status hand_out_slot(bool *gone, batch *b, batch_slot *slot, cla_error *error) {
  *gone = false;
  align_best(b, slot); /* needed if a group's last pair was done before its slot was closed */
  if (!batch_slot_is_complete(slot)) return hand_out_failed(b, slot, error);
  cla_status status = hand_out_jobs(b, slot, error);
  if (status != CLA_OK) return status; /* the caller frees the remaining jobs */
  slot_list_remove(&b->slots, slot);
  batch_slot_free(slot);
  *gone = true;
  return CLA_OK;
}

/* Hands out all complete results, each in its turn unless the options allow any order. */
static cla_status hand_out_complete(batch *b, cla_error *error) {
  cla_status status = CLA_OK;
  bool gone = false, first = false;
  for (batch_slot *slot; status == CLA_OK && (slot = slot_list_take_touched(&b->slots));) {
    if (b->options->as_finished)
      status = hand_out_slot(&gone, b, slot, error);
    else
      first |= slot == b->slots.first;
  }
  while (status == CLA_OK && first && b->slots.first) {
    status = hand_out_slot(&gone, b, b->slots.first, error);
    first = gone;
  }
  return status;
}

/* Hands out all complete results in their order, skipping incomplete ones. Called when no device is left. */
static void hand_out_rest(batch *b) {
  cla_error ignored; /* the batch ends with the error of the devices instead */
  cla_status status = CLA_OK;
  executor_tell(b->executor);
  for (batch_slot *slot = b->slots.first; slot && status == CLA_OK; slot = slot->next)
    if (batch_slot_is_complete(slot) && (b->options->best_of_group == 0 || slot->aligning))
      status = hand_out_jobs(b, slot, &ignored);
}

/* Reports the plan, once, and lets the threads work. */
static cla_status go(batch *b, cla_error *error) {
  char *text = NULL;
  cla_status status = CLA_OK;
  if (!b->explained && b->options->align.callbacks.explain)
    status = executor_explain(&text, b->executor, error);
  if (text) b->options->align.callbacks.explain(text, b->options->align.callbacks.explain_user);
  free(text);
  b->explained = true;
  if (status == CLA_OK) executor_go(b->executor);
  return status;
}

static cla_status give(batch *b, cla_error *error) {
  cla_status status = take_done(b, error);
  if (status == CLA_OK) status = hand_out_complete(b, error);
  return status == CLA_OK ? report(b, error) : status;
}

static cla_status read_some(batch *b, cla_error *error) {
  const int64_t pairs = b->progress.pairs_read + PAIRS_BETWEEN_LOOKS;
  const double until = machine_seconds() + SECONDS_BETWEEN_LOOKS;
  cla_status status = CLA_OK;
  do {
    status = read_pair(b, error);
  } while (status == CLA_OK && !b->ended && !is_full(b) && b->progress.pairs_read < pairs &&
           machine_seconds() < until);
  return status;
}

/* Reads pairs while there is room, and hands out results meanwhile. */
static cla_status read_more(batch *b, cla_error *error) {
  cla_status status = CLA_OK;
  if (b->ended || is_full(b)) return CLA_OK;
  executor_reading(b->executor, true);
  while (status == CLA_OK && !b->ended && !is_full(b)) {
    status = read_some(b, error);
    if (status == CLA_OK) status = give(b, error);
    if (status == CLA_OK && machine_seconds() - b->began > b->seconds_of_reading) status = go(b, error);
  }
  executor_reading(b->executor, false);
  return status;
}

static cla_status run(batch *b, cla_error *error) {
  cla_status status = CLA_OK;
  do {
    status = read_more(b, error);
    if (status == CLA_OK) status = go(b, error);
    if (status == CLA_OK) status = give(b, error);
    if (status == CLA_OK && b->slots.first && (b->ended || is_full(b))) {
      status = executor_wait(b->executor, error);
      if (status != CLA_OK) hand_out_rest(b);
    }
  } while (status == CLA_OK && (!b->ended || b->slots.first));
  if (status == CLA_OK && b->read_status != CLA_OK)
    status = error_set(error, b->read_status, "%s", b->read_error.message);
  return status;
}

static bool are_alike(cla_device *const *devices, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!device_is_like(devices[i], devices[0])) return false;
  return true;
}

cla_status cla_batch(cla_batch_progress *done, cla_device *const *devices, size_t device_count,
                     const cla_batch_source *source, const cla_batch_options *options, cla_error *error) {
  const cla_batch_options shared = batch_memory_share(options);
  batch b = {.source = source,
             .options = &shared,
             .began = machine_seconds(),
             .seconds_of_reading = are_alike(devices, device_count) && !options->align.callbacks.explain
                                       ? SECONDS_FOR_ALIKE
                                       : SECONDS_OF_READING};
  cla_status status = batch_options_check(options, devices, device_count, error);
  if (status == CLA_OK) status = executor_begin(&b.executor, devices, device_count, &shared, error);
  if (status == CLA_OK) status = run(&b, error);
  if (b.executor) {
    b.progress.build_seconds = executor_build_seconds(&b.progress.building, b.executor);
    executor_end(b.executor);
    for (batch_job *job = b.jobs, *next; job; job = next) {
      next = job->after;
      free_job(&b, job);
    }
  }
  for (batch_slot *slot = b.slots.first, *next; slot; slot = next) {
    next = slot->next;
    batch_slot_free(slot);
  }
  b.progress.seconds = machine_seconds() - b.began;
  if (done) *done = b.progress;
  return status;
}
