/* A round of blocks on several ranks: the blocks' owners, and the messages that threads of blocks send. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "team/ranks_internal.h"

/* Nodes of a message; the link sends them on while more are computed. */
#define PART_NODES (INT64_C(1) << 15)
#define KEPT_MOST (INT64_C(64) << 20) /* bytes of kept rows on their way */
#define BOTTOM_NODES (INT64_C(1) << 16)

cla_status rank_round_open(block_round *round, const rank_block *blocks, int64_t count, cla_error *error) {
  cla_status status =
      allocate_zeros((void **)&round->blocks, count, sizeof *round->blocks, "the blocks", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    round->blocks[i] =
        (sweep_block){.round = round, .index = i, .where = blocks[i].where, .rank = blocks[i].rank};
  if (status == CLA_OK) round->count = round->end = count;
  return status;
}

sweep_block *rank_round_take(block_round *round, int member) {
  for (int64_t i = 0; i < round->end; i++) {
    sweep_block *b = round->blocks + i;
    if (b->rank != round->ranks->rank || b->where.device != member || b->taken) continue;
    b->taken = true;
    return b;
  }
  return NULL;
}

static int64_t padded(int64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static cla_status send_message(sweep_block *b, int to, int kind, const region_row_part *part,
                               cla_error *error) {
  static const uint8_t zeros[8];
  const cla_ranks *ranks = b->round->ranks;
  const int64_t bytes = part->count * (part->lane_bits / 8), pad = padded(bytes) - bytes;
  rank_part head;
  memset(&head, 0, sizeof head);
  head.number = b->round->number;
  head.lane_bits = part->lane_bits;
  head.block = b->index;
  head.row = part->row;
  head.column = part->column;
  head.count = part->count;
  head.before = part->before;
  head.best_score = part->best_score;
  head.best_row = part->best_row;
  head.best_column = part->best_column;
  head.lines = region_row_part_lines(part);
  cla_rank_bytes parts[1 + 2 * GAP_LINES] = {{&head, sizeof head}};
  int filled = 1;
  for (int i = 0; i < head.lines && bytes > 0; i++) {
    parts[filled++] = (cla_rank_bytes){i == 0 ? part->h : part->f[i - 1], bytes};
    parts[filled++] = (cla_rank_bytes){zeros, pad};
  }
  return ranks->send(ranks->user, to, kind, parts, filled, error);
}

/* Sends the part, in messages of at most PART_NODES nodes. */
static cla_status send_part(sweep_block *b, int to, int kind, const region_row_part *part, cla_error *error) {
  cla_status status = CLA_OK;
  if (part->count == 0) return send_message(b, to, kind, part, error);
  for (int64_t from = 0; from < part->count && status == CLA_OK; from += PART_NODES) {
    const int64_t offset = from * (part->lane_bits / 8);
    region_row_part some = *part;
    some.column += from;
    some.count = smaller(PART_NODES, part->count - from);
    some.h = (const uint8_t *)part->h + offset;
    for (int k = 0; k < region_row_part_lines(part) - 1; k++)
      some.f[k] = (const uint8_t *)part->f[k] + offset;
    status = send_message(b, to, kind, &some, error);
  }
  return status;
}

cla_status rank_round_send_down(sweep_block *b, const region_row_part *part, cla_error *error) {
  return send_part(b, b[1].rank, RANK_BORDER, part, error);
}

cla_status rank_round_keep(sweep_block *b, const region_row_part *part, cla_error *error) {
  block_round *round = b->round;
  pthread_mutex_lock(&round->lock);
  const bool waits = round->kept_bytes > KEPT_MOST;
  if (waits) block_round_waits(round, true);
  while (round->kept_bytes > KEPT_MOST && round->end > b->index)
    pthread_cond_wait(&round->news, &round->lock);
  if (waits) block_round_waits(round, false);
  round->kept_bytes += region_row_part_bytes(part);
  pthread_mutex_unlock(&round->lock);
  return send_part(b, 0, RANK_KEPT, part, error);
}

static block_word word_of(const sweep_block *b) {
  block_word word;
  memset(&word, 0, sizeof word);
  word.number = b->round->number;
  word.block = b->index;
  return word;
}

static cla_status send_of(const sweep_block *b, int kind, const void *bytes, int64_t count,
                          cla_error *error) {
  const cla_ranks *ranks = b->round->ranks;
  const block_word word = word_of(b);
  const cla_rank_bytes parts[] = {{&word, sizeof word}, {bytes, count}};
  return ranks->send(ranks->user, 0, kind, parts, 2, error);
}

void rank_round_send_strip(sweep_block *b, const region_strip *strip) {
  cla_error unused;
  (void)send_of(b, RANK_STRIP, strip, sizeof *strip, &unused);
}

/* A part of the last row: its first node, and values of H. */
static cla_status send_bottom(sweep_block *b, const region_result *result, cla_error *error) {
  const cla_ranks *ranks = b->round->ranks;
  const block_word word = word_of(b);
  cla_status status = CLA_OK;
  for (int64_t at = result->bottom_first; at <= result->bottom_last && status == CLA_OK; at += BOTTOM_NODES) {
    const int64_t count = smaller(BOTTOM_NODES, result->bottom_last + 1 - at);
    const cla_rank_bytes parts[] = {{&word, sizeof word},
                                    {&at, sizeof at},
                                    {b->round->bottom + at, count * (int64_t)sizeof *b->round->bottom}};
    status = ranks->send(ranks->user, 0, RANK_BOTTOM, parts, 3, error);
  }
  return status;
}

cla_status rank_round_send_done(sweep_block *b, const region_result *result, cla_error *error) {
  cla_status status = CLA_OK;
  if (sweep_block_last(b) && b->round->bottom) status = send_bottom(b, result, error);
  return status == CLA_OK ? send_of(b, RANK_DONE, result, sizeof *result, error) : status;
}

cla_status rank_part_read(sweep_block **b, region_row_part *out, block_round *round,
                          const cla_rank_message *message, cla_error *error) {
  rank_part head;
  rank_reader from = rank_read(message);
  const bool whole = rank_copy(&head, &from, sizeof head);
  if (!whole || head.block < 0 || head.block >= round->count || head.count < 0 || head.lines > GAP_LINES)
    return ranks_damaged(message, error);
  *b = round->blocks + head.block;
  *out = (region_row_part){.row = head.row,
                           .column = head.column,
                           .count = head.count,
                           .before = head.before,
                           .lane_bits = head.lane_bits,
                           .best_score = head.best_score,
                           .best_row = head.best_row,
                           .best_column = head.best_column};
  const int64_t bytes = padded(head.count * (head.lane_bits / 8));
  if (head.count == 0) return CLA_OK;
  bool there = head.lines > 1 && (out->h = rank_skip(&from, bytes));
  for (int k = 0; k < head.lines - 1 && there; k++) there = (out->f[k] = rank_skip(&from, bytes));
  return there ? CLA_OK : ranks_damaged(message, error);
}
