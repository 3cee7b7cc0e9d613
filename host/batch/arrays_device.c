/* Device threads of cla_align_arrays. Each takes many chunks at a time and has the device score their
 * pairs. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/arrays_internal.h"
#include "device/device_use.h"

/* Maximum number of letters of a sequence on a device: a host thread would take too long for the paths of
 * longer pairs. The higher limit applies if only scores are wanted and the device shares a long pair among
 * its units. */
#define LETTERS_MOST 32768
#define LETTERS_MOST_SHARED 262144
/* Minimum mean number of pairs in a row of a search. */
#define ROW_PAIRS_LEAST 4
/* A device has several threads only if there are at least this many chunks. */
#define CHUNKS_OF_SEVERAL 64
/* Guessed cells per second of a compute unit. */
#define GUESSED_SPEED 4e9
/* Time between two calls of the caller's progress function while devices are at work. */
#define NANOSECONDS_BETWEEN_QUESTIONS 100000000L

/* The state of a device's thread. */
typedef struct device_work {
  arrays_handle *handle;
  const arrays_call *c;
  pack_solver *solver;
  arrays_codes codes;
  pack_pair *pairs;
  int64_t *places; /* for each pair: twice its index in the call, plus 1 if the query is turned */
  int64_t count, pair_room, place_room;
  stream_engine *stream; /* solves rows: pairs of one query with many targets; NULL: the call has no rows */
  stream_targets targets;
  stream_row *rows;
  int32_t *found; /* scores of the rows' pairs, in the order of the pairs from the first chunk on */
  int64_t row_count, row_room, found_room;
} device_work;

static bool takes(const device_work *x, int64_t rows, int64_t columns) {
  const bool shared = !x->c->paths && x->handle->partner->way.shares;
  const int64_t most = shared ? LETTERS_MOST_SHARED : LETTERS_MOST;
  return rows <= most && columns <= most &&
         pack_takes(cla_device_describe(x->handle->device), &x->c->scheme, rows, columns);
}

/* Returns true if the device takes all pairs of the chunk, judged by their lengths. */
static bool takes_all(const device_work *x, const arrays_chunk *chunk) {
  int64_t rows = 1, columns = 1;
  for (int64_t pair = chunk->first; pair < chunk->past; pair++) {
    rows = larger(rows, pair_letters(x->c->pairs, 0, pair));
    columns = larger(columns, pair_letters(x->c->pairs, 1, pair));
  }
  return takes(x, rows, columns);
}

/* Makes room for `count` pairs. */
static cla_status grow(device_work *x, int64_t count, cla_error *error) {
  const char *what = "pairs of a device";
  cla_status status = ALLOCATE_GROW(&x->pairs, &x->pair_room, count, what, error);
  return status == CLA_OK ? ALLOCATE_GROW(&x->places, &x->place_room, count, what, error) : status;
}

static void add(device_work *x, int64_t pair, const uint8_t *query, const uint8_t *target, bool turned) {
  x->pairs[x->count] = (pack_pair){.query = query,
                                   .target = target,
                                   .query_letters = pair_letters(x->c->pairs, 0, pair),
                                   .target_letters = pair_letters(x->c->pairs, 1, pair)};
  x->places[x->count++] = 2 * pair + turned;
}

/* Adds the chunk's pairs on the wanted strands, the forward strand first. */
static void add_chunk(device_work *x, const arrays_chunk *chunk) {
  const arrays_call *c = x->c;
  const bool all_taken = takes_all(x, chunk);
  for (int64_t pair = chunk->first; pair < chunk->past; pair++) {
    const uint8_t *sides[2];
    const int64_t rows = pair_letters(c->pairs, 0, pair), columns = pair_letters(c->pairs, 1, pair);
    if (!arrays_pair_codes(sides, &x->codes, c, pair) || !(all_taken || takes(x, rows, columns))) continue;
    const cla_strand strand = strand_of(c, pair);
    if (strand != CLA_STRAND_REVERSE) add(x, pair, sides[0], sides[1], false);
    if (strand != CLA_STRAND_FORWARD) add(x, pair, arrays_turned(&x->codes, sides[0], rows), sides[1], true);
  }
}

