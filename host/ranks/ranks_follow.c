/* Another rank's part of a batch. Its own executor aligns the pairs that rank 0 sends. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "batch/executor.h"
#include "ranks/ranks_arrays.h"

/* A lot that this rank is aligning. */
typedef struct lot_here {
  struct lot_here *next;
  int32_t number, left;
} lot_here;

/* A pair of a lot. The job's pair.user points to this struct. */
typedef struct dealt_job {
  rank_job of;
  lot_here *lot;
  struct dealt_job *next, *previous; /* neighbours in the list of all pairs here */
} dealt_job;

typedef struct batch_part {
  const cla_ranks *ranks;
  rank_batch head;
  char *kernel, *settings; /* owned; head.options points to them */
  cla_batch_options options;
  executor *executor;
  dealt_job *jobs;
  bool ended;
} batch_part;

static void forget(batch_part *p, dealt_job *dealt) {
  if (dealt->next) dealt->next->previous = dealt->previous;
  *(dealt->previous ? &dealt->previous->next : &p->jobs) = dealt->next;
  if (--dealt->lot->left == 0) free(dealt->lot);
  rank_job_free(dealt->of.job);
  free(dealt);
}

/* Sends a note to rank 0, for its user. */
static void send_note(const char *note, void *user) {
  const cla_ranks *ranks = user;
  char text[1400];
  cla_error unused;
  snprintf(text, sizeof text, "rank %d on %.200s: %.1100s", ranks->rank, ranks->host, note);
  (void)ranks_send(ranks, 0, RANK_NOTE, (cla_rank_bytes){text, (int64_t)strlen(text) + 1}, &unused);
}

/* Reads the message with which a batch starts. Removes the options' pointers that are not valid on this
 * rank. */
static cla_status read_head(batch_part *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  cla_align_options *align = &p->head.options.align;
  if (!rank_copy(&p->head, &from, sizeof p->head)) return ranks_damaged(message, error);
  cla_status status = rank_take_text(&p->kernel, &from, p->head.kernel_bytes, error);
  if (status == CLA_OK) status = rank_take_text(&p->settings, &from, p->head.settings_bytes, error);
  align->kernel.name = p->kernel;
  align->kernel.settings = p->settings;
  align->lower_bound.path = NULL;
  align->tuning = NULL;
  align->partners = NULL;
  align->partner_count = 0;
  align->ranks = NULL;
  align->callbacks.progress = NULL;
  align->run.directory = align->run.text = NULL;
  align->callbacks.explain = NULL;
  align->allocator = NULL;
  return status;
}

static cla_status begin(batch_part *p, const batch_means *means, cla_error *error) {
  cla_batch_options *own = &p->options;
  if (means->count == 0) return error_set(error, CLA_ERROR_DEVICE, "it has no device");
  cla_batch_options_init(own);
  own->align = p->head.options.align;
  own->tunings = (const cla_tuning *const *)means->tunings;
  own->align.budgets.threads = p->ranks->threads;
  own->align.callbacks.note = send_note;
  own->align.callbacks.note_user = (void *)(uintptr_t)p->ranks;
  cla_status status = executor_begin(&p->executor, means->devices, means->count, own, error);
  if (status == CLA_OK) executor_go(p->executor);
  return status;
}

static cla_status add_job(batch_part *p, lot_here *lot, rank_reader *from, cla_error *error) {
  dealt_job *dealt = NULL;
  cla_status status = ALLOCATE_ZEROS(&dealt, 1, "a pair", error);
  if (status != CLA_OK) return status;
  status = rank_job_read(&dealt->of, from, error);
  if (status != CLA_OK) {
    free(dealt);
    return status;
  }
  dealt->lot = lot;
  lot->left++;
  dealt->next = p->jobs;
  if (p->jobs) p->jobs->previous = dealt;
  p->jobs = dealt;
  dealt->of.job->pair.user = dealt;
  dealt->of.job->index = ((int64_t)lot->number << 32) + dealt->of.place;
  executor_add(p->executor, dealt->of.job);
  return CLA_OK;
}

