/* Aligns the pairs of two files, or of a list, in blocks. Each thread cuts a block from the input, aligns it
 * and makes its text. Blocks are written in their order. */

#include <stdlib.h>
#include <time.h>

#include "cli/batch/file_blocks.h"
#include "cli/report/report.h"

/* If a pair needs more memory than its block has, the pair gets 1 / LARGE_SHARE of the budget. Only one such
 * pair is aligned at a time. */
#define LARGE_SHARE 2
#define SECONDS_BETWEEN_LOOKS 0.1

/* Loads the block's results of an earlier run. *again: true if these results contained failed pairs, which
 * are aligned again. */
static cla_status recall(batch_blocks *b, pair_block *block, bool *again, cla_error *error) {
  block_bytes bytes = {.at = NULL};
  cla_status status =
      cla_batch_directory_find(&bytes.at, &bytes.count, b->means.directory, block->keep.first, error);
  block->scores_alone = b->means.align.score_only;
  block->cells = 0;
  if (status == CLA_OK) status = pair_block_unpack(block, &bytes, error);
  if (status == CLA_OK) status = pair_block_same(block, &b->means, error);
  if (status == CLA_OK) status = pair_block_again(block, &b->means, again, error);
  if (status == CLA_OK) pair_block_settle(&b->means, block);
  free(bytes.at);
  return status;
}

static void take_out(pair_block **list, const pair_block *block) {
  while (*list != block) list = &(*list)->next;
  *list = block->next;
}

/* Stores the block's results in the run directory. */
static cla_status keep(batch_blocks *b, const pair_block *block, cla_error *error) {
  block_bytes bytes = {.at = NULL};
  cla_status status = pair_block_pack(&bytes, block, error);
  pthread_mutex_lock(&b->lock);
  if (status == CLA_OK)
    status = cla_batch_directory_keep(b->means.directory, block->keep.first, block->keep.first + block->count,
                                      bytes.at, bytes.count, error);
  pthread_mutex_unlock(&b->lock);
  free(bytes.at);
  return status;
}

/* Sends the block to another rank, unless all ranks have enough to do. Once sent, the block may come back
 * at any time, and another thread may take it. */
static bool lend(batch_blocks *b, pair_block *block) {
  cla_error ignored;
  if (!b->ranks) return false;
  pthread_mutex_lock(&b->lock);
  block->lent = true;
  block->next = b->away;
  b->away = block;
  pthread_mutex_unlock(&b->lock);
  if (pair_block_lend(block, &b->means, b->ranks, &ignored)) return true;
  pthread_mutex_lock(&b->lock);
  take_out(&b->away, block);
  block->lent = false;
  pthread_mutex_unlock(&b->lock);
  return false;
}

/* Solves the block, or loads it from the run directory (*news is then false unless pairs were aligned again),
 * or sends it to another rank (*away). */
static cla_status solve(bool *news, bool *away, batch_blocks *b, pair_block *block, cla_error *error) {
  cla_status status = CLA_OK;
  block->keep.replayed = 0;
  for (int side = 0; side < 2 && status == CLA_OK && !b->means.list; side++) {
    block->records[side] = &block->own[side];
    status = cla_record_block_parse(&block->own[side], &b->means.how, error);
  }
  if (status == CLA_OK && b->means.directory) status = pair_block_mark(block, error);
  if (status != CLA_OK) return status;
  if (b->means.directory && block->keep.kept > 0) return recall(b, block, news, error);
  *away = lend(b, block);
  return *away ? CLA_OK : pair_block_solve(block, &b->means, false, error);
}

/* Completes a block that another rank has solved. Aligns the pairs again that failed there, because this rank
 * may have more memory, or a device. */
static cla_status take_returned(pair_block *block, block_means *b, cla_error *error) {
  const double cells = block->cells;
  bool any = false;
  if (block->unsolved) return pair_block_solve(block, b, false, error);
  cla_status status = pair_block_again(block, b, &any, error);
  block->cells = cells;
  block->keep.replayed = 0;
  if (status == CLA_OK) pair_block_settle(b, block);
  return status;
}

/* Parses a block's records, solves the block and makes its text. *away: another rank solves the block
 * instead. */
static cla_status solve_block(bool *away, batch_blocks *b, pair_block *block, cla_error *error) {
  const bool lent = block->lent;
  bool news = true;
  *away = block->lent = false;
  cla_status status = lent ? take_returned(block, &b->means, error) : solve(&news, away, b, block, error);
  if (status != CLA_OK || *away) return status;
  if (b->means.directory && news) status = keep(b, block, error);
  return status == CLA_OK ? pair_block_make_texts(block, &b->means, error) : status;
}

/* Writes all blocks whose turn it is, unless another thread is writing. The caller holds the lock; it is
 * released during the writing and taken again. */
static void write_ready(batch_blocks *b) {
  if (b->writing) return;
  b->writing = true;
  for (pair_block *block; !b->stopped && (block = b->ready[b->written % b->blocks]);) {
    cla_error error = {.status = CLA_OK};
    pthread_mutex_unlock(&b->lock);
    const cla_status status = pair_block_write(block, &b->means, &error);
    pthread_mutex_lock(&b->lock);
    if (status != CLA_OK) blocks_stop(b, status, &error);
    b->run->report.cells += block->cells;
    b->run->report.done_before += block->count - block->keep.replayed;
    b->run->report.replayed += block->keep.replayed;
    b->ready[b->written++ % b->blocks] = NULL;
    block->next = b->free;
    b->free = block;
    pthread_cond_broadcast(&b->changed);
  }
  b->writing = false;
}

