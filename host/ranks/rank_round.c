/* A round of blocks on several ranks: sets the blocks' owners, and sends the messages of the threads that
 * compute blocks. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "ranks/ranks_internal.h"

/* Maximum number of nodes of a message. The link sends a message while further nodes are computed. */
#define PART_NODES (INT64_C(1) << 15)
#define KEPT_MOST (INT64_C(64) << 20) /* maximum number of bytes of kept rows on their way to rank 0 */
#define BOTTOM_NODES (INT64_C(1) << 16)

static rank_round *round_of(const sweep_block *b) {
  return (rank_round *)b->round;
}

static int64_t padded(int64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static cla_status send_message(sweep_block *b, int to, int kind, const region_row_part *part,
                               cla_error *error) {
  static const uint8_t zeros[8];
  const rank_round *round = round_of(b);
  const int64_t bytes = part->count * (part->lane_bits / 8), pad = padded(bytes) - bytes;
  rank_part head;
  memset(&head, 0, sizeof head);
  head.number = round->number;
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
  return round->ranks->send(round->ranks->user, to, kind, parts, filled, error);
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

static cla_status send_down(sweep_block *b, const region_row_part *part, cla_error *error) {
  return send_part(b, b[1].owner, RANK_BORDER, part, error);
}

/* Sends a part of a kept row to rank 0; waits first if too many bytes are on their way. */
static cla_status send_kept(sweep_block *b, const region_row_part *part, cla_error *error) {
  rank_round *round = round_of(b);
  block_round *blocks = &round->base;
  pthread_mutex_lock(&blocks->lock);
  const bool waits = round->kept_bytes > KEPT_MOST;
  if (waits) block_round_waits(blocks, true);
  while (round->kept_bytes > KEPT_MOST && blocks->end > b->index)
    pthread_cond_wait(&blocks->news, &blocks->lock);
  if (waits) block_round_waits(blocks, false);
  round->kept_bytes += region_row_part_bytes(part);
  pthread_mutex_unlock(&blocks->lock);
  return send_part(b, 0, RANK_KEPT, part, error);
}

static block_word word_of(const sweep_block *b) {
  block_word word;
  memset(&word, 0, sizeof word);
  word.number = round_of(b)->number;
  word.block = b->index;
  return word;
}

static cla_status send_of(const sweep_block *b, int kind, const void *bytes, int64_t count,
                          cla_error *error) {
  const cla_ranks *ranks = round_of(b)->ranks;
  const block_word word = word_of(b);
  const cla_rank_bytes parts[] = {{&word, sizeof word}, {bytes, count}};
  return ranks->send(ranks->user, 0, kind, parts, 2, error);
}

static void send_strip(sweep_block *b, const region_strip *strip) {
  cla_error unused;
  (void)send_of(b, RANK_STRIP, strip, sizeof *strip, &unused);
}

/* Sends H of the last row, in messages of at most BOTTOM_NODES nodes; each has the number of its first node.
 */
static cla_status send_bottom(sweep_block *b, const region_result *result, cla_error *error) {
  const cla_ranks *ranks = round_of(b)->ranks;
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

static cla_status send_done(sweep_block *b, const region_result *result, cla_error *error) {
  cla_status status = CLA_OK;
  if (sweep_block_last(b) && b->round->bottom) status = send_bottom(b, result, error);
  return status == CLA_OK ? send_of(b, RANK_DONE, result, sizeof *result, error) : status;
}

static void wake(block_round *round) {
  const cla_ranks *ranks = ((const rank_round *)round)->ranks;
  ranks->wake(ranks->user);
}

/* Rank 0 keeps rows and notes strips; the other ranks send rows and strips to rank 0. */
static const block_links links_of_first = {
    .keep = sweep_block_keep, .send_down = send_down, .strip = sweep_block_strip, .wake = wake};
static const block_links links_of_others = {
    .keep = send_kept, .send_down = send_down, .strip = send_strip, .done = send_done, .wake = wake};

cla_status rank_round_open(rank_round *round, const rank_block *blocks, int64_t count, cla_error *error) {
  block_round *into = &round->base;
  into->self = round->ranks->rank;
  into->links = into->self == 0 ? &links_of_first : &links_of_others;
  cla_status status = block_round_open(into, error);
  if (status == CLA_OK) status = block_round_deal(into, count, error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    into->blocks[i] =
        (sweep_block){.round = into, .index = i, .where = blocks[i].where, .owner = blocks[i].rank};
  return status;
}

cla_status rank_part_read(sweep_block **b, region_row_part *out, const rank_round *round,
                          const cla_rank_message *message, cla_error *error) {
  rank_part head;
  rank_reader from = rank_read(message);
  const bool whole = rank_copy(&head, &from, sizeof head);
  if (!whole || head.block < 0 || head.block >= round->base.count || head.count < 0)
    return ranks_damaged(message, error);
  *b = round->base.blocks + head.block;
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