/* Returns true if the pair is short enough for a row. Longer pairs are scored one by one. */
static bool fits_row(const device_work *x, int64_t rows, int64_t columns) {
  const int64_t ruled = x->c->rules.row_letters, able = x->handle->partner->row_letters,
                most = ruled > 0 ? smaller(ruled, able) : able;
  return rows > 0 && columns > 0 && rows <= most && columns <= most;
}

/* Returns true if the pair can be appended to the last row. */
static bool continues(const device_work *x, const uint8_t *query, int64_t target, const int32_t *score) {
  if (x->row_count == 0) return false;
  const stream_row *row = &x->rows[x->row_count - 1];
  return row->past == target && row->query == query && row->score + (row->past - row->first) == score;
}

/* Makes rows of the chunks' pairs. Pairs that are too long for a row stay single pairs. */
static cla_status make_rows(device_work *x, const arrays_chunk *all, cla_error *error) {
  const cla_pair_arrays *p = x->c->pairs;
  const arrays_chunk none = {.first = all->first, .past = all->first};
  cla_status status = arrays_codes_room(&x->codes, x->c, &none, error);
  x->row_count = x->count = 0;
  for (int64_t pair = all->first; pair < all->past && status == CLA_OK; pair++) {
    const int64_t rows = pair_letters(p, 0, pair), columns = pair_letters(p, 1, pair),
                  target = p->of[1][pair];
    const uint8_t *query = p->letters[0] + p->offsets[0][p->of[0][pair]];
    int32_t *score = x->found + (pair - all->first);
    if (!fits_row(x, rows, columns)) {
      const arrays_chunk alone = {.first = pair, .past = pair + 1};
      status = grow(x, x->count + 1, error);
      if (status == CLA_OK) add_chunk(x, &alone);
    } else if (continues(x, query, target, score)) {
      x->rows[x->row_count - 1].past++;
    } else {
      status = ALLOCATE_GROW(&x->rows, &x->row_room, x->row_count + 1, "rows of a device", error);
      if (status == CLA_OK) x->rows[x->row_count++] = (stream_row){query, rows, target, target + 1, score};
    }
  }
  return status;
}

/* Makes rows or single pairs of the chunks' pairs. */
static cla_status make_pairs(device_work *x, const arrays_chunk *first, int64_t count, cla_error *error) {
  const arrays_chunk all = {.first = first[0].first, .past = first[count - 1].past};
  const int64_t pairs = all.past - all.first;
  cla_status status = CLA_OK;
  if (x->stream) {
    status = ALLOCATE_GROW(&x->found, &x->found_room, pairs, "scores of a device", error);
    if (status == CLA_OK) status = make_rows(x, &all, error);
    if (status != CLA_OK || x->row_count * ROW_PAIRS_LEAST <= pairs) return status;
  }
  x->row_count = x->count = 0;
  status = arrays_codes_room(&x->codes, x->c, &all, error);
  if (status == CLA_OK) status = grow(x, 2 * pairs, error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) add_chunk(x, &first[i]);
  return status;
}

static cla_status make_scored(arrays_chunk *chunk, cla_error *error) {
  const int64_t count = chunk->past - chunk->first;
  cla_status status = ALLOCATE_ARRAY(&chunk->scored, count, "scores of a device", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) chunk->scored[i].end_row = -1;
  return status;
}

/* Copies the rows' scores into the chunks. */
static void take_rows(const device_work *x, arrays_chunk *chunk) {
  const int64_t first = chunk->first;
  for (int64_t i = 0; i < x->row_count; i++) {
    const stream_row *row = &x->rows[i];
    int64_t pair = first + (row->score - x->found);
    for (const int32_t *score = row->score; score < row->score + (row->past - row->first); score++) {
      while (pair >= chunk->past) chunk++;
      chunk->scored[pair++ - chunk->first] = (scored_pair){.score = *score, .strand = CLA_STRAND_FORWARD};
    }
  }
}

