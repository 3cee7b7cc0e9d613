/* The exact alignments of blocks, the short ones beside each other (letter_work.h). A device aligns a long
 * block if the host would be too slow. */

#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"
#include "compare/letter_work.h"
#include "seq/sequence.h"

/* The blocks that threads align. */
typedef struct block_work {
  cla_block *blocks;
  const comparing *c;
  letter_work all;
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
  return comparing_report(w->c, "alignment of blocks", letter_work_fraction(&w->all, more), error);
}

/* The progress function of blocks with over LETTER_WORK_SHORT letters: ends the alignment once another thread
 * has stopped the work. */
static bool goes_on(const cla_progress *progress, void *user) {
  block_work *w = user;
  (void)progress;
  return first_error_status(&w->all.failed) == CLA_OK;
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
  const bool is_long = block_letters(block) > LETTER_WORK_SHORT;
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

static cla_status align_long(letter_item *item, cla_block *block, block_work *w, cla_error *error) {
  cla_align_options options = options_of(block, w->c);
  long_block it = {.work = w, .block = block, .error = error};
  options.callbacks.progress = report_long;
  options.callbacks.progress_user = &it;
  if (!w->c->device && !options.callbacks.device) options.callbacks.device = refuse_device;
  cla_status status = report(w, 0, error);
  if (status == CLA_OK) status = align_block(block, w->c->device, w->c, &options, error);
  if (status == CLA_OK) letter_item_done(item, &w->all);
  return status;
}

/* Aligns a block. One that a single thread cannot align is left for later. */
static cla_status align_item(letter_item *item, letter_work *all, letter_worker on, cla_error *error) {
  block_work *w = all->user;
  cla_block *block = &w->blocks[item->number];
  if (on == LETTER_WORKER_ALL) return align_long(item, block, w, error);
  const cla_align_options options = options_of_thread(block, w);
  cla_error why = {.status = CLA_OK};
  if (align_block(block, NULL, w->c, &options, &why) == CLA_OK) letter_item_done(item, all);
  return on == LETTER_WORKER_CALLER ? report(w, 0, error) : CLA_OK;
}

cla_status blocks_align(cla_block *blocks, size_t count, const comparing *c, cla_error *error) {
  block_work w = {.blocks = blocks, .c = c, .all = {.work = align_item, .threads = c->threads}};
  cla_status status = CLA_OK;
  w.all.user = &w;
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = letter_work_add(&w.all, (int64_t)i, block_letters(&blocks[i]), error);
  if (status == CLA_OK) status = letter_work_do(&w.all, error);
  free(w.all.items);
  return status;
}
