/* Rank 0's part of a traceback on several ranks. */

#include "ranks/ranks_trace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "ranks/ranks_internal.h"

/* A thread that waits for a band. */
typedef struct far_call {
  struct far_call *next;
  int64_t number;
  bool finished;
  trace_done done;
} far_call;

typedef struct rank_traces {
  far_bands far; /* the first field, because the traceback knows only this part; `ended`: a rank has died */
  const cla_ranks *ranks;
  const cla_scoring *scoring;
  int32_t id;
  rank_tick tick;
  int left; /* number of living ranks when the traceback began */
  pthread_mutex_t lock;
  pthread_cond_t news;
  far_call *calls; /* the lock protects `calls` and `blocks` */
  int64_t blocks;
  cla_rank_message taken; /* the awaited answer, which the lock does not protect; bytes NULL: not arrived */
} rank_traces;

static rank_traces *traces_of(far_bands *far) {
  return (rank_traces *)far;
}

static cla_status tell_pair(const rank_traces *traces, const traceback *t, cla_error *error) {
  const pair_problem *problem = &t->problem;
  trace_head *head = NULL;
  rank_writer used = {0};
  cla_status status = ALLOCATE_ZEROS(&head, 1, "a message", error);
  if (status == CLA_OK) status = used_pairs_write(&used, problem->scheme.table->used, error);
  if (status != CLA_OK) goto done;
  head->id = traces->id;
  head->scoring = *problem->scheme.scoring;
  head->table = *problem->scheme.table;
  head->ends = problem->scheme.ends;
  head->rows = problem->rows;
  head->columns = problem->columns;
  head->end_row = t->end_row;
  const cla_rank_bytes parts[] = {{head, sizeof *head}, {used.bytes, used.length}};
  status = ranks_tell_parts(traces->ranks, RANK_TRACE, parts, 2, error);

done:
  free(used.bytes);
  free(head);
  return status;
}

/* Maximum number of threads of other ranks. For each of them, a thread of rank 0 waits. More threads would
 * not help, because rank 0 sends work and asks for paths one at a time. */
#define THREADS_MOST 512

/* Adds a rank's threads from its message. *of_this is false if the message belongs to a traceback that is
 * over. */
static cla_status add_threads(bool *of_this, rank_traces *traces, const cla_rank_message *message,
                              cla_error *error) {
  trace_ready ready;
  rank_reader from = rank_read(message);
  if (!rank_copy(&ready, &from, sizeof ready) || ready.threads < 1) return ranks_damaged(message, error);
  *of_this = ready.id == traces->id;
  if (!*of_this) return CLA_OK;
  const int more = (int)smaller(ready.threads, THREADS_MOST - traces->far.threads);
  void *grown = realloc(traces->far.process_of, (size_t)(traces->far.threads + more) * sizeof(int));
  if (!grown) return error_set(error, CLA_ERROR_MEMORY, "out of memory for threads; free some memory");
  traces->far.process_of = grown;
  for (int i = 0; i < more; i++) traces->far.process_of[traces->far.threads++] = message->from;
  return CLA_OK;
}

/* Ends a wait if a rank has died. */
static cla_status tick(void *user, cla_error *error) {
  const rank_traces *traces = user;
  cla_status status = ranks_check_left(traces->ranks, traces->left, error);
  return status == CLA_OK && traces->tick.call ? traces->tick.call(traces->tick.user, error) : status;
}

static cla_status hear_all(rank_traces *traces, cla_error *error) {
  cla_status status = CLA_OK;
  traces->far.threads = 0;
  for (int heard = 1; heard < traces->left && status == CLA_OK;) {
    cla_rank_message message = {0};
    status = ranks_wait(traces->ranks, &message, &(rank_tick){tick, traces}, error);
    if (status == CLA_OK && message.kind == RANK_ERROR)
      status = ranks_failed(traces->ranks, &(rank_work){RANK_TRACE, traces->id}, &message, error);
    if (status == CLA_OK && message.kind == RANK_TRACE_READY) {
      bool of_this = false;
      status = add_threads(&of_this, traces, &message, error);
      heard += of_this;
    }
    free(message.bytes);
  }
  return status;
}

/* Ends the other ranks' part, and wakes the threads that wait for them. */
static void end_others(rank_traces *traces) {
  cla_error unused;
  (void)ranks_tell(traces->ranks, RANK_TRACE_END, (cla_rank_bytes){&traces->id, sizeof traces->id}, &unused);
  atomic_store(&traces->far.ended, true);
  pthread_mutex_lock(&traces->lock);
  for (far_call *call = traces->calls; call; call = call->next) call->finished = true;
  pthread_cond_broadcast(&traces->news);
  pthread_mutex_unlock(&traces->lock);
}

/* True if a rank has died. The traceback then continues without any other rank. */
static bool goes_on_alone(rank_traces *traces) {
  const int left = ranks_left(traces->ranks);
  if (!atomic_load(&traces->far.ended) && (left < traces->left || left == 1)) end_others(traces);
  return atomic_load(&traces->far.ended);
}

