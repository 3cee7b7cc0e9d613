/* Who takes what next. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "batch/batch_state.h"

/* Most of what another rank gets at once. */
#define LOT_LETTERS (INT64_C(32) << 20)
#define LOT_PAIRS 65536
/* Pairs for one thread's lanes at once, and their letters. */
#define LANES_PAIRS 512
#define LANES_LETTERS (INT64_C(1) << 20)
/* A pack takes about so many seconds, so that the cost of a start does not matter. */
#define PACK_SECONDS 0.15
/* Assumed cells a second of a compute unit, until a pack is done. */
#define RATE_OF_UNIT 1e10
/* Waiting pairs are split into so many packs for each device, so that all devices end together. */
#define PACKS_EACH 4
/* A pack must have at least this part of the pairs that fill the device. */
#define PACK_PART 0.25
/* After so many pairs in a row that lacked memory in packs, all packs are taken to lack memory. */
#define LEFT_MOST 3
/* Letters of the shorter side that keep one compute unit busy, about. */
#define LETTERS_OF_UNIT_CPU 8192
#define LETTERS_OF_UNIT_GPU 2048

static bool has_share(const device_state *device, int level) {
  return device->taken + 1.0 / (double)(1 << level) <= 1 + 1e-9;
}

/* What part of the device a pair of so many cells keeps busy. */
static int level_of(const device_state *device, double cells) {
  const double letters = device->info.kind == CLA_DEVICE_CPU ? LETTERS_OF_UNIT_CPU : LETTERS_OF_UNIT_GPU;
  const double units = fmax(sqrt(cells) / letters, 1);
  int level = 0;
  while (level + 1 < device->levels && units * (double)(2 << level) <= device->info.compute_units) level++;
  return level;
}

/* The first pair of a class, if the device may take it. */
static const batch_job *first_of(const job_list *list, const device_state *device, bool packed) {
  const batch_job *job = list->first;
  return job && (!packed || job->packs_on >> device->number & 1) ? job : NULL;
}

/* The class of the largest pairs or, where results wait for it, of the oldest pair; -1: none. */
static int next_class(const batch_state *state, const device_state *device, bool packed) {
  const job_list *lists = packed ? state->packs : state->pending;
  int best = -1;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const batch_job *job = first_of(&lists[size], device, packed);
    if (!job) continue;
    if (best < 0 || !state->full || job->index < lists[best].first->index) best = size;
  }
  return best;
}

static bool take_single(batch_task *out, batch_state *state, int size, int level) {
  *out = (batch_task){.method = METHOD_SINGLE, .level = level};
  job_list_add(&out->jobs, job_list_take(&state->pending[size]));
  state->pending_count--;
  return true;
}

/* Moves the first pair of a class of packs to the pairs that are aligned by themselves. */
static void unpack(batch_state *state, int size) {
  job_list_return(&state->pending[size], job_list_take(&state->packs[size]));
  state->packs_count--;
  state->pending_count++;
}

bool batch_pick_small(batch_task *out, batch_state *state, device_state *device) {
  int size = 0;
  while (size < SIZE_CLASSES && !state->pending[size].first && !state->packs[size].first) size++;
  if (size == SIZE_CLASSES) return false;
  device->tried++;
  if (!state->pending[size].first) unpack(state, size);
  return take_single(out, state, size, 0);
}

bool batch_take_from_packs(device_state *device) {
  if (device->packs_left >= LEFT_MOST) return false;
  device->packs_left++;
  device->pack_pairs_most = 0;
  return true;
}

/* The smallest class that may share a pack with class `size`: the next smaller one if pairs wait for the
 * largest of their vector, else any. */
static int smallest_with(const device_state *device, int size) {
  return device->way.alike ? (int)larger(size - 1, 0) : 0;
}

/* How many pairs may share a pack with those of the class. */
static int64_t pairs_with(const batch_state *state, const device_state *device, int size) {
  int64_t pairs = 0;
  for (int at = size; at >= smallest_with(device, size); at--) pairs += state->packs[at].count;
  return pairs;
}

