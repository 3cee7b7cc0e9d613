#include "ranks/mpi_link.h"

#include <math.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "ranks/cluster_model.h"

#define PIECE_LEAST (INT64_C(64) << 10)
/* Maximum number of bytes of all receives together, unless pieces would then have less than PIECE_LEAST
 * bytes. */
#define PIECES_BYTES (INT64_C(64) << 20)
/* Receives posted for the pieces of each rank: enough that no piece comes before its receive. */
#define RECEIVES CLUSTER_CREDITS
#define SENDS 16
#define QUEUE_MOST (INT64_C(8) << 20) /* with more bytes queued for a rank, other threads must wait */
/* Maximum number of bytes of messages that have not been taken yet. */
#define INBOX_MOST (INT64_C(64) << 20)
#define REST_LEAST 2e-5 /* seconds */
#define REST_LEAST_AT_WORK 1e-3
#define REST_MOST_AT_WORK 16e-3
/* After a full piece, the rests between looks stay short for this many looks: more pieces will follow, or
 * wait for a credit. */
#define STREAM_LOOKS 16
/* After this many looks in which nothing moved, the rests between looks may be longer. */
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
  byte_queue queue; /* protected by the link's lock */
  int credits;      /* number of pieces that may be sent */
  int owed;         /* number of credits to be returned */
  int giving;       /* number of credits being returned */
  MPI_Request give;
  int noticed; /* number of credits in the message of credits that arrived last */
  MPI_Request receive[RECEIVES];
  int next_receive;  /* index of the receive for the next piece; pieces come in order */
  message_head head; /* head of the arriving message */
  int64_t filled;    /* bytes of head and message that have arrived */
  inbox_entry *arriving;
} peer;

struct mpi_link {
  MPI_Comm comm;
  int rank, count;
  pthread_t owner;
  pthread_mutex_t lock; /* protects the queues */
  pthread_cond_t room;
  peer *peers;
  bool *gone;
  void (*lost)(int rank);
  void (*broken)(const cla_error *why);
  int64_t piece_bytes;
  MPI_Request *look; /* receives of credits, by rank, then receives of the next piece, by rank */
  uint8_t *received;
  MPI_Request sending[SENDS];
  uint8_t *sent;
  inbox_entry *inbox, **inbox_end;
  int64_t inbox_bytes;
  double rest;
  int streams; /* number of looks for which full pieces are still expected */
  int quiet;   /* number of looks since something moved */
  pthread_cond_t news;
  bool woken; /* another thread has woken this one; protected by the lock */
};

/* True if the call of MPI succeeded. False if the rank that it concerns has died. Any other failure ends
 * the job. */
static bool went_well(int code) {
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
  int kind = MPI_SUCCESS;
  if (code == MPI_SUCCESS) return true;
  MPI_Error_class(code, &kind);
  if (kind != MPIX_ERR_PROC_FAILED) MPI_Abort(MPI_COMM_WORLD, code);
#endif
  return code == MPI_SUCCESS; /* without ULFM always true, because MPI ends the job at an error */
}

/* True if the request's send has ended. */
static bool is_sent(MPI_Request *request) {
  int done = 1;
  if (*request == MPI_REQUEST_NULL || went_well(MPI_Test(request, &done, MPI_STATUS_IGNORE))) return done;
  if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
  return true;
}

static void send_bytes(mpi_link *link, const void *bytes, int count, int to, int tag, MPI_Request *request) {
  if (!went_well(MPI_Isend(bytes, count, MPI_BYTE, to, tag, link->comm, request)))
    *request = MPI_REQUEST_NULL;
}

/* Notes that the rank has died. An incomplete message from the rank is lost. */
static void lose(mpi_link *link, int rank) {
  peer *p = link->peers + rank;
  link->look[rank] = link->look[link->count + rank] = MPI_REQUEST_NULL;
  if (link->gone[rank]) return;
  link->gone[rank] = true;
  if (p->arriving) free(p->arriving->message.bytes);
  free(p->arriving);
  p->arriving = NULL;
  p->filled = 0;
  link->lost(rank);
}

