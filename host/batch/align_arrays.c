/* cla_align_arrays: pairs as arrays, in chunks that host threads take, each with a solver of its own. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/arrays_internal.h"

static void fail_call(arrays_call *c, cla_status status, const cla_error *why) {
  int none = CLA_OK;
  if (!atomic_compare_exchange_strong(&c->status, &none, (int)status)) return;
  if (c->error && why) *c->error = *why;
}

/* Cuts the pairs into chunks. */
static cla_status cut(arrays_call *c, int threads, cla_error *error) {
  const cla_pair_arrays *p = c->pairs;
  const int64_t most = larger(smaller(p->pairs / (CHUNKS_OF_THREAD * threads), CHUNK_PAIRS), CHUNK_LEAST);
  cla_status status = CLA_OK;
  for (int64_t first = 0, past; first < p->pairs && status == CLA_OK; first = past) {
    int64_t letters = 0;
    for (past = first; past < p->pairs && past - first < most && letters < CHUNK_LETTERS; past++)
      letters += pair_letters(p, 0, past) + pair_letters(p, 1, past);
    status = allocate_grow((void **)&c->chunks, &c->chunk_capacity, c->chunk_count + 1, sizeof *c->chunks,
                           "chunks of pairs", error);
    if (status == CLA_OK) c->chunks[c->chunk_count++] = (arrays_chunk){.first = first, .past = past};
  }
  return status;
}

bool arrays_go_on(const arrays_call *c) {
  const cla_callbacks *callbacks = &c->options.callbacks;
  const int64_t done = atomic_load(&c->next);
  const cla_progress progress = {.stage = "pairs",
                                 .fraction = (double)smaller(done, c->chunk_count) / (double)c->chunk_count,
                                 .seconds_left = -1};
  return !callbacks->progress || callbacks->progress(&progress, callbacks->progress_user);
}

/* What each thread does; the first one is the caller's. */
static void work(void *user, int index) {
  arrays_call *c = user;
  arrays_worker w;
  cla_error why = {.status = CLA_OK};
  cla_status status = arrays_begin_worker(&w, c, &why);
  w.index = index;
  while (status == CLA_OK && atomic_load(&c->status) == CLA_OK) {
    const int64_t next = atomic_fetch_add(&c->next, 1);
    if (next >= c->chunk_count) break;
    status = arrays_solve_chunk(&w, &c->chunks[next], &why);
    if (status == CLA_OK && index == 0 && !arrays_go_on(c))
      status = error_set(&why, CLA_ERROR_INTERRUPTED, "interrupted");
  }
  arrays_end_worker(&w);
  if (status != CLA_OK) fail_call(c, status, &why);
}

/* Puts all runs one behind the other. */
static cla_status collect_runs(arrays_call *c, cla_error *error) {
  cla_pair_results *r = c->results;
  int64_t count = 0;
  for (int64_t pair = 0; pair < c->pairs->pairs; pair++) {
    if (r->run_offsets) r->run_offsets[pair] = count;
    count += c->run_counts[pair];
  }
  if (r->run_offsets) r->run_offsets[c->pairs->pairs] = count;
  r->runs_wanted = count;
  if (count > r->runs_capacity)
    return error_set(error, CLA_ERROR_OPTION, "the paths have %lld runs, and there is room for %lld",
                     (long long)count, (long long)r->runs_capacity);
  int64_t at = 0;
  for (int64_t i = 0; i < c->chunk_count; i++) {
    int64_t of_chunk = 0;
    for (int64_t pair = c->chunks[i].first; pair < c->chunks[i].past; pair++) of_chunk += c->run_counts[pair];
    if (of_chunk > 0) memcpy(r->runs + at, c->chunks[i].runs, (size_t)of_chunk * sizeof *r->runs);
    at += of_chunk;
  }
  return CLA_OK;
}

int cla_host_threads(void) {
  return machine_threads();
}

cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error) {
  arrays_call c = {.pairs = pairs,
                   .results = results,
                   .device = device,
                   .options = *options,
                   .paths = results->runs && !options->score_only,
                   .error = error};
  const int threads = options->budgets.threads > 0 ? options->budgets.threads : machine_threads();
  const int64_t budget = options->budgets.memory_bytes / (BUDGET_SHARE * threads);
  c.path_bytes = budget > 0 ? smaller(budget, THREAD_PATH_BYTES) : THREAD_PATH_BYTES;
  cla_status status = arrays_settle(&c, error);
  if (status == CLA_OK) status = cut(&c, threads, error);
  if (status == CLA_OK && c.paths)
    status =
        allocate_zeros((void **)&c.run_counts, pairs->pairs, sizeof *c.run_counts, "runs of pairs", error);
  if (status == CLA_OK) {
    parallel_run((int)smaller(threads, c.chunk_count > 0 ? c.chunk_count : 1), work, &c);
    status = (cla_status)atomic_load(&c.status);
  }
  results->failed = atomic_load(&c.failed);
  results->cells_computed = atomic_load(&c.cells);
  results->runs_wanted = 0;
  if (status == CLA_OK && c.paths) status = collect_runs(&c, error);
  for (int64_t i = 0; i < c.chunk_count; i++) free(c.chunks[i].runs);
  free(c.chunks);
  free(c.run_counts);
  return status;
}

cla_status cla_pair_arrays_tell(const cla_pair_arrays *pairs, int64_t index, cla_device *device,
                                const cla_align_options *options, cla_error *error) {
  arrays_call c = {.pairs = pairs, .device = device, .options = *options, .paths = !options->score_only};
  cla_alignment *found = NULL;
  cla_status status = arrays_settle(&c, error);
  if (status == CLA_OK) status = arrays_align_alone(&found, &c, NULL, index, error);
  cla_alignment_free(found);
  return status;
}
