/* The exact alignments of blocks. Most blocks are aligned simultaneously, each on one host thread. A block
 * with more letters than one thread's share of all letters is aligned after the others, on all threads. A
 * device aligns such a block if the host would be too slow. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "compare/compare_internal.h"
#include "seq/sequence.h"

#define SHORT_LETTERS 100000 /* one thread aligns a block with at most this many letters */

/* The blocks that threads align, and their progress. All threads share it. */
typedef struct block_work {
  cla_block **blocks; /* sorted by number of letters, largest first */
  size_t count;
  const comparing *c;
  int64_t letters;    /* letters of all blocks */
  int64_t share;      /* largest number of letters of a block that one thread aligns */
  atomic_llong done;  /* letters of the aligned blocks */
  atomic_size_t next; /* index of the next block */
  atomic_int stopped; /* CLA_OK, or the status of the error that ends the work */
  cla_error error;    /* error whose status is in `stopped`; written once */
  uint8_t *aligned;   /* for each block: whether it has been aligned */
} block_work;

static int64_t block_letters(const cla_block *block) {
  return larger(block->query_end - block->query_begin, block->target_end - block->target_begin);
}

/* Returns the drop at which a block is cut, which is also the least score of a piece. A block beyond a
 * circle's origin may be short, so its pieces may score less. */
static int64_t drop_of(const cla_block *block, const comparing *c) {
  const cla_scoring *scoring = &c->options->align.scoring;
  const int64_t given = c->options->align.several.drop;
  if (block->matched > 0) return given;
  return smaller(given >= 0 ? given : cla_split_drop(scoring),
                 block_letters(block) * larger(scoring->units, 1) / 4);
}

static cla_align_options options_of(const cla_block *block, const comparing *c) {
  cla_align_options options = c->options->align;
  options.mode = CLA_MODE_GLOBAL;
  options.strand = block->strand;
  options.several.split = true;
  options.several.drop = drop_of(block, c);
  options.several.inverted = block->role == CLA_BLOCK_PRIMARY;
  options.callbacks.progress = NULL;
  return options;
}

static void shift_side(cla_side *side, const cla_sequence *record, int64_t by) {
  side->start += by;
  side->stop += by;
  side->length = cla_sequence_length(record);
  side->begin = 0;
  side->end = side->length;
  cla_sequence_checksum(record, side->checksum);
}

static int by_target(const void *a, const void *b) {
  const cla_alignment *x = *(cla_alignment *const *)a, *y = *(cla_alignment *const *)b;
  return (x->target.start > y->target.start) - (x->target.start < y->target.start);
}

/* Takes over the alignments of a block. Their positions become those in the records, sorted by target
 * position. */
static void take_pieces(cla_block *block, cla_results *found, const comparing *c) {
  block->pieces = (cla_alignment **)found->alignments;
  block->piece_count = found->count;
  for (size_t i = 0; i < found->count; i++) {
    shift_side(&block->pieces[i]->query, c->query.records[block->query], block->query_begin);
    shift_side(&block->pieces[i]->target, c->target.records[block->target], block->target_begin);
  }
  if (found->count > 0) qsort(block->pieces, block->piece_count, sizeof *block->pieces, by_target);
  *found = (cla_results){0};
}

static cla_status align_block(cla_block *block, cla_device *device, const comparing *c,
                              const cla_align_options *options, cla_error *error) {
  cla_sequence *query = NULL, *target = NULL;
  cla_results found = {0};
  cla_status status = sequence_circle_part(&query, c->query.records[block->query], block->query_begin,
                                           block->query_end - block->query_begin, error);
  if (status == CLA_OK)
    status = sequence_circle_part(&target, c->target.records[block->target], block->target_begin,
                                  block->target_end - block->target_begin, error);
  if (status == CLA_OK) status = cla_align_several(&found, device, query, target, options, error);
  if (status == CLA_OK) take_pieces(block, &found, c);
  cla_sequence_free(query);
  cla_sequence_free(target);
  return status;
}

/* Reports the fraction of all letters that is aligned. CLA_ERROR_INTERRUPTED if the caller cancels. */
static cla_status report(block_work *w, double more, cla_error *error) {
  const double done = (double)atomic_load(&w->done) + more;
  return comparing_report(w->c, "alignment of blocks", w->letters > 0 ? done / (double)w->letters : 1, error);
}

/* The progress function of blocks with over SHORT_LETTERS letters: ends the alignment once another thread
 * has stopped the work. */
static bool goes_on(const cla_progress *progress, void *user) {
  block_work *w = user;
  (void)progress;
  return atomic_load(&w->stopped) == CLA_OK;
}

