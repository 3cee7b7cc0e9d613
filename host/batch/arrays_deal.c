/* Deals out the chunks of cla_align_arrays: one at a time to host threads, many at a time to devices. */

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "batch/arrays_internal.h"

/* Until a device's speed is measured: seconds of work, by its guessed speed, in the chunks that it takes. */
#define FIRST_SECONDS 0.01
/* Seconds of work in a device's later chunks: enough to hide the cost of a start, few enough to interrupt. */
#define LEAST_SECONDS 0.005
#define MOST_SECONDS 0.2
/* A device takes only this fraction of its share of the remaining work at a time, because speeds are
 * guesses. */
#define PART_AT_ONCE 0.5
/* Assumed seconds to build a device's kernels, and assumed seconds per cell of a host thread. They are used
 * until the speeds are measured. */
#define BUILD_SECONDS 1.0
#define GUESSED_HOST 1e-10
/* Host memory, in bytes, for each pair and for each letter that is on a device. */
#define PAIR_BYTES 320
#define LETTER_BYTES 2
/* Maximum numbers of pairs and of letters on a device at a time. Pairs and letters each take at most 1 /
 * DEVICES_SHARE of the budget. */
#define PAIRS_AT_ONCE (INT64_C(1) << 18)
#define LETTERS_AT_ONCE (INT64_C(1) << 28)
#define DEVICES_SHARE 8

/* Returns the number of host threads that solve chunks. The other host threads leave their cores to the
 * threads of the devices. The caller holds the lock. */
static int host_threads(const arrays_call *c) {
  int busy = 0;
  for (int i = 0; i < c->partner_count; i++)
    for (int k = 0; k < c->partners[i].handle_count; k++) busy += c->partners[i].handles[k].measured;
  return (int)larger(c->threads - busy, 1);
}

static double cell_seconds(const seen_work *seen) {
  return seen->cells > 0 ? seen->seconds / seen->cells : 0;
}

/* Returns the cells per second of all devices whose speed was measured, together. The caller holds the
 * lock. */
static double measured_speed(const arrays_call *c) {
  double speed = 0;
  for (int i = 0; i < c->partner_count; i++)
    for (int k = 0; k < c->partners[i].handle_count; k++) {
      const arrays_handle *handle = &c->partners[i].handles[k];
      if (handle->measured) speed += 1 / handle->cell_seconds;
    }
  return speed;
}

/* Returns the seconds that the devices need for all the remaining cells. */
static double device_seconds(const arrays_call *c) {
  double speed = measured_speed(c);
  if (speed > 0) return c->deal.cells_left / speed;
  for (int i = 0; i < c->partner_count; i++) speed += 1 / c->partners[i].handles[0].guess;
  return BUILD_SECONDS + c->deal.cells_left / speed;
}

/* Returns true if the devices can do all the remaining work sooner than a host thread can do the chunk.
 * Returns false if paths are wanted, because host threads have to find them. The caller holds the lock. */
static bool leave_to_devices(const arrays_call *c, const arrays_chunk *chunk) {
  const double host = cell_seconds(&c->deal.solved);
  if (c->paths || c->handles_at_work == 0) return false;
  return chunk->cells * (host > 0 ? host : GUESSED_HOST) > device_seconds(c);
}

arrays_chunk *arrays_deal_chunk(arrays_call *c, int thread) {
  arrays_deal *deal = &c->deal;
  arrays_chunk *out = NULL;
  const bool waits = c->rules.devices_first && !c->devices_ended;
  pthread_mutex_lock(&deal->lock);
  if (thread >= host_threads(c)) {
    out = NULL;
  } else if (deal->back) {
    out = deal->back;
    deal->back = out->back;
  } else if (deal->next < c->chunk_count && !waits && !leave_to_devices(c, &c->chunks[deal->next])) {
    out = &c->chunks[deal->next++];
    deal->cells_left -= out->cells;
  }
  pthread_mutex_unlock(&deal->lock);
  return out;
}

void arrays_deal_done(arrays_call *c, const seen_work *work, bool solved) {
  arrays_deal *deal = &c->deal;
  seen_work *seen = solved ? &deal->solved : &deal->finished;
  pthread_mutex_lock(&deal->lock);
  seen->seconds += work->seconds;
  seen->cells += work->cells;
  pthread_mutex_unlock(&deal->lock);
}

static double cell_seconds_of(const arrays_handle *handle) {
  return handle->measured ? handle->cell_seconds : handle->guess;
}

/* Returns the seconds per cell of all devices together, including the device of `handle`. */
static double all_cell_seconds(const arrays_call *c, const arrays_handle *handle) {
  return 1 / (measured_speed(c) + (handle->measured ? 0 : 1 / handle->guess));
}

/* Returns the number of cells that a device's thread should take; 0: none. Devices take the part x of the
 * remaining cells, such that devices and host threads end together. Host threads solve the remaining cells
 * and finish the devices' chunks:
 *
 *     x device = ((1 - x) host + x finish) / threads
 *
 * Each term is in seconds for all the remaining cells. The caller holds the lock. */
