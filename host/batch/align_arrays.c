/* cla_align_arrays: cuts the pairs into chunks, which host threads and devices align. Each host thread has
 * its own solver. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/arrays_internal.h"

/* Returns the next chunk: pairs from `first` on, at most `most` of them and none from `past` on. If the pairs
 * are long, the chunk contains full groups of lanes only. */
static arrays_chunk chunk_from(const cla_pair_arrays *p, int64_t first, int64_t past, int64_t most) {
  arrays_chunk out = {.first = first, .past = first}, full = out;
  for (; out.past < past && out.past - first < most && out.letters < CHUNK_LETTERS; out.past++) {
    if ((out.past - first) % LANES_MOST == 0) full = out;
    const int64_t rows = pair_letters(p, 0, out.past), columns = pair_letters(p, 1, out.past);
    out.letters += rows + columns;
    out.cells += (double)rows * (double)columns;
  }
  return out.past == past || (out.past - first) % LANES_MOST == 0 || full.past == first ? out : full;
}

/* A range of pairs that one thread cuts into chunks. */
typedef struct cut_part {
  int64_t first, past;
  arrays_chunk *chunks;
  int64_t count, room;
  cla_status status;
  cla_error why;
} cut_part;

typedef struct cut_all {
  const cla_pair_arrays *pairs;
  int64_t most; /* maximum number of pairs per chunk */
  cut_part *parts;
} cut_all;

static void cut_part_of(void *user, int index) {
  const cut_all *all = user;
  cut_part *part = &all->parts[index];
  for (int64_t first = part->first; first < part->past && part->status == CLA_OK;) {
    const arrays_chunk chunk = chunk_from(all->pairs, first, part->past, all->most);
    part->status = ALLOCATE_GROW(&part->chunks, &part->room, part->count + 1, "chunks of pairs", &part->why);
    if (part->status == CLA_OK) part->chunks[part->count++] = chunk;
    first = chunk.past;
  }
}

/* Appends the part's chunks to those of the call. */
static cla_status take_part(arrays_call *c, const cut_part *part, cla_error *error) {
  if (part->status != CLA_OK) *error = part->why;
  cla_status status = part->status;
  if (status == CLA_OK)
    status =
        ALLOCATE_GROW(&c->chunks, &c->chunk_capacity, c->chunk_count + part->count, "chunks of pairs", error);
  for (int64_t i = 0; i < part->count && status == CLA_OK; i++) {
    c->chunks[c->chunk_count++] = part->chunks[i];
    c->deal.cells_left += part->chunks[i].cells;
  }
  return status;
}

/* Returns the maximum number of pairs per chunk, which is small enough that each thread gets some pairs. */
static int64_t chunk_pairs(const arrays_call *c) {
  const int chunks = c->options.partner_count > 0 ? CHUNKS_BESIDE_DEVICES : CHUNKS_OF_THREAD;
  const int64_t pairs = c->pairs->pairs, each = pairs / (chunks * c->threads);
  if (c->rules.chunk_pairs > 0) return smaller(c->rules.chunk_pairs, CHUNK_PAIRS);
  if (each < CHUNK_LEAST) return larger(smaller(pairs / c->threads, CHUNK_LEAST), CHUNK_LEAST_ALONE);
  return smaller(each, CHUNK_PAIRS);
}

/* Cuts the pairs into chunks; if there are very many, on all threads. */
static cla_status cut(arrays_call *c, cla_error *error) {
  const int64_t pairs = c->pairs->pairs;
  const int parts = (int)larger(smaller(pairs / CUT_PAIRS, c->threads), 1);
  cut_all all = {.pairs = c->pairs, .most = chunk_pairs(c)};
  cla_status status = ALLOCATE_ZEROS(&all.parts, parts, "chunks of pairs", error);
  if (status != CLA_OK) return status;
  const int64_t of_part = (pairs / parts + CHUNK_PAIRS - 1) / CHUNK_PAIRS * CHUNK_PAIRS;
  for (int i = 0; i < parts; i++) {
    all.parts[i].first = smaller(i * of_part, pairs);
    all.parts[i].past = i + 1 < parts ? smaller((i + 1) * of_part, pairs) : pairs;
  }
  parallel_run(parts, cut_part_of, &all);
  for (int i = 0; i < parts; i++) {
    if (status == CLA_OK) status = take_part(c, &all.parts[i], error);
    free(all.parts[i].chunks);
  }
  free(all.parts);
  return status;
}

/* Runs a host thread of the call. Index 0 is the caller's thread. */
static void work(void *user, int index) {
  arrays_call *c = user;
  arrays_worker w;
  cla_error why = {.status = CLA_OK};
  arrays_chunk *chunk = NULL;
  cla_status status = arrays_begin_worker(&w, c, &why);
  w.index = index;
  while (status == CLA_OK && first_error_status(&c->stop) == CLA_OK &&
         (chunk = arrays_deal_chunk(c, index))) {
    const bool solved = !chunk->scored;
    const double began = machine_seconds();
    status = solved ? arrays_solve_chunk(&w, chunk, &why) : arrays_finish_chunk(&w, chunk, &why);
    arrays_deal_done(c, &(seen_work){machine_seconds() - began, chunk->cells}, solved);
    if (status == CLA_OK && index == 0) arrays_ask(c);
  }
  arrays_end_worker(&w);
  first_error_note(&c->stop, status, &why);
}

