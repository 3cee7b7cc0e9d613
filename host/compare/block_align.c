/* The exact alignments of blocks. Short blocks are aligned simultaneously, each on one host thread. Long ones
 * are aligned one after another, each on all threads, and on a device if the host would be too slow. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "compare/compare_internal.h"
#include "seq/sequence.h"

#define SHORT_LETTERS 100000 /* most letters of a block that one thread aligns */

/* The work that threads share. */
typedef struct block_work {
  cla_block *blocks;
  size_t count;
  const comparing *c;
  atomic_size_t next; /* index of the next block */
  atomic_int stopped; /* CLA_OK, or the status of the error that ends the work */
  cla_error error;    /* the error for `stopped`; written once */
  uint8_t *aligned;   /* for each block: whether it has been aligned */
} block_work;

static int64_t block_letters(const cla_block *block) {
  return larger(block->query_end - block->query_begin, block->target_end - block->target_begin);
}

static cla_align_options options_of(const cla_block *block, const comparing *c) {
  cla_align_options options = c->options->align;
  options.mode = CLA_MODE_GLOBAL;
  options.strand = block->strand;
  options.several.split = true;
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

/* Refuses to open a device. The block is then aligned later, with the caller's device. */
static cla_status refuse_device(cla_device **device, const cla_tuning **tuning, void *user,
                                cla_error *error) {
  (void)device, (void)tuning, (void)user;
  return error_set(error, CLA_ERROR_DEVICE, "one thread of the host has no device");
}

/* Aligns short blocks, on a thread of parallel_run. A block that one thread cannot align is left for
 * later. */
static void align_short(void *user, int thread) {
  block_work *w = user;
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count && atomic_load(&w->stopped) == CLA_OK;) {
    cla_error error = {.status = CLA_OK};
    if (block_letters(&w->blocks[i]) > SHORT_LETTERS) continue;
    cla_align_options options = options_of(&w->blocks[i], w->c);
    options.budgets.threads = 1;
    options.budgets.memory_bytes /= w->c->threads;
    options.callbacks = (cla_callbacks){.device = refuse_device};
    options.partners = NULL;
    options.partner_count = 0;
    options.host_cells = CLA_HOST_CELLS;
    w->aligned[i] = align_block(&w->blocks[i], NULL, w->c, &options, &error) == CLA_OK;
    if (thread == 0 && comparing_report(w->c, "alignment of blocks", (double)i / (double)w->count, &w->error))
      atomic_store(&w->stopped, (int)w->error.status);
  }
}

static cla_status align_long(block_work *w, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < w->count && status == CLA_OK; i++) {
    if (w->aligned[i]) continue;
    const cla_align_options options = options_of(&w->blocks[i], w->c);
    status = comparing_report(w->c, "alignment of blocks", (double)i / (double)w->count, error);
    if (status == CLA_OK) status = align_block(&w->blocks[i], w->c->device, w->c, &options, error);
  }
  return status;
}

cla_status blocks_align(cla_block *blocks, size_t count, const comparing *c, cla_error *error) {
  block_work w = {.blocks = blocks, .count = count, .c = c};
  cla_status status =
      allocate_zeros((void **)&w.aligned, (int64_t)count, 1, "the blocks that are aligned", error);
  if (status != CLA_OK) return status;
  parallel_run((int)smaller(c->threads, (int64_t)count), align_short, &w);
  if (atomic_load(&w.stopped) != CLA_OK) {
    *error = w.error;
    status = w.error.status;
  }
  if (status == CLA_OK) status = align_long(&w, error);
  free(w.aligned);
  return status;
}