static cla_status take_units(batch_part *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  rank_lot head;
  lot_here *lot = NULL;
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  if (head.number != p->head.number) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&lot, 1, "a lot", error);
  if (status != CLA_OK) return status;
  lot->number = head.lot;
  for (int32_t i = 0; i < head.count && status == CLA_OK; i++) status = add_job(p, lot, &from, error);
  if (lot->left == 0) free(lot);
  return status;
}

static cla_status take_message(batch_part *p, const cla_rank_message *message, cla_error *error) {
  if (message->kind == RANK_UNITS) return take_units(p, message, error);
  if (message->kind == RANK_BATCH_END) p->ended = true;
  return CLA_OK;
}

/* Sends the results of the done jobs that belong to the first job's lot. *done: the other jobs. */
static cla_status send_lot_of(batch_part *p, batch_job **done, cla_error *error) {
  const lot_here *lot = ((dealt_job *)(*done)->pair.user)->lot;
  rank_lot head;
  rank_writer message = {0};
  batch_job *others = NULL, **others_end = &others, *sent = NULL;
  memset(&head, 0, sizeof head);
  head.number = p->head.number;
  head.lot = lot->number;
  cla_status status = rank_write(&message, &head, sizeof head, error);
  for (batch_job *job = *done, *next; job; job = next) {
    const dealt_job *dealt = job->pair.user;
    next = job->next;
    job->next = NULL;
    if (dealt->lot != lot) {
      *others_end = job;
      others_end = &job->next;
      continue;
    }
    rank_job_place(&dealt->of);
    if (status == CLA_OK) status = rank_result_write(&message, job, dealt->of.place, error);
    head.count++;
    job->next = sent;
    sent = job;
  }
  if (status == CLA_OK) {
    memcpy(message.bytes, &head, sizeof head);
    status = ranks_send(p->ranks, 0, RANK_RESULTS, (cla_rank_bytes){message.bytes, message.length}, error);
  }
  for (batch_job *job = sent, *next; job; job = next) {
    next = job->next;
    forget(p, job->pair.user);
  }
  free(message.bytes);
  *done = others;
  return status;
}

static cla_status work(batch_part *p, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && !p->ended) {
    cla_rank_message message = {0};
    bool found = false;
    status = p->ranks->take(p->ranks->user, &message, &found, error);
    if (status == CLA_OK && found) status = take_message(p, &message, error);
    free(message.bytes);
    if (status != CLA_OK || found) continue;
    batch_job *done = executor_take_done(p->executor);
    const bool any = done;
    while (done && status == CLA_OK) status = send_lot_of(p, &done, error);
    executor_tell(p->executor);
    if (status == CLA_OK && !any) status = executor_check(p->executor, error);
    if (status == CLA_OK) status = ranks_check(p->ranks, error);
    if (status == CLA_OK && !any) executor_rest(p->executor, p->ranks);
  }
  return status;
}

cla_status batch_for_rank0(const cla_ranks *ranks, const batch_means *means, const cla_rank_message *begins,
                           cla_error *error) {
  batch_part *p = NULL;
  cla_status status = ALLOCATE_ZEROS(&p, 1, "a batch", error);
  if (status != CLA_OK) return status;
  p->ranks = ranks;
  status = read_head(p, begins, error);
  if (status == CLA_OK && p->head.arrays) {
    status = arrays_for_rank0(ranks, means, &p->head, error);
  } else {
    if (status == CLA_OK) status = begin(p, means, error);
    if (status == CLA_OK) status = work(p, error);
  }
  executor_end(p->executor);
  for (dealt_job *job = p->jobs, *next; job; job = next) {
    next = job->next;
    forget(p, job);
  }
  free(p->kernel);
  free(p->settings);
  free(p);
  return status;
}