static bool post_receive(const mpi_link *link, void *bytes, int64_t count, int from, int tag,
                         MPI_Request *request) {
  return went_well(MPI_Recv_init(bytes, (int)count, MPI_BYTE, from, tag, link->comm, request)) &&
         went_well(MPI_Start(request));
}

/* Posts the receives for a rank's credits and pieces, and enters them in link->look. */
static void post_receives(mpi_link *link, int from) {
  peer *p = link->peers + from;
  bool well = post_receive(link, &p->noticed, sizeof p->noticed, from, TAG_CREDIT, link->look + from);
  for (int i = 0; i < RECEIVES && well; i++)
    well = post_receive(link, link->received + (from * RECEIVES + i) * link->piece_bytes, link->piece_bytes,
                        from, TAG_PIECE, p->receive + i);
  link->look[link->count + from] = p->receive[0];
  if (!well) lose(link, from);
}

static cla_status post_all(mpi_link *link, cla_error *error) {
  const int receives = RECEIVES * link->count;
  link->piece_bytes = larger(smaller(PIECES_BYTES / receives, CLUSTER_PIECE_BYTES), PIECE_LEAST);
  cla_status status = ALLOCATE_ARRAY(&link->look, 2 * (int64_t)link->count, "receives of messages", error);
  for (int i = 0; status == CLA_OK && i < 2 * link->count; i++) link->look[i] = MPI_REQUEST_NULL;
  if (status == CLA_OK)
    status =
        allocate_array((void **)&link->received, receives, link->piece_bytes, "receives of messages", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&link->sent, SENDS, link->piece_bytes, "messages", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < link->count; i++)
    if (i != link->rank) post_receives(link, i);
  return CLA_OK;
}

cla_status mpi_link_open(mpi_link **out, MPI_Comm all, void (*lost)(int rank),
                         void (*broken)(const cla_error *why), cla_error *error) {
  mpi_link *link = NULL;
  cla_status status = ALLOCATE_ZEROS(&link, 1, "messages", error);
  *out = link;
  if (status != CLA_OK) return status;
  MPI_Comm_dup(all, &link->comm);
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
  MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_RETURN);
#endif
  link->lost = lost;
  link->broken = broken;
  MPI_Comm_rank(link->comm, &link->rank);
  MPI_Comm_size(link->comm, &link->count);
  link->owner = pthread_self();
  link->inbox_end = &link->inbox;
  link->rest = 0;
  pthread_mutex_init(&link->lock, NULL);
  pthread_cond_init(&link->room, NULL);
  thread_condition_init(&link->news);
  for (int i = 0; i < SENDS; i++) link->sending[i] = MPI_REQUEST_NULL;
  status = ALLOCATE_ZEROS(&link->peers, link->count, "the ranks", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&link->gone, link->count, "the ranks", error);
  for (int i = 0; i < link->count && status == CLA_OK; i++) {
    link->peers[i].credits = CLUSTER_CREDITS;
    link->peers[i].give = MPI_REQUEST_NULL;
  }
  return status == CLA_OK ? post_all(link, error) : status;
}

static int64_t queued(const byte_queue *queue) {
  return queue->end - queue->begin;
}

/* Makes room for `more` bytes at the queue's end. */
static cla_status queue_grow(byte_queue *queue, int64_t more, cla_error *error) {
  if (queue->begin > 0 && queue->end + more > queue->capacity) {
    memmove(queue->bytes, queue->bytes + queue->begin, (size_t)queued(queue));
    queue->end -= queue->begin;
    queue->begin = 0;
  }
  cla_status status = ALLOCATE_GROW(&queue->bytes, &queue->capacity, queue->end + more, "a message", error);
  return status;
}

static void queue_add(byte_queue *queue, const void *bytes, int64_t count) {
  if (count > 0) memcpy(queue->bytes + queue->end, bytes, (size_t)count);
  queue->end += count;
}