/* Copies each pair's score into the chunks: the score on the better strand, or on the forward strand if both
 * are equal. */
static cla_status take_scores(const device_work *x, arrays_chunk *first, int64_t count, cla_error *error) {
  cla_status status = CLA_OK;
  arrays_chunk *chunk = first;
  for (int64_t i = 0; i < count && status == CLA_OK; i++) status = make_scored(&first[i], error);
  if (status == CLA_OK) take_rows(x, first);
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

/* Called between a device's launches. Returns false if the call has ended or the device has failed. */
static bool goes_on(void *user) {
  const arrays_partner *partner = user;
  return first_error_status(&partner->c->stop) == CLA_OK && !atomic_load(&partner->lost);
}

/* Returns true if chunks are left. Called while the device is taken by others or its kernel is being
 * built. */
static bool work_is_left(void *user) {
  arrays_partner *partner = user;
  return goes_on(partner) && arrays_deal_any(partner->c);
}

static cla_status may_compile(void *user, cla_error *error) {
  return work_is_left(user) ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "no pairs are left");
}

/* Has the device score the rows. If the device's memory is too small for all targets, turns the rows into
 * single pairs. */
static cla_status search(device_work *x, const arrays_chunk *first, int64_t count, cla_error *error) {
  const stream_rows rows = {&x->targets, x->rows, x->row_count};
  cla_status status = x->row_count > 0 ? stream_search(x->stream, &rows, error) : CLA_OK;
  if (status != CLA_ERROR_MEMORY) return status;
  stream_free(x->stream);
  x->stream = NULL;
  return make_pairs(x, first, count, error);
}

/* Has the device score the pairs of the chunks. */
static cla_status score(device_work *x, arrays_chunk *first, int64_t count, cla_error *error) {
  arrays_handle *handle = x->handle;
  const pack_question question = {.go_on = goes_on, .user = handle->partner};
  const double began = machine_seconds();
  double cells = 0;
  for (int64_t i = 0; i < count; i++) cells += first[i].cells;
  cla_status status = make_pairs(x, first, count, error);
  if (status == CLA_OK) status = search(x, first, count, error);
  if (status == CLA_OK) status = pack_solve(x->solver, x->pairs, x->count, &question, error);
  if (status == CLA_OK) status = take_scores(x, first, count, error);
  if (status == CLA_OK) arrays_deal_measure(handle, &(seen_work){machine_seconds() - began, cells});
  return status;
}

/* Takes and scores chunks until none are left for the device. */
static cla_status take_chunks(device_work *x, cla_error *error) {
  arrays_chunk *first = NULL;
  cla_status status = CLA_OK;
  while (status == CLA_OK && goes_on(x->handle->partner)) {
    const int64_t count = arrays_deal_many(&first, x->handle, true);
    if (count == 0) break;
    status = score(x, first, count, error);
    arrays_deal_back(x->handle->partner, first, count, status == CLA_OK ? NULL : error);
  }
  return status;
}

/* Builds and tests the kernel that these chunks need. */
static cla_status prepare(device_work *x, const arrays_chunk *first, int64_t count, cla_error *error) {
  if (count == 0) return CLA_OK;
  cla_status status = make_pairs(x, first, count, error);
  if (status != CLA_OK || x->row_count == 0)
    return status == CLA_OK ? pack_prepare(x->solver, x->pairs, x->count, error) : status;
  stream_loan **loan = &x->handle->partner->targets;
  if (*loan) stream_borrow(x->stream, *loan);
  status = stream_prepare(x->stream, &(stream_rows){&x->targets, x->rows, x->row_count}, error);
  return status == CLA_OK && !*loan ? stream_lend(loan, x->stream, error) : status;
}

