/* A round of blocks on several ranks: handles the messages that arrive until the round is over. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "ranks/ranks_internal.h"

/* Takes a part of the row below another rank's block. */
static cla_status take_border(rank_round *round, const cla_rank_message *message, cla_error *error) {
  sweep_block *b = NULL;
  region_row_part part = {0};
  arriving_row *row = NULL;
  cla_status status = rank_part_read(&b, &part, round, message, error);
  if (status == CLA_OK) status = sweep_block_arriving(&row, b, error);
  if (status == CLA_OK) status = arriving_row_put(row, &part, error);
  if (status != CLA_OK || !b || part.count > 0 || round->ranks->rank == 0) return status;
  pthread_mutex_lock(&round->base.lock);
  b->done = true; /* this rank needs nothing more from the block */
  pthread_mutex_unlock(&round->base.lock);
  sweep_block_release(&round->base, b->index);
  return CLA_OK;
}

/* Returns the block that the start of a message names; NULL: the message is damaged. */
static sweep_block *block_of(rank_round *round, rank_reader *from) {
  block_word word;
  if (!rank_copy(&word, from, sizeof word) || word.block < 0 || word.block >= round->base.count) return NULL;
  return round->base.blocks + word.block;
}

/* Notes that a block has ended. Its rows may still be in the queue of kept rows, so the message is queued
 * after them. */
static cla_status take_done(rank_round *round, cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  sweep_block *b = block_of(round, &from);
  region_result result;
  if (!b || !rank_copy(&result, &from, sizeof result)) return ranks_damaged(message, error);
  pthread_mutex_lock(&round->base.lock);
  sweep_block_ended(b, &result);
  pthread_cond_broadcast(&round->base.news);
  pthread_mutex_unlock(&round->base.lock);
  sweep_block_release(&round->base, b->index);
  if (round->kept_queue) kept_queue_add(round, message);
  return CLA_OK;
}

static cla_status take_strip(rank_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  sweep_block *b = block_of(round, &from);
  region_strip strip;
  if (!b || !rank_copy(&strip, &from, sizeof strip)) return ranks_damaged(message, error);
  sweep_block_strip(b, &strip);
  return CLA_OK;
}

static cla_status take_bottom(rank_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  int64_t at = 0;
  const bool whole = block_of(round, &from) && rank_copy(&at, &from, sizeof at);
  const int64_t nodes = round->base.sweep->input.columns + 1;
  const int64_t count = from.left / (int64_t)sizeof *round->base.bottom;
  if (!whole || !round->base.bottom || at < 0 || count > nodes - at) return ranks_damaged(message, error);
  memcpy(round->base.bottom + at, from.at, (size_t)from.left);
  return CLA_OK;
}

/* The head of a rank's regular report, with the best score of a cell. After it comes the progress of the
 * rank's blocks. */
typedef struct progress_head {
  int32_t number;
  int64_t reached;
} progress_head;

typedef struct block_progress {
  int64_t block, cells, passed_over;
} block_progress;

static void raise(rank_round *round, int64_t score) {
  int64_t known = atomic_load(&round->base.reached);
  while (score > known && !atomic_compare_exchange_weak(&round->base.reached, &known, score)) continue;
}

static void take_progress(rank_round *round, const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  progress_head head;
  block_progress of;
  if (!rank_copy(&head, &from, sizeof head)) return;
  raise(round, head.reached);
  pthread_mutex_lock(&round->base.lock);
  while (rank_copy(&of, &from, sizeof of)) {
    if (of.block < 0 || of.block >= round->base.count || round->base.blocks[of.block].done) continue;
    round->base.blocks[of.block].cells = of.cells;
    round->base.blocks[of.block].passed_over = of.passed_over;
  }
  pthread_mutex_unlock(&round->base.lock);
}

static cla_status take_kept_word(rank_round *round, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  int64_t bytes = 0;
  if (!block_of(round, &from) || !rank_copy(&bytes, &from, sizeof bytes))
    return ranks_damaged(message, error);
  pthread_mutex_lock(&round->base.lock);
  round->kept_bytes -= bytes;
  pthread_cond_broadcast(&round->base.news);
  pthread_mutex_unlock(&round->base.lock);
  return CLA_OK;
}

/* True if the message belongs to the round; messages of a round begin with its number. */
static bool is_of_round(const rank_round *round, const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  int32_t number = 0;
  return rank_copy(&number, &from, sizeof number) && number == round->number;
}

cla_status rank_round_handle(rank_round *round, cla_rank_message *message, cla_error *error) {
  if (message->kind == RANK_ERROR)
    return ranks_failed(round->ranks, &(rank_work){RANK_PAIR, round->number}, message, error);
  if (!is_of_round(round, message))
    return CLA_OK; /* the message is from a round that was broken off earlier */
  switch (message->kind) {
    case RANK_BORDER: return take_border(round, message, error);
    case RANK_KEPT: kept_queue_add(round, message); return CLA_OK;
    case RANK_KEPT_TAKEN: return take_kept_word(round, message, error);
    case RANK_DONE: return take_done(round, message, error);
    case RANK_STRIP: return take_strip(round, message, error);
    case RANK_BOTTOM: return take_bottom(round, message, error);
    case RANK_PROGRESS: take_progress(round, message); return CLA_OK;
    case RANK_END: round->over = true; return CLA_OK;
    default: return CLA_OK;
  }
}

/* Sends rank 0 the progress of this rank's blocks. On rank 0, sends the best known score to all other ranks.
 */