/* Copies arriving bytes into `to`, the memory for the bytes [from, from + size) of head and message. Returns
 * the number of bytes taken. */
static int64_t fill(peer *p, void *to, int64_t from, int64_t size, const uint8_t *bytes, int64_t count) {
  const int64_t at = p->filled - from;
  const int64_t taken = smaller(count, size - at);
  if (at < 0 || taken <= 0) return 0;
  memcpy((uint8_t *)to + at, bytes, (size_t)taken);
  p->filled += taken;
  return taken;
}

static cla_status begin_message(peer *p, int from, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(&p->arriving, 1, "a message", error);
  if (status != CLA_OK) return status;
  p->arriving->message = (cla_rank_message){.from = from, .kind = p->head.kind, .length = p->head.length};
  return ALLOCATE_ARRAY(&p->arriving->message.bytes, larger(p->head.length, 1), "a message", error);
}

static void end_message(mpi_link *link, peer *p) {
  link->inbox_bytes += p->arriving->message.length;
  *link->inbox_end = p->arriving;
  link->inbox_end = &p->arriving->next;
  p->arriving = NULL;
  p->filled = 0;
}

/* Takes a piece, which consists of parts of messages, one after the other. */
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

static void take_credit(mpi_link *link, int from) {
  link->peers[from].credits += link->peers[from].noticed;
  if (!went_well(MPI_Start(link->look + from))) lose(link, from);
}

static void take_next_piece(mpi_link *link, int from, const MPI_Status *about) {
  peer *p = link->peers + from;
  int count = 0;
  cla_error error = {.status = CLA_OK};
  (void)went_well(MPI_Get_count(about, MPI_BYTE, &count));
  cla_status status = take_piece(
      link, from, link->received + (from * RECEIVES + p->next_receive) * link->piece_bytes, count, &error);
  if (status != CLA_OK) link->broken(&error); /* later pieces cannot be read */
  if (count == link->piece_bytes) link->streams = STREAM_LOOKS;
  p->owed++;
  const bool well = went_well(MPI_Start(p->receive + p->next_receive));
  p->next_receive = (p->next_receive + 1) % RECEIVES;
  link->look[link->count + from] = p->receive[p->next_receive];
  if (!well) lose(link, from);
}

/* Takes all credits and pieces that have arrived. One call tests all requests, because every call of MPI
 * looks at all connections. */
static void take_arrived(mpi_link *link, bool *moved) {
  *moved = false;
  for (;;) {
    const bool room = link->inbox_bytes < INBOX_MOST;
    MPI_Status about;
    int which = MPI_UNDEFINED, done = 0;
    const int code = MPI_Testany(room ? 2 * link->count : link->count, link->look, &which, &done, &about);
    const bool well = went_well(code);
    if ((well && !done) || which == MPI_UNDEFINED) break;
    *moved = true;
    if (!well)
      lose(link, which % link->count);
    else if (which < link->count)
      take_credit(link, which);
    else
      take_next_piece(link, which - link->count, &about);
  }
}

static void give_credits(mpi_link *link) {
  for (int i = 0; i < link->count; i++) {
    peer *p = link->peers + i;
    if (!is_sent(&p->give) || p->owed == 0) continue;
    p->giving = p->owed;
    p->owed = 0;
    if (!link->gone[i]) send_bytes(link, &p->giving, sizeof p->giving, i, TAG_CREDIT, &p->give);
  }
}

static int free_slot(mpi_link *link) {
  for (int i = 0; i < SENDS; i++)
    if (is_sent(link->sending + i)) return i;
  return -1;
}

/* Sends a piece from the queue. The lock must be held. */
static void send_piece(mpi_link *link, int to, int slot) {
  byte_queue *queue = &link->peers[to].queue;
  uint8_t *piece = link->sent + slot * link->piece_bytes;
  const int64_t count = smaller(queued(queue), link->piece_bytes);
  memcpy(piece, queue->bytes + queue->begin, (size_t)count);
  queue->begin += count;
  if (count == link->piece_bytes) link->streams = STREAM_LOOKS;
  link->peers[to].credits--;
  send_bytes(link, piece, (int)count, to, TAG_PIECE, link->sending + slot);
}

