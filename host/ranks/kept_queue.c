/* Stores the kept rows that other ranks send to rank 0. Storing may take long. A row ends only when all
 * blocks above it are done. The message that a block is done comes after the block's rows. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "ranks/ranks_internal.h"

typedef struct kept_entry {
  struct kept_entry *next;
  cla_rank_message message;
} kept_entry;

typedef struct kept_list {
  kept_entry *first, **end;
} kept_list;

/* One thread stores parts of rows. Another thread handles the ends of rows and blocks. The end of a row
 * waits for the blocks above; the end of a block waits for the ends of its rows. Ends must not delay parts,
 * because other ranks wait until a part's room is free again. */
struct kept_queue {
  rank_round *round;
  pthread_t threads[2];
  int started, ended;
  pthread_mutex_t lock;
  pthread_cond_t news;
  kept_list parts, ends;
  bool closing, parts_ended;
};

/* Tells the sender of the part that the part's room is free again. */
static void give_room(rank_round *round, const sweep_block *b, const region_row_part *part, int to) {
  struct {
    int32_t number;
    int64_t block, bytes;
  } word;
  cla_error error = {.status = CLA_OK};
  memset(&word, 0, sizeof word);
  word.number = round->number;
  word.block = b->index;
  word.bytes = region_row_part_bytes(part);
  error.status = ranks_send(round->ranks, to, RANK_KEPT_TAKEN, (cla_rank_bytes){&word, sizeof word}, &error);
  if (error.status != CLA_OK) block_round_end(&round->base, 0, &error);
}

/* True if the message ends a row or a block. */
static bool is_end(const cla_rank_message *message) {
  rank_reader from = rank_read(message);
  rank_part head;
  return message->kind == RANK_DONE || (rank_copy(&head, &from, sizeof head) && head.count == 0);
}

static void keep(rank_round *round, const cla_rank_message *message) {
  cla_error error = {.status = CLA_OK};
  sweep_block *b = NULL;
  region_row_part part = {0};
  if (message->kind == RANK_DONE) {
    block_word word;
    memcpy(&word, message->bytes, sizeof word); /* the message's size was checked before */
    sweep_block_rows_kept(round->base.blocks + word.block);
    return;
  }
  cla_status status = rank_part_read(&b, &part, round, message, &error);
  if (status == CLA_OK) status = sweep_block_keep(b, &part, &error);
  error.status = status;
  if (status != CLA_OK && status != CLA_ERROR_INTERRUPTED) block_round_end(&round->base, 0, &error);
  if (status == CLA_OK && part.count > 0) give_room(round, b, &part, message->from);
}

static void list_add(kept_list *list, kept_entry *entry) {
  entry->next = NULL;
  *list->end = entry;
  list->end = &entry->next;
}

/* Waits for the next entry of a list; NULL: no entry will come. The lock must be held. */
static kept_entry *list_take(struct kept_queue *queue, kept_list *list, const bool *ended) {
  while (!list->first && !*ended) pthread_cond_wait(&queue->news, &queue->lock);
  kept_entry *entry = list->first;
  if (entry) list->first = entry->next;
  if (!list->first) list->end = &list->first;
  return entry;
}

/* Stores the rows of the entry. The lock must be held; it is released during the storing. */
static void keep_entry(struct kept_queue *queue, kept_entry *entry) {
  pthread_mutex_unlock(&queue->lock);
  keep(queue->round, &entry->message);
  free(entry->message.bytes);
  free(entry);
  pthread_mutex_lock(&queue->lock);
}

static void *keep_parts(void *user) {
  struct kept_queue *queue = user;
  pthread_mutex_lock(&queue->lock);
  for (kept_entry *entry; (entry = list_take(queue, &queue->parts, &queue->closing));) {
    if (is_end(&entry->message)) {
      list_add(&queue->ends, entry);
      pthread_cond_broadcast(&queue->news);
    } else {
      keep_entry(queue, entry);
    }
  }
  queue->parts_ended = true;
  queue->ended++;
  pthread_cond_broadcast(&queue->news);
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

static void *keep_ends(void *user) {
  struct kept_queue *queue = user;
  pthread_mutex_lock(&queue->lock);
  for (kept_entry *entry; (entry = list_take(queue, &queue->ends, &queue->parts_ended));)
    keep_entry(queue, entry);
  queue->ended++;
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

cla_status kept_queue_open(rank_round *round, cla_error *error) {
  void *(*const works[])(void *) = {keep_parts, keep_ends};
  struct kept_queue *queue = NULL;
  cla_status status = ALLOCATE_ZEROS(&queue, 1, "kept rows", error);
  if (status != CLA_OK) return status;
  queue->round = round;
  queue->parts.end = &queue->parts.first;
  queue->ends.end = &queue->ends.first;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->news, NULL);
  round->kept_queue = queue;
  while (queue->started < 2 &&
         thread_start(&queue->threads[queue->started], works[queue->started], queue) == 0)
    queue->started++;
  if (queue->started == 2) return CLA_OK;
  kept_queue_close(round);
  return error_set(error, CLA_ERROR_MEMORY, "no thread can be started for kept rows; free some memory");
}

void kept_queue_add(rank_round *round, cla_rank_message *message) {
  struct kept_queue *queue = round->kept_queue;
  kept_entry *entry = NULL;
  cla_error error = {.status = CLA_OK};
  if (!queue) return;
  error.status = ALLOCATE_ZEROS(&entry, 1, "a kept row", &error);
  if (error.status != CLA_OK) {
    block_round_end(&round->base, 0, &error);
    return;
  }
  entry->message = *message;
  message->bytes = NULL;
  pthread_mutex_lock(&queue->lock);
  list_add(&queue->parts, entry);
  pthread_cond_broadcast(&queue->news);
  pthread_mutex_unlock(&queue->lock);
}

void kept_queue_close(rank_round *round) {
  struct kept_queue *queue = round->kept_queue;
  pthread_mutex_lock(&queue->lock);
  queue->closing = true;
  pthread_cond_broadcast(&queue->news);
  pthread_mutex_unlock(&queue->lock);
  ranks_await_threads(round->ranks, &queue->lock, &queue->ended, queue->started);
  for (int i = 0; i < queue->started; i++) pthread_join(queue->threads[i], NULL);
  pthread_cond_destroy(&queue->news);
  pthread_mutex_destroy(&queue->lock);
  free(queue);
  round->kept_queue = NULL;
}
