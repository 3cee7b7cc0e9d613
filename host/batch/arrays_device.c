/* A device's thread of cla_align_arrays: it takes many chunks at once and has the device score their pairs.
 */

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/arrays_internal.h"
#include "device/device_use.h"

/* Longer pairs are not a device's: their paths take a host thread too long. Scores alone are, where a device
 * shares long pairs out. */
#define LETTERS_MOST 32768
#define LETTERS_MOST_SHARED 262144
/* Cells that a compute unit is guessed to do in a second. */
#define GUESSED_SPEED 4e9
/* How often the call's own thread asks its caller whether to go on, while devices are at work. */
#define NANOSECONDS_BETWEEN_QUESTIONS 100000000L

/* What the thread has. */
typedef struct device_work {
  arrays_device *device;
  pack_solver *solver;
  arrays_codes codes;
  pack_pair *pairs;
  int64_t *places; /* of each pair: twice the call's index, and 1 if it is turned */
  int64_t count, pair_room, place_room;
} device_work;

static bool takes(const device_work *x, int64_t rows, int64_t columns) {
  const arrays_call *c = x->device->c;
  const int64_t most = !c->paths && x->device->way.shares ? LETTERS_MOST_SHARED : LETTERS_MOST;
  return rows <= most && columns <= most &&
         pack_takes(cla_device_describe(x->device->device), &c->scheme, rows, columns);
}

/* Whether the device takes all pairs of the chunk, by their lengths. */
static bool takes_all(const device_work *x, const arrays_chunk *chunk) {
  const cla_pair_arrays *p = x->device->c->pairs;
  int64_t rows = 1, columns = 1;
  for (int64_t pair = chunk->first; pair < chunk->past; pair++) {
    rows = larger(rows, pair_letters(p, 0, pair));
    columns = larger(columns, pair_letters(p, 1, pair));
  }
  return takes(x, rows, columns);
}

/* Room for so many pairs. */
static cla_status grow(device_work *x, int64_t count, cla_error *error) {
  const char *what = "pairs of a device";
  cla_status status = allocate_grow((void **)&x->pairs, &x->pair_room, count, sizeof *x->pairs, what, error);
  return status == CLA_OK
             ? allocate_grow((void **)&x->places, &x->place_room, count, sizeof *x->places, what, error)
             : status;
}

static void add(device_work *x, int64_t pair, const uint8_t *query, const uint8_t *target, bool turned) {
  const cla_pair_arrays *p = x->device->c->pairs;
  x->pairs[x->count] = (pack_pair){.query = query,
                                   .target = target,
                                   .query_letters = pair_letters(p, 0, pair),
                                   .target_letters = pair_letters(p, 1, pair)};
  x->places[x->count++] = 2 * pair + turned;
}

/* The pairs of these chunks, on the strands that are wanted: of a pair the forward one first. */
static cla_status make_pairs(device_work *x, const arrays_chunk *first, int64_t count, cla_error *error) {
  const arrays_call *c = x->device->c;
  const cla_strand strand = c->options.strand;
  const arrays_chunk all = {.first = first[0].first, .past = first[count - 1].past};
  cla_status status = arrays_codes_room(&x->codes, c, &all, error);
  if (status == CLA_OK) status = grow(x, 2 * (all.past - all.first), error);
  x->count = 0;
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    const bool all_taken = takes_all(x, &first[i]);
    for (int64_t pair = first[i].first; pair < first[i].past; pair++) {
      const uint8_t *sides[2];
      const int64_t rows = pair_letters(c->pairs, 0, pair), columns = pair_letters(c->pairs, 1, pair);
      if (!arrays_pair_codes(sides, &x->codes, c, pair)) continue;
      if (!all_taken && !takes(x, rows, columns)) continue;
      if (strand != CLA_STRAND_REVERSE) add(x, pair, sides[0], sides[1], false);
      if (strand != CLA_STRAND_FORWARD)
        add(x, pair, arrays_turned(&x->codes, sides[0], rows), sides[1], true);
    }
  }
  return status;
}