/* A progress function for all threads. Returns false after an interrupt. */
static bool may_go_on(const cla_progress *progress, void *user) {
  (void)progress;
  (void)user;
  return !interrupt_requested();
}

static void *work(void *user) {
  batch_blocks *b = user;
  for (pair_block *block; (block = blocks_next(b));) {
    bool away = false;
    cla_error error = {.status = CLA_OK};
    const cla_status status = solve_block(&away, b, block, &error);
    if (away) continue;
    pthread_mutex_lock(&b->lock);
    block->failed = status;
    block->error = error;
    b->ready[block->number % b->blocks] = block;
    write_ready(b);
    pthread_mutex_unlock(&b->lock);
  }
  pthread_mutex_lock(&b->lock);
  b->at_work--;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
  if (b->ranks) cli_ranks->wake(cli_ranks->user);
  return NULL;
}

static void show_progress(batch_blocks *b, double seconds) {
  const double left = b->bytes > 0 ? blocks_seconds_left(b) : 0;
  const cla_batch_progress progress = {.seconds = seconds, .seconds_left = left > 0 ? left : -1};
  batch_report_progress(&b->run->report, &progress);
  batch_outputs_flush(&b->run->outputs);
}

/* Waits until another thread reports a change, or for a short time. The caller holds the lock. */
static void wait_for_change(batch_blocks *b) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(1e9 * SECONDS_BETWEEN_LOOKS);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&b->changed, &b->lock, &until);
}

/* Exchanges messages with other ranks, and takes blocks back from them. The caller holds the lock; it is
 * released meanwhile and taken again. */
static void take_back(batch_blocks *b) {
  cla_error error = {.status = CLA_OK};
  cla_status status = CLA_OK;
  void *user = NULL;
  bool aligned = true;
  pthread_mutex_unlock(&b->lock);
  do {
    status = cla_arrays_ranks_take(&user, &aligned, b->ranks, &error);
    pair_block *block = user;
    pthread_mutex_lock(&b->lock);
    if (block) {
      take_out(&b->away, block);
      block->unsolved = !aligned;
      block->next = b->back;
      b->back = block;
      pthread_cond_broadcast(&b->changed);
    }
    if (status != CLA_OK && !b->stopped) blocks_stop(b, status, &error);
    pthread_mutex_unlock(&b->lock);
  } while (user);
  cli_ranks->rest(cli_ranks->user, true);
  pthread_mutex_lock(&b->lock);
}

/* Shows the progress until all threads have ended. */
static void watch(batch_blocks *b, double began) {
  cla_error error = {.status = CLA_OK};
  double shown = began;
  pthread_mutex_lock(&b->lock);
  while (b->at_work > 0) {
    if (b->ranks)
      take_back(b);
    else
      wait_for_change(b);
    const double now = cli_seconds();
    if (!b->writing && now - shown >= SECONDS_BETWEEN_LOOKS) show_progress(b, now - began);
    if (now - shown >= SECONDS_BETWEEN_LOOKS) shown = now;
    if (interrupt_requested() && !b->stopped)
      blocks_stop(b, CLA_ERROR_INTERRUPTED,
                  (cli_error(&error, CLA_ERROR_INTERRUPTED, "interrupted"), &error));
  }
  pthread_mutex_unlock(&b->lock);
}

static cla_status make_blocks(batch_blocks *b, cla_error *error) {
  b->ready = calloc((size_t)b->blocks, sizeof *b->ready);
  if (!b->ready) return pair_block_no_memory(error);
  /* There are as many blocks as places in `ready`, so no two blocks need the same place. */
  for (int i = b->held ? 1 : 0; i < b->blocks; i++) {
    pair_block *block = calloc(1, sizeof *block);
    if (!block) return pair_block_no_memory(error);
    block->next = b->free;
    b->free = block;
  }
  return CLA_OK;
}

cla_status batch_blocks_all(batch_blocks *b, const cla_device_options *device, cla_error *error) {
  const double began = cli_seconds();
  batch_run *run = b->run;
  int started = 0;
  pthread_t *threads = calloc((size_t)b->threads, sizeof *threads);
  cla_status status = threads ? blocks_cut_again(b, error) : pair_block_no_memory(error);
  if (status == CLA_OK) status = block_means_open(&b->means, device, 0, error);
  if (status == CLA_OK) status = block_means_begin(&b->means, run, error);
  b->means.align.budgets.threads = 1;
  b->means.alike = true;
  b->bytes = batch_file_bytes(b->means.paths[0], b->means.list != NULL);
  b->means.align.callbacks.progress = may_go_on;
  b->means.large_memory = b->means.align.budgets.memory_bytes / LARGE_SHARE;
  b->means.align.budgets.memory_bytes /= BLOCKS_SHARE * b->threads;
  if (status == CLA_OK) status = cla_arrays_ranks_begin(&b->ranks, cli_ranks, &b->means.align, error);
  b->blocks += (int)cla_arrays_ranks_room(b->ranks);
  if (status == CLA_OK) status = make_blocks(b, error);
  const int wanted = status == CLA_OK ? b->threads : 0;
  b->at_work = wanted; /* from now on, the threads change it */
  for (; threads && started < wanted && batch_thread_start(&threads[started], work, b); started++) {
  }
  if (status == CLA_OK && started == 0) status = pair_block_no_memory(error);
  pthread_mutex_lock(&b->lock);
  b->at_work -= wanted - started;
  pthread_mutex_unlock(&b->lock);
  if (started > 0) watch(b, began);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  cla_arrays_ranks_end(b->ranks);
  free(threads);
  run->report.seconds += cli_seconds() - began;
  if (status != CLA_OK || run->stopped == CLA_OK) return status;
  *error = run->why;
  return run->stopped;
}