static cla_status share_letters(rank_traces *traces, const pair_problem *problem, cla_error *error) {
  const rank_thing letters[] = {{(void *)(uintptr_t)problem->query, problem->rows},
                                {(void *)(uintptr_t)problem->target, problem->columns}};
  bool whole;
  return ranks_share(&whole, traces->ranks, &(rank_stage){RANK_TRACE_END, traces->id, {tick, traces}},
                     letters, 2, error);
}

/* Calls the traceback's tick while no message arrives. */
static cla_status tick_traceback(void *user, cla_error *error) {
  const traceback *t = user;
  return t->tick ? t->tick(t->tick_user, t->cells, error) : CLA_OK;
}

static const far_band_calls calls;

cla_status rank_traces_begin(far_bands **out, const traceback *t, cla_error *error) {
  static _Atomic int32_t ids;
  rank_traces *traces = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&traces, 1, "ranks", error);
  if (status != CLA_OK) return status;
  *out = &traces->far;
  traces->ranks = t->far_user;
  traces->scoring = t->problem.scheme.scoring;
  traces->id = ++ids;
  traces->tick = (rank_tick){tick_traceback, (void *)(uintptr_t)t};
  traces->left = ranks_left(traces->ranks);
  traces->far.calls = &calls;
  traces->far.processes = traces->ranks->count;
  atomic_init(&traces->far.ended, false);
  pthread_mutex_init(&traces->lock, NULL);
  pthread_cond_init(&traces->news, NULL);
  status = tell_pair(traces, t, error);
  if (status == CLA_OK)
    status = hear_all(traces, error); /* wait until all ranks know the pair and can take letters */
  if (status == CLA_OK) status = share_letters(traces, &t->problem, error);
  if (status == CLA_OK)
    status = hear_all(traces, error); /* wait until all ranks have the letters and can take blocks */
  if (!goes_on_alone(traces) || status == CLA_ERROR_INTERRUPTED) return status;
  traces->far.threads = 0;
  return CLA_OK;
}

static cla_status send_block(rank_traces *traces, int rank, const band_block *block, const band_work *work,
                             int64_t number, cla_error *error) {
  const int64_t bytes = (block->goals.last_column - work->input.column + 1) * (int64_t)sizeof(int64_t);
  trace_block head;
  memset(&head, 0, sizeof head);
  head.id = traces->id;
  head.wide = block->wide;
  head.number = number;
  head.upper = block->upper;
  head.lower = block->lower;
  head.node = work->node;
  head.input = work->input;
  head.goals = block->goals;
  const int lines = gap_lines(traces->scoring);
  cla_rank_bytes parts[1 + GAP_LINES] = {{&head, sizeof head}};
  for (int i = 0; i < lines; i++) parts[1 + i] = (cla_rank_bytes){row_values_line(block->top, i), bytes};
  return traces->ranks->send(traces->ranks->user, rank, RANK_TRACE_BLOCK, parts, 1 + lines, error);
}

static void send_drop(rank_traces *traces, int rank, int64_t number) {
  trace_take head;
  cla_error unused;
  memset(&head, 0, sizeof head);
  head.id = traces->id;
  head.drop = true;
  head.number = number;
  (void)ranks_send(traces->ranks, rank, RANK_TRACE_TAKE, (cla_rank_bytes){&head, sizeof head}, &unused);
}

/* Waits for the answer. Returns false if the answer is no longer wanted. */
static bool await_band(rank_traces *traces, far_call *call, const atomic_bool *cancel) {
  pthread_mutex_lock(&traces->lock);
  while (!call->finished && !atomic_load(cancel)) pthread_cond_wait(&traces->news, &traces->lock);
  far_call **at = &traces->calls;
  while (*at != call) at = &(*at)->next;
  *at = call->next;
  pthread_mutex_unlock(&traces->lock);
  return call->finished;
}

static cla_status compute(far_bands *far, int rank, band_block *block, const band_work *work,
                          cla_error *error) {
  rank_traces *traces = traces_of(far);
  far_call call = {.finished = false};
  pthread_mutex_lock(&traces->lock);
  call.finished = atomic_load(&far->ended);
  call.number = ++traces->blocks;
  call.next = traces->calls;
  traces->calls = &call;
  pthread_mutex_unlock(&traces->lock);
  cla_status status = call.finished ? CLA_OK : send_block(traces, rank, block, work, call.number, error);
  row_values_free(&block->top);
  if (status != CLA_OK) {
    call.finished = true;
    (void)await_band(traces, &call, work->input.cancel);
    return status;
  }
  if (!await_band(traces, &call, work->input.cancel)) {
    send_drop(traces, rank, call.number);
    return CLA_OK;
  }
  block->cells = call.done.cells;
  block->number = call.number;
  block->owner = call.done.ready ? rank : 0;
  return CLA_OK;
}

