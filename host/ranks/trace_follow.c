/* The part of ranks other than 0 in a traceback. Threads compute the bands that rank 0 sends; the main thread
 * sends the paths through them. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "ranks/ranks_internal.h"
#include "ranks/ranks_trace.h"

/* A block that this rank has. */
typedef struct far_block {
  struct far_block *next;
  int64_t number;
  band_block block;
  band_work work;
  bool begun, finished, dropped;
} far_block;

typedef struct far_trace {
  const cla_ranks *ranks;
  trace_head head;
  pair_problem problem;
  row_worth worth;
  uint8_t *letters[2]; /* owned, like all pointers here */
  used_pairs *used;
  pthread_mutex_t lock;
  pthread_cond_t more;
  far_block *blocks, **end; /* oldest block first; the lock protects the fields from here to `error` */
  bool stop;
  cla_status status; /* status of a thread that has failed */
  cla_error error;
  atomic_bool cancel; /* not protected by the lock */
  pthread_t *threads;
  int count, ended; /* number of threads; number of threads that have ended, protected by the lock */
} far_trace;

static void free_block(far_block *block) {
  band_block_free(&block->block);
  free(block);
}

/* Removes the block from the list. The lock must be held. */
static void unlink_block(far_trace *p, far_block *block) {
  far_block **at = &p->blocks;
  while (*at != block) at = &(*at)->next;
  *at = block->next;
  if (p->end == &block->next) p->end = at;
}

static far_block *next_block(far_trace *p) {
  far_block *block = p->blocks;
  while (block && block->begun) block = block->next;
  return block;
}

/* Computes the block, and tells rank 0 that it is done. The lock must be held; it is released during the
 * computation. */
static void compute(far_trace *p, far_block *block) {
  cla_error why = {.status = CLA_OK};
  trace_done done;
  block->begun = true;
  pthread_mutex_unlock(&p->lock);
  cla_status status = band_block_compute(&block->block, &block->work, &why);
  memset(&done, 0, sizeof done);
  done.id = p->head.id;
  done.number = block->number;
  done.ready = block->block.band != NULL;
  done.cells = block->block.cells;
  pthread_mutex_lock(&p->lock);
  block->finished = true;
  const bool gone = block->dropped || !done.ready;
  if (gone) unlink_block(p, block);
  pthread_mutex_unlock(&p->lock);
  if (gone) free_block(block);
  if (status == CLA_OK)
    status = ranks_send(p->ranks, 0, RANK_TRACE_DONE, (cla_rank_bytes){&done, sizeof done}, &why);
  pthread_mutex_lock(&p->lock);
  if (status == CLA_OK || p->status != CLA_OK) return;
  p->status = status;
  p->error = why;
}

