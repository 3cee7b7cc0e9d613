/* Kept rows of other ranks on their way to where rank 0 keeps them: that may take long, and a row ends only
 * when all blocks above it are done. Behind a block's rows comes word that it is done. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "team/ranks_internal.h"

typedef struct kept_entry {
  struct kept_entry *next;
  cla_rank_message message;
} kept_entry;

struct kept_queue {
  block_round *round;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t news;
  kept_entry *first, **end;
  bool closing, ended;
};

/* Tells the sender that there is room again. */
static void give_room(const block_round *round, const sweep_block *b, const region_row_part *part, int to) {
  struct {
    int32_t number;
    int64_t block, bytes;
  } word;
  cla_error unused;
  memset(&word, 0, sizeof word);
  word.number = round->number;
  word.block = b->index;
  word.bytes = part->count * (part->f2 ? 3 : 2) * (part->lane_bits / 8);
  (void)ranks_send(round->ranks, to, RANK_KEPT_TAKEN, (cla_rank_bytes){&word, sizeof word}, &unused);
}

static void keep(block_round *round, const cla_rank_message *message) {
  cla_error error = {.status = CLA_OK};
  sweep_block *b = NULL;
  region_row_part part = {0};
  if (message->kind == RANK_DONE) {
    block_word word;
    memcpy(&word, message->bytes, sizeof word); /* it was read before */
    sweep_block_rows_kept(round->blocks + word.block);
    return;
  }
  cla_status status = rank_part_read(&b, &part, round, message, &error);
  if (status == CLA_OK) status = sweep_block_keep(b, &part, &error);
  error.status = status;
  if (status != CLA_OK && status != CLA_ERROR_INTERRUPTED) block_round_end(round, 0, &error);
  if (status == CLA_OK && part.count > 0) give_room(round, b, &part, message->from);
}

static void *work(void *user) {
  struct kept_queue *queue = user;
  pthread_mutex_lock(&queue->lock);
  for (;;) {
    kept_entry *entry = queue->first;
    if (!entry && queue->closing) break;
    if (!entry) {
      pthread_cond_wait(&queue->news, &queue->lock);
      continue;
    }
    queue->first = entry->next;
    if (!queue->first) queue->end = &queue->first;
    pthread_mutex_unlock(&queue->lock);
    keep(queue->round, &entry->message);
    free(entry->message.bytes);
    free(entry);
    pthread_mutex_lock(&queue->lock);
  }
  queue->ended = true;
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

cla_status kept_queue_open(block_round *round, cla_error *error) {
  struct kept_queue *queue = NULL;
  cla_status status = allocate_zeros((void **)&queue, 1, sizeof *queue, "kept rows", error);
  if (status != CLA_OK) return status;
  queue->round = round;
  queue->end = &queue->first;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->news, NULL);
  if (thread_start(&queue->thread, work, queue) != 0) {
    free(queue);
    return error_set(error, CLA_ERROR_MEMORY, "no thread can be started for kept rows; free some memory");
  }
  round->kept_queue = queue;
  return CLA_OK;
}

void kept_queue_add(block_round *round, cla_rank_message *message) {
  struct kept_queue *queue = round->kept_queue;
  kept_entry *entry = NULL;
  cla_error error = {.status = CLA_OK};
  cla_status status = allocate_zeros((void **)&entry, 1, sizeof *entry, "a kept row", &error);
  error.status = status;
  if (status != CLA_OK) block_round_end(round, 0, &error);
  if (status != CLA_OK || !queue) return;
  entry->message = *message;
  message->bytes = NULL;
  pthread_mutex_lock(&queue->lock);
  *queue->end = entry;
  queue->end = &entry->next;
  pthread_cond_signal(&queue->news);
  pthread_mutex_unlock(&queue->lock);
}

void kept_queue_close(block_round *round) {
  struct kept_queue *queue = round->kept_queue;
  pthread_mutex_lock(&queue->lock);
  queue->closing = true;
  pthread_cond_signal(&queue->news);
  pthread_mutex_unlock(&queue->lock);
  for (bool ended = false; !ended;) { /* the thread may wait until what it sends has room */
    (void)round->ranks->full(round->ranks->user, round->ranks->rank);
    pthread_mutex_lock(&queue->lock);
    ended = queue->ended;
    pthread_mutex_unlock(&queue->lock);
    if (!ended) round->ranks->rest(round->ranks->user, false);
  }
  pthread_join(queue->thread, NULL);
  pthread_cond_destroy(&queue->news);
  pthread_mutex_destroy(&queue->lock);
  free(queue);
  round->kept_queue = NULL;
}
