/* cla_batch: reads pairs, has them aligned, and hands the results out. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "device/device_use.h"
#include "schedule/batch_job.h"
#include "schedule/batch_options.h"
#include "schedule/group_best.h"

#define SECONDS_BETWEEN_REPORTS 0.1

typedef struct batch {
  cla_device *device;
  const cla_batch_source *source;
  cla_batch_sink sink;
  void *sink_user;
  cla_batch_options options; /* the caller's, with what is chosen once for all pairs */
  cla_batch_progress progress;
  double began, reported;
  bool ended;             /* nothing more can be read */
  cla_status read_status; /* why, if that is an error */
  cla_error read_error;
  group_best best; /* of the group that is read */
  int64_t group;
} batch;

static cla_status report(batch *b, cla_error *error) {
  const double now = machine_seconds();
  b->progress.seconds = now - b->began;
  if (!b->options.progress || now - b->reported < SECONDS_BETWEEN_REPORTS) return CLA_OK;
  b->reported = now;
  if (b->options.progress(&b->progress, b->options.progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted after %lld of the pairs that were read, %lld",
                   (long long)b->progress.pairs_done, (long long)b->progress.pairs_read);
}

/* A long pair asks now and then whether to go on. */
static bool go_on(const cla_progress *progress, void *user) {
  (void)progress;
  return report(user, NULL) == CLA_OK;
}

static void free_job(batch *b, batch_job *job) {
  if (!job) return;
  if (job->readable && b->source->release) b->source->release(&job->pair, b->source->user);
  batch_job_clear(job);
  free(job);
}

/* Reads a pair; *out is NULL at the end. */
static cla_status read_job(batch_job **out, batch *b, cla_error *error) {
  cla_status read = CLA_OK;
  cla_error why = {.status = CLA_OK};
  *out = NULL;
  cla_status status = allocate_array((void **)out, 1, sizeof **out, "a pair", error);
  if (status != CLA_OK) return status;
  batch_job *job = *out;
  b->ended = !b->source->next(&job->pair, &read, &why, b->source->user);
  if (b->ended) {
    b->read_status = read;
    b->read_error = why;
    free(job);
    *out = NULL;
    return CLA_OK;
  }
  job->index = b->progress.pairs_read++;
  job->readable = read == CLA_OK;
  return job->readable ? CLA_OK : batch_job_fail(job, read, &why, error);
}

/* Hands out what was found of a pair, and ends with it. */
static cla_status hand_out(batch *b, batch_job *job, cla_error *error) {
  const cla_batch_result result = {.index = job->index,
                                   .pair = job->pair,
                                   .status = job->status,
                                   .error = job->error,
                                   .alignments = job->alignments,
                                   .count = job->count};
  cla_status status = CLA_OK;
  b->progress.results++;
  if (!b->sink(&result, b->sink_user))
    status =
        error_set(error, CLA_ERROR_INTERRUPTED, "the taker of the results wants no more; %lld were taken",
                  (long long)b->progress.results);
  else if (job->status != CLA_OK && b->options.fail_fast)
    status = error_set(error, job->status, "%s", job->error->message);
  free_job(b, job);
  return status;
}

/* Aligns the pair. Its own error is noted; one that is everybody's is returned. */
static cla_status align(batch *b, batch_job *job, batch_aim aim, cla_error *error) {
  cla_error why = {.status = CLA_OK};
  cla_status status = batch_job_align(job, aim, b->device, &b->options, &why);
  if (status == CLA_OK) return CLA_OK;
  if (status == CLA_ERROR_INTERRUPTED || status == CLA_ERROR_DEVICE || status == CLA_ERROR_VERIFICATION)
    return error_set(error, status, "%s", why.message);
  return batch_job_fail(job, status, &why, error);
}

static void count_done(batch *b, const batch_job *job) {
  b->progress.pairs_done++;
  b->progress.pairs_failed += job->status != CLA_OK;
  b->progress.cells_done += batch_job_cells(job);
}

/* Whether the score of a pair is all that is wanted of it. */
static bool score_is_all(const batch *b) {
  return b->options.align.score_only && b->options.max_alignments == 1;
}

/* The results of a group whose pairs have all been scored. */
static cla_status finish_group(batch *b, cla_error *error) {
  cla_status status = CLA_OK;
  int64_t next = 0;
  group_best_sort(&b->best);
  for (; next < b->best.count && status == CLA_OK; next++) {
    batch_job *job = b->best.jobs[next];
    if (!score_is_all(b)) status = align(b, job, BATCH_ALIGNMENTS, error);
    if (status != CLA_OK) break;
    status = hand_out(b, job, error);
  }
  for (; next < b->best.count; next++) free_job(b, b->best.jobs[next]);
  b->best.count = 0;
  return status;
}

/* Scores a pair, and keeps it if it may be among the best of its group. */
static cla_status compete(batch *b, batch_job *job, cla_error *error) {
  batch_job *out = NULL;
  cla_status status = CLA_OK;
  if (b->best.count > 0 && job->pair.group != b->group) status = finish_group(b, error);
  b->group = job->pair.group;
  if (status == CLA_OK && job->status == CLA_OK) status = align(b, job, BATCH_SCORE, error);
  if (status != CLA_OK) {
    free_job(b, job);
    return status;
  }
  count_done(b, job);
  if (job->status != CLA_OK) return hand_out(b, job, error);
  if (job->count == 0)
    out = job;
  else if ((status = group_best_add(&out, &b->best, job, error)) != CLA_OK)
    out = job;
  free_job(b, out);
  return status;
}

static cla_status do_job(batch *b, batch_job *job, cla_error *error) {
  if (b->options.best_of_group > 0) return compete(b, job, error);
  cla_status status = job->status == CLA_OK ? align(b, job, BATCH_ALIGNMENTS, error) : CLA_OK;
  if (status == CLA_OK) {
    count_done(b, job);
    return hand_out(b, job, error);
  }
  free_job(b, job);
  return status;
}

static cla_status run(batch *b, cla_error *error) {
  cla_status status = device_take(b->device, NULL, NULL, error);
  if (status != CLA_OK) return status;
  while (status == CLA_OK && !b->ended) {
    batch_job *job = NULL;
    status = read_job(&job, b, error);
    if (status == CLA_OK && job) status = do_job(b, job, error);
    if (status == CLA_OK) status = report(b, error);
  }
  if (status == CLA_OK) status = finish_group(b, error);
  if (status == CLA_OK && b->read_status != CLA_OK)
    status = error_set(error, b->read_status, "%s", b->read_error.message);
  for (int64_t i = 0; i < b->best.count; i++) free_job(b, b->best.jobs[i]);
  group_best_free(&b->best);
  device_give_back(b->device);
  return status;
}

cla_status cla_batch(cla_batch_progress *done, cla_device *const *devices, size_t device_count,
                     const cla_batch_source *source, cla_batch_sink sink, void *sink_user,
                     const cla_batch_options *options, cla_error *error) {
  batch b = {.source = source,
             .sink = sink,
             .sink_user = sink_user,
             .options = *options,
             .best = {.most = options->best_of_group},
             .began = machine_seconds()};
  b.options.align.progress = go_on;
  b.options.align.progress_user = &b;
  b.options.align.tuning = options->tunings ? options->tunings[0] : NULL;
  cla_status status = batch_options_check(options, device_count, error);
  if (status == CLA_OK) {
    b.device = devices[0];
    status = run(&b, error);
  }
  b.progress.seconds = machine_seconds() - b.began;
  if (done) *done = b.progress;
  return status;
}
