#include "base/ranks.h"

#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

bool ranks_any(const cla_ranks *ranks) {
  return ranks && ranks->count > 1;
}

cla_status ranks_send(const cla_ranks *ranks, int to, int kind, cla_rank_bytes bytes, cla_error *error) {
  return ranks->send(ranks->user, to, kind, &bytes, 1, error);
}

cla_status ranks_tell_parts(const cla_ranks *ranks, int kind, const cla_rank_bytes *parts, int part_count,
                            cla_error *error) {
  cla_status status = CLA_OK;
  for (int to = 0; to < ranks->count && status == CLA_OK; to++)
    if (to != ranks->rank) status = ranks->send(ranks->user, to, kind, parts, part_count, error);
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
    if (ranks->interrupted && ranks->interrupted())
      return error_set(error, CLA_ERROR_INTERRUPTED, RANK_TOLD_TO_END);
    ranks->rest(ranks->user, false);
    if (tick->call) status = tick->call(tick->user, error);
  }
  return status;
}

/* What a rank says of its failure. */
typedef struct rank_failure {
  cla_status status;
  char text[CLA_ERROR_MESSAGE_SIZE];
} rank_failure;

void ranks_fail(const cla_ranks *ranks, cla_status status, const cla_error *why) {
  rank_failure said = {.status = status};
  cla_error unused;
  snprintf(said.text, sizeof said.text, "rank %d on %.200s: %.1700s", ranks->rank, ranks->host, why->message);
  (void)ranks_send(ranks, 0, RANK_ERROR, (cla_rank_bytes){&said, sizeof said}, &unused);
}

cla_status ranks_failed(const cla_rank_message *message, cla_error *error) {
  rank_failure said;
  rank_reader from = rank_read(message);
  if (!rank_copy(&said, &from, sizeof said)) return ranks_damaged(message, error);
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
  void *grown = into->bytes;
  cla_status status = allocate_grow(&grown, &into->capacity, into->length + count, 1, "a message", error);
  into->bytes = grown;
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
