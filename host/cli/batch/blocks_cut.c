/* Cuts blocks from files or from a list, one thread at a time, in the order of the blocks. */

#include "cli/batch/file_blocks.h"
#include "cli/report/report.h"

/* Host threads compute this many pairs together. So the number of long pairs in a block is a multiple of
 * it. */
#define PAIRS_TOGETHER 64
/* No limit in bytes: a block has as many targets as queries, however long they are. */
#define ANY_BYTES INT64_MAX
/* Minimum seconds of work before the remaining time can be estimated. */
#define SECONDS_THAT_TELL 0.1

/* Sets the error that one file has more records than the other. */
static void note_uneven(batch_blocks *b, int longer) {
  b->run->read_status =
      cli_error(&b->run->read_error, CLA_ERROR_INPUT,
                "%.512s has %lld records, and %.512s has more; --pairwise takes as many of both",
                b->means.paths[1 - longer], (long long)b->pairs, b->means.paths[longer]);
}

double blocks_seconds_left(const batch_blocks *b) {
  const double taken = cli_seconds() - b->means.began;
  if (b->bytes_cut == 0 || taken < SECONDS_THAT_TELL) return 0;
  return b->bytes > 0 ? taken * (b->bytes - b->bytes_cut) / b->bytes_cut : taken;
}

/* Sets the number of pairs for the next block from a block that was just cut: as many as its bytes allow, in
 * full groups. */
static void set_block_pairs(batch_blocks *b, const cla_record_block *cut) {
  const int64_t groups = cut->count / PAIRS_TOGETHER;
  if (cut->count < b->block_pairs)
    b->block_pairs = groups > 0 ? groups * PAIRS_TOGETHER : PAIRS_TOGETHER;
  else if (cut->byte_count < b->block_bytes / 2)
    b->block_pairs = 2 * b->block_pairs < BLOCK_PAIRS ? 2 * b->block_pairs : BLOCK_PAIRS;
}

/* Returns the number of pairs for the next block. If an earlier run stored a block that starts with the next
 * pair, returns the number of pairs of that block. Otherwise returns `most`, or fewer pairs if the next
 * stored block starts earlier. */
static int64_t pairs_of_next(pair_block *block, const batch_blocks *b, int64_t most) {
  int64_t first = 0, past = 0;
  block->keep.first = b->index;
  block->keep.kept = 0;
  if (!b->means.directory || !cla_batch_directory_next(&first, &past, b->means.directory, b->index))
    return most;
  if (first == b->index) return block->keep.kept = past - first;
  return first - b->index < most ? first - b->index : most;
}

/* Reads a block of pairs from the list. An error that does not concern a single pair ends the list after the
 * pairs read so far. */
static cla_status cut_list(pair_block *block, batch_blocks *b, cla_error *error) {
  batch_lot *lot = &block->lot;
  cla_error why = {.status = CLA_OK};
  const int64_t most = pairs_of_next(block, b, BLOCK_PAIRS);
  cla_status status = batch_list_lot(lot, b->means.list, b->first, most,
                                     block->keep.kept > 0 ? ANY_BYTES : b->block_bytes, &why);
  b->first = NULL;
  b->index += lot->count;
  for (int side = 0; side < 2; side++) {
    block->records[side] = &lot->records[side];
    block->of[side] = lot->of[side];
  }
  block->count = lot->count;
  block->number = b->cut;
  block->seconds = blocks_seconds_left(b);
  b->bytes_cut = b->bytes_cut + (double)lot->bytes;
  b->cut += lot->count > 0;
  b->ended = b->ended || status != CLA_OK || lot->count == 0;
  if (status == CLA_ERROR_OPTION || status == CLA_ERROR_MEMORY) {
    *error = why;
    return status;
  }
  if (status != CLA_OK) {
    b->run->read_status = status;
    b->run->read_error = why;
  }
  return CLA_OK;
}

cla_status blocks_cut_queries(pair_block *block, batch_blocks *b, cla_error *error) {
  cla_record_block *queries = &block->own[0];
  block->count = 0;
  const int64_t most = pairs_of_next(block, b, b->block_pairs);
  cla_status status = cla_record_block_cut(queries, b->files[0], most,
                                           block->keep.kept > 0 ? ANY_BYTES : b->block_bytes, error);
  if (status != CLA_OK) return status;
  if (most == b->block_pairs) set_block_pairs(b, queries);
  b->index += queries->count;
  block->seconds = blocks_seconds_left(b);
  b->bytes_cut = b->bytes_cut + (double)queries->byte_count;
  block->number = b->cut;
  b->cut += queries->count > 0;
  if (queries->count == 0) b->ended = true;
  return CLA_OK;
}

