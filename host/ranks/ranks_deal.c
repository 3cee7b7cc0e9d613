/* Rank 0 deals lots of waiting pairs to other ranks and takes their results. */

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "batch/executor_internal.h"
#include "ranks/ranks_batch.h"

#define LOTS 3 /* maximum number of lots of a rank: one is being aligned, the others are on their way */
#define LOT_SECONDS 0.25 /* approximate seconds of work in a lot */
#define LOT_CELLS 1e8    /* cells of a rank's first lot */

/* Maximum numbers of letters and of pairs in a lot. */
#define LOT_LETTERS (INT64_C(32) << 20)
#define LOT_PAIRS 65536

typedef struct rank_lot_out {
  int32_t number;   /* number of the lot; 0: unused place */
  batch_job **jobs; /* owned; an entry is NULL once its result has arrived */
  int32_t count, left;
  double cells;
} rank_lot_out;

struct executor_rank {
  rank_lot_out lots[LOTS];
  int32_t lots_begun;
  double rate;  /* cells per second; 0: unknown */
  double since; /* time, in machine_seconds, when the rank started its present lot */
};

cla_status rank_batch_tell(const cla_ranks *ranks, rank_batch *head, cla_error *error) {
  static _Atomic int32_t batches;
  const char *kernel = head->options.align.kernel.name, *settings = head->options.align.kernel.settings;
  head->number = atomic_fetch_add(&batches, 1) + 1;
  head->kernel_bytes = kernel ? (int64_t)strlen(kernel) + 1 : 0;
  head->settings_bytes = settings ? (int64_t)strlen(settings) + 1 : 0;
  const cla_rank_bytes parts[] = {
      {head, sizeof *head}, {kernel, head->kernel_bytes}, {settings, head->settings_bytes}};
  return ranks_tell_parts(ranks, RANK_BATCH, parts, 3, error);
}

static cla_status begin_ranks(executor *x, cla_error *error) {
  rank_batch head;
  cla_status status = ALLOCATE_ZEROS(&x->others, x->ranks->count, "the ranks", error);
  if (status != CLA_OK) return status;
  memset(&head, 0, sizeof head);
  head.options = *x->options;
  status = rank_batch_tell(x->ranks, &head, error);
  x->batch = head.number;
  return status;
}

/* Returns the list with the next pair for a rank, or NULL. */
static job_list *list_for_ranks(executor *x) {
  job_list *const lists[] = {&x->waiting, &x->short_of_devices, &x->short_of_lanes};
  for (int i = 0; i < 3; i++)
    if (lists[i]->first && !lists[i]->first->no_rank) return lists[i];
  return NULL;
}

/* Takes pairs for a lot, but leaves enough for all other ranks and threads. */
static void take_lot(job_list *out, executor *x, const executor_rank *rank) {
  const double wanted = rank->rate > 0 ? rank->rate * LOT_SECONDS : LOT_CELLS;
  int64_t letters = 0;
  pthread_mutex_lock(&x->lock);
  const double cells = x->waiting.cells + x->short_of_devices.cells + x->short_of_lanes.cells;
  const double most = fmin(wanted, cells / (2 * ranks_left(x->ranks)));
  for (job_list *from; (from = list_for_ranks(x));) {
    if (out->count > 0 &&
        (out->cells + from->first->cells > most || out->count >= LOT_PAIRS || letters > LOT_LETTERS))
      break;
    batch_job *job = job_list_take(from);
    if (job->gate) job->needed = *job->gate;
    letters += batch_job_letters(job);
    job_list_add(out, job);
  }
  pthread_mutex_unlock(&x->lock);
}

static void put_back(executor *x, job_list *jobs) {
  pthread_mutex_lock(&x->lock);
  for (batch_job *job; (job = job_list_take(jobs));) executor_put(x, job, true);
  executor_wake(x);
  pthread_mutex_unlock(&x->lock);
}

static cla_status send_lot(executor *x, int to, rank_lot_out *lot, job_list *jobs, cla_error *error) {
  rank_lot head;
  rank_writer message = {0};
  memset(&head, 0, sizeof head);
  head.number = x->batch;
  head.lot = lot->number;
  head.count = (int32_t)jobs->count;
  cla_status status = ALLOCATE_ARRAY(&lot->jobs, jobs->count, "a lot", error);
  if (status == CLA_OK) status = rank_write(&message, &head, sizeof head, error);
  int32_t place = 0;
  for (batch_job *job = jobs->first; job && status == CLA_OK; job = job->next) {
    lot->jobs[place] = job;
    status = rank_job_write(&message, job, place++, error);
  }
  lot->count = lot->left = place;
  lot->cells = jobs->cells;
  if (status == CLA_OK)
    status = ranks_send(x->ranks, to, RANK_UNITS, (cla_rank_bytes){message.bytes, message.length}, error);
  free(message.bytes);
  return status;
}

static void end_lot(rank_lot_out *lot) {
  free(lot->jobs);
  *lot = (rank_lot_out){0};
}

static bool has_lots(const executor_rank *rank) {
  for (int i = 0; i < LOTS; i++)
    if (rank->lots[i].number > 0) return true;
  return false;
}