static double cells_for(const arrays_call *c, const arrays_handle *handle) {
  const arrays_deal *deal = &c->deal;
  const double left = deal->cells_left, host = cell_seconds(&deal->solved), own = cell_seconds_of(handle);
  if (c->rules.devices_first) return left * PART_AT_ONCE;
  if (host == 0) return fmin(left * PART_AT_ONCE / c->partner_count, FIRST_SECONDS / own);
  const double spared = host - cell_seconds(&deal->finished), all = all_cell_seconds(c, handle);
  if (spared <= 0) return 0;
  const int threads = host_threads(c);
  const double part = fmin(1, host / (threads * all + spared));
  const double most = (handle->measured ? MOST_SECONDS : FIRST_SECONDS) / own;
  double cells = fmin(PART_AT_ONCE * part * all / own * left, most);
  cells = fmin(fmax(cells, LEAST_SECONDS / own), left);
  const bool ends_later = cells * own > left * host / threads;
  return ends_later ? 0 : cells;
}

void arrays_deal_measure(arrays_handle *handle, const seen_work *work) {
  pthread_mutex_t *lock = &handle->partner->c->deal.lock;
  if (work->cells == 0) return;
  pthread_mutex_lock(lock);
  const double seconds = cell_seconds(work);
  handle->cell_seconds = handle->measured ? (handle->cell_seconds + seconds) / 2 : seconds;
  handle->measured = true;
  pthread_mutex_unlock(lock);
}

/* Returns how many items of `bytes_each` bytes a device may have at a time within the budget, at most
 * `most`. */
static int64_t part_of_memory(const arrays_call *c, int64_t bytes_each, int64_t most) {
  const int64_t bytes = c->options.budgets.memory_bytes;
  return bytes > 0 ? larger(smaller(bytes / (DEVICES_SHARE * bytes_each), most), 1) : most;
}

int64_t arrays_deal_many(arrays_chunk **first, const arrays_handle *handle, bool take) {
  arrays_call *c = handle->partner->c;
  arrays_deal *deal = &c->deal;
  const int64_t pairs_most = part_of_memory(c, PAIR_BYTES, PAIRS_AT_ONCE);
  const int64_t letters_most = part_of_memory(c, LETTER_BYTES, LETTERS_AT_ONCE);
  int64_t count = 0, pairs = 0, letters = 0;
  double cells = 0;
  pthread_mutex_lock(&deal->lock);
  const double wanted = cells_for(c, handle);
  for (int64_t i = deal->next; i < c->chunk_count && wanted > 0; i++) {
    const arrays_chunk *chunk = &c->chunks[i];
    const int64_t of_chunk = chunk->past - chunk->first;
    const bool enough = cells >= wanted && (pairs >= handle->partner->way.enough || c->rules.devices_first);
    if (count > 0 && (enough || pairs + of_chunk > pairs_most || letters + chunk->letters > letters_most))
      break;
    count++;
    pairs += of_chunk;
    letters += chunk->letters;
    cells += chunk->cells;
  }
  *first = c->chunks + deal->next;
  if (take) {
    deal->next += count;
    deal->cells_left -= cells;
  }
  pthread_mutex_unlock(&deal->lock);
  return count;
}

void arrays_deal_back(arrays_partner *partner, arrays_chunk *first, int64_t count, const cla_error *why) {
  arrays_deal *deal = &partner->c->deal;
  if (why) arrays_lose(partner, why);
  pthread_mutex_lock(&deal->lock);
  for (int64_t i = count - 1; i >= 0; i--) {
    arrays_chunk *chunk = &first[i];
    if (why) {
      free(chunk->scored);
      chunk->scored = NULL;
    }
    chunk->by = partner;
    chunk->back = deal->back;
    deal->back = chunk;
  }
  pthread_mutex_unlock(&deal->lock);
}

bool arrays_deal_any(arrays_call *c) {
  pthread_mutex_lock(&c->deal.lock);
  const bool any = c->deal.back || c->deal.next < c->chunk_count;
  pthread_mutex_unlock(&c->deal.lock);
  return any;
}

void arrays_lose(arrays_partner *partner, const cla_error *why) {
  pthread_mutex_lock(&partner->c->deal.lock);
  if (!atomic_load(&partner->lost)) partner->why = *why;
  atomic_store(&partner->lost, true);
  pthread_mutex_unlock(&partner->c->deal.lock);
}

bool arrays_go_on(arrays_call *c) {
  const cla_callbacks *callbacks = &c->options.callbacks;
  pthread_mutex_lock(&c->deal.lock);
  const int64_t done = c->deal.next;
  pthread_mutex_unlock(&c->deal.lock);
  const cla_progress progress = {
      .stage = "pairs", .fraction = (double)done / (double)c->chunk_count, .seconds_left = -1};
  return !callbacks->progress || callbacks->progress(&progress, callbacks->progress_user);
}

void arrays_ask(arrays_call *c) {
  cla_error why;
  if (arrays_go_on(c)) return;
  first_error_note(&c->stop, error_set(&why, CLA_ERROR_INTERRUPTED, "interrupted"), &why);
}
