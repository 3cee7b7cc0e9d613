/* The certificates of all pieces, those of short ones beside each other (letter_work.h). */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "clalign/certain.h"
#include "clalign/compare.h"
#include "compare/letter_work.h"

/* A piece, and the place of its certificate. */
typedef struct listed_piece {
  const cla_block *block;
  size_t piece;
} listed_piece;

/* The pieces that threads certify. */
typedef struct piece_work {
  const cla_comparison *comparison;
  const cla_certify_options *options;
  listed_piece *pieces; /* owned */
  int64_t count, capacity;
  double began; /* by machine_seconds */
  letter_work all;
} piece_work;

/* A certificate that is being made. */
typedef struct piece_task {
  piece_work *work;
  const letter_item *item;
  bool reports; /* the task is on the caller's thread, which alone reports progress */
} piece_task;

static bool goes_on(const cla_progress *progress, void *user) {
  const piece_task *task = user;
  piece_work *w = task->work;
  if (!task->reports || !w->options->progress) return first_error_status(&w->all.failed) == CLA_OK;
  const double more = progress->fraction * (double)task->item->letters;
  const cla_progress all = {.stage = "certificates",
                            .fraction = letter_work_fraction(&w->all, more),
                            .seconds = machine_seconds() - w->began,
                            .seconds_left = -1};
  return w->options->progress(&all, w->options->progress_user);
}

/* Certifies a piece. One that needs more than a thread's share of the memory is left for later. */
static cla_status certify(letter_item *item, letter_work *all, letter_worker on, cla_error *error) {
  piece_work *w = all->user;
  const listed_piece *it = &w->pieces[item->number];
  const cla_block *block = it->block;
  piece_task task = {.work = w, .item = item, .reports = on != LETTER_WORKER_ONE};
  cla_certify_options options = *w->options;
  if (on != LETTER_WORKER_ALL) {
    options.threads = 1;
    options.memory_bytes /= all->threads; /* 0 stays 0 */
  }
  options.progress = goes_on;
  options.progress_user = &task;
  const cla_status status = cla_certify(&block->certificates[it->piece], block->pieces[it->piece],
                                        w->comparison->query.records[block->query],
                                        w->comparison->target.records[block->target], &options, error);
  if (status == CLA_OK) letter_item_done(item, all);
  return status == CLA_ERROR_MEMORY && on != LETTER_WORKER_ALL ? CLA_OK : status;
}

static cla_status list_pieces(piece_work *w, cla_block *block, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(&block->certificates, (int64_t)block->piece_count + 1,
                                     "the certificates of a block", error);
  if (status == CLA_OK)
    status =
        ALLOCATE_GROW(&w->pieces, &w->capacity, w->count + (int64_t)block->piece_count, "the pieces", error);
  for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++) {
    const cla_alignment *piece = block->pieces[p];
    const int64_t letters =
        larger(piece->query.stop - piece->query.start, piece->target.stop - piece->target.start);
    w->pieces[w->count] = (listed_piece){.block = block, .piece = p};
    status = letter_work_add(&w->all, w->count++, letters, error);
  }
  return status;
}

cla_status cla_comparison_certify(cla_comparison *comparison, bool copies, const cla_certify_options *options,
                                  cla_error *error) {
  piece_work w = {
      .comparison = comparison,
      .options = options,
      .began = machine_seconds(),
      .all = {.work = certify, .threads = options->threads > 0 ? options->threads : machine_threads()}};
  cla_status status = CLA_OK;
  w.all.user = &w;
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++) {
    cla_block *block = &comparison->blocks[b];
    if ((block->role == CLA_BLOCK_PRIMARY || copies) && !block->certificates)
      status = list_pieces(&w, block, error);
  }
  if (status == CLA_OK) status = letter_work_do(&w.all, error);
  free(w.pieces);
  free(w.all.items);
  return status;
}
