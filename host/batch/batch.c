/* cla_batch: reads pairs, has them aligned by the executor, and hands the results out. All of this is the
 * calling thread's. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "batch/batch_results.h"
#include "batch/executor.h"
#include "device/device.h"

/* Threads begin when so much was read that a schedule can choose, or after a while: a shorter one where
 * devices are alike, and nobody wants to see the plan. */
#define SECONDS_OF_READING 0.2
#define SECONDS_FOR_ALIKE 0.02
/* Seconds of work before which the rate is not known. */
#define SECONDS_THAT_TELL 0.1
/* Pairs that are read before threads have them and results are looked at, which locks what all need; fewer
 * where that takes long. */
#define PAIRS_BETWEEN_LOOKS 32
#define SECONDS_BETWEEN_LOOKS 0.001

typedef struct batch {
  executor *executor;
  const cla_batch_source *source;
  const cla_batch_options *options;
  cla_batch_progress progress;
  double began, reported;
  bool ended;             /* nothing more can be read */
  cla_status read_status; /* why, if that is an error */
  cla_error read_error;
  slot_list slots;        /* of results that are not handed out */
  batch_job *jobs;        /* all, whoever has them */
  int64_t pairs, letters; /* of pairs that were read and are not released */
  double seconds_of_reading;
  double cells_read;
  bool explained;
} batch;

/* The time left goes by what is done and how long that has taken; negative: not known. */
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
  cla_status status = allocate_zeros((void **)out, 1, sizeof **out, "a pair", error);
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

/* Pairs and letters that wait, without those that the first group keeps: they wait for nobody but the pairs
 * that are still to be read. */
static bool is_full(const batch *b) {
  const batch_slot *head = b->options->best_of_group > 0 ? b->slots.first : NULL;
  const int64_t pairs = b->pairs - (head ? head->best.count : 0);
  const int64_t letters = b->letters - (head ? head->best.letters : 0);
  return pairs >= b->options->pairs_ahead || (pairs > 0 && letters >= b->options->letters_ahead);
}

/* No more pairs will come to it. */
static void close_slot(batch *b, batch_slot *slot) {
  slot->closed = true;
  slot_list_touch(&b->slots, slot);
}

/* The slot for the next pair: a new one, or that of its group. */
static cla_status find_slot(batch_slot **out, batch *b, int64_t group, cla_error *error) {
  batch_slot *slot = b->slots.last;
  *out = slot;
  if (b->options->best_of_group > 0 && slot && !slot->closed && slot->group == group) return CLA_OK;
  if (slot && !slot->closed) close_slot(b, slot);
  cla_status status = allocate_zeros((void **)out, 1, sizeof **out, "the place of a result", error);
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

/* The job has what an earlier run found. */
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

/* Reads a pair and gives it to the executor, or notes why it cannot be read. */
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

/* All scores of a group are known: its best are to be aligned, or where scores are all that is wanted,
 * verified.
 */
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

/* A pair of a group has its score. */
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

/* What one of a group's best was chosen for must hold for its alignment, too. */
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

/* Takes what the executor has done. */
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

/* Hands out what was found of a pair, and ends with it. */
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

/* Hands out all that the slot has. */
static cla_status hand_out_jobs(batch *b, batch_slot *slot, cla_error *error) {
  cla_status status = CLA_OK;
  for (batch_job *job; status == CLA_OK && (job = batch_slot_take(slot));) status = hand_out(b, job, error);
  return status;
}

/* Hands out the errors of a group whose end is not known, so that they do not pile up in memory. No pair may
 * be in work: otherwise the errors would not be in the pairs' order. */
static cla_status hand_out_failed(batch *b, batch_slot *slot, cla_error *error) {
  cla_status status = CLA_OK;
  if (slot->outstanding > 0) return CLA_OK;
  for (batch_job *job; status == CLA_OK && (job = job_list_take(&slot->failed));)
    status = hand_out(b, job, error);
  return status;
}

/* Hands out what there is of a result, and *gone if that is all. */
static cla_status hand_out_slot(bool *gone, batch *b, batch_slot *slot, cla_error *error) {
  *gone = false;
  align_best(b, slot); /* of a group whose last pair was done before it was known to be the last */
  if (!batch_slot_is_complete(slot)) return hand_out_failed(b, slot, error);
  cla_status status = hand_out_jobs(b, slot, error);
  if (status != CLA_OK) return status; /* what is left is freed with all the rest */
  slot_list_remove(&b->slots, slot);
  batch_slot_free(slot);
  *gone = true;
  return CLA_OK;
}

/* Hands out all results that are complete and whose turn it is. */
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

/* No device is left: what is complete is handed out though results before it are missing, in order without
 * them. */
static void hand_out_rest(batch *b) {
  cla_error ignored; /* the batch ends with why there is no device */
  cla_status status = CLA_OK;
  executor_tell(b->executor);
  for (batch_slot *slot = b->slots.first; slot && status == CLA_OK; slot = slot->next)
    if (batch_slot_is_complete(slot) && (b->options->best_of_group == 0 || slot->aligning))
      status = hand_out_jobs(b, slot, &ignored);
}

/* Tells the plan, once, and lets the threads work. */
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

/* Reads, while there is room, and hands out what is done meanwhile. */
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
