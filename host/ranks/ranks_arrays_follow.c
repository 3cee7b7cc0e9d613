/* Another rank's part in aligning pairs as arrays. Each of its threads aligns one message of pairs after
 * another. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "ranks/ranks_arrays.h"

/* A message of pairs that waits for a thread. */
typedef struct waiting_lot {
  cla_rank_message message;
  struct waiting_lot *next;
} waiting_lot;

typedef struct arrays_part {
  const cla_ranks *ranks;
  int32_t batch;
  cla_align_options options;
  cla_rank_message kept_message;
  cla_pair_arrays kept; /* targets of that message */
  pthread_mutex_t lock; /* guards the fields below */
  pthread_cond_t changed;
  waiting_lot *first, *last;
  int ended_threads, at_work;
  atomic_bool ended; /* the batch has ended, so no results are wanted */
  cla_status status; /* CLA_OK, or the error with which a thread has ended */
  cla_error error;
} arrays_part;

static bool go_on(const cla_progress *progress, void *user) {
  const arrays_part *p = user;
  (void)progress;
  return !atomic_load(&p->ended);
}

/* Finds the arrays in a message, which still owns them. `kept`: targets that came in an earlier message. */
static bool read_arrays(rank_arrays *head, cla_pair_arrays *out, const cla_rank_message *message,
                        const cla_pair_arrays *kept) {
  rank_reader from = rank_read(message);
  const int64_t longs = (int64_t)sizeof(int64_t);
  if (!rank_copy(head, &from, sizeof *head) || head->lot.count < 0) return false;
  *out = (cla_pair_arrays){.alphabet = (cla_alphabet)head->alphabet,
                           .coded = head->coded,
                           .sequences = {head->sequences[0], head->sequences[1]},
                           .pairs = head->lot.count};
  if (head->kept && (!kept->letters[1] || kept->sequences[1] != head->sequences[1])) return false;
  out->offsets[1] = kept->offsets[1];
  out->letters[1] = kept->letters[1];
  const int sides = head->kept ? 1 : 2;
  for (int side = 0; side < sides; side++) {
    out->offsets[side] = (const int64_t *)(const void *)rank_skip(&from, (out->sequences[side] + 1) * longs);
    if (!out->offsets[side] || out->offsets[side][0] != 0) return false;
  }
  for (int side = 0; side < 2 && head->has_of[0] + head->has_of[1] > 0; side++)
    if (head->has_of[side])
      out->of[side] = (const int64_t *)(const void *)rank_skip(&from, out->pairs * longs);
  if (head->has_strand) out->strand = rank_skip(&from, out->pairs);
  for (int side = 0; side < sides; side++) {
    out->letters[side] = rank_skip(&from, out->offsets[side][out->sequences[side]]);
    if (!out->letters[side]) return false;
  }
  return (!head->has_of[0] || out->of[0]) && (!head->has_of[1] || out->of[1]) &&
         (!head->has_strand || out->strand);
}

/* Returns the number of letters of all pairs: the paths have at most this many runs. */
static int64_t letters_of(const cla_pair_arrays *pairs) {
  int64_t letters = 0;
  for (int64_t i = 0; i < pairs->pairs; i++)
    for (int side = 0; side < 2; side++) {
      const int64_t *offset = pairs->offsets[side] + (pairs->of[side] ? pairs->of[side][i] : i);
      letters += offset[1] - offset[0];
    }
  return letters;
}

