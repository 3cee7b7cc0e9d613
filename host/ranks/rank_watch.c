/* A round of blocks on several ranks: takes the messages that arrive until the round is over. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "ranks/ranks_internal.h"

/* A part of the row below another rank's block. */
static cla_status take_border(rank_state *state, const cla_rank_message *message, cla_error *error) {
  block_round *round = state->round;
  sweep_block *b = NULL;
  region_row_part part = {0};
  arriving_row *row = NULL;
  cla_status status = rank_part_read(&b, &part, round, message, error);
  if (status == CLA_OK) status = sweep_block_arriving(&row, b, error);
  if (status == CLA_OK) status = arriving_row_put(row, &part, error);
  if (status != CLA_OK || !b || part.count > 0 || state->ranks->rank == 0) return status;
  pthread_mutex_lock(&round->lock);
  b->done = true; /* this rank needs nothing more of the block */
  pthread_mutex_unlock(&round->lock);
  sweep_block_release(round, b->index);
  return CLA_OK;
}

/* The block that a message begins with; NULL: it is damaged. */
static sweep_block *block_of(block_round *round, rank_reader *from) {
  block_word word;
  if (!rank_copy(&word, from, sizeof word) || word.block < 0 || word.block >= round->count) return NULL;
  return round->blocks + word.block;
}

/* A block has ended; its rows may still be on their way to where they are kept, and this after them. */
static cla_status take_done(block_round *round, cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  sweep_block *b = block_of(round, &from);
  region_result result;
  if (!b || !rank_copy(&result, &from, sizeof result)) return ranks_damaged(message, error);
  pthread_mutex_lock(&round->lock);
  sweep_block_ended(b, &result);
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
  sweep_block_release(round, b->index);
  if (round->kept_queue) kept_queue_add(round, message);
  return CLA_OK;
}

static cla_status take_strip(block_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  sweep_block *b = block_of(round, &from);
  region_strip strip;
  if (!b || !rank_copy(&strip, &from, sizeof strip)) return ranks_damaged(message, error);
  pthread_mutex_lock(&round->rows);
  work_notes_strip(round->sweep->notes, &strip, b->where.row);
  pthread_mutex_unlock(&round->rows);
  return CLA_OK;
}

static cla_status take_bottom(block_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  int64_t at = 0;
  const bool whole = block_of(round, &from) && rank_copy(&at, &from, sizeof at);
  const int64_t nodes = round->sweep->input.columns + 1;
  const int64_t count = from.left / (int64_t)sizeof *round->bottom;
  if (!whole || !round->bottom || at < 0 || count > nodes - at) return ranks_damaged(message, error);
  memcpy(round->bottom + at, from.at, (size_t)from.left);
  return CLA_OK;
}

/* A rank's report from time to time: the best score of a cell. The progress of its blocks follows it. */
typedef struct progress_head {
  int32_t number;
  int64_t reached;
} progress_head;

typedef struct block_progress {
  int64_t block, cells, passed_over;
} block_progress;

static void raise(block_round *round, int64_t score) {
  int64_t known = atomic_load(&round->reached);
  while (score > known && !atomic_compare_exchange_weak(&round->reached, &known, score)) continue;
}

static void take_progress(block_round *round, const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  progress_head head;
  block_progress of;
  if (!rank_copy(&head, &from, sizeof head)) return;
  raise(round, head.reached);
  pthread_mutex_lock(&round->lock);
  while (rank_copy(&of, &from, sizeof of)) {
    if (of.block < 0 || of.block >= round->count || round->blocks[of.block].done) continue;
    round->blocks[of.block].cells = of.cells;
    round->blocks[of.block].passed_over = of.passed_over;
  }
  pthread_mutex_unlock(&round->lock);
}

static cla_status take_kept_word(block_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  int64_t bytes = 0;
  if (!block_of(round, &from) || !rank_copy(&bytes, &from, sizeof bytes))
    return ranks_damaged(message, error);
  pthread_mutex_lock(&round->lock);
  round->kept_bytes -= bytes;
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
  return CLA_OK;
}

/* The number that a message of a round begins with. */
static bool is_of_round(const block_round *round, const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  int32_t number = 0;
  return rank_copy(&number, &from, sizeof number) && number == round->number;
}

cla_status rank_round_handle(rank_state *state, cla_rank_message *message, cla_error *error) {
  block_round *round = state->round;
  if (message->kind == RANK_ERROR)
    return ranks_failed(state->ranks, &(rank_work){RANK_PAIR, round->number}, message, error);
  if (!is_of_round(round, message)) return CLA_OK; /* the message is from a round that was broken off */
  switch (message->kind) {
    case RANK_BORDER: return take_border(state, message, error);
    case RANK_KEPT: kept_queue_add(round, message); return CLA_OK;
    case RANK_KEPT_TAKEN: return take_kept_word(round, message, error);
    case RANK_DONE: return take_done(round, message, error);
    case RANK_STRIP: return take_strip(round, message, error);
    case RANK_BOTTOM: return take_bottom(round, message, error);
    case RANK_PROGRESS: take_progress(round, message); return CLA_OK;
    case RANK_END: state->over = true; return CLA_OK;
    default: return CLA_OK;
  }
}