/* Aligns all chunks. Host threads also align the chunks that are left after all device threads have ended. */
static cla_status solve_all(arrays_call *c, cla_error *error) {
  cla_status status = c->chunk_count > 0 ? arrays_start_devices(c, error) : CLA_OK;
  first_error_note(&c->stop, status, error);
  do {
    parallel_run((int)larger(smaller(c->threads, c->chunk_count), 1), work, c);
    arrays_join_devices(c);
  } while (first_error_status(&c->stop) == CLA_OK && arrays_deal_any(c));
  return first_error_take(&c->stop, error);
}

/* Reports the devices that have failed. */
static void tell_lost(const arrays_call *c) {
  const cla_callbacks *callbacks = &c->options.callbacks;
  cla_error text;
  for (int i = 0; i < c->partner_count; i++) {
    const arrays_partner *partner = &c->partners[i];
    if (!atomic_load(&partner->lost) || !callbacks->note) continue;
    error_set(&text, partner->why.status, "%s is left out: %s", cla_device_describe(partner->device)->name,
              partner->why.message);
    callbacks->note(text.message, callbacks->note_user);
  }
}

/* Returns the error of the first device that has failed, or CLA_OK. */
static cla_status first_lost(const arrays_call *c, cla_error *error) {
  for (int i = 0; i < c->partner_count; i++)
    if (atomic_load(&c->partners[i].lost))
      return error_set(error, c->partners[i].why.status, "%s", c->partners[i].why.message);
  return CLA_OK;
}

/* Copies the runs of all chunks into the results, in the order of the pairs. */
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

/* Maximum number of letters of each sequence of a pair. Global pairs need narrow bands only. */
#define LETTERS_MOST 16384
/* Maximum for modes other than global if there may be a GPU. Whole matrices are computed in these modes: a
 * thread's lanes do 12 to 33 GCUPS, the chains of an H100 over 1,000 (docs/measurements/many-pairs.md). */
#define LETTERS_MOST_BESIDE_GPU 4096

int64_t cla_arrays_letters(const cla_align_options *options) {
  const bool corners = options->mode == CLA_MODE_GLOBAL && options->free_ends == 0;
  return corners || !cla_devices_may_have_gpu() ? LETTERS_MOST : LETTERS_MOST_BESIDE_GPU;
}

int cla_host_threads(void) {
  return machine_threads();
}

static void end_call(arrays_call *c) {
  for (int64_t i = 0; i < c->chunk_count; i++) {
    free(c->chunks[i].scored);
    free(c->chunks[i].runs);
  }
  free(c->chunks);
  free(c->run_counts);
  free(c->partners);
  pthread_cond_destroy(&c->deal.handle_ended);
  pthread_mutex_destroy(&c->deal.lock);
}

/* Checks the options and cuts the pairs into chunks. The caller calls end_call, also after an error. */
static cla_status begin_call(arrays_call *c, const arrays_rules *rules, cla_error *error) {
  const cla_budgets *budgets = &c->options.budgets;
  c->rules = *rules;
  c->threads = budgets->threads > 0 ? budgets->threads : machine_threads();
  const int64_t budget = budgets->memory_bytes / (BUDGET_SHARE * c->threads);
  c->path_bytes = budget > 0 ? smaller(budget, THREAD_PATH_BYTES) : THREAD_PATH_BYTES;
  pthread_mutex_init(&c->deal.lock, NULL);
  thread_condition_init(&c->deal.handle_ended);
  cla_status status = arrays_settle(c, error);
  return status == CLA_OK ? cut(c, error) : status;
}

cla_status arrays_align(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                        const cla_align_options *options, const arrays_rules *rules, cla_error *error) {
  arrays_call c = {.pairs = pairs,
                   .results = results,
                   .device = device,
                   .options = *options,
                   .paths = results->runs && !options->score_only};
  c.scores_alone =
      !c.paths && !results->start[0] && !results->start[1] && !results->end[0] && !results->end[1];
  cla_status status = begin_call(&c, rules, error);
  if (status == CLA_OK && c.paths)
    status = ALLOCATE_ZEROS(&c.run_counts, pairs->pairs, "runs of pairs", error);
  if (status == CLA_OK) status = solve_all(&c, error);
  results->failed = atomic_load(&c.failed);
  results->cells_computed = atomic_load(&c.cells);
  results->runs_wanted = 0;
  if (status == CLA_OK && c.paths) status = collect_runs(&c, error);
  if (rules->device_ends && status == CLA_OK)
    status = first_lost(&c, error);
  else
    tell_lost(&c);
  end_call(&c);
  return status;
}

cla_status cla_pair_arrays_prepare(const cla_pair_arrays *pairs, cla_device *device,
                                   const cla_align_options *options, cla_error *error) {
  arrays_call c = {.pairs = pairs, .device = device, .options = *options, .paths = !options->score_only};
  cla_status status = begin_call(&c, &(arrays_rules){0}, error);
  if (status == CLA_OK && c.chunk_count > 0) status = arrays_prepare(&c, error);
  end_call(&c);
  return status;
}

cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error) {
  return arrays_align(results, pairs, device, options, &(arrays_rules){0}, error);
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
