#include "ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

bool ranks_any(const cla_ranks *ranks) {
  return ranks && ranks->count > 1;
}

bool ranks_is_gone(const cla_ranks *ranks, int rank) {
  return ranks->gone && ranks->gone[rank];
}

int ranks_left(const cla_ranks *ranks) {
  int left = 0;
  for (int i = 0; i < ranks->count; i++) left += !ranks_is_gone(ranks, i);
  return left;
}

cla_status ranks_check_left(const cla_ranks *ranks, int left, cla_error *error) {
  return ranks_left(ranks) < left ? error_set(error, CLA_ERROR_DEVICE, "a rank has died") : CLA_OK;
}

cla_status ranks_check(const cla_ranks *ranks, cla_error *error) {
  if (ranks->interrupted && ranks->interrupted())
    return error_set(error, CLA_ERROR_INTERRUPTED, RANK_TOLD_TO_END);
  return ranks_is_gone(ranks, 0) ? error_set(error, CLA_ERROR_INTERRUPTED, "rank 0 has died") : CLA_OK;
}

cla_status ranks_send(const cla_ranks *ranks, int to, int kind, cla_rank_bytes bytes, cla_error *error) {
  return ranks->send(ranks->user, to, kind, &bytes, 1, error);
}

cla_status ranks_tell_parts(const cla_ranks *ranks, int kind, const cla_rank_bytes *parts, int part_count,
                            cla_error *error) {
  cla_status status = CLA_OK;
  for (int to = 0; to < ranks->count; to++) {
    cla_error other;
    if (to == ranks->rank) continue;
    const cla_status sent =
        ranks->send(ranks->user, to, kind, parts, part_count, status == CLA_OK ? error : &other);
    if (status == CLA_OK) status = sent;
  }
  return status;
}

cla_status ranks_tell(const cla_ranks *ranks, int kind, cla_rank_bytes bytes, cla_error *error) {
  return ranks_tell_parts(ranks, kind, &bytes, 1, error);
}

cla_status ranks_wait(const cla_ranks *ranks, cla_rank_message *out, const rank_tick *tick,
                      cla_error *error) {
  bool found = false;
  cla_status status = CLA_OK;
  while (status == CLA_OK) {
    status = ranks->take(ranks->user, out, &found, error);
    if (status != CLA_OK || found) break;
    status = ranks_check(ranks, error);
    if (status != CLA_OK) break;
    ranks->rest(ranks->user, false);
    if (tick->call) status = tick->call(tick->user, error);
  }
  return status;
}

void ranks_await_threads(const cla_ranks *ranks, pthread_mutex_t *lock, const int *ended, int count) {
  for (bool all = false; !all;) {
    (void)ranks->waiting(ranks->user, ranks->rank);
    pthread_mutex_lock(lock);
    all = *ended == count;
    pthread_mutex_unlock(lock);
    if (!all) ranks->rest(ranks->user, false);
  }
}

#define SHARE_BYTES (INT64_C(1) << 20) /* bytes of a thing in one message */
#define SHARE_MOST (INT64_C(8) << 20)  /* maximum number of bytes that may wait to be sent to a rank */

/* Head of a RANK_SHARE message. After the head come the ranks to which the receiver forwards the bytes, then
 * the bytes. */
typedef struct share_head {
  int32_t ends, number, thing; /* the stage's fields, and the index of one of its things */
  int32_t rank_count;
  int64_t at, count; /* index of the first byte, and number of bytes */
} share_head;

/* Moves messages until at most `most` bytes wait to be sent to rank `to`. */
static cla_status send_off(const cla_ranks *ranks, int to, int64_t most, const rank_tick *tick,
                           cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && ranks->waiting(ranks->user, to) > most) {
    status = ranks_check(ranks, error);
    if (status == CLA_OK && tick->call) status = tick->call(tick->user, error);
    ranks->rest(ranks->user, false);
  }
  return status;
}

/* Splits the ranks `to` into two halves, and sends `bytes` to the first rank of each half. That rank
 * forwards them to the other ranks of its half. */
static cla_status share_on(const cla_ranks *ranks, const share_head *part, const int32_t *to,
                           const uint8_t *bytes, const rank_tick *tick, cla_error *error) {
  const int32_t half = (part->rank_count + 1) / 2;
  const int32_t begins[] = {0, half, part->rank_count};
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    share_head head = *part;
    head.rank_count = begins[i + 1] - begins[i] - 1;
    if (head.rank_count < 0) continue;
    const int first = to[begins[i]];
    const cla_rank_bytes parts[] = {{&head, sizeof head},
                                    {to + begins[i] + 1, head.rank_count * (int64_t)sizeof *to},
                                    {bytes, part->count}};
    status = send_off(ranks, first, SHARE_MOST, tick, error);
    if (status == CLA_OK) status = ranks->send(ranks->user, first, RANK_SHARE, parts, 3, error);
  }
  return status;
}

static cla_status share_out(const cla_ranks *ranks, const rank_stage *stage, int index,
                            const rank_thing *thing, cla_error *error) {
  int32_t *others = NULL;
  share_head head;
  cla_status status = ALLOCATE_ARRAY(&others, ranks->count, "the ranks", error);
  if (status != CLA_OK) return status;
  memset(&head, 0, sizeof head);
  head.ends = stage->ends;
  head.number = stage->number;
  head.thing = index;
  for (int i = 1; i < ranks->count; i++)
    if (!ranks_is_gone(ranks, i)) others[head.rank_count++] = i;
  for (; head.at < thing->count && status == CLA_OK; head.at += head.count) {
    head.count = smaller(SHARE_BYTES, thing->count - head.at);
    status = share_on(ranks, &head, others, (const uint8_t *)thing->bytes + head.at, &stage->tick, error);
  }
  free(others);
  return status;
}