static void *work(void *user) {
  far_trace *p = user;
  pthread_mutex_lock(&p->lock);
  while (!p->stop) {
    far_block *block = next_block(p);
    if (block)
      compute(p, block);
    else
      pthread_cond_wait(&p->more, &p->lock);
  }
  p->ended++;
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Reads a block from a message, and sets this rank's pointers in it. */
static cla_status read_block(far_block *out, far_trace *p, const cla_rank_message *message,
                             cla_error *error) {
  rank_reader from = rank_read(message);
  trace_block head;
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  const int64_t count = head.goals.last_column - head.input.column + 1;
  band_block *block = &out->block;
  if (head.input.column < 0 || count < 1 || count > p->problem.columns + 1)
    return ranks_damaged(message, error);
  cla_status status = row_values_make(&block->top, count, &p->head.scoring, "a block's border", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < gap_lines(&p->head.scoring); i++)
    if (!rank_copy(row_values_line(block->top, i), &from, count * (int64_t)sizeof *block->top.h))
      return ranks_damaged(message, error);
  out->number = head.number;
  block->upper = head.upper;
  block->lower = head.lower;
  block->wide = head.wide;
  block->goals = head.goals;
  block->goals.worth = &p->worth;
  block->goals.potential = NULL;
  out->work = (band_work){.fits = true, .node = head.node, .input = head.input};
  out->work.input.problem = &p->problem;
  out->work.input.worth = &p->worth;
  out->work.input.top = block->top;
  out->work.input.cancel = &p->cancel;
  return CLA_OK;
}

static cla_status add_block(far_trace *p, const cla_rank_message *message, cla_error *error) {
  far_block *block = NULL;
  cla_status status = ALLOCATE_ZEROS(&block, 1, "a block", error);
  if (status != CLA_OK) return status;
  status = read_block(block, p, message, error);
  if (status != CLA_OK) {
    free_block(block);
    return status;
  }
  pthread_mutex_lock(&p->lock);
  *p->end = block;
  p->end = &block->next;
  pthread_cond_signal(&p->more);
  pthread_mutex_unlock(&p->lock);
  return CLA_OK;
}

/* Sends rank 0 the path from the node through the block. */
static cla_status answer(far_trace *p, far_block *block, const band_node *node, cla_error *error) {
  const int64_t cells = block->block.cells;
  path steps = {0};
  trace_taken head;
  memset(&head, 0, sizeof head);
  head.id = p->head.id;
  head.number = block->number;
  head.node = *node;
  cla_status status = band_block_take(&head.led, &head.node, &steps, &block->block, error);
  head.cells = block->block.cells - cells;
  head.runs = steps.count;
  const cla_rank_bytes parts[] = {{&head, sizeof head},
                                  {steps.runs, steps.count * (int64_t)sizeof *steps.runs}};
  if (status == CLA_OK) status = p->ranks->send(p->ranks->user, 0, RANK_TRACE_TAKEN, parts, 2, error);
  path_free(&steps);
  return status;
}

static cla_status take_block(far_trace *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  trace_take head;
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  pthread_mutex_lock(&p->lock);
  far_block *block = p->blocks;
  while (block && block->number != head.number) block = block->next;
  const bool ready = block && block->finished;
  if (ready) unlink_block(p, block);
  if (block && !ready) block->dropped = true;
  pthread_mutex_unlock(&p->lock);
  if (!ready) return head.drop ? CLA_OK : ranks_damaged(message, error);
  cla_status status = head.drop ? CLA_OK : answer(p, block, &head.node, error);
  free_block(block);
  return status;
}

/* Returns the id of the traceback to which a message belongs. */
static int32_t id_of(const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  int32_t id = 0;
  return rank_copy(&id, &from, sizeof id) ? id : 0;
}

static cla_status follow(far_trace *p, cla_error *error) {
  cla_status status = CLA_OK;
  for (bool ended = false; !ended && status == CLA_OK;) {
    cla_rank_message message = {0};
    bool found = false;
    status = p->ranks->take(p->ranks->user, &message, &found, error);
    if (status == CLA_OK && found && id_of(&message) == p->head.id) switch (message.kind) {
        case RANK_TRACE_BLOCK: status = add_block(p, &message, error); break;
        case RANK_TRACE_TAKE: status = take_block(p, &message, error); break;
        case RANK_TRACE_END: ended = true; break;
        default: break;
      }
    free(message.bytes);
    pthread_mutex_lock(&p->lock);
    if (status == CLA_OK && p->status != CLA_OK) {
      status = p->status;
      *error = p->error;
    }
    pthread_mutex_unlock(&p->lock);
    if (status == CLA_OK) status = ranks_check(p->ranks, error);
    if (status == CLA_OK && !found) p->ranks->rest(p->ranks->user, false);
  }
  return status;
}

/* Receives the pair of a traceback. *goes_on is false if rank 0 has already ended the traceback. */
static cla_status begin(bool *goes_on, far_trace *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  *goes_on = true;
  if (!rank_copy(&p->head, &from, sizeof p->head)) return ranks_damaged(message, error);
  const trace_ready ready = {p->head.id, p->ranks->threads};
  const int64_t counts[] = {p->head.rows, p->head.columns};
  const rank_stage stage = {.ends = RANK_TRACE_END, .number = p->head.id};
  cla_status status = CLA_OK;
  status = used_pairs_read(&p->used, &from, error);
  p->head.table.used = p->used;
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    status = ALLOCATE_ARRAY(&p->letters[i], counts[i], "the letters of a pair", error);
  if (status == CLA_OK)
    status = ranks_send(p->ranks, 0, RANK_TRACE_READY, (cla_rank_bytes){&ready, sizeof ready}, error);
  const rank_thing letters[] = {{p->letters[0], counts[0]}, {p->letters[1], counts[1]}};
  if (status == CLA_OK) status = ranks_share(goes_on, p->ranks, &stage, letters, 2, error);
  if (status == CLA_OK && *goes_on)
    status = ranks_send(p->ranks, 0, RANK_TRACE_READY, (cla_rank_bytes){&ready, sizeof ready}, error);
  p->problem = (pair_problem){.query = p->letters[0],
                              .target = p->letters[1],
                              .rows = p->head.rows,
                              .columns = p->head.columns,
                              .scheme = {&p->head.scoring, &p->head.table, p->head.ends}};
  return status == CLA_OK && *goes_on
             ? row_worth_make(&p->worth, p->problem.query, p->head.end_row, &p->head.table, error)
             : status;
}

static cla_status start_threads(far_trace *p, cla_error *error) {
  const int wanted = p->ranks->threads;
  cla_status status = ALLOCATE_ARRAY(&p->threads, wanted, "threads", error);
  for (int code = 0; status == CLA_OK && code == 0 && p->count < wanted;) {
    code = thread_start(p->threads + p->count, work, p);
    p->count += code == 0;
    if (code != 0 && p->count == 0)
      status = error_set(error, CLA_ERROR_MEMORY, "cannot start a thread: %s; give fewer --threads",
                         strerror(code));
  }
  return status;
}

static void stop_threads(far_trace *p) {
  atomic_store(&p->cancel, true);
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_broadcast(&p->more);
  pthread_mutex_unlock(&p->lock);
  ranks_await_threads(p->ranks, &p->lock, &p->ended, p->count);
  for (int i = 0; i < p->count; i++) pthread_join(p->threads[i], NULL);
}

cla_status trace_for_rank0(const cla_ranks *ranks, const cla_rank_message *begins, cla_error *error) {
  far_trace *p = NULL;
  bool goes_on = false;
  cla_status status = ALLOCATE_ZEROS(&p, 1, "a path", error);
  if (status != CLA_OK) return status;
  p->ranks = ranks;
  p->end = &p->blocks;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->more, NULL);
  atomic_init(&p->cancel, false);
  status = begin(&goes_on, p, begins, error);
  if (status == CLA_OK && goes_on) status = start_threads(p, error);
  if (status == CLA_OK && goes_on) status = follow(p, error);
  stop_threads(p);
  for (far_block *block = p->blocks, *next; block; block = next) {
    next = block->next;
    free_block(block);
  }
  row_worth_free(&p->worth);
  for (int i = 0; i < 2; i++) free(p->letters[i]);
  used_pairs_free(p->used);
  free(p->threads);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->more);
  free(p);
  return status;
}
