#include "cluster/mpi_link.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "cluster/cluster_model.h"

#define PIECE_LEAST (INT64_C(64) << 10)
#define PIECES_BYTES (INT64_C(64) << 20) /* of all receives, where that leaves pieces of PIECE_LEAST */
#define RECEIVES_LEAST 16
#define SENDS 16
#define NOTICES 8                      /* receives of credits */
#define QUEUE_MOST (INT64_C(8) << 20)  /* of a rank, before other threads wait */
#define INBOX_MOST (INT64_C(64) << 20) /* of messages that nobody has taken */
#define SHARE_MOST (INT64_C(1) << 30)  /* bytes of one call of MPI */
#define REST_LEAST 2e-5                /* seconds */
#define REST_LEAST_AT_WORK 1e-3
#define REST_MOST_AT_WORK 16e-3
/* So many looks after a whole piece rests are as short as those without work: more pieces follow it, or wait
 * for its credit. */
#define STREAM_LOOKS 16
/* After so many looks for nothing, without work, rests may be longer. */
#define QUIET_LOOKS 500
#define REST_QUIET 1e-3
#define TAG_PIECE 1
#define TAG_CREDIT 2

typedef struct message_head {
  int64_t length;
  int32_t kind, unused;
} message_head;

/* Bytes that wait to be sent. */
typedef struct byte_queue {
  uint8_t *bytes;
  int64_t begin, end, capacity;
} byte_queue;

typedef struct inbox_entry {
  struct inbox_entry *next;
  cla_rank_message message;
} inbox_entry;

typedef struct peer {
  byte_queue queue; /* under the link's lock */
  int credits;      /* pieces that may be sent */
  int owed;         /* credits to be given back */
  int giving;       /* those on their way */
  MPI_Request give;
  message_head head; /* of the message that is arriving */
  int64_t filled;    /* of head and message */
  inbox_entry *arriving;
} peer;

struct mpi_link {
  MPI_Comm comm;
  int rank, count;
  pthread_t owner;
  pthread_mutex_t lock; /* of the queues */
  pthread_cond_t room;
  peer *peers;
  int64_t piece_bytes;
  int receives, next_receive; /* a ring: pieces of one rank come in its order */
  MPI_Request *receive;
  uint8_t *received;
  MPI_Request notice[NOTICES];
  int noticed[NOTICES], next_notice;
  MPI_Request sending[SENDS];
  uint8_t *sent;
  inbox_entry *inbox, **inbox_end;
  int64_t inbox_bytes;
  bool takes_all; /* however many messages wait */
  double rest;
  int streams; /* looks for which pieces of many bytes are expected to come or to be sent */
  int quiet;   /* looks since something has moved */
  pthread_cond_t news;
  bool woken; /* by another thread, under the lock */
};

static cla_status post_receives(mpi_link *link, cla_error *error) {
  const int wanted = 2 * link->count;
  /* Only rank 0 hears from all at once. */
  link->receives = link->rank == 0 && wanted > RECEIVES_LEAST ? wanted : RECEIVES_LEAST;
  link->piece_bytes = larger(smaller(PIECES_BYTES / wanted, CLUSTER_PIECE_BYTES), PIECE_LEAST);
  cla_status status = allocate_array((void **)&link->receive, link->receives, sizeof *link->receive,
                                     "receives of messages", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&link->received, link->receives, link->piece_bytes,
                            "receives of messages", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&link->sent, SENDS, link->piece_bytes, "messages", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < link->receives; i++) {
    MPI_Recv_init(link->received + i * link->piece_bytes, (int)link->piece_bytes, MPI_BYTE, MPI_ANY_SOURCE,
                  TAG_PIECE, link->comm, link->receive + i);
    MPI_Start(link->receive + i);
  }
  for (int i = 0; i < NOTICES; i++) {
    MPI_Recv_init(link->noticed + i, 1, MPI_INT, MPI_ANY_SOURCE, TAG_CREDIT, link->comm, link->notice + i);
    MPI_Start(link->notice + i);
  }
  return CLA_OK;
}