/* Tells rank 0 the progress of the blocks. Rank 0 tells all others the best known score. */
static void tell_progress(rank_state *state) {
  block_round *round = state->round;
  const cla_ranks *ranks = state->ranks;
  const double now = machine_seconds();
  cla_error unused;
  progress_head head;
  block_progress active[64];
  int count = 0;
  if (now - state->told < CLA_PROGRESS_SECONDS) return;
  state->told = now;
  memset(&head, 0, sizeof head);
  head.number = round->number;
  head.reached = atomic_load(&round->reached);
  if (ranks->rank == 0) {
    if (head.reached > state->reached)
      (void)ranks_tell(ranks, RANK_PROGRESS, (cla_rank_bytes){&head, sizeof head}, &unused);
    state->reached = head.reached;
    return;
  }
  pthread_mutex_lock(&round->lock);
  for (int64_t i = 0; i < round->count && count < 64; i++) {
    const sweep_block *b = round->blocks + i;
    if (b->rank == ranks->rank && b->taken && !b->done)
      active[count++] = (block_progress){b->index, b->cells, b->passed_over};
  }
  pthread_mutex_unlock(&round->lock);
  const cla_rank_bytes parts[] = {{&head, sizeof head}, {active, count * (int64_t)sizeof *active}};
  (void)ranks->send(ranks->user, 0, RANK_PROGRESS, parts, 2, &unused);
}

/* Takes all messages that are there, up to the one that ends the round. Later messages are about other work.
 * *any: there was a message. */
static cla_status take_messages(rank_state *state, bool *any, cla_error *error) {
  cla_status status = CLA_OK;
  *any = false;
  for (bool found = true; status == CLA_OK && found && !state->over;) {
    cla_rank_message message = {0};
    status = state->ranks->take(state->ranks->user, &message, &found, error);
    if (status != CLA_OK || !found) break;
    *any = true;
    status = rank_round_handle(state, &message, error);
    free(message.bytes);
  }
  return status;
}

/* Asks the user's callback, and mpirun's ranks, whether the run must end. */
static cla_status ask_for_end(rank_state *state, int64_t cells, cla_error *error) {
  if (state->ranks->rank > 0) return ranks_check(state->ranks, error);
  cla_status status = ranks_check_left(state->ranks, state->round->left, error);
  return status == CLA_OK ? sweep_tick(state->round->sweep, cells, error) : status;
}

/* Whether all is done, or nothing is any more. */
static bool is_over(const rank_state *state) {
  const block_round *round = state->round;
  bool all = true;
  if (round->working > 0) return false;
  if (state->ranks->rank > 0) return state->over || ranks_is_gone(state->ranks, 0);
  for (int64_t i = 0; i < round->end; i++)
    all = all && round->blocks[i].done && (!round->parts || i < round->taken);
  return all || round->status != CLA_OK;
}

/* Has blocks taken that are whole, one after the other. What they raise is the least for others to come. */
static void take_parts(block_round *round) {
  const sweep_parts *parts = round->parts;
  bool goes_on = parts != NULL;
  while (goes_on) {
    const sweep_block *b = round->blocks + round->taken;
    int64_t least = 0;
    cla_error reason = {.status = CLA_OK};
    pthread_mutex_lock(&round->lock);
    const bool whole = round->taken < round->end && b->kept;
    pthread_mutex_unlock(&round->lock);
    if (!whole) return;
    round->taken++;
    cla_status status =
        parts->take(&goes_on, &least, parts->user, &(sweep_part){b->result, b->least}, &reason);
    reason.status = status;
    raise(round, least);
    if (status != CLA_OK || !goes_on) block_round_end(round, round->taken, status == CLA_OK ? NULL : &reason);
    goes_on = goes_on && status == CLA_OK;
  }
}

/* The thread that began is the one that communicates: it goes on until the round is over. */
static void watch(block_round *round, void *user) {
  rank_state *state = user;
  bool over = false;
  while (!over) {
    cla_error reason = {.status = CLA_OK};
    bool any = false;
    cla_status status = take_messages(state, &any, &reason);
    take_parts(round);
    tell_progress(state);
    pthread_mutex_lock(&round->lock);
    const int64_t cells = block_round_cells(round);
    const bool ended = round->status != CLA_OK;
    over = is_over(state);
    const cla_error failure = round->error;
    const bool busy = round->working > atomic_load(&round->waiting);
    pthread_mutex_unlock(&round->lock);
    if (status == CLA_OK && !ended && !over) status = ask_for_end(state, cells, &reason);
    reason.status = status;
    if (status != CLA_OK) block_round_end(round, 0, &reason);
    if (state->over && !over) { /* another rank has broken the round off; messages of this rank's threads must
                                   still move on */
      block_round_end(round, 0, NULL);
      (void)state->ranks->waiting(state->ranks->user, 0);
    }
    if (state->ranks->rank > 0 && ended && !state->failed) {
      const rank_work work = {RANK_PAIR, round->number};
      state->failed = ranks_fail(state->ranks, &work, failure.status, &failure) == CLA_OK;
    }
    if (!over && !any) state->ranks->rest(state->ranks->user, busy);
  }
}

cla_status rank_round_run(rank_state *state, cla_error *error) {
  block_round *round = state->round;
  cla_status status = state->ranks->rank == 0 && round->keeps ? kept_queue_open(round, error) : CLA_OK;
  if (status == CLA_OK) status = block_round_run(round, watch, state, error);
  if (round->kept_queue) kept_queue_close(round);
  return status;
}
