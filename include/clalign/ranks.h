#ifndef CLALIGN_RANKS_H
#define CLALIGN_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Processes that work on a pair or a batch together, like those of mpirun. Rank 0 calls cla_align or
 * cla_batch, and the others do the work that it gives them. The library has no network of its own: the
 * program gives these functions (clalign-mpi has them for MPI). All but `send` are called from one thread of
 * each process, the one that began. */

/* A piece of memory to be sent. */
typedef struct cla_rank_bytes {
  const void *at; /* copied by the call */
  int64_t count;  /* >= 0 */
} cla_rank_bytes;

/* A message that has arrived. */
typedef struct cla_rank_message {
  int from;       /* rank */
  int kind;       /* kind of the message */
  uint8_t *bytes; /* from malloc; the taker frees it */
  int64_t length; /* number of bytes */
} cla_rank_message;

/* Kinds of messages that the program sends; the library has those from CLA_RANK_KINDS on. */
enum { CLA_RANK_DEVICES = 1, CLA_RANK_QUIT = 2, CLA_RANK_KINDS = 16 };

/* Tables of functions by which the library shares a job; the program that has the messages has them, too. */
typedef struct cla_peers cla_peers;

/* The place of this process among all ranks, and the functions for messages. Messages from one rank to
 * another arrive in order. */
typedef struct cla_ranks {
  int rank, count;      /* number of this rank, 0 .. count - 1; number of ranks */
  int host_rank;        /* number of this rank among those of its host */
  int host_count;       /* number of ranks of its host */
  const char *host;     /* name of its host */
  int threads;          /* this rank's share of the host's threads, >= 1 */
  int64_t memory_bytes; /* this rank's share of host memory: half of what is free */
  int64_t least_cells;  /* a smaller matrix is rank 0's alone */
  /* Sends the parts as one message, after a copy of them. Called on another thread than the one that began,
   * it waits while much is on its way to that rank. */
  cla_status (*send)(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                     cla_error *error);
  /* Moves messages on, and takes one; *found is false if none is there. */
  cla_status (*take)(void *user, cla_rank_message *out, bool *found, cla_error *error);
  /* Rests until another thread sends or wakes it, or for a moment: longer the longer nothing has moved, and
   * where all that compute here are at work. */
  void (*rest)(void *user, bool at_work);
  void (*wake)(void *user); /* of any thread */
  /* Moves messages on. Returns the bytes that wait to be sent to that rank. */
  int64_t (*waiting)(void *user, int to);
  bool (*interrupted)(void); /* whether this process is to end, of a rank other than 0; NULL: never */
  /* By rank, whether it has died, which `take` and `waiting` find out. No message comes from a dead rank, and
   * messages to it are dropped. NULL: if one rank dies, all end. */
  const bool *gone;
  void *user;             /* handed to all functions */
  const cla_peers *peers; /* NULL: cla_align shares no pair */
} cla_ranks;

#ifdef __cplusplus
}
#endif

#endif
