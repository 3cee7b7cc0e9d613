/* The certificates of all pieces. Most are made simultaneously, each on one host thread. A piece with more
 * letters than one thread's share of all letters is certified after the others, on all threads. */

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "clalign/certain.h"
#include "clalign/compare.h"

#define SHORT_LETTERS 100000 /* one thread certifies a piece with at most this many letters */

/* A piece, and the place of its certificate. */
typedef struct listed_piece {
  const cla_block *block;
  size_t piece;
  int64_t letters;
  bool done;
} listed_piece;

/* The pieces that threads certify, and their progress. All threads share it. */
typedef struct piece_work {
  const cla_comparison *comparison;
  const cla_certify_options *options;
  listed_piece *pieces; /* sorted by letters, the longest first; owned */
  int64_t count, capacity;
  int threads;
  double began;       /* by machine_seconds */
  int64_t letters;    /* letters of all pieces */
  int64_t share;      /* largest number of letters of a piece that one thread certifies */
  atomic_llong done;  /* letters of the certified pieces */
  atomic_llong next;  /* index of the next piece */
  atomic_int stopped; /* CLA_OK, or the status of the error that ends the work */
  cla_error error;    /* error whose status is in `stopped`; written once */
} piece_work;

/* A certificate that is being made. */
typedef struct piece_task {
  piece_work *work;
  const listed_piece *piece;
  bool reports; /* the task is on the caller's thread, which alone reports progress */
} piece_task;

static bool goes_on(const cla_progress *progress, void *user) {
  const piece_task *task = user;
  piece_work *w = task->work;
  if (!task->reports || !w->options->progress) return atomic_load(&w->stopped) == CLA_OK;
  const double done = (double)atomic_load(&w->done) + progress->fraction * (double)task->piece->letters;
  const cla_progress all = {.stage = "certificates",
                            .fraction = done / (double)larger(w->letters, 1),
                            .seconds = machine_seconds() - w->began,
                            .seconds_left = -1};
  return w->options->progress(&all, w->options->progress_user);
}

static cla_status certify(piece_work *w, listed_piece *it, const cla_certify_options *options, bool reports,
                          cla_error *error) {
  const cla_block *block = it->block;
  piece_task task = {.work = w, .piece = it, .reports = reports};
  cla_certify_options own = *options;
  own.progress = goes_on;
  own.progress_user = &task;
  cla_status status = cla_certify(&block->certificates[it->piece], block->pieces[it->piece],
                                  w->comparison->query.records[block->query],
                                  w->comparison->target.records[block->target], &own, error);
  it->done = status == CLA_OK;
  if (it->done) atomic_fetch_add(&w->done, it->letters);
  return status;
}

static void stop(piece_work *w, cla_status status, const cla_error *error) {
  int none = CLA_OK;
  if (atomic_compare_exchange_strong(&w->stopped, &none, (int)status)) w->error = *error;
}

/* Certifies short pieces, on a thread of parallel_run. A piece that needs more than its share of the memory
 * is left for later. */
static void certify_short(void *user, int thread) {
  piece_work *w = user;
  cla_certify_options options = *w->options;
  options.threads = 1;
  options.memory_bytes = w->options->memory_bytes / w->threads; /* 0 stays 0 */
  for (int64_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count && atomic_load(&w->stopped) == CLA_OK;) {
    cla_error error = {.status = CLA_OK};
    if (w->pieces[i].letters > w->share) continue;
    const cla_status status = certify(w, &w->pieces[i], &options, thread == 0, &error);
    if (status != CLA_OK && status != CLA_ERROR_MEMORY) stop(w, status, &error);
  }
}

static cla_status certify_rest(piece_work *w, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < w->count && status == CLA_OK; i++)
    if (!w->pieces[i].done) status = certify(w, &w->pieces[i], w->options, true, error);
  return status;
}

static int by_letters(const void *a, const void *b) {
  const listed_piece *x = a, *y = b;
  if (x->letters != y->letters) return x->letters < y->letters ? 1 : -1;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  return (x->piece > y->piece) - (x->piece < y->piece);
}

static cla_status list_pieces(piece_work *w, cla_block *block, cla_error *error) {
  cla_status status = allocate_zeros((void **)&block->certificates, (int64_t)block->piece_count + 1,
                                     sizeof(struct cla_certificate *), "the certificates of a block", error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&w->pieces, &w->capacity, w->count + (int64_t)block->piece_count,
                           sizeof *w->pieces, "the order of pieces", error);
  for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++) {
    const cla_alignment *piece = block->pieces[p];
    const int64_t letters =
        larger(piece->query.stop - piece->query.start, piece->target.stop - piece->target.start);
    w->pieces[w->count++] = (listed_piece){.block = block, .piece = p, .letters = letters};
    w->letters += letters;
  }
  return status;
}

cla_status cla_comparison_certify(cla_comparison *comparison, bool copies, const cla_certify_options *options,
                                  cla_error *error) {
  piece_work w = {.comparison = comparison,
                  .options = options,
                  .threads = options->threads > 0 ? options->threads : machine_threads(),
                  .began = machine_seconds()};
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++) {
    cla_block *block = &comparison->blocks[b];
    if ((block->role == CLA_BLOCK_PRIMARY || copies) && !block->certificates)
      status = list_pieces(&w, block, error);
  }
  if (status == CLA_OK && w.count > 0) {
    qsort(w.pieces, (size_t)w.count, sizeof *w.pieces, by_letters);
    w.share = larger(SHORT_LETTERS, w.letters / w.threads);
    parallel_run((int)smaller(w.threads, w.count), certify_short, &w);
    status = (cla_status)atomic_load(&w.stopped);
    if (status == CLA_OK)
      status = certify_rest(&w, error);
    else
      *error = w.error;
  }
  free(w.pieces);
  return status;
}