cla_status mpi_link_open(mpi_link **out, MPI_Comm all, cla_error *error) {
  mpi_link *link = NULL;
  cla_status status = allocate_zeros((void **)&link, 1, sizeof *link, "messages", error);
  *out = link;
  if (status != CLA_OK) return status;
  MPI_Comm_dup(all, &link->comm);
  MPI_Comm_rank(link->comm, &link->rank);
  MPI_Comm_size(link->comm, &link->count);
  link->owner = pthread_self();
  link->inbox_end = &link->inbox;
  link->rest = 0;
  pthread_mutex_init(&link->lock, NULL);
  pthread_cond_init(&link->room, NULL);
  thread_condition_init(&link->news);
  for (int i = 0; i < SENDS; i++) link->sending[i] = MPI_REQUEST_NULL;
  status = allocate_zeros((void **)&link->peers, link->count, sizeof *link->peers, "the ranks", error);
  for (int i = 0; i < link->count && status == CLA_OK; i++) {
    link->peers[i].credits = CLUSTER_CREDITS;
    link->peers[i].give = MPI_REQUEST_NULL;
  }
  return status == CLA_OK ? post_receives(link, error) : status;
}

static int64_t queued(const byte_queue *queue) {
  return queue->end - queue->begin;
}

/* Makes room behind the queue's end. */
static cla_status queue_grow(byte_queue *queue, int64_t more, cla_error *error) {
  void *bytes = queue->bytes;
  if (queue->begin > 0 && queue->end + more > queue->capacity) {
    memmove(queue->bytes, queue->bytes + queue->begin, (size_t)queued(queue));
    queue->end -= queue->begin;
    queue->begin = 0;
  }
  cla_status status = allocate_grow(&bytes, &queue->capacity, queue->end + more, 1, "a message", error);
  queue->bytes = bytes;
  return status;
}

static void queue_add(byte_queue *queue, const void *bytes, int64_t count) {
  if (count > 0) memcpy(queue->bytes + queue->end, bytes, (size_t)count);
  queue->end += count;
}

/* Takes a part of what arrives into `to`, of which `filled` bytes are there, from [from, from + size). */
static int64_t fill(peer *p, void *to, int64_t from, int64_t size, const uint8_t *bytes, int64_t count) {
  const int64_t at = p->filled - from;
  const int64_t taken = smaller(count, size - at);
  if (at < 0 || taken <= 0) return 0;
  memcpy((uint8_t *)to + at, bytes, (size_t)taken);
  p->filled += taken;
  return taken;
}

static cla_status begin_message(peer *p, int from, cla_error *error) {
  cla_status status = allocate_zeros((void **)&p->arriving, 1, sizeof *p->arriving, "a message", error);
  if (status != CLA_OK) return status;
  p->arriving->message = (cla_rank_message){.from = from, .kind = p->head.kind, .length = p->head.length};
  return allocate_array((void **)&p->arriving->message.bytes, larger(p->head.length, 1), 1, "a message",
                        error);
}

static void end_message(mpi_link *link, peer *p) {
  link->inbox_bytes += p->arriving->message.length;
  *link->inbox_end = p->arriving;
  link->inbox_end = &p->arriving->next;
  p->arriving = NULL;
  p->filled = 0;
}

/* A piece: parts of messages, one after the other. */
static cla_status take_piece(mpi_link *link, int from, const uint8_t *bytes, int64_t count,
                             cla_error *error) {
  peer *p = link->peers + from;
  const int64_t head_bytes = sizeof p->head;
  cla_status status = CLA_OK;
  while (count > 0 && status == CLA_OK) {
    int64_t taken = 0;
    if (!p->arriving) {
      taken = fill(p, &p->head, 0, head_bytes, bytes, count);
      if (p->filled == head_bytes) status = begin_message(p, from, error);
    } else {
      taken = fill(p, p->arriving->message.bytes, head_bytes, p->head.length, bytes, count);
    }
    bytes += taken;
    count -= taken;
    if (status == CLA_OK && p->arriving && p->filled == head_bytes + p->head.length) end_message(link, p);
  }
  return status;
}

static void take_credit(mpi_link *link, const MPI_Status *from) {
  int *i = &link->next_notice;
  link->peers[from->MPI_SOURCE].credits += link->noticed[*i];
  MPI_Start(link->notice + *i);
  *i = (*i + 1) % NOTICES;
}

static cla_status take_next_piece(mpi_link *link, MPI_Status *from, cla_error *error) {
  int count = 0, *i = &link->next_receive;
  MPI_Get_count(from, MPI_BYTE, &count);
  cla_status status =
      take_piece(link, from->MPI_SOURCE, link->received + *i * link->piece_bytes, count, error);
  if (count == link->piece_bytes) link->streams = STREAM_LOOKS;
  link->peers[from->MPI_SOURCE].owed++;
  MPI_Start(link->receive + *i);
  *i = (*i + 1) % link->receives;
  return status;
}