static cla_status make_scored(arrays_chunk *chunk, cla_error *error) {
  const int64_t count = chunk->past - chunk->first;
  cla_status status =
      allocate_array((void **)&chunk->scored, count, sizeof *chunk->scored, "scores of a device", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) chunk->scored[i].end_row = -1;
  return status;
}

/* Gives the chunks what was found: the better strand's, of equal ones the forward strand's. */
static cla_status take_scores(const device_work *x, arrays_chunk *first, int64_t count, cla_error *error) {
  cla_status status = CLA_OK;
  arrays_chunk *chunk = first;
  for (int64_t i = 0; i < count && status == CLA_OK; i++) status = make_scored(&first[i], error);
  for (int64_t i = 0; i < x->count && status == CLA_OK; i++) {
    const int64_t pair = x->places[i] / 2;
    const pack_pair *found = &x->pairs[i];
    while (pair >= chunk->past) chunk++;
    scored_pair *scored = &chunk->scored[pair - chunk->first];
    if (scored->end_row >= 0 && scored->score >= found->score) continue;
    *scored = (scored_pair){.score = found->score,
                            .end_row = (int32_t)found->end_query,
                            .end_column = (int32_t)found->end_target,
                            .strand = x->places[i] % 2 ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD};
  }
  return status;
}

static bool call_goes_on(void *user) {
  const arrays_device *device = user;
  return atomic_load(&device->c->status) == CLA_OK;
}

/* Whether there is something left for the device, which waits or has no kernel yet. */
static bool work_is_left(void *user) {
  arrays_device *device = user;
  return call_goes_on(device) && arrays_deal_any(device->c);
}

static cla_status may_compile(void *user, cla_error *error) {
  return work_is_left(user) ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "no pairs are left");
}

/* Has the device solve the chunks, which it has taken. */
static cla_status solve(device_work *x, arrays_chunk *first, int64_t count, cla_error *error) {
  arrays_device *device = x->device;
  const pack_question question = {.go_on = call_goes_on, .user = device};
  const double began = machine_seconds();
  double cells = 0;
  for (int64_t i = 0; i < count; i++) cells += first[i].cells;
  cla_status status = make_pairs(x, first, count, error);
  if (status == CLA_OK) status = pack_solve(x->solver, x->pairs, x->count, &question, error);
  if (status == CLA_OK) status = take_scores(x, first, count, error);
  const double seconds = (machine_seconds() - began) / cells;
  if (status != CLA_OK || cells == 0) return status;
  device->cell_seconds = device->measured ? (device->cell_seconds + seconds) / 2 : seconds;
  device->measured = true;
  return status;
}

/* Builds and tests the kernel that such chunks want. */
static cla_status prepare(device_work *x, const arrays_chunk *first, int64_t count, cla_error *error) {
  if (count == 0) return CLA_OK;
  cla_status status = make_pairs(x, first, count, error);
  return status == CLA_OK ? pack_prepare(x->solver, x->pairs, x->count, error) : status;
}

/* Takes chunks until none are left for it. While it prepares, host threads go on. */
static cla_status take_chunks(device_work *x, cla_error *error) {
  arrays_device *device = x->device;
  arrays_chunk *first = NULL;
  const int64_t next = arrays_deal_many(&first, x->device, false);
  cla_status status = prepare(x, first, next, error);
  while (status == CLA_OK && call_goes_on(device)) {
    const int64_t count = arrays_deal_many(&first, device, true);
    if (count == 0) break;
    status = solve(x, first, count, error);
    arrays_deal_back(device, first, count, status == CLA_OK ? NULL : error);
  }
  return status;
}

static int64_t bytes_most(const arrays_device *device) {
  const cla_budgets *budgets = &device->c->options.budgets;
  const bool cpu = cla_device_describe(device->device)->kind == CLA_DEVICE_CPU;
  const int64_t own = budgets->device_memory_bytes;
  if (!cpu || budgets->memory_bytes == 0) return own;
  return own > 0 ? smaller(own, budgets->memory_bytes / BUDGET_SHARE) : budgets->memory_bytes / BUDGET_SHARE;
}