static bool send_pieces(mpi_link *link) {
  bool moved = false;
  int slot = 0;
  pthread_mutex_lock(&link->lock);
  for (int to = 0; to < link->count && slot >= 0; to++) {
    peer *p = link->peers + to;
    if (link->gone[to]) {
      moved = moved || queued(&p->queue) > 0;
      p->queue.begin = p->queue.end;
    }
    while (queued(&p->queue) > 0 && p->credits > 0) {
      slot = free_slot(link);
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

static void move_on(mpi_link *link) {
  bool moved = false;
  take_arrived(link, &moved);
  give_credits(link);
  moved = send_pieces(link) || moved;
  if (moved) link->rest = 0;
  link->quiet = moved ? 0 : (int)smaller(link->quiet + 1, QUIET_LOOKS);
}

cla_status mpi_link_take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  mpi_link *link = user;
  (void)error;
  move_on(link);
  inbox_entry *first = link->inbox;
  *found = first;
  if (!first) return CLA_OK;
  *out = first->message;
  link->inbox = first->next;
  if (!link->inbox) link->inbox_end = &link->inbox;
  link->inbox_bytes -= out->length;
  free(first);
  return CLA_OK;
}

/* True if something waits to be sent, for example for credits. */
static bool any_queued(mpi_link *link) {
  bool any = false;
  pthread_mutex_lock(&link->lock);
  for (int i = 0; i < link->count; i++) any = any || queued(&link->peers[i].queue) > 0;
  pthread_mutex_unlock(&link->lock);
  return any;
}

/* Waits before the next look for messages, because looking takes a core away from the threads that compute.
 */
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
  for (int i = 0; i < SENDS; i++) idle = is_sent(link->sending + i) && idle;
  return idle;
}

int64_t mpi_link_waiting(void *user, int to) {
  mpi_link *link = user;
  move_on(link);
  pthread_mutex_lock(&link->lock);
  const int64_t bytes = queued(&link->peers[to].queue);
  pthread_mutex_unlock(&link->lock);
  return bytes;
}

const bool *mpi_link_gone(const mpi_link *link) {
  return link->gone;
}

bool mpi_link_meet(const mpi_link *link) {
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
  int all = 1;
  for (int i = 0; i < link->count; i++) all = all && !link->gone[i];
  return went_well(MPIX_Comm_agree(link->comm, &all)) && all;
#else
  return MPI_Barrier(link->comm) == MPI_SUCCESS;
#endif
}

bool mpi_link_flush(mpi_link *link, double seconds) {
  const double until = machine_seconds() + seconds;
  while (!is_idle(link)) {
    move_on(link);
    if (machine_seconds() > until) return false;
    mpi_link_rest(link, false);
  }
  return true;
}

static void stop(MPI_Request *request) {
  MPI_Cancel(request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void stop_receives(mpi_link *link, int from) {
  stop(link->look + from);
  for (int i = 0; i < RECEIVES; i++) stop(link->peers[from].receive + i);
}

void mpi_link_close(mpi_link *link) {
  if (!link) return;
  for (int i = 0; i < link->count; i++)
    if (i != link->rank && !link->gone[i]) stop_receives(link, i);
  for (inbox_entry *entry = link->inbox, *next; entry; entry = next) {
    next = entry->next;
    free(entry->message.bytes);
    free(entry);
  }
  for (int i = 0; i < link->count; i++) free(link->peers[i].queue.bytes);
  free(link->peers);
  free(link->gone);
  free(link->look);
  free(link->received);
  free(link->sent);
  pthread_cond_destroy(&link->room);
  pthread_cond_destroy(&link->news);
  pthread_mutex_destroy(&link->lock);
  free(link);
}
