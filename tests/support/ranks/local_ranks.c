#include "support/ranks/local_ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ranks/ranks.h"
#include "ranks/ranks_batch.h"
#include "ranks/ranks_internal.h"
#include "ranks/ranks_trace.h"

typedef struct letter {
  struct letter *next;
  cla_rank_message message;
} letter;

typedef struct local_rank {
  local_ranks *all;
  cla_ranks ranks;
  cla_device *device;
  pthread_t thread;
  bool gone[LOCAL_RANKS_MOST]; /* ranks that are dead for this rank; used by its thread only */
  letter *first, **end;        /* messages that have arrived; protected by the lock */
} local_rank;

struct local_ranks {
  pthread_mutex_t lock;
  local_rank rank[LOCAL_RANKS_MOST];
  int count;
  /* The lock protects the fields below. */
  int64_t blocks;
  int last_kind; /* kind of the message before which rank 1 dies; `last_count` counts such messages down */
  int last_count;
  bool dead;
};

static cla_status send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                       cla_error *error) {
  local_rank *from = user, *into = &from->all->rank[to];
  letter *sent = calloc(1, sizeof *sent);
  int64_t length = 0;
  (void)error;
  for (int i = 0; i < part_count; i++) length += parts[i].count;
  if (sent) sent->message = (cla_rank_message){from->ranks.rank, kind, malloc((size_t)length + 1), length};
  if (!sent || !sent->message.bytes) abort();
  uint8_t *at = sent->message.bytes;
  for (int i = 0; i < part_count; i++) {
    if (parts[i].count > 0) memcpy(at, parts[i].at, (size_t)parts[i].count);
    at += parts[i].count;
  }
  pthread_mutex_lock(&from->all->lock);
  if (from->ranks.rank == 1 && kind == from->all->last_kind && --from->all->last_count == 0)
    from->all->dead = true;
  const bool lost = from->all->dead && (to == 1 || from->ranks.rank == 1);
  if (!lost) {
    *into->end = sent;
    into->end = &sent->next;
    from->all->blocks += kind == RANK_DONE;
  }
  pthread_mutex_unlock(&from->all->lock);
  if (lost) {
    free(sent->message.bytes);
    free(sent);
  }
  return CLA_OK;
}

static cla_status take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  local_rank *rank = user;
  (void)error;
  pthread_mutex_lock(&rank->all->lock);
  letter *first = rank->first;
  *found = first != NULL;
  for (int i = 0; !first && i < rank->all->count; i++) /* a dead rank 1 is dead for all others, and they are
                                                        * for it */
    if (i != rank->ranks.rank && (i == 1 || rank->ranks.rank == 1)) rank->gone[i] = rank->all->dead;
  if (first) {
    *out = first->message;
    rank->first = first->next;
    if (!first->next) rank->end = &rank->first;
  }
  pthread_mutex_unlock(&rank->all->lock);
  free(first);
  return CLA_OK;
}

static void wake(void *user) {
  (void)user;
}

static void rest(void *user, bool at_work) {
  (void)user;
  (void)at_work;
  nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); /* leaves the processor to threads that have work */
}

static int64_t waiting(void *user, int to) {
  (void)user;
  (void)to;
  return 0;
}

void local_ranks_die(local_ranks *all, int kind, int count) {
  pthread_mutex_lock(&all->lock);
  all->last_kind = kind;
  all->last_count = count;
  pthread_mutex_unlock(&all->lock);
}

static void *serve(void *user) {
  local_rank *rank = user;
  const cla_ranks *ranks = &rank->ranks;
  cla_tuning *none = NULL;
  const cluster_devices means = {&rank->device, &none, rank->device ? 1 : 0};
  for (bool ended = false; !ended;) {
    cla_rank_message message = {0};
    cla_error error = {.status = CLA_OK};
    cla_status status = ranks_wait(ranks, &message, &(rank_tick){.call = NULL}, &error);
    ended = message.kind == CLA_RANK_QUIT;
    if (status == CLA_OK && message.kind == RANK_TRACE) status = trace_for_rank0(ranks, &message, &error);
    if (status == CLA_OK && message.kind == RANK_PAIR)
      status = sweep_for_rank0(ranks, &means, &message, &error);
    if (status == CLA_OK && message.kind == RANK_BATCH)
      status = batch_for_rank0(
          ranks, &(batch_means){.devices = means.items, .tunings = means.tunings, .count = means.count},
          &message, &error);
    const rank_work work = rank_work_of(&message);
    if (status != CLA_OK) (void)ranks_fail(ranks, &work, status, &error);
    ended = ended || ranks_is_gone(ranks, 0);
    free(message.bytes);
  }
  return NULL;
}

local_ranks *local_ranks_begin(cla_device *of_rank1) {
  return local_ranks_begin_on(&of_rank1, 1);
}

local_ranks *local_ranks_begin_on(cla_device *const *of_others, int others) {
  local_ranks *all = calloc(1, sizeof *all);
  if (!all || others >= LOCAL_RANKS_MOST) abort();
  all->count = others + 1;
  pthread_mutex_init(&all->lock, NULL);
  for (int i = 0; i < all->count; i++) {
    local_rank *rank = &all->rank[i];
    rank->all = all;
    rank->device = i > 0 ? of_others[i - 1] : NULL;
    rank->end = &rank->first;
    rank->ranks = (cla_ranks){.rank = i,
                              .count = all->count,
                              .host_rank = i,
                              .host_count = all->count,
                              .host = "here",
                              .threads = 2,
                              .send = send,
                              .take = take,
                              .rest = rest,
                              .wake = wake,
                              .waiting = waiting,
                              .gone = rank->gone,
                              .user = rank,
                              .peers = &rank_peers};
  }
  for (int i = 1; i < all->count; i++)
    if (pthread_create(&all->rank[i].thread, NULL, serve, &all->rank[i]) != 0) abort();
  return all;
}

const cla_ranks *local_ranks_first(const local_ranks *all) {
  return &all->rank[0].ranks;
}

int64_t local_ranks_blocks(const local_ranks *all) {
  return all->blocks;
}

void local_ranks_end(local_ranks *all) {
  cla_error unused;
  (void)ranks_tell(&all->rank[0].ranks, CLA_RANK_QUIT, (cla_rank_bytes){NULL, 0}, &unused);
  for (int i = 1; i < all->count; i++) pthread_join(all->rank[i].thread, NULL);
  for (int i = 0; i < all->count; i++) /* messages that nobody has received */
    for (letter *left = all->rank[i].first, *next; left; left = next) {
      next = left->next;
      free(left->message.bytes);
      free(left);
    }
  pthread_mutex_destroy(&all->lock);
  free(all);
}
