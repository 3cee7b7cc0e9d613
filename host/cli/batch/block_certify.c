/* Makes the certificates of a block's pairs. */

#include <stdlib.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* Number of pairs that a thread takes at a time. */
#define PAIRS_AT_ONCE 64
#define THREADS_MOST 1024

/* The certificates that are being made. */
typedef struct certifying {
  pair_block *block;
  batch_certify *how;
  cla_aligned_block aligned;
  atomic_llong next; /* the first pair that no thread has taken */
  atomic_int failed; /* status that ends the block; CLA_OK: none */
  cla_error error;   /* set by the thread that sets `failed` */
} certifying;

/* Pairs that a thread has taken. */
typedef struct taken_pairs {
  certifying *all;
  int64_t first; /* index in the block of the first pair */
} taken_pairs;

/* Keeps a pair's error, so that only this pair fails. */
static cla_status refuse(pair_block *block, int64_t pair, const cla_error *why, cla_error *error) {
  block->refused[pair] = malloc(sizeof *why);
  if (!block->refused[pair]) return pair_block_no_memory(error);
  *block->refused[pair] = *why;
  block->found.status[pair] = (uint8_t)why->status;
  return CLA_OK;
}

static cla_status certify_pair(int64_t pair, const cla_results *results, void *user, cla_error *error) {
  const taken_pairs *taken = user;
  pair_block *block = taken->all->block;
  cla_results found = *results;
  cla_error why = {.status = CLA_OK};
  cla_status status = interrupt_requested() ? CLA_ERROR_INTERRUPTED : CLA_OK;
  if (status == CLA_OK) status = batch_certify_pair(&found, taken->all->how, &why);
  pair += taken->first;
  if (status == CLA_OK && found.count > 0)
    block->certificates[pair] = (cla_certificate *)found.certificates[0];
  else
    cli_certificates_free(&found);
  if (status == CLA_OK) free((void *)found.certificates);
  if (status == CLA_ERROR_INTERRUPTED) return cli_error(error, status, "interrupted");
  return status == CLA_OK ? CLA_OK : refuse(block, pair, &why, error);
}

/* Returns the pairs from `first` to `past` as a block. The block has the arrays `of`. */
static cla_aligned_block part_of(const cla_aligned_block *all, int64_t first, int64_t past) {
  cla_aligned_block part = *all;
  part.count = past - first;
  for (int side = 0; side < 2 && first > 0; side++) {
    part.of[side] += first;
    part.start[side] += first;
    part.end[side] += first;
  }
  part.status += first;
  part.none += first;
  part.score += first;
  part.strand += first;
  part.run_offsets += first;
  return part;
}

static void *certify_some(void *user) {
  certifying *all = user;
  const int64_t count = all->aligned.count, most = all->aligned.of[0] ? PAIRS_AT_ONCE : count;
  while (atomic_load(&all->failed) == CLA_OK) {
    const int64_t first = atomic_fetch_add(&all->next, most);
    if (first >= count) break;
    const int64_t past = count - first < most ? count : first + most;
    const cla_aligned_block part = part_of(&all->aligned, first, past);
    cla_error error = {.status = CLA_OK};
    int none = CLA_OK;
    const cla_status status = cla_aligned_block_each(&part, certify_pair, &(taken_pairs){all, first}, &error);
    if (status != CLA_OK && atomic_compare_exchange_strong(&all->failed, &none, (int)status))
      all->error = error;
  }
  return NULL;
}

/* Runs certify_some on several threads. */
static void certify_on_threads(certifying *all, int threads) {
  pthread_t started[THREADS_MOST];
  int count = 0;
  if (!all->aligned.of[0] || !all->aligned.of[1]) threads = 1;
  while (count + 1 < threads && count < THREADS_MOST &&
         batch_thread_start(&started[count], certify_some, all))
    count++;
  certify_some(all);
  for (int i = 0; i < count; i++) pthread_join(started[i], NULL);
}

cla_status pair_block_certify(pair_block *block, const block_means *b, cla_error *error) {
  batch_certify *how = &b->run->certify;
  pair_block_uncertify(block);
  if (!how->how || block->count == 0) return CLA_OK;
  block->certificates = calloc((size_t)block->count, sizeof *block->certificates);
  block->refused = calloc((size_t)block->count, sizeof *block->refused);
  block->certified = block->count;
  if (!block->certificates || !block->refused) return pair_block_no_memory(error);
  certifying all = {.block = block, .how = how, .aligned = pair_block_aligned(b, block)};
  all.aligned.certificates = NULL;
  certify_on_threads(&all,
                     b->align.budgets.threads > 0 ? b->align.budgets.threads : how->alone.budgets.threads);
  const cla_status status = (cla_status)atomic_load(&all.failed);
  if (status != CLA_OK) *error = all.error;
  return status;
}
