/* Rank 0's part of a traceback on several ranks. */

#include "trace/ranks_trace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

/* A thread that waits for a band. */
typedef struct far_call {
  struct far_call *next;
  int64_t number;
  bool finished;
  trace_done done;
} far_call;

struct rank_traces {
  const cla_ranks *ranks;
  const cla_scoring *scoring;
  int32_t id;
  rank_tick tick;
  int left;          /* ranks when it began */
  atomic_bool ended; /* the other ranks have ended, because one has died */
  int *rank_of;      /* owned; by thread */
  int threads;
  pthread_mutex_t lock;
  pthread_cond_t news;
  far_call *calls; /* the lock protects `calls` and `blocks` */
  int64_t blocks;
  cla_rank_message taken; /* the awaited answer, without the lock; bytes NULL: it has not come */
};

static cla_status tell_pair(rank_traces *traces, const pair_problem *problem, int64_t rows,
                            cla_error *error) {
  trace_head *head = NULL;
  rank_writer used = {0};
  cla_status status = allocate_zeros((void **)&head, 1, sizeof *head, "a message", error);
  if (status == CLA_OK) status = used_pairs_write(&used, problem->scheme.table->used, error);
  if (status != CLA_OK) goto done;
  head->id = traces->id;
  head->scoring = *problem->scheme.scoring;
  head->table = *problem->scheme.table;
  head->ends = problem->scheme.ends;
  head->rows = problem->rows;
  head->columns = problem->columns;
  head->end_row = rows;
  const cla_rank_bytes parts[] = {{head, sizeof *head}, {used.bytes, used.length}};
  status = ranks_tell_parts(traces->ranks, RANK_TRACE, parts, 2, error);

done:
  free(used.bytes);
  free(head);
  return status;
}

/* Each has a thread here that waits for it. More gain nothing: rank 0 sends and asks one after the other. */
#define THREADS_MOST 512

/* *of_this is false where the message is of a traceback that is over. */
static cla_status add_threads(bool *of_this, rank_traces *traces, const cla_rank_message *message,
                              cla_error *error) {
  trace_ready ready;
  rank_reader from = rank_read(message);
  if (!rank_copy(&ready, &from, sizeof ready) || ready.threads < 1) return ranks_damaged(message, error);
  *of_this = ready.id == traces->id;
  if (!*of_this) return CLA_OK;
  const int more = (int)smaller(ready.threads, THREADS_MOST - traces->threads);
  void *grown = realloc(traces->rank_of, (size_t)(traces->threads + more) * sizeof(int));
  if (!grown) return error_set(error, CLA_ERROR_MEMORY, "out of memory for threads; free some memory");
  traces->rank_of = grown;
  for (int i = 0; i < more; i++) traces->rank_of[traces->threads++] = message->from;
  return CLA_OK;
}

/* Ends a wait where a rank has died. */
static cla_status tick(void *user, cla_error *error) {
  const rank_traces *traces = user;
  cla_status status = ranks_check_left(traces->ranks, traces->left, error);
  return status == CLA_OK && traces->tick.call ? traces->tick.call(traces->tick.user, error) : status;
}

static cla_status hear_all(rank_traces *traces, cla_error *error) {
  cla_status status = CLA_OK;
  traces->threads = 0;
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

bool rank_traces_ended(const rank_traces *traces) {
  return atomic_load(&traces->ended);
}

/* The others' part is over, which those that wait are told. */
static void end(rank_traces *traces) {
  cla_error unused;
  (void)ranks_tell(traces->ranks, RANK_TRACE_END, (cla_rank_bytes){&traces->id, sizeof traces->id}, &unused);
  atomic_store(&traces->ended, true);
  pthread_mutex_lock(&traces->lock);
  for (far_call *call = traces->calls; call; call = call->next) call->finished = true;
  pthread_cond_broadcast(&traces->news);
  pthread_mutex_unlock(&traces->lock);
}

/* Whether a rank has died meanwhile: then the traceback goes on without all others. */
static bool goes_on_alone(rank_traces *traces) {
  const int left = ranks_left(traces->ranks);
  if (!rank_traces_ended(traces) && (left < traces->left || left == 1)) end(traces);
  return rank_traces_ended(traces);
}

static cla_status share_letters(rank_traces *traces, const pair_problem *problem, cla_error *error) {
  const rank_thing letters[] = {{(void *)(uintptr_t)problem->query, problem->rows},
                                {(void *)(uintptr_t)problem->target, problem->columns}};
  bool whole;
  return ranks_share(&whole, traces->ranks, &(rank_stage){RANK_TRACE_END, traces->id, {tick, traces}},
                     letters, 2, error);
}

cla_status rank_traces_begin(rank_traces **out, const cla_ranks *ranks, const pair_problem *problem,
                             int64_t rows, const rank_tick *asked, cla_error *error) {
  static _Atomic int32_t ids;
  rank_traces *traces = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&traces, 1, sizeof *traces, "ranks", error);
  if (status != CLA_OK) return status;
  *out = traces;
  traces->ranks = ranks;
  traces->scoring = problem->scheme.scoring;
  traces->id = ++ids;
  traces->tick = *asked;
  traces->left = ranks_left(ranks);
  atomic_init(&traces->ended, false);
  pthread_mutex_init(&traces->lock, NULL);
  pthread_cond_init(&traces->news, NULL);
  status = tell_pair(traces, problem, rows, error);
  if (status == CLA_OK)
    status = hear_all(traces, error); /* wait until all ranks know the pair and can take letters */
  if (status == CLA_OK) status = share_letters(traces, problem, error);
  if (status == CLA_OK)
    status = hear_all(traces, error); /* wait until all ranks have the letters and can take blocks */
  if (!goes_on_alone(traces) || status == CLA_ERROR_INTERRUPTED) return status;
  traces->threads = 0;
  return CLA_OK;
}

