#ifndef CLALIGN_RANKS_H
#define CLALIGN_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Processes that work on a pair or a batch together, like those of mpirun. Rank 0 calls cla_align or
 * cla_batch, and the other ranks do the work that rank 0 gives them. The library does not use a network: the
 * program provides the functions of cla_ranks (clalign-mpi has them for MPI). All functions except `send` are
 * called only from the thread of the process that started the work. */

/* A piece of memory to be sent. */
typedef struct cla_rank_bytes {
  const void *at; /* copied by the call */
  int64_t count;  /* >= 0 */
} cla_rank_bytes;

/* A message that has arrived. */
typedef struct cla_rank_message {
  int from;       /* rank of the sender */
  int kind;       /* kind of the message */
  uint8_t *bytes; /* from malloc; the receiver frees them */
  int64_t length; /* number of bytes */
} cla_rank_message;

/* Kinds of messages that the program sends. The library uses CLA_RANK_KINDS and higher numbers. */
enum { CLA_RANK_DEVICES = 1, CLA_RANK_QUIT = 2, CLA_RANK_KINDS = 16 };

/* Tables of functions by which the library divides a job among ranks. The program that transports messages
 * provides these tables. */
typedef struct cla_peers cla_peers;

/* The place of this process among all ranks, and the functions for messages. Messages from one rank to
 * another arrive in order. */
typedef struct cla_ranks {
  int rank, count;      /* number of this rank, 0 .. count - 1; number of ranks */
  int host_rank;        /* 0-based number of this rank among the ranks of its host */
  int host_count;       /* number of ranks of this rank's host */
  const char *host;     /* name of this rank's host */
  int threads;          /* this rank's share of the host's threads, >= 1 */
  int64_t memory_bytes; /* this rank's share of host memory: half of the free memory */
  int64_t least_cells;  /* rank 0 alone computes a matrix of fewer cells */
  /* Copies the parts and sends them as one message. On all threads except the one that started the work,
   * `send` blocks while many bytes are on their way to rank `to`. */
  cla_status (*send)(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                     cla_error *error);
  /* Makes progress with sending and receiving, and returns a message in *out; *found is false if no message
   * has arrived. */
  cla_status (*take)(void *user, cla_rank_message *out, bool *found, cla_error *error);
  /* Sleeps until another thread calls `send` or `wake`, but only for a short time. The time is longer if no
   * message was sent or received for long, and if all computing threads of this process are busy
   * (`at_work`). */
  void (*rest)(void *user, bool at_work);
  void (*wake)(void *user); /* ends `rest`; called from any thread */
  /* Makes progress with sending and receiving. Returns the number of bytes that wait to be sent to rank
   * `to`. */
  int64_t (*waiting)(void *user, int to);
  bool (*interrupted)(void); /* true if this process, which is not rank 0, should end; NULL: never */
  /* by rank: true if the rank has died, set by `take` and `waiting`. No message arrives from a dead rank, and
   * messages to a dead rank are dropped. NULL: if one rank dies, all ranks end. */
  const bool *gone;
  void *user;             /* passed to all functions */
  const cla_peers *peers; /* NULL: cla_align and cla_batch divide nothing among ranks */
} cla_ranks;

#ifdef __cplusplus
}
#endif

#endif
