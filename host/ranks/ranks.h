#ifndef HOST_RANKS_RANKS_H
#define HOST_RANKS_RANKS_H

#include <pthread.h>

#include "clalign/ranks.h"

/* The kinds of messages between ranks (clalign/ranks.h). */
enum {
  RANK_ERROR = CLA_RANK_KINDS, /* to rank 0: the error of a rank */
  RANK_NOTE,                   /* to rank 0: a note for the user */
  RANK_PAIR,                   /* a pair to sweep (ranks/ranks_internal.h) */
  RANK_READY,
  RANK_ROUND,
  RANK_BORDER,
  RANK_KEPT,
  RANK_KEPT_TAKEN,
  RANK_STRIP,
  RANK_BOTTOM,
  RANK_PROGRESS,
  RANK_DONE,
  RANK_END,
  RANK_BATCH, /* pairs to align (ranks/ranks_batch.h) */
  RANK_UNITS,
  RANK_RESULTS,
  RANK_BATCH_END,
  RANK_TRACE, /* a path to trace (ranks/ranks_trace.c) */
  RANK_TRACE_READY,
  RANK_TRACE_BLOCK,
  RANK_TRACE_DONE,
  RANK_TRACE_TAKE,
  RANK_TRACE_TAKEN,
  RANK_TRACE_END,
  RANK_SHARE, /* a part of what rank 0 shares */
};

/* The error text of a rank that a signal ends. */
#define RANK_TOLD_TO_END \
  "a signal ended it, as mpirun sends to all ranks at Ctrl-C and when one of them is gone"

/* True if other processes than this one take part. */
bool ranks_any(const cla_ranks *ranks);

/* ranks_is_gone is true if the rank has died. ranks_left returns the number of ranks that have not died. */
bool ranks_is_gone(const cla_ranks *ranks, int rank);
int ranks_left(const cla_ranks *ranks);

/* For rank 0: CLA_ERROR_DEVICE if fewer than `left` ranks are alive. */
cla_status ranks_check_left(const cla_ranks *ranks, int left, cla_error *error);

/* Called in loops that look for messages. CLA_ERROR_INTERRUPTED if this process must end: a signal came or
 * rank 0 died. */
cla_status ranks_check(const cla_ranks *ranks, cla_error *error);

/* ranks_send sends one piece to one rank, ranks_tell one piece to all others, and ranks_tell_parts several
 * pieces to all others. Messages to a rank that has died are dropped. */
cla_status ranks_send(const cla_ranks *ranks, int to, int kind, cla_rank_bytes bytes, cla_error *error);
cla_status ranks_tell(const cla_ranks *ranks, int kind, cla_rank_bytes bytes, cla_error *error);
cla_status ranks_tell_parts(const cla_ranks *ranks, int kind, const cla_rank_bytes *parts, int part_count,
                            cla_error *error);

/* A function that is called while a rank waits for messages. An error ends the wait. */
typedef struct rank_tick {
  cla_status (*call)(void *user, cla_error *error); /* NULL: none */
  void *user;
} rank_tick;

/* Waits for a message. CLA_ERROR_INTERRUPTED if the process must end, or the tick's error. */
cla_status ranks_wait(const cla_ranks *ranks, cla_rank_message *out, const rank_tick *tick, cla_error *error);

/* Moves messages until all `count` threads have ended, because a thread may wait for room to send. `lock`
 * protects *ended, the number of threads that have ended. */
void ranks_await_threads(const cla_ranks *ranks, pthread_mutex_t *lock, const int *ended, int count);

/* A part of the work in which all ranks take part. `ends` is the kind of message by which rank 0 ends the
 * stage for the others; such a message starts with the stage's `number`. */
typedef struct rank_stage {
  int32_t ends, number;
  rank_tick tick; /* called while a rank waits in the stage */
} rank_stage;

/* A thing that all ranks share. */
typedef struct rank_thing {
  void *bytes; /* read by rank 0, written by the others */
  int64_t count;
} rank_thing;

/* Copies rank 0's things to all ranks, some of which forward them to others. Each rank calls ranks_share
 * once in a stage, with the same number of bytes for each thing. Messages of other kinds that arrive in the
 * meantime are dropped. So a rank must announce beforehand that it is in the stage, and rank 0 must wait
 * until each rank reports that it has everything. *whole is false if rank 0 has ended the stage early. */
cla_status ranks_share(bool *whole, const cla_ranks *ranks, const rank_stage *stage, const rank_thing *things,
                       int thing_count, cla_error *error);

/* A piece of work that rank 0 gives to the others: the kind of its first message, and the number > 0 at the
 * start of that message. Number 0 means the whole job. */
typedef struct rank_work {
  int32_t kind, number;
} rank_work;

/* Returns the work that a message begins; `number` is 0 if the message begins none. */
rank_work rank_work_of(const cla_rank_message *message);

/* ranks_fail reports this rank's failure to rank 0, with its work and its name. Rank 0 passes that message
 * to ranks_failed, which returns the failure's status. In two cases, ranks_failed returns CLA_OK: the
 * failure concerns other work, which has ended without the failed rank; or the rank has died, so other
 * ranks do its part. */
cla_status ranks_fail(const cla_ranks *ranks, const rank_work *work, cla_status status, const cla_error *why);
cla_status ranks_failed(const cla_ranks *ranks, const rank_work *work, const cla_rank_message *message,
                        cla_error *error);

/* The unread rest of a message's bytes. */
typedef struct rank_reader {
  const uint8_t *at;
  int64_t left;
} rank_reader;

rank_reader rank_read(const cla_rank_message *message);

/* Copies the next `count` bytes. False if fewer are left; the reader is then empty. */
bool rank_copy(void *out, rank_reader *from, int64_t count);

/* Sets and returns the error of a message with too few bytes. */
cla_status rank_cut_short(cla_error *error);

/* Returns a pointer to the next `count` bytes of the message and skips them; NULL if fewer are left. */
const uint8_t *rank_skip(rank_reader *from, int64_t count);

/* Copies the next `count` things of `size` bytes each to memory that the caller frees. *out is NULL if count
 * is 0, and after an error. CLA_ERROR_DEVICE if fewer are left, CLA_ERROR_MEMORY. */
cla_status rank_take(void *out, rank_reader *from, int64_t count, int64_t size, cla_error *error);

/* Copies a text of `bytes` bytes, which must end with a zero. Ownership and errors are as for rank_take. */
cla_status rank_take_text(char **out, rank_reader *from, int64_t bytes, cla_error *error);

/* A message being written. Zero-initialise; the caller frees `bytes` with free(). */
typedef struct rank_writer {
  uint8_t *bytes;
  int64_t length, capacity;
} rank_writer;

/* Adds bytes. CLA_ERROR_MEMORY. */
cla_status rank_write(rank_writer *into, const void *bytes, int64_t count, cla_error *error);

/* Sets and returns the error of a message that does not have the form of its kind, because another version of
 * the program sent it. */
cla_status ranks_damaged(const cla_rank_message *message, cla_error *error);

#endif