/* Allocates the wanted result arrays in one block, which the caller frees. */
static cla_status make_room(void **memory, cla_pair_results *found, const rank_arrays *head, int64_t runs,
                            cla_error *error) {
  static int64_t some; /* only its address is used: it is not NULL, so that the array's size is returned */
  const int64_t pairs = head->lot.count;
  cla_pair_results like = {.score = &some,
                           .start = {&some, &some},
                           .end = {&some, &some},
                           .run_offsets = &some,
                           .runs = (cla_packed_run *)(void *)&some,
                           .strand = (uint8_t *)&some,
                           .status = (uint8_t *)&some};
  rank_result_part parts[RANK_RESULT_PARTS];
  int64_t bytes = 1, at = 0;
  const int count = rank_results_parts(parts, &like, pairs, runs);
  for (int i = 0; i < count; i++) {
    if (!(head->wanted >> i & 1)) parts[i].bytes = 0;
    bytes += parts[i].bytes;
  }
  cla_status status = allocate_zeros(memory, bytes, 1, "results", error);
  if (status != CLA_OK) return status;
  void *places[RANK_RESULT_PARTS];
  for (int i = 0; i < count; i++) {
    places[i] = head->wanted >> i & 1 ? (uint8_t *)*memory + at : NULL;
    at += parts[i].bytes;
  }
  *found = (cla_pair_results){.score = places[0],
                              .start = {places[1], places[3]},
                              .end = {places[2], places[4]},
                              .run_offsets = places[5],
                              .runs = places[6],
                              .runs_capacity = runs,
                              .strand = places[7],
                              .status = places[8]};
  return CLA_OK;
}

/* Aligns the pairs of a message and sends the results. If that fails, rank 0 aligns the pairs. */
static cla_status align_lot(arrays_part *p, const cla_rank_message *message, cla_error *error) {
  rank_arrays head;
  cla_pair_arrays pairs;
  cla_pair_results found;
  cla_rank_bytes sent[1 + RANK_RESULT_PARTS];
  rank_result_part parts[RANK_RESULT_PARTS];
  void *memory = NULL;
  cla_error why;
  if (!read_arrays(&head, &pairs, message, &p->kept)) return ranks_damaged(message, error);
  const bool paths = head.wanted >> 6 & 1;
  cla_status status = make_room(&memory, &found, &head, paths ? letters_of(&pairs) : 0, error);
  if (status != CLA_OK) return status;
  status = cla_align_arrays(&found, &pairs, NULL, &p->options, &why);
  if (status != CLA_OK) {
    memset(found.status, (int)status, (size_t)pairs.pairs);
    if (paths) memset(found.run_offsets, 0, (size_t)(pairs.pairs + 1) * sizeof *found.run_offsets);
    found.runs_wanted = 0;
    found.failed = pairs.pairs;
  }
  rank_found begin;
  memset(&begin, 0, sizeof begin);
  begin.lot = head.lot;
  begin.runs = paths ? found.runs_wanted : 0;
  begin.failed = found.failed;
  begin.cells_computed = found.cells_computed;
  const int count = rank_results_parts(parts, &found, pairs.pairs, begin.runs);
  sent[0] = (cla_rank_bytes){&begin, sizeof begin};
  for (int i = 0; i < count; i++) sent[i + 1] = (cla_rank_bytes){parts[i].at, parts[i].bytes};
  status = p->ranks->send(p->ranks->user, 0, RANK_RESULTS, sent, count + 1, error);
  free(memory);
  return status;
}

static void free_lot(waiting_lot *lot) {
  free(lot->message.bytes);
  free(lot);
}

/* Waits for the next message; NULL: the batch has ended. The caller holds the lock. */
static waiting_lot *next_lot(arrays_part *p) {
  while (!p->first && !atomic_load(&p->ended)) pthread_cond_wait(&p->changed, &p->lock);
  waiting_lot *lot = atomic_load(&p->ended) ? NULL : p->first;
  if (!lot) return NULL;
  p->first = lot->next;
  if (!p->first) p->last = NULL;
  return lot;
}

static void *work(void *user) {
  arrays_part *p = user;
  cla_status status = CLA_OK;
  cla_error why = {.status = CLA_OK};
  pthread_mutex_lock(&p->lock);
  for (waiting_lot *lot; status == CLA_OK && (lot = next_lot(p));) {
    p->at_work++;
    pthread_mutex_unlock(&p->lock);
    status = align_lot(p, &lot->message, &why);
    free_lot(lot);
    pthread_mutex_lock(&p->lock);
    p->at_work--;
  }
  p->ended_threads++;
  if (status != CLA_OK && p->status == CLA_OK) {
    p->status = status;
    p->error = why;
  }
  pthread_mutex_unlock(&p->lock);
  p->ranks->wake(p->ranks->user);
  return NULL;
}