static void tell_progress(rank_round *round) {
  const cla_ranks *ranks = round->ranks;
  const double now = machine_seconds();
  cla_error unused;
  progress_head head;
  block_progress active[64];
  int count = 0;
  if (now - round->told < CLA_PROGRESS_SECONDS) return;
  round->told = now;
  memset(&head, 0, sizeof head);
  head.number = round->number;
  head.reached = atomic_load(&round->base.reached);
  if (ranks->rank == 0) {
    if (head.reached > round->told_reached)
      (void)ranks_tell(ranks, RANK_PROGRESS, (cla_rank_bytes){&head, sizeof head}, &unused);
    round->told_reached = head.reached;
    return;
  }
  pthread_mutex_lock(&round->base.lock);
  for (int64_t i = 0; i < round->base.count && count < 64; i++) {
    const sweep_block *b = round->base.blocks + i;
    if (b->owner == ranks->rank && b->taken && !b->done)
      active[count++] = (block_progress){b->index, b->cells, b->passed_over};
  }
  pthread_mutex_unlock(&round->base.lock);
  const cla_rank_bytes parts[] = {{&head, sizeof head}, {active, count * (int64_t)sizeof *active}};
  (void)ranks->send(ranks->user, 0, RANK_PROGRESS, parts, 2, &unused);
}

/* Handles all messages that have arrived, up to the message that ends the round. Any later message belongs
 * to other work. *any is set if there was a message. */
static cla_status take_messages(rank_round *round, bool *any, cla_error *error) {
  cla_status status = CLA_OK;
  *any = false;
  for (bool found = true; status == CLA_OK && found && !round->over;) {
    cla_rank_message message = {0};
    status = round->ranks->take(round->ranks->user, &message, &found, error);
    if (status != CLA_OK || !found) break;
    *any = true;
    status = rank_round_handle(round, &message, error);
    free(message.bytes);
  }
  return status;
}

/* Returns an error if the run must end: because of the user's callback, a signal or a dead rank. */
static cla_status ask_for_end(rank_round *round, int64_t cells, cla_error *error) {
  if (round->ranks->rank > 0) return ranks_check(round->ranks, error);
  cla_status status = ranks_check_left(round->ranks, round->left, error);
  return status == CLA_OK ? sweep_tick(round->base.sweep, cells, error) : status;
}

/* True if all blocks are done, or the round has been broken off, and this rank's threads have ended. */
static bool is_over(const rank_round *round) {
  bool all = true;
  if (round->base.working > 0) return false;
  if (round->ranks->rank > 0) return round->over || ranks_is_gone(round->ranks, 0);
  for (int64_t i = 0; i < round->base.end; i++)
    all = all && round->base.blocks[i].done && (!round->parts || i < round->taken);
  return all || round->base.status != CLA_OK;
}

/* Passes blocks whose rows are all kept to parts->take, one after the other. The least score that `take`
 * returns holds for later blocks. */
static void take_parts(rank_round *round) {
  const sweep_parts *parts = round->parts;
  bool goes_on = parts != NULL;
  while (goes_on) {
    const sweep_block *b = round->base.blocks + round->taken;
    int64_t least = 0;
    cla_error reason = {.status = CLA_OK};
    pthread_mutex_lock(&round->base.lock);
    const bool whole = round->taken < round->base.end && b->kept;
    pthread_mutex_unlock(&round->base.lock);
    if (!whole) return;
    round->taken++;
    cla_status status =
        parts->take(&goes_on, &least, parts->user, &(sweep_part){b->result, b->least}, &reason);
    reason.status = status;
    raise(round, least);
    if (status != CLA_OK || !goes_on)
      block_round_end(&round->base, round->taken, status == CLA_OK ? NULL : &reason);
    goes_on = goes_on && status == CLA_OK;
  }
}

/* The loop of the thread that began the round. Only this thread communicates. The loop ends when the round is
 * over. */
static void watch(block_round *base, void *user) {
  rank_round *round = user;
  bool over = false;
  while (!over) {
    cla_error reason = {.status = CLA_OK};
    bool any = false;
    cla_status status = take_messages(round, &any, &reason);
    take_parts(round);
    tell_progress(round);
    pthread_mutex_lock(&round->base.lock);
    const int64_t cells = block_round_cells(base);
    const bool ended = round->base.status != CLA_OK;
    over = is_over(round);
    const cla_error failure = round->base.error;
    const bool busy = round->base.working > atomic_load(&round->base.waiting);
    pthread_mutex_unlock(&round->base.lock);
    if (status == CLA_OK && !ended && !over) status = ask_for_end(round, cells, &reason);
    reason.status = status;
    if (status != CLA_OK) block_round_end(&round->base, 0, &reason);
    if (round->over && !over) { /* another rank has broken off the round; the messages of this rank's threads
                                   must still move on */
      block_round_end(&round->base, 0, NULL);
      (void)round->ranks->waiting(round->ranks->user, 0);
    }
    if (round->ranks->rank > 0 && ended && !round->failed) {
      const rank_work work = {RANK_PAIR, round->number};
      round->failed = ranks_fail(round->ranks, &work, failure.status, &failure) == CLA_OK;
    }
    if (!over && !any) round->ranks->rest(round->ranks->user, busy);
  }
}

cla_status rank_round_run(rank_round *round, cla_error *error) {
  cla_status status = round->ranks->rank == 0 && round->base.keeps ? kept_queue_open(round, error) : CLA_OK;
  if (status == CLA_OK) status = block_round_run(&round->base, watch, round, error);
  if (round->kept_queue) kept_queue_close(round);
  return status;
}