/* How many pairs a pack has, if they fill the device; what is more waits for the next one. */
static int64_t pairs_of_pack(const batch_state *state, const device_state *device, int64_t there) {
  const int64_t enough = larger(device->way.enough, 1);
  int64_t pairs = there;
  if (state->device_count > 1 && device->way.alike)
    pairs = larger(there / (PACKS_EACH * state->device_count) / enough, 1) * enough;
  return device->pack_pairs_most > 0 ? smaller(pairs, device->pack_pairs_most) : pairs;
}

/* Takes pairs for about PACK_SECONDS, but at least as many as fill the device. Lanes that would run empty are
 * filled. */
static void fill_pack(batch_task *out, batch_state *state, const device_state *device, int size,
                      int64_t pairs) {
  const int64_t enough = larger(device->way.enough, 1);
  const double guess = RATE_OF_UNIT * device->info.compute_units;
  const double cells = (device->pack_rate > 0 ? device->pack_rate : guess) * PACK_SECONDS;
  bool filled = false;
  for (int at = size; at >= smallest_with(device, size) && !filled; at--) {
    job_list *list = &state->packs[at], left = {0};
    for (batch_job *job; !filled && (job = job_list_take(list));) {
      const bool takes = job->packs_on >> device->number & 1;
      job_list_add(takes ? &out->jobs : &left, job);
      const int64_t count = out->jobs.count;
      const bool whole = count >= enough && (!device->way.alike || count % enough == 0);
      filled = count >= pairs || (whole && out->jobs.cells >= cells);
    }
    for (batch_job *job; (job = job_list_take(&left));) job_list_return(list, job);
  }
  state->packs_count -= out->jobs.count;
}

/* Takes a pack, or one pair by itself if the pack would have too few pairs. */
static bool pick_pack(batch_task *out, batch_state *state, device_state *device, int size) {
  const int level = device->info.kind == CLA_DEVICE_CPU || device->levels < 2 ? 0 : 1;
  const int64_t there = pairs_with(state, device, size), pairs = pairs_of_pack(state, device, there);
  const double part = device->way.shares ? 0 : PACK_PART;
  if (state->reading && there < device->way.enough) return false; /* more may come */
  if ((double)pairs < part * (double)device->way.enough) {
    const int single = level_of(device, state->packs[size].first->cells);
    if (!has_share(device, single)) return false;
    unpack(state, size);
    if (device->pack_pairs_most > 0) batch_take_from_packs(device);
    return take_single(out, state, size, single);
  }
  if (!has_share(device, level)) return false;
  *out = (batch_task){.method = METHOD_PACKED, .level = level};
  fill_pack(out, state, device, size, pairs);
  return true;
}

bool batch_pick(batch_task *out, batch_state *state, device_state *device) {
  const int single = state->pending_count > 0 ? next_class(state, device, false) : -1;
  const int packs = device->packs && state->packs_count > 0 ? next_class(state, device, true) : -1;
  const bool older = single >= 0 && packs >= 0 && state->full &&
                     state->packs[packs].first->index < state->pending[single].first->index;
  if (packs >= 0 && (single < 0 || older)) return pick_pack(out, state, device, packs);
  if (single < 0) return false;
  const int level = level_of(device, state->pending[single].first->cells);
  return has_share(device, level) && take_single(out, state, single, level);
}

bool batch_pick_lanes(batch_task *out, batch_state *state, const cla_align_options *align) {
  const batch_job *first = state->lanes.first;
  int64_t letters = 0;
  /* All threads get some. */
  const int64_t share = state->lanes.count / larger(state->threads, 1);
  const int64_t most = smaller(larger(share, LANES_PAIRS_LEAST), LANES_PAIRS);
  *out = (batch_task){.method = METHOD_LANES};
  if (state->reading && state->lanes.count < LANES_PAIRS_LEAST) return false; /* more may come */
  for (const batch_job *job = first; job && out->jobs.count < most && letters < LANES_LETTERS;
       job = state->lanes.first) {
    if (job->only_score != first->only_score ||
        batch_job_strand(job, align) != batch_job_strand(first, align))
      break;
    letters += batch_job_letters(job);
    job_list_add(&out->jobs, job_list_take(&state->lanes));
  }
  return first != NULL;
}