int rank_traces_rank_count(const rank_traces *traces) {
  return traces->ranks->count;
}

int rank_traces_threads(const rank_traces *traces) {
  return traces->threads;
}

int rank_traces_rank(const rank_traces *traces, int thread) {
  return traces->rank_of[thread];
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

/* Waits for the answer; false: it is not wanted any more. */
static bool await(rank_traces *traces, far_call *call, const atomic_bool *cancel) {
  pthread_mutex_lock(&traces->lock);
  while (!call->finished && !atomic_load(cancel)) pthread_cond_wait(&traces->news, &traces->lock);
  far_call **at = &traces->calls;
  while (*at != call) at = &(*at)->next;
  *at = call->next;
  pthread_mutex_unlock(&traces->lock);
  return call->finished;
}

cla_status rank_traces_compute(rank_traces *traces, int rank, band_block *block, const band_work *work,
                               cla_error *error) {
  far_call call = {.finished = false};
  pthread_mutex_lock(&traces->lock);
  call.finished = rank_traces_ended(traces);
  call.number = ++traces->blocks;
  call.next = traces->calls;
  traces->calls = &call;
  pthread_mutex_unlock(&traces->lock);
  cla_status status = call.finished ? CLA_OK : send_block(traces, rank, block, work, call.number, error);
  row_values_free(&block->top);
  if (status != CLA_OK) {
    call.finished = true;
    (void)await(traces, &call, work->input.cancel);
    return status;
  }
  if (!await(traces, &call, work->input.cancel)) {
    send_drop(traces, rank, call.number);
    return CLA_OK;
  }
  block->cells = call.done.cells;
  block->number = call.number;
  block->rank = call.done.ready ? rank : 0;
  return CLA_OK;
}

void rank_traces_wake(rank_traces *traces) {
  pthread_mutex_lock(&traces->lock);
  pthread_cond_broadcast(&traces->news);
  pthread_mutex_unlock(&traces->lock);
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

/* Takes a rank's error. If the others go on alone, the message of a dying rank is no error. */
static cla_status take_error(rank_traces *traces, const cla_rank_message *message, cla_error *error) {
  const rank_work work = {RANK_TRACE, goes_on_alone(traces) ? 0 : traces->id};
  return ranks_failed(traces->ranks, &work, message, error);
}

cla_status rank_traces_move(rank_traces *traces, cla_error *error) {
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

void rank_traces_rest(rank_traces *traces) {
  traces->ranks->rest(traces->ranks->user, false);
}

/* Reads the answer about the block; *done is false where it does not lead on. */
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

cla_status rank_traces_take(bool *done, band_node *node, path *into, rank_traces *traces,
                            const band_block *block, cla_error *error) {
  trace_take head;
  *done = false;
  if (rank_traces_ended(traces)) return CLA_OK;
  if (!band_goals_have(&block->goals, node)) {
    rank_traces_drop(traces, block);
    return CLA_OK;
  }
  memset(&head, 0, sizeof head);
  head.id = traces->id;
  head.number = block->number;
  head.node = *node;
  cla_status status =
      ranks_send(traces->ranks, block->rank, RANK_TRACE_TAKE, (cla_rank_bytes){&head, sizeof head}, error);
  while (status == CLA_OK && !traces->taken.bytes) {
    status = rank_traces_move(traces, error);
    if (status != CLA_OK || traces->taken.bytes || rank_traces_ended(traces)) break;
    rank_traces_rest(traces);
    if (traces->tick.call) status = traces->tick.call(traces->tick.user, error);
  }
  if (status == CLA_OK && traces->taken.bytes)
    status = read_taken(done, node, into, traces, block->number, error);
  free(traces->taken.bytes);
  traces->taken.bytes = NULL;
  return status;
}

void rank_traces_drop(rank_traces *traces, const band_block *block) {
  if (!rank_traces_ended(traces)) send_drop(traces, block->rank, block->number);
}

void rank_traces_end(rank_traces *traces) {
  if (!traces) return;
  if (!rank_traces_ended(traces)) end(traces);
  pthread_mutex_destroy(&traces->lock);
  pthread_cond_destroy(&traces->news);
  free(traces->taken.bytes);
  free(traces->rank_of);
  free(traces);
}