static cla_status take_done(rank_traces *traces, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  trace_done done;
  if (!rank_copy(&done, &from, sizeof done)) return ranks_damaged(message, error);
  if (done.id != traces->id) return CLA_OK;
  pthread_mutex_lock(&traces->lock);
  far_call *call = traces->calls;
  while (call && call->number != done.number) call = call->next;
  if (call) {
    call->done = done;
    call->finished = true;
    pthread_cond_broadcast(&traces->news);
  }
  pthread_mutex_unlock(&traces->lock);
  return CLA_OK;
}

/* Handles a rank's error. If rank 0 continues alone, an error message from a dying rank is ignored. */
static cla_status take_error(rank_traces *traces, const cla_rank_message *message, cla_error *error) {
  const rank_work work = {RANK_TRACE, goes_on_alone(traces) ? 0 : traces->id};
  return ranks_failed(traces->ranks, &work, message, error);
}

static cla_status move(far_bands *far, cla_error *error) {
  rank_traces *traces = traces_of(far);
  cla_status status = CLA_OK;
  (void)goes_on_alone(traces);
  for (bool found = true; found && status == CLA_OK;) {
    cla_rank_message message = {0};
    status = traces->ranks->take(traces->ranks->user, &message, &found, error);
    if (status != CLA_OK || !found) break;
    switch (message.kind) {
      case RANK_ERROR: status = take_error(traces, &message, error); break;
      case RANK_TRACE_DONE: status = take_done(traces, &message, error); break;
      case RANK_TRACE_TAKEN:
        free(traces->taken.bytes);
        traces->taken = message;
        message.bytes = NULL;
        break;
      default: break;
    }
    free(message.bytes);
  }
  return status;
}

/* Waits until `count` threads have ended. Meanwhile, wakes the threads that wait for a band, so that they
 * see `cancel`. Also moves messages, so that threads that wait for room can send. */
static void await(far_bands *far, pthread_mutex_t *lock, const int *ended, int count) {
  rank_traces *traces = traces_of(far);
  cla_error unused;
  for (bool all = false; !all;) {
    pthread_mutex_lock(&traces->lock);
    pthread_cond_broadcast(&traces->news);
    pthread_mutex_unlock(&traces->lock);
    (void)move(far, &unused);
    pthread_mutex_lock(lock);
    all = *ended == count;
    pthread_mutex_unlock(lock);
    if (!all) traces->ranks->rest(traces->ranks->user, false);
  }
}

/* Reads the answer about the block. *done is false if the block does not continue the path. */
static cla_status read_taken(bool *done, band_node *node, path *into, rank_traces *traces, int64_t number,
                             cla_error *error) {
  rank_reader from = rank_read(&traces->taken);
  trace_taken head;
  path steps = {0};
  if (!rank_copy(&head, &from, sizeof head) || head.id != traces->id || head.number != number)
    return ranks_damaged(&traces->taken, error);
  cla_status status = rank_take(&steps.runs, &from, head.runs, sizeof *steps.runs, error);
  if (status != CLA_OK) return status;
  steps.count = head.runs;
  *done = head.led;
  if (head.led) *node = head.node;
  status = path_add_all(into, &steps, error);
  free(steps.runs);
  return status;
}

static void drop(far_bands *far, const band_block *block) {
  if (!atomic_load(&far->ended)) send_drop(traces_of(far), block->owner, block->number);
}

static cla_status take(bool *done, band_node *node, path *into, far_bands *far, const band_block *block,
                       cla_error *error) {
  rank_traces *traces = traces_of(far);
  trace_take head;
  *done = false;
  if (atomic_load(&far->ended)) return CLA_OK;
  if (!band_goals_have(&block->goals, node)) {
    drop(far, block);
    return CLA_OK;
  }
  memset(&head, 0, sizeof head);
  head.id = traces->id;
  head.number = block->number;
  head.node = *node;
  cla_status status =
      ranks_send(traces->ranks, block->owner, RANK_TRACE_TAKE, (cla_rank_bytes){&head, sizeof head}, error);
  while (status == CLA_OK && !traces->taken.bytes) {
    status = move(far, error);
    if (status != CLA_OK || traces->taken.bytes || atomic_load(&far->ended)) break;
    traces->ranks->rest(traces->ranks->user, false);
    if (traces->tick.call) status = traces->tick.call(traces->tick.user, error);
  }
  if (status == CLA_OK && traces->taken.bytes)
    status = read_taken(done, node, into, traces, block->number, error);
  free(traces->taken.bytes);
  traces->taken.bytes = NULL;
  return status;
}

static void end(far_bands *far) {
  rank_traces *traces = traces_of(far);
  if (!atomic_load(&far->ended)) end_others(traces);
  pthread_mutex_destroy(&traces->lock);
  pthread_cond_destroy(&traces->news);
  free(traces->taken.bytes);
  free(far->process_of);
  free(traces);
}

static const far_band_calls calls = {compute, move, take, drop, await, end};