/* The progress of a block that is aligned on all threads. */
typedef struct long_block {
  block_work *work;
  const cla_block *block;
  cla_error *error;
} long_block;

static bool report_long(const cla_progress *progress, void *user) {
  const long_block *it = user;
  return report(it->work, progress->fraction * (double)block_letters(it->block), it->error) == CLA_OK;
}

/* Refuses to open a device. The block is aligned after the others, with the caller's device. */
static cla_status refuse_device(cla_device **device, const cla_tuning **tuning, void *user,
                                cla_error *error) {
  (void)device, (void)tuning, (void)user;
  return error_set(error, CLA_ERROR_DEVICE,
                   "a block needs a device, and the call has none; give one, or a callback that opens one");
}

/* Options for one thread. A short block takes little time, so it needs no progress function. Without one,
 * and without a memory budget, its matrix may be computed as a whole (cla_align_options.host_cells). */
static cla_align_options options_of_thread(const cla_block *block, block_work *w) {
  cla_align_options options = options_of(block, w->c);
  const bool is_long = block_letters(block) > SHORT_LETTERS;
  options.budgets.threads = 1;
  options.budgets.memory_bytes /=
      w->c->threads; /* 0 stays 0: half of the memory that is free when the block begins */
  options.callbacks = (cla_callbacks){.device = refuse_device, .progress_user = w};
  if (is_long) options.callbacks.progress = goes_on;
  options.partners = NULL;
  options.partner_count = 0;
  options.host_cells = CLA_HOST_CELLS;
  return options;
}

/* Aligns short blocks, on a thread of parallel_run. A block that one thread cannot align is left for
 * later. */
static void align_short(void *user, int thread) {
  block_work *w = user;
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count && atomic_load(&w->stopped) == CLA_OK;) {
    cla_error error = {.status = CLA_OK};
    cla_block *block = w->blocks[i];
    const int64_t letters = block_letters(block);
    if (letters > w->share) continue;
    const cla_align_options options = options_of_thread(block, w);
    w->aligned[i] = align_block(block, NULL, w->c, &options, &error) == CLA_OK;
    if (w->aligned[i]) atomic_fetch_add(&w->done, letters);
    if (thread == 0 && report(w, 0, &w->error) != CLA_OK) atomic_store(&w->stopped, (int)w->error.status);
  }
}

static cla_status align_long(block_work *w, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < w->count && status == CLA_OK; i++) {
    if (w->aligned[i]) continue;
    cla_align_options options = options_of(w->blocks[i], w->c);
    long_block it = {.work = w, .block = w->blocks[i], .error = error};
    options.callbacks.progress = report_long;
    options.callbacks.progress_user = &it;
    if (!w->c->device && !options.callbacks.device) options.callbacks.device = refuse_device;
    status = report(w, 0, error);
    if (status == CLA_OK) status = align_block(w->blocks[i], w->c->device, w->c, &options, error);
    if (status == CLA_OK) atomic_fetch_add(&w->done, block_letters(w->blocks[i]));
  }
  return status;
}

static int by_letters(const void *a, const void *b) {
  const cla_block *x = *(cla_block *const *)a, *y = *(cla_block *const *)b;
  const int64_t first = block_letters(x), second = block_letters(y);
  if (first != second) return first < second ? 1 : -1;
  return (x > y) - (x < y);
}

/* Sorts the blocks, largest first. So no thread starts a long block when the other threads have nothing to
 * do. */
static cla_status order_blocks(block_work *w, cla_block *blocks, cla_error *error) {
  cla_status status =
      allocate_array((void **)&w->blocks, (int64_t)w->count, sizeof *w->blocks, "the order of blocks", error);
  for (size_t i = 0; i < w->count && status == CLA_OK; i++) {
    w->blocks[i] = &blocks[i];
    w->letters += block_letters(&blocks[i]);
  }
  if (status == CLA_OK) qsort(w->blocks, w->count, sizeof *w->blocks, by_letters);
  w->share = larger(SHORT_LETTERS, w->letters / w->c->threads);
  return status;
}

cla_status blocks_align(cla_block *blocks, size_t count, const comparing *c, cla_error *error) {
  block_work w = {.count = count, .c = c};
  cla_status status =
      allocate_zeros((void **)&w.aligned, (int64_t)count, 1, "the blocks that are aligned", error);
  if (status == CLA_OK) status = order_blocks(&w, blocks, error);
  if (status == CLA_OK) {
    parallel_run((int)smaller(c->threads, (int64_t)count), align_short, &w);
    status = (cla_status)atomic_load(&w.stopped);
    if (status != CLA_OK)
      *error = w.error;
    else
      status = align_long(&w, error);
  }
  free(w.blocks);
  free(w.aligned);
  return status;
}