/* Credits and pieces that are here. One call tests for both: each takes MPI a look at all connections. */
static cla_status take_arrived(mpi_link *link, bool *moved, cla_error *error) {
  cla_status status = CLA_OK;
  *moved = false;
  while (status == CLA_OK) {
    const bool room = link->inbox_bytes < INBOX_MOST || link->takes_all;
    MPI_Request next[] = {link->notice[link->next_notice], link->receive[link->next_receive]};
    MPI_Status from;
    int which = 0, done = 0;
    MPI_Testany(room ? 2 : 1, next, &which, &done, &from);
    if (!done) break;
    *moved = true;
    if (which == 0)
      take_credit(link, &from);
    else
      status = take_next_piece(link, &from, error);
  }
  return status;
}

static void give_credits(mpi_link *link) {
  for (int i = 0; i < link->count; i++) {
    peer *p = link->peers + i;
    int done = 1;
    if (p->give != MPI_REQUEST_NULL) MPI_Test(&p->give, &done, MPI_STATUS_IGNORE);
    if (!done || p->owed == 0) continue;
    p->giving = p->owed;
    p->owed = 0;
    MPI_Isend(&p->giving, 1, MPI_INT, i, TAG_CREDIT, link->comm, &p->give);
  }
}

static int free_slot(mpi_link *link) {
  for (int i = 0; i < SENDS; i++) {
    int done = 1;
    if (link->sending[i] != MPI_REQUEST_NULL) MPI_Test(link->sending + i, &done, MPI_STATUS_IGNORE);
    if (done) return i;
  }
  return -1;
}

/* Sends a piece of the queue; the lock is held. */
static void send_piece(mpi_link *link, int to, int slot) {
  byte_queue *queue = &link->peers[to].queue;
  uint8_t *piece = link->sent + slot * link->piece_bytes;
  const int64_t count = smaller(queued(queue), link->piece_bytes);
  memcpy(piece, queue->bytes + queue->begin, (size_t)count);
  queue->begin += count;
  if (count == link->piece_bytes) link->streams = STREAM_LOOKS;
  link->peers[to].credits--;
  MPI_Isend(piece, (int)count, MPI_BYTE, to, TAG_PIECE, link->comm, link->sending + slot);
}

static bool send_pieces(mpi_link *link) {
  bool moved = false;
  pthread_mutex_lock(&link->lock);
  for (int to = 0; to < link->count; to++) {
    peer *p = link->peers + to;
    while (queued(&p->queue) > 0 && p->credits > 0) {
      const int slot = free_slot(link);
      if (slot < 0) break;
      send_piece(link, to, slot);
      moved = true;
    }
  }
  if (moved) pthread_cond_broadcast(&link->room);
  pthread_mutex_unlock(&link->lock);
  return moved;
}

static void wake(mpi_link *link) {
  link->woken = true;
  pthread_cond_signal(&link->news);
}

cla_status mpi_link_send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                         cla_error *error) {
  mpi_link *link = user;
  byte_queue *queue = &link->peers[to].queue;
  message_head head = {.kind = kind};
  for (int i = 0; i < part_count; i++) head.length += parts[i].count;
  const bool waits = !pthread_equal(pthread_self(), link->owner);
  pthread_mutex_lock(&link->lock);
  while (waits && queued(queue) > QUEUE_MOST) pthread_cond_wait(&link->room, &link->lock);
  cla_status status = queue_grow(queue, (int64_t)sizeof head + head.length, error);
  if (status == CLA_OK) queue_add(queue, &head, sizeof head);
  for (int i = 0; i < part_count && status == CLA_OK; i++) queue_add(queue, parts[i].at, parts[i].count);
  if (waits) wake(link);
  pthread_mutex_unlock(&link->lock);
  if (status == CLA_OK && !waits) send_pieces(link);
  return status;
}

static cla_status move_on(mpi_link *link, cla_error *error) {
  bool moved = false;
  cla_status status = take_arrived(link, &moved, error);
  give_credits(link);
  moved = send_pieces(link) || moved;
  if (moved) link->rest = 0;
  link->quiet = moved ? 0 : (int)smaller(link->quiet + 1, QUIET_LOOKS);
  return status;
}

cla_status mpi_link_take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  mpi_link *link = user;
  cla_status status = move_on(link, error);
  inbox_entry *first = link->inbox;
  *found = status == CLA_OK && first;
  if (!*found) return status;
  *out = first->message;
  link->inbox = first->next;
  if (!link->inbox) link->inbox_end = &link->inbox;
  link->inbox_bytes -= out->length;
  free(first);
  return CLA_OK;
}