static void clear(device_work *x) {
  pack_solver_free(x->solver);
  free(x->codes.made);
  free(x->pairs);
  free(x->places);
}

static void *work(void *user) {
  arrays_device *device = user;
  arrays_call *c = device->c;
  device_work x = {.device = device};
  cla_error why = {.status = CLA_OK};
  cla_status status = device_take(device->device, work_is_left, device, &why);
  const bool taken = status == CLA_OK;
  if (taken) device_on_compiling(device->device, may_compile, device);
  if (status == CLA_OK) status = pack_solver_create(&x.solver, device->device, &c->scheme, &why);
  if (status == CLA_OK) {
    pack_solver_limit(x.solver, bytes_most(device));
    status = take_chunks(&x, &why);
  }
  clear(&x);
  if (taken) {
    device_on_compiling(device->device, NULL, NULL);
    device_give_back(device->device);
  }
  if (status != CLA_OK && status != CLA_ERROR_INTERRUPTED) arrays_lose(device, &why);
  pthread_mutex_lock(&c->deal.lock);
  c->devices_at_work--;
  pthread_cond_signal(&c->deal.device_ended);
  pthread_mutex_unlock(&c->deal.lock);
  return NULL;
}

static arrays_device describe(arrays_call *c, cla_device *device) {
  const cla_device_info *info = cla_device_describe(device);
  return (arrays_device){.c = c,
                         .device = device,
                         .way = pack_way_of(info, &c->scheme),
                         .cell_seconds = 1 / (GUESSED_SPEED * info->compute_units)};
}

cla_status arrays_start_devices(arrays_call *c, cla_error *error) {
  const cla_align_options *options = &c->options;
  const int count = (int)options->partner_count;
  cla_status status =
      allocate_zeros((void **)&c->devices, count, sizeof *c->devices, "devices for pairs", error);
  for (int i = 0; i < count && status == CLA_OK; i++) {
    const arrays_device device = describe(c, options->partners[i].device);
    if (device.way.enough > 0) c->devices[c->device_count++] = device;
  }
  c->devices_at_work = c->device_count;
  for (int i = 0; i < c->device_count && status == CLA_OK; i++) {
    arrays_device *device = &c->devices[i];
    device->started = thread_start(&device->thread, work, device) == 0;
    if (device->started) continue;
    pthread_mutex_lock(&c->deal.lock);
    c->devices_at_work--;
    pthread_mutex_unlock(&c->deal.lock);
  }
  return status;
}

void arrays_join_devices(arrays_call *c) {
  pthread_mutex_lock(&c->deal.lock);
  while (c->devices_at_work > 0) {
    const struct timespec until = thread_time_in(NANOSECONDS_BETWEEN_QUESTIONS);
    pthread_cond_timedwait(&c->deal.device_ended, &c->deal.lock, &until);
    if (c->devices_at_work == 0) break;
    pthread_mutex_unlock(&c->deal.lock);
    arrays_ask(c);
    pthread_mutex_lock(&c->deal.lock);
  }
  pthread_mutex_unlock(&c->deal.lock);
  c->devices_ended = true;
  for (int i = 0; i < c->device_count; i++) {
    if (c->devices[i].started) pthread_join(c->devices[i].thread, NULL);
    c->devices[i].started = false;
  }
}

static cla_status is_wanted(void *user, cla_error *error) {
  arrays_call *c = user;
  return arrays_go_on(c) ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "interrupted");
}

cla_status arrays_prepare(arrays_call *c, cla_error *error) {
  arrays_device device = describe(c, c->device);
  device_work x = {.device = &device};
  if (device.way.enough == 0) return CLA_OK;
  cla_status status = device_take(c->device, NULL, NULL, error);
  if (status != CLA_OK) return status;
  device_on_compiling(c->device, is_wanted, c);
  status = pack_solver_create(&x.solver, c->device, &c->scheme, error);
  if (status == CLA_OK) status = prepare(&x, c->chunks, c->chunk_count, error);
  clear(&x);
  device_on_compiling(c->device, NULL, NULL);
  device_give_back(c->device);
  return status;
}