/* Receives a thing from another rank, and forwards it. */
static cla_status share_in(bool *whole, const cla_ranks *ranks, const rank_stage *stage, int index,
                           const rank_thing *thing, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t filled = 0; filled < thing->count && status == CLA_OK && *whole;) {
    cla_rank_message message = {0};
    share_head head;
    int32_t number = 0;
    status = ranks_wait(ranks, &message, &stage->tick, error);
    if (status != CLA_OK) break;
    rank_reader from = rank_read(&message);
    if (message.kind == stage->ends && rank_copy(&number, &from, sizeof number))
      *whole = number != stage->number;
    if (message.kind == RANK_SHARE && rank_copy(&head, &from, sizeof head) && head.ends == stage->ends &&
        head.number == stage->number && head.thing == index && head.at == filled) {
      const int32_t *to = (const int32_t *)rank_skip(&from, head.rank_count * (int64_t)sizeof(int32_t));
      uint8_t *at = (uint8_t *)thing->bytes + filled;
      if (to && head.count <= thing->count - filled && rank_copy(at, &from, head.count))
        status = share_on(ranks, &head, to, at, &stage->tick, error);
      else
        status = rank_cut_short(error);
      filled += head.count;
    }
    free(message.bytes);
  }
  return status;
}

cla_status ranks_share(bool *whole, const cla_ranks *ranks, const rank_stage *stage, const rank_thing *things,
                       int thing_count, cla_error *error) {
  cla_status status = CLA_OK;
  *whole = true;
  for (int i = 0; i < thing_count && status == CLA_OK && *whole; i++)
    status = ranks->rank == 0 ? share_out(ranks, stage, i, things + i, error)
                              : share_in(whole, ranks, stage, i, things + i, error);
  /* All messages are sent off here, because later work may take long and not move messages. */
  for (int to = 0; to < ranks->count && status == CLA_OK; to++)
    status = send_off(ranks, to, 0, &stage->tick, error);
  return status;
}

rank_work rank_work_of(const cla_rank_message *message) {
  rank_work work = {.kind = message->kind};
  rank_reader from = rank_read(message);
  if (message->kind == RANK_BATCH || message->kind == RANK_TRACE || message->kind == RANK_PAIR)
    (void)rank_copy(&work.number, &from, sizeof work.number);
  return work;
}

/* A rank's message about its failure. */
typedef struct rank_failure {
  rank_work of;
  cla_status status;
  char text[CLA_ERROR_MESSAGE_SIZE];
} rank_failure;

cla_status ranks_fail(const cla_ranks *ranks, const rank_work *work, cla_status status,
                      const cla_error *why) {
  rank_failure said = {.of = *work, .status = status};
  cla_error unused;
  snprintf(said.text, sizeof said.text, "rank %d on %.200s: %.1700s", ranks->rank, ranks->host, why->message);
  return ranks_send(ranks, 0, RANK_ERROR, (cla_rank_bytes){&said, sizeof said}, &unused);
}

cla_status ranks_failed(const cla_ranks *ranks, const rank_work *work, const cla_rank_message *message,
                        cla_error *error) {
  rank_failure said;
  rank_reader from = rank_read(message);
  if (ranks_is_gone(ranks, message->from)) return CLA_OK;
  if (!rank_copy(&said, &from, sizeof said)) return ranks_damaged(message, error);
  if (said.of.number > 0 && (said.of.kind != work->kind || said.of.number != work->number)) return CLA_OK;
  said.text[sizeof said.text - 1] = '\0';
  return error_set(error, said.status, "%s", said.text);
}

rank_reader rank_read(const cla_rank_message *message) {
  return (rank_reader){message->bytes, message->length};
}

const uint8_t *rank_skip(rank_reader *from, int64_t count) {
  const uint8_t *at = from->at;
  if (count < 0 || count > from->left) {
    from->left = 0;
    return NULL;
  }
  from->at += count;
  from->left -= count;
  return at;
}

bool rank_copy(void *out, rank_reader *from, int64_t count) {
  const uint8_t *at = rank_skip(from, count);
  if (at && count > 0) memcpy(out, at, (size_t)count);
  return at != NULL;
}

cla_status rank_cut_short(cla_error *error) {
  return error_set(error, CLA_ERROR_DEVICE,
                   "a message between ranks is damaged; run one version of clalign-mpi on all hosts");
}

cla_status rank_take(void *out, rank_reader *from, int64_t count, int64_t size, cla_error *error) {
  void **copy = out;
  *copy = NULL;
  if (count < 0 || count > from->left / size) return rank_cut_short(error);
  if (count == 0) return CLA_OK;
  cla_status status = allocate_array(copy, count, size, "a message", error);
  if (status == CLA_OK) rank_copy(*copy, from, count * size);
  return status;
}

cla_status rank_take_text(char **out, rank_reader *from, int64_t bytes, cla_error *error) {
  *out = NULL;
  if (bytes > 0 && bytes <= from->left && from->at[bytes - 1] != '\0') return rank_cut_short(error);
  return rank_take(out, from, bytes, 1, error);
}

cla_status rank_write(rank_writer *into, const void *bytes, int64_t count, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&into->bytes, &into->capacity, into->length + count, "a message", error);
  if (status != CLA_OK || count <= 0) return status;
  memcpy(into->bytes + into->length, bytes, (size_t)count);
  into->length += count;
  return CLA_OK;
}

cla_status ranks_damaged(const cla_rank_message *message, cla_error *error) {
  return error_set(
      error, CLA_ERROR_DEVICE,
      "rank %d sent what this one cannot read (kind %d, %lld bytes); run one version of clalign-mpi "
      "on all hosts",
      message->from, message->kind, (long long)message->length);
}