/* Sends a lot to the rank. Returns false if the rank has enough lots or no pair is waiting. */
static bool deal(executor *x, int to) {
  executor_rank *rank = x->others + to;
  rank_lot_out *lot = NULL;
  job_list jobs = {0};
  cla_error why = {.status = CLA_OK};
  for (int i = 0; i < LOTS && !lot; i++)
    if (rank->lots[i].number == 0) lot = &rank->lots[i];
  if (!lot || ranks_is_gone(x->ranks, to) || x->rank_error.status != CLA_OK) return false;
  take_lot(&jobs, x, rank);
  if (jobs.count == 0) return false;
  if (!has_lots(rank)) rank->since = machine_seconds();
  lot->number = ++rank->lots_begun;
  cla_status status = send_lot(x, to, lot, &jobs, &why);
  if (status == CLA_OK) return true;
  end_lot(lot);
  put_back(x, &jobs);
  x->rank_error = why;
  x->rank_error.status = status;
  return false;
}

/* Takes a pair's result. A pair that failed on the other rank is tried on this one. An error message then
 * refers to the whole record; or this rank has enough memory. */
static void take_job(executor *x, batch_job *job) {
  const bool again = job->status != CLA_OK;
  if (again) {
    batch_job_clear(job);
    job->no_rank = true;
  } else {
    batch_job_prepare(job);
  }
  pthread_mutex_lock(&x->lock);
  if (again)
    executor_put(x, job, true);
  else
    job_list_add(&x->done, job);
  if (again) executor_wake(x);
  pthread_mutex_unlock(&x->lock);
}

static rank_lot_out *find_lot(executor_rank *rank, int32_t number) {
  for (int i = 0; i < LOTS; i++)
    if (number > 0 && rank->lots[i].number == number) return &rank->lots[i];
  return NULL;
}

/* Updates the rank's speed from the time since it started the lot. */
static void learn(executor_rank *rank, const rank_lot_out *lot) {
  const double now = machine_seconds(), took = now - rank->since;
  const double rate = lot->cells / (took > 1e-3 ? took : 1e-3);
  rank->rate = rank->rate > 0 ? (rank->rate + rate) / 2 : rate;
  rank->since = now;
}

static cla_status take_results(executor *x, const cla_rank_message *message, cla_error *error) {
  executor_rank *rank = x->others + message->from;
  rank_reader from = rank_read(message);
  rank_lot head;
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  if (head.number != x->batch) return CLA_OK; /* a message of an earlier batch */
  rank_lot_out *lot = find_lot(rank, head.lot);
  if (!lot || head.count > lot->left) return ranks_damaged(message, error);
  cla_status status = CLA_OK;
  for (int32_t i = 0; i < head.count && status == CLA_OK; i++) {
    int32_t place = 0;
    status = rank_result_place(&place, &from, error);
    if (status != CLA_OK) return status;
    if (place < 0 || place >= lot->count || !lot->jobs[place]) return ranks_damaged(message, error);
    batch_job *job = lot->jobs[place];
    lot->jobs[place] = NULL;
    lot->left--;
    status = rank_result_read(job, &from, error);
    if (status == CLA_OK) take_job(x, job);
  }
  if (status != CLA_OK || lot->left > 0) return status;
  learn(rank, lot);
  end_lot(lot);
  return CLA_OK;
}

static cla_status take_message(executor *x, const cla_rank_message *message, cla_error *error) {
  switch (message->kind) {
    case RANK_ERROR: return ranks_failed(x->ranks, &(rank_work){RANK_BATCH, x->batch}, message, error);
    case RANK_RESULTS: return take_results(x, message, error);
    case RANK_NOTE:
      if (x->options->align.callbacks.note && message->length > 0 &&
          message->bytes[message->length - 1] == '\0')
        x->options->align.callbacks.note((const char *)message->bytes, x->options->align.callbacks.note_user);
      return CLA_OK;
    default: return CLA_OK;
  }
}

/* Puts back the pairs of ranks that have died, except those whose results have arrived. */
static void take_back(executor *x) {
  for (int i = 1; i < x->ranks->count; i++) {
    executor_rank *rank = &x->others[i];
    if (!ranks_is_gone(x->ranks, i) || !has_lots(rank)) continue;
    for (int lot = 0; lot < LOTS; lot++) {
      job_list jobs = {0};
      for (int32_t place = 0; place < rank->lots[lot].count; place++)
        if (rank->lots[lot].jobs[place]) job_list_add(&jobs, rank->lots[lot].jobs[place]);
      put_back(x, &jobs);
      end_lot(&rank->lots[lot]);
    }
    rank->rate = 0;
  }
}

static void move_ranks(executor *x) {
  cla_error why = {.status = CLA_OK};
  cla_status status = CLA_OK;
  for (bool found = true; found && status == CLA_OK && x->rank_error.status == CLA_OK;) {
    cla_rank_message message = {0};
    status = x->ranks->take(x->ranks->user, &message, &found, &why);
    if (status == CLA_OK && found) status = take_message(x, &message, &why);
    free(message.bytes);
  }
  if (status != CLA_OK) {
    x->rank_error = why;
    x->rank_error.status = status;
  }
  take_back(x);
  if (!x->going) return;
  for (bool dealt = true; dealt;) {
    dealt = false;
    for (int to = 1; to < x->ranks->count; to++) dealt = deal(x, to) || dealt;
  }
}

static void end_ranks(executor *x) {
  cla_error unused;
  if (!x->others) return;
  (void)ranks_tell(x->ranks, RANK_BATCH_END, (cla_rank_bytes){&x->batch, sizeof x->batch}, &unused);
  for (int i = 0; i < x->ranks->count; i++)
    for (int lot = 0; lot < LOTS; lot++) end_lot(&x->others[i].lots[lot]);
  free(x->others);
}

const batch_peers batch_peers_on_ranks = {begin_ranks, move_ranks, end_ranks};