/* Returns the bytes of the device's memory that one of its threads may use; 0: no limit. */
static int64_t bytes_most(const arrays_partner *partner) {
  const cla_budgets *budgets = &partner->c->options.budgets;
  const bool cpu = cla_device_describe(partner->device)->kind == CLA_DEVICE_CPU;
  int64_t most = budgets->device_memory_bytes;
  const int64_t host = budgets->memory_bytes / BUDGET_SHARE;
  if (cpu && host > 0) most = most > 0 ? smaller(most, host) : host;
  return most > 0 ? larger(most / partner->handle_count, 1) : 0;
}

/* Prepares a search if the pairs are few queries with many targets each. */
static cla_status begin_search(device_work *x, cla_error *error) {
  const arrays_call *c = x->c;
  const cla_pair_arrays *p = c->pairs;
  const bool searches = x->handle->partner->row_letters > 0 && c->scores_alone && p->coded && p->of[0] &&
                        p->of[1] && !c->unknown && !p->strand && c->options.strand == CLA_STRAND_FORWARD &&
                        p->pairs >= p->sequences[1];
  if (!searches) return CLA_OK;
  x->targets = (stream_targets){.codes = p->letters[1], .offsets = p->offsets[1], .count = p->sequences[1]};
  return stream_create(&x->stream, x->handle->device, &c->scheme, error);
}

static cla_status begin(device_work *x, arrays_handle *handle, cla_error *error) {
  *x = (device_work){.handle = handle, .c = handle->partner->c};
  cla_status status = begin_search(x, error);
  if (status == CLA_OK) status = pack_solver_create(&x->solver, handle->device, &x->c->scheme, error);
  if (status != CLA_OK) return status;
  const int64_t most = bytes_most(handle->partner), each = x->stream && most > 0 ? larger(most / 2, 1) : most;
  pack_solver_limit(x->solver, each);
  if (x->stream) stream_limit(x->stream, each);
  return CLA_OK;
}

static void end(device_work *x) {
  pack_solver_free(x->solver);
  stream_free(x->stream);
  free(x->codes.made);
  free(x->pairs);
  free(x->places);
  free(x->rows);
  free(x->found);
}

static void *work(void *user);

static void start(arrays_handle *handle) {
  arrays_call *c = handle->partner->c;
  pthread_mutex_lock(&c->deal.lock);
  handle->started = thread_start(&handle->thread, work, handle) == 0;
  c->handles_at_work += handle->started;
  pthread_mutex_unlock(&c->deal.lock);
}

/* Starts the device's other threads, once the device is prepared. */
static void start_others(arrays_handle *first) {
  arrays_partner *partner = first->partner;
  cla_error ignored;
  if (partner->c->chunk_count < CHUNKS_OF_SEVERAL) return;
  for (int i = 1; i < partner->handle_count && work_is_left(partner); i++) {
    arrays_handle *handle = &partner->handles[i];
    if (device_open_twin(&handle->device, partner->device, &ignored) != CLA_OK) return;
    start(handle);
  }
}

/* Runs a device's first thread, which prepares the device. Meanwhile, host threads take chunks. */
static cla_status lead(device_work *x, cla_error *error) {
  arrays_chunk *first = NULL;
  const int64_t count = arrays_deal_many(&first, x->handle, false);
  device_on_compiling(x->handle->device, may_compile, x->handle->partner);
  cla_status status = prepare(x, first, count, error);
  device_on_compiling(x->handle->device, NULL, NULL);
  if (status == CLA_OK) start_others(x->handle);
  return status == CLA_OK ? take_chunks(x, error) : status;
}

/* Runs another thread of a device that is prepared. */
static cla_status follow(device_work *x, cla_error *error) {
  arrays_chunk *first = NULL;
  const int64_t count = x->stream ? arrays_deal_many(&first, x->handle, false) : 0;
  cla_status status = prepare(x, first, count, error);
  return status == CLA_OK ? take_chunks(x, error) : status;
}