cla_status blocks_cut_targets(pair_block *block, batch_blocks *b, cla_error *error) {
  const int64_t queries = block->own[0].count;
  cla_status status =
      cla_record_block_cut(&block->own[1], b->files[1], queries > 0 ? queries : 1, ANY_BYTES, error);
  if (status != CLA_OK) return status;
  const int64_t targets = block->own[1].count;
  block->count = queries < targets ? queries : targets;
  b->pairs += block->count;
  if (queries == targets) return CLA_OK;
  b->ended = true;
  if (b->run->read_status == CLA_OK) note_uneven(b, targets > queries);
  return CLA_OK;
}

void blocks_stop(batch_blocks *b, cla_status status, const cla_error *error) {
  b->stopped = true;
  pthread_cond_broadcast(&b->changed);
  if (b->run->stopped != CLA_OK) return;
  b->run->stopped = status;
  b->run->why = *error;
}

/* Returns true if a thread has to wait for a block: no block is free, or at the end, blocks are still with
 * other ranks. */
static bool must_wait(const batch_blocks *b) {
  if (b->held || b->back || b->stopped) return false;
  return b->ended ? b->away != NULL : !b->free;
}

/* Returns a free block for the next queries, or a block that already has its records (*is_cut): the held
 * block, or a block that came back. NULL: the input has ended or the run has stopped. */
static pair_block *begin_block(batch_blocks *b, bool *is_cut) {
  pair_block *block = NULL;
  pthread_mutex_lock(&b->lock);
  while (must_wait(b)) pthread_cond_wait(&b->changed, &b->lock);
  pair_block **cut = b->back ? &b->back : &b->held;
  *is_cut = *cut && !b->stopped;
  if (*is_cut) {
    block = *cut;
    *cut = block->next;
  } else if (!b->ended && !b->stopped) {
    block = b->free;
    b->free = block->next;
  }
  pthread_mutex_unlock(&b->lock);
  return block;
}

/* Waits for the block's turn, and reads its targets. Meanwhile, another thread may read the next queries. */
static cla_status take_turn(pair_block *block, batch_blocks *b, cla_error *error) {
  pthread_mutex_lock(&b->cutting[1]);
  while (b->turn != block->number) pthread_cond_wait(&b->turn_changed, &b->cutting[1]);
  const cla_status status = blocks_cut_targets(block, b, error);
  b->turn++;
  pthread_cond_broadcast(&b->turn_changed);
  pthread_mutex_unlock(&b->cutting[1]);
  return status;
}

pair_block *blocks_next(batch_blocks *b) {
  cla_error error = {.status = CLA_OK};
  cla_status status = CLA_OK;
  while (status == CLA_OK) {
    bool is_cut = false;
    pthread_mutex_lock(&b->cutting[0]);
    pair_block *block = begin_block(b, &is_cut);
    if (block && !is_cut)
      status = b->means.list ? cut_list(block, b, &error) : blocks_cut_queries(block, b, &error);
    pthread_mutex_unlock(&b->cutting[0]);
    if (!block || is_cut) return block;
    if (status == CLA_OK && !b->means.list) status = take_turn(block, b, &error);
    if (status == CLA_OK && block->count > 0) return block;
    pthread_mutex_lock(&b->lock);
    if (status != CLA_OK) blocks_stop(b, status, &error);
    block->next = b->free;
    b->free = block;
    pthread_mutex_unlock(&b->lock);
  }
  return NULL;
}

cla_status blocks_cut_again(batch_blocks *b, cla_error *error) {
  int64_t first = 0, past = 0;
  if (!b->held || !b->run->units.directory ||
      !cla_batch_directory_next(&first, &past, b->run->units.directory, 0))
    return CLA_OK;
  pair_block_free(b->held);
  b->held = NULL;
  b->index = b->turn = b->cut = b->pairs = 0;
  b->bytes_cut = 0;
  b->ended = false;
  b->run->read_status = CLA_OK;
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    cla_record_blocks_close(b->files[side]);
    b->files[side] = NULL;
    status = cla_record_blocks_open(&b->files[side], b->means.paths[side], b->means.how.qualities, error);
  }
  return status;
}