/* Appends a message to the queue and takes over its bytes. */
static cla_status add_lot(arrays_part *p, cla_rank_message *message, cla_error *error) {
  waiting_lot *lot = NULL;
  cla_status status = ALLOCATE_ZEROS(&lot, 1, "pairs", error);
  if (status != CLA_OK) return status;
  lot->message = *message;
  message->bytes = NULL;
  pthread_mutex_lock(&p->lock);
  *(p->last ? &p->last->next : &p->first) = lot;
  p->last = lot;
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return CLA_OK;
}

/* Keeps the targets of a message, the first one of its kind. */
static cla_status keep_targets(arrays_part *p, cla_rank_message *message, cla_error *error) {
  rank_arrays head;
  if (p->kept_message.bytes || !read_arrays(&head, &p->kept, message, &p->kept))
    return ranks_damaged(message, error);
  p->kept_message = *message;
  message->bytes = NULL;
  return CLA_OK;
}

static cla_status take_message(arrays_part *p, cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  rank_lot lot;
  int32_t number = 0;
  if (!rank_copy(&number, &from, sizeof number) || number != p->batch) return CLA_OK;
  if (message->kind == RANK_BATCH_END) atomic_store(&p->ended, true);
  if (message->kind != RANK_UNITS) return CLA_OK;
  from = rank_read(message);
  const bool targets = rank_copy(&lot, &from, sizeof lot) && lot.lot == 0;
  return targets ? keep_targets(p, message, error) : add_lot(p, message, error);
}

/* Takes messages until the batch ends or a thread fails. */
static cla_status listen(arrays_part *p, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && !atomic_load(&p->ended)) {
    cla_rank_message message = {0};
    bool found = false;
    status = p->ranks->take(p->ranks->user, &message, &found, error);
    if (status == CLA_OK && found) status = take_message(p, &message, error);
    free(message.bytes);
    if (status != CLA_OK || found) continue;
    status = ranks_check(p->ranks, error);
    pthread_mutex_lock(&p->lock);
    const bool busy = p->at_work > 0;
    if (p->status != CLA_OK) status = error_set(error, p->status, "%s", p->error.message);
    pthread_mutex_unlock(&p->lock);
    if (status == CLA_OK) p->ranks->rest(p->ranks->user, busy);
  }
  return status;
}

static void end(arrays_part *p, pthread_t *threads, int started) {
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->ended, true);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  ranks_await_threads(p->ranks, &p->lock, &p->ended_threads, started);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  for (waiting_lot *lot = p->first, *next; lot; lot = next) {
    next = lot->next;
    free_lot(lot);
  }
  free(p->kept_message.bytes);
  pthread_cond_destroy(&p->changed);
  pthread_mutex_destroy(&p->lock);
  free(threads);
}

cla_status arrays_for_rank0(const cla_ranks *ranks, const batch_means *means, const rank_batch *head,
                            cla_error *error) {
  arrays_part p = {.ranks = ranks, .batch = head->number, .options = head->options.align};
  const int given = p.options.budgets.threads, count = given > 0 ? given : ranks->threads;
  pthread_t *threads = NULL;
  int started = 0;
  p.options.budgets.threads = 1;
  p.options.callbacks = (cla_callbacks){
      .device = means->open, .device_user = means->user, .progress = go_on, .progress_user = &p};
  pthread_mutex_init(&p.lock, NULL);
  pthread_cond_init(&p.changed, NULL);
  cla_status status = ALLOCATE_ARRAY(&threads, count, "threads", error);
  while (status == CLA_OK && started < count && thread_start(&threads[started], work, &p) == 0) started++;
  if (status == CLA_OK && started == 0)
    status = error_set(error, CLA_ERROR_MEMORY, "no thread can be started for a batch; free some memory");
  if (status == CLA_OK) status = listen(&p, error);
  end(&p, threads, started);
  return status;
}