static void *work(void *user) {
  arrays_handle *handle = user;
  arrays_partner *partner = handle->partner;
  arrays_call *c = partner->c;
  device_work x = {.handle = handle};
  cla_error why = {.status = CLA_OK};
  cla_status status = device_take(handle->device, work_is_left, partner, &why);
  const bool taken = status == CLA_OK, is_first = handle == partner->handles;
  if (taken) status = begin(&x, handle, &why);
  if (status == CLA_OK) status = is_first ? lead(&x, &why) : follow(&x, &why);
  end(&x);
  if (taken) device_give_back(handle->device);
  if (!is_first) cla_device_close(handle->device);
  if (status != CLA_OK && status != CLA_ERROR_INTERRUPTED) arrays_lose(partner, &why);
  pthread_mutex_lock(&c->deal.lock);
  handle->measured = false;
  c->handles_at_work--;
  pthread_cond_signal(&c->deal.handle_ended);
  pthread_mutex_unlock(&c->deal.lock);
  return NULL;
}

static void describe(arrays_partner *out, arrays_call *c, cla_device *device) {
  const cla_device_info *info = cla_device_describe(device);
  *out = (arrays_partner){.c = c, .device = device, .way = pack_way_of(info, &c->scheme)};
  out->row_letters = stream_letters_most(info, &c->scheme);
  out->handle_count = info->kind == CLA_DEVICE_GPU ? HANDLES_OF_GPU : 1;
  for (int i = 0; i < out->handle_count; i++)
    out->handles[i] = (arrays_handle){.partner = out, .guess = 1 / (GUESSED_SPEED * info->compute_units)};
  out->handles[0].device = device;
}

cla_status arrays_start_devices(arrays_call *c, cla_error *error) {
  const int count = (int)c->options.partner_count;
  cla_status status = ALLOCATE_ZEROS(&c->partners, count, "devices for pairs", error);
  if (status != CLA_OK) return status;
  c->partner_count = count;
  for (int i = 0; i < count; i++) describe(&c->partners[i], c, c->options.partners[i].device);
  for (int i = 0; i < count; i++)
    if (c->partners[i].way.enough > 0) start(c->partners[i].handles);
  return CLA_OK;
}

void arrays_join_devices(arrays_call *c) {
  for (int i = 0; i < c->partner_count; i++) device_wake(c->partners[i].device);
  pthread_mutex_lock(&c->deal.lock);
  while (c->handles_at_work > 0) {
    const struct timespec until = thread_time_in(NANOSECONDS_BETWEEN_QUESTIONS);
    pthread_cond_timedwait(&c->deal.handle_ended, &c->deal.lock, &until);
    if (c->handles_at_work == 0) break;
    pthread_mutex_unlock(&c->deal.lock);
    arrays_ask(c);
    pthread_mutex_lock(&c->deal.lock);
  }
  pthread_mutex_unlock(&c->deal.lock);
  c->devices_ended = true;
  for (int i = 0; i < c->partner_count; i++)
    for (int k = 0; k < c->partners[i].handle_count; k++) {
      arrays_handle *handle = &c->partners[i].handles[k];
      if (handle->started) pthread_join(handle->thread, NULL);
      handle->started = false;
    }
  for (int i = 0; i < c->partner_count; i++) {
    stream_loan_free(c->partners[i].targets);
    c->partners[i].targets = NULL;
  }
}

static cla_status is_wanted(void *user, cla_error *error) {
  arrays_call *c = user;
  return arrays_go_on(c) ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "interrupted");
}

cla_status arrays_prepare(arrays_call *c, cla_error *error) {
  arrays_partner partner;
  device_work x;
  describe(&partner, c, c->device);
  if (partner.way.enough == 0) return CLA_OK;
  cla_status status = device_take(c->device, NULL, NULL, error);
  if (status != CLA_OK) return status;
  device_on_compiling(c->device, is_wanted, c);
  status = begin(&x, partner.handles, error);
  if (status == CLA_OK) status = prepare(&x, c->chunks, c->chunk_count, error);
  end(&x);
  stream_loan_free(partner.targets);
  device_on_compiling(c->device, NULL, NULL);
  device_give_back(c->device);
  return status;
}