/* The list to take from: of the largest pairs or, where results wait for it, of the oldest pair. */
static job_list *list_for_ranks(batch_state *state, int64_t *unused, int64_t **count) {
  job_list *best = NULL;
  for (int size = SIZE_CLASSES; size >= 0; size--) {
    job_list *const lists[] = {size == SIZE_CLASSES ? &state->lanes : &state->pending[size],
                               size == SIZE_CLASSES ? &state->lanes : &state->packs[size]};
    for (int i = 0; i < 2; i++) {
      const batch_job *job = lists[i]->first;
      if (!job || job->no_rank) continue;
      if (best && best != &state->lanes && !(state->full && job->index < best->first->index)) continue;
      best = lists[i];
      *count = best == &state->lanes ? unused : i == 1 ? &state->packs_count : &state->pending_count;
    }
  }
  return best;
}

static double waiting_cells(const batch_state *state) {
  double cells = state->lanes.cells;
  for (int size = 0; size < SIZE_CLASSES; size++)
    cells += state->pending[size].cells + state->packs[size].cells;
  return cells;
}

/* Pairs that share a CPU's lanes: fewer take as long. Ranks are taken to be alike. */
static int64_t pairs_of_lanes(const batch_state *state) {
  int64_t pairs = 1;
  for (int i = 0; i < state->device_count; i++) {
    const device_state *device = &state->devices[i];
    if (device->info.kind == CLA_DEVICE_CPU && device->way.alike) pairs = larger(pairs, device->way.enough);
  }
  return pairs;
}

void batch_take_lot(job_list *out, batch_state *state, double wanted, int ranks) {
  const int64_t lanes = pairs_of_lanes(state);
  const double most = fmin(wanted, waiting_cells(state) / (2 * ranks));
  int64_t letters = 0, unused = 0, *count = &unused;
  for (job_list *from; (from = list_for_ranks(state, &unused, &count));) {
    const bool fits = count == &state->packs_count && out->count % lanes != 0; /* into lanes that are there */
    if (out->count > 0 && !fits &&
        (out->cells + from->first->cells > most || out->count >= LOT_PAIRS || letters > LOT_LETTERS))
      break;
    batch_job *job = job_list_take(from);
    --*count;
    if (job->gate) job->needed = *job->gate;
    letters += batch_job_letters(job);
    job_list_add(out, job);
  }
}

static void print_pairs(FILE *text, const char *way, const job_list *lists, int count) {
  int64_t pairs = 0;
  double cells = 0;
  for (int i = 0; i < count; i++) {
    pairs += lists[i].count;
    cells += lists[i].cells;
  }
  if (pairs > 0) fprintf(text, "%10lld  %10.0f  %s\n", (long long)pairs, sqrt(cells / (double)pairs), way);
}

cla_status batch_plan_text(char **out, const batch_state *state, cla_error *error) {
  size_t bytes = 0;
  char *buffer = NULL;
  *out = NULL;
  FILE *text = open_memstream(&buffer, &bytes);
  if (!text)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory: the plan of a batch; free some memory");
  for (int i = 0; i < state->device_count; i++) {
    const device_state *device = &state->devices[i];
    if (device->open)
      fprintf(text, "device %-3d %.255s, %d compute units, up to %d pairs at once\n", i, device->info.name,
              device->info.compute_units, 1 << (device->levels - 1));
    else
      fprintf(text, "device %-3d is opened for the first pair that needs one\n", i);
  }
  fprintf(text, "%10s  %10s  those that were read so far are aligned\n", "pairs", "letters");
  print_pairs(text, "in lanes of vectors, by threads of the host", &state->lanes, 1);
  print_pairs(text, "packed, many at once on a device", state->packs, SIZE_CLASSES);
  print_pairs(text, "one by one on a device, the longest first", state->pending, SIZE_CLASSES);
  if (fclose(text) == 0) {
    *out = buffer;
    return CLA_OK;
  }
  free(buffer);
  return error_set(error, CLA_ERROR_MEMORY, "out of memory: the plan of a batch; free some memory");
}