/* Whether something waits to be sent, as for credits. */
static bool any_queued(mpi_link *link) {
  bool any = false;
  pthread_mutex_lock(&link->lock);
  for (int i = 0; i < link->count; i++) any = any || queued(&link->peers[i].queue) > 0;
  pthread_mutex_unlock(&link->lock);
  return any;
}

/* Looks for messages take a core from those that compute. */
void mpi_link_rest(void *user, bool at_work) {
  mpi_link *link = user;
  const bool streams = link->streams > 0;
  double least = REST_LEAST, most = link->quiet < QUIET_LOOKS ? CLUSTER_REST : REST_QUIET;
  if (at_work && !streams) {
    least = REST_LEAST_AT_WORK;
    most = any_queued(link) ? REST_LEAST_AT_WORK : REST_MOST_AT_WORK;
  }
  link->streams -= streams;
  link->rest = fmin(fmax(2 * link->rest, least), most);
  const struct timespec until = thread_time_in((long)(link->rest * 1e9));
  pthread_mutex_lock(&link->lock);
  if (!link->woken) pthread_cond_timedwait(&link->news, &link->lock, &until);
  link->woken = false;
  pthread_mutex_unlock(&link->lock);
}

void mpi_link_wake(void *user) {
  mpi_link *link = user;
  pthread_mutex_lock(&link->lock);
  wake(link);
  pthread_mutex_unlock(&link->lock);
}

static bool is_idle(mpi_link *link) {
  bool idle = !any_queued(link);
  for (int i = 0; i < SENDS; i++) {
    int done = 1;
    if (link->sending[i] != MPI_REQUEST_NULL) MPI_Test(link->sending + i, &done, MPI_STATUS_IGNORE);
    idle = idle && done;
  }
  return idle;
}

/* Moves on until no rank has anything on its way: what is left of a round that was broken off needs others
 * that take it, which they do not while they share. */
static cla_status await_idle(mpi_link *link, cla_error *error) {
  MPI_Request all = MPI_REQUEST_NULL;
  cla_status status = CLA_OK;
  int done = 0;
  link->takes_all = true;
  while (status == CLA_OK && !is_idle(link)) status = move_on(link, error);
  if (status == CLA_OK) MPI_Ibarrier(link->comm, &all);
  while (status == CLA_OK && !done) {
    status = move_on(link, error);
    MPI_Test(&all, &done, MPI_STATUS_IGNORE);
    if (!done) mpi_link_rest(link, false);
  }
  link->takes_all = false;
  return status;
}

cla_status mpi_link_share(void *user, void *bytes, int64_t count, cla_error *error) {
  mpi_link *link = user;
  cla_status status = await_idle(link, error);
  for (int64_t at = 0; at < count && status == CLA_OK; at += SHARE_MOST)
    MPI_Bcast((uint8_t *)bytes + at, (int)smaller(count - at, SHARE_MOST), MPI_BYTE, 0, link->comm);
  return status;
}

bool mpi_link_flush(mpi_link *link, double seconds) {
  const double until = machine_seconds() + seconds;
  cla_error unused;
  while (!is_idle(link)) {
    if (move_on(link, &unused) != CLA_OK || machine_seconds() > until) return false;
    mpi_link_rest(link, false);
  }
  return true;
}

void mpi_link_close(mpi_link *link) {
  if (!link) return;
  for (int i = 0; i < link->receives; i++) MPI_Cancel(link->receive + i);
  for (int i = 0; i < NOTICES; i++) MPI_Cancel(link->notice + i);
  for (int i = 0; i < link->receives; i++) MPI_Wait(link->receive + i, MPI_STATUS_IGNORE);
  for (int i = 0; i < NOTICES; i++) MPI_Wait(link->notice + i, MPI_STATUS_IGNORE);
  for (inbox_entry *entry = link->inbox, *next; entry; entry = next) {
    next = entry->next;
    free(entry->message.bytes);
    free(entry);
  }
  for (int i = 0; i < link->count; i++) free(link->peers[i].queue.bytes);
  free(link->peers);
  free(link->receive);
  free(link->received);
  free(link->sent);
  pthread_cond_destroy(&link->room);
  pthread_cond_destroy(&link->news);
  pthread_mutex_destroy(&link->lock);
  free(link);
}
