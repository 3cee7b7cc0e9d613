/* The schedules: who aligns what next. Aji 2008, section 4.1.3, has the first three. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/extremes.h"
#include "batch/schedule_internal.h"

/* Classes whose advantage is nearly the best one's count as equal: predictions are not better than that. */
#define NEARLY 0.75
/* Of so many pairs that came one after the other a lot's are chosen, those most like the first in size. */
#define LOT_LOOKED_AT 256
/* Most of what another rank gets at once. */
#define LOT_LETTERS (INT64_C(32) << 20)
#define LOT_PAIRS 65536
/* Packs that come before long pairs: the first one makes its buffers. */
#define PACKS_TRIED 2
/* Seconds by the model of the pair that is tried before many are begun at once. */
#define TRIED_SECONDS 10e-3

/* The class of the pair that came first, or -1. */
static int oldest_class(const batch_state *state) {
  int oldest = -1;
  for (int size = 0; size < SIZE_CLASSES; size++)
    if (state->pending[size].first &&
        (oldest < 0 || state->pending[size].first->index < state->pending[oldest].first->index))
      oldest = size;
  return oldest;
}

/* First come, first served: each pair has a whole device. */
static bool pick_first(batch_task *out, batch_state *state, device_state *device) {
  const int size = oldest_class(state);
  return size >= 0 && device_has_share(device, 0) && schedule_take_one(out, state, device, size, 0);
}

static int smallest_class(const batch_state *state) {
  for (int size = 0; size < SIZE_CLASSES; size++)
    if (state->pending[size].first) return size;
  return -1;
}

/* The pair nearest in size to the first one, among those behind `after`; what points to it. */
static batch_job **most_like_first(job_list *list, batch_job *after) {
  batch_job **found = NULL;
  double least = INFINITY;
  int looked_at = 0;
  for (batch_job **at = &after->next; *at && looked_at < LOT_LOOKED_AT; at = &(*at)->next, looked_at++) {
    const double off = fabs((*at)->cells - list->first->cells);
    if (off >= least) continue;
    least = off;
    found = at;
  }
  return found;
}

/* Brings the lot's pairs to the front: the paper's are of equal size, and all wait for the largest. */
static void gather_lot(job_list *list, int64_t count) {
  batch_job *after = list->first;
  for (int64_t i = 1; i < count; i++) {
    batch_job **from = most_like_first(list, after), *job = *from;
    if (from != &after->next) {
      *from = job->next;
      if (list->last == job) {
        list->last = after;
        while (list->last->next) list->last = list->last->next;
      }
      job->next = after->next;
      after->next = job;
    }
    after = job;
  }
}

/* Lots of pairs of equal size, all begun together; the next lot begins when all are done. A lot has as many
 * pairs as there are parts, or as is most efficient for their size. Where fewer are left, each has as much
 * more of the device, and its time is predicted for so many at once. */
static bool pick_lot(batch_task *out, batch_state *state, device_state *device, bool efficient) {
  if (device->lot.left == 0 || !state->pending[device->lot.size].first) {
    device->lot.left = 0;
    if (device->running > 0) return false;
    const int size = state->full ? oldest_class(state) : smallest_class(state);
    if (size < 0) return false;
    const int wanted = efficient ? pair_times_best_level(&device->times, state->pending[size].first->cells)
                                 : device->levels - 1;
    const int64_t count = smaller(state->pending[size].count, INT64_C(1) << wanted);
    if (state->reading && count < INT64_C(1) << wanted) return false; /* more of them may come */
    device->lot.level = 0;
    while (INT64_C(1) << device->lot.level < count) device->lot.level++;
    device->lot.at_once = (int)lround(log2((double)count));
    device->lot.left = (int)count;
    device->lot.size = size;
    gather_lot(&state->pending[size], count);
  }
  device->lot.left--;
  schedule_take_one(out, state, device, device->lot.size, device->lot.level);
  out->at_once = device->lot.at_once;
  schedule_predict_single(out, device, out->jobs.first);
  return true;
}

static bool pick_static(batch_task *out, batch_state *state, device_state *device) {
  return pick_lot(out, state, device, false);
}

/* TOSS: figure 4.19. */
static bool pick_toss(batch_task *out, batch_state *state, device_state *device) {
  return pick_lot(out, state, device, true);
}

/* The list to take from: of the largest pairs, or where results wait of the oldest. */
static job_list *list_for_ranks(batch_state *state, bool *packs) {
  job_list *best = NULL;
  for (int size = SIZE_CLASSES - 1; size >= 0; size--) {
    job_list *const lists[] = {&state->pending[size], &state->packs[size]};
    for (int i = 0; i < 2; i++) {
      const batch_job *job = lists[i]->first;
      if (!job || job->no_rank) continue;
      if (best && !(state->full && job->index < best->first->index)) continue;
      best = lists[i];
      *packs = i == 1;
    }
  }
  return best;
}

static double waiting_cells(const batch_state *state) {
  double cells = 0;
  for (int size = 0; size < SIZE_CLASSES; size++)
    cells += state->pending[size].cells + state->packs[size].cells;
  return cells;
}

/* Pairs that share a CPU's lanes: fewer take as long. Ranks are taken to be alike. */
static int64_t pairs_of_lanes(const batch_state *state) {
  int64_t pairs = 1;
  for (int i = 0; i < state->device_count; i++) {
    const pair_times *times = &state->devices[i].times;
    if (times->device.kind == CLA_DEVICE_CPU && times->way.alike) pairs = larger(pairs, times->way.enough);
  }
  return pairs;
}

void schedule_take_lot(job_list *out, batch_state *state, double wanted, int ranks) {
  const int64_t lanes = pairs_of_lanes(state);
  const double most = fmin(wanted, waiting_cells(state) / (2 * ranks));
  int64_t letters = 0;
  bool packs = false;
  for (job_list *from; (from = list_for_ranks(state, &packs));) {
    const bool fits = packs && out->count % lanes != 0; /* into lanes that are there anyway */
    if (out->count > 0 && !fits &&
        (out->cells + from->first->cells > most || out->count >= LOT_PAIRS || letters > LOT_LETTERS))
      break;
    batch_job *job = job_list_take(from);
    if (packs)
      state->packs_count--;
    else
      state->pending_count--;
    if (job->gate) job->needed = *job->gate;
    letters += batch_job_letters(job);
    job_list_add(out, job);
  }
}

/* How much better than the best of the other devices this one is for the class; 1 if there is no other. */
static double advantage(batch_state *state, device_state *device, int size) {
  const batch_job *job = state->pending[size].first;
  double others = 0;
  for (int i = 0; i < state->device_count; i++) {
    device_state *other = &state->devices[i];
    if (other != device && !other->lost) others = fmax(others, schedule_throughput(other, job->cells));
  }
  return others > 0 ? schedule_throughput(device, job->cells) / others : 1;
}

/* Seconds that all devices together need for what waits. */
static double work_left(batch_state *state) {
  double seconds = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const batch_job *first = state->pending[size].first;
    double rate = 0;
    if (!first) continue;
    for (int i = 0; i < state->device_count; i++)
      if (!state->devices[i].lost) rate += schedule_throughput(&state->devices[i], first->cells);
    if (rate > 0) seconds += (double)state->pending[size].count / rate;
  }
  return seconds;
}

/* Whether a faster device would have done the pair, after all else that waits, before this one could. Both
 * alone on the whole device, so that the fastest one always takes it. */
static bool comes_too_late(batch_state *state, device_state *device, int size, double left) {
  const batch_job *job = state->pending[size].first;
  const double own = pair_times_single(&device->times, job->cells, 0);
  for (int i = 0; i < state->device_count; i++) {
    device_state *other = &state->devices[i];
    if (other == device || other->lost) continue;
    if (own > left + pair_times_single(&other->times, job->cells, 0)) return true;
  }
  return false;
}

/* At how many at once the class' pairs are begun: the best, but no more than there are pairs for the device
 * that are not much smaller. A long pair among short ones has the whole device. */
static int level_now(batch_state *state, device_state *device, int size) {
  const int best = pair_times_best_level(&device->times, state->pending[size].first->cells);
  int64_t count = 0;
  int devices = 1; /* itself */
  for (int i = 0; i < state->device_count; i++)
    devices += &state->devices[i] != device && !state->devices[i].lost;
  for (int like = size > 0 ? size - 1 : 0; like < SIZE_CLASSES; like++) count += state->pending[like].count;
  return schedule_level_for((count + devices - 1) / devices + device->running, best);
}

/* The device's class: of those for which it is best, compared with the others, the one with the longest
 * pairs, so that no long one is left at the end; the oldest pair's, where results wait for it. */
static int best_class(batch_state *state, device_state *device) {
  double ratios[SIZE_CLASSES] = {0}, best = 0;
  if (state->full) return oldest_class(state);
  const double left = state->device_count > 1 ? work_left(state) : 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    if (!state->pending[size].first) continue;
    if (state->device_count > 1 && comes_too_late(state, device, size, left)) continue;
    ratios[size] = advantage(state, device, size);
    best = fmax(best, ratios[size]);
  }
  for (int size = SIZE_CLASSES - 1; size >= 0; size--)
    if (ratios[size] > 0 && ratios[size] >= NEARLY * best) return size;
  return -1;
}

/* Whether packs come first: results wait for a pair in them, or nothing else is there. */
static bool packs_first(const batch_state *state, const device_state *device, int size) {
  const int packs = device->packs ? schedule_first_packs(state, device) : -1;
  if (packs < 0) return false;
  return size < 0 || (state->full && state->packs[packs].first->index < state->pending[size].first->index);
}

/* The size that is tried: the largest one that takes TRIED_SECONDS at the most. */
static int tried_class(const batch_state *state, device_state *device) {
  int size = SIZE_CLASSES - 1;
  for (; size >= 0; size--) {
    const batch_job *job = state->pending[size].first ? state->pending[size].first : state->packs[size].first;
    if (job && pair_times_single(&device->times, job->cells, 0) <= TRIED_SECONDS) return size;
  }
  return -1;
}

bool schedule_small(batch_task *out, batch_state *state, device_state *device) {
  int size = 0;
  while (!state->pending[size].first && !state->packs[size].first) size++;
  const int tried = device->tried > 0 ? tried_class(state, device) : -1;
  if (tried >= 0) size = tried;
  device->tried++;
  if (!state->pending[size].first) schedule_unpack(state, size);
  return schedule_take_one(out, state, device, size, 0);
}

/* A device's first packs come first of all, once reading pauses: then it is known what packs take, too, while
 * long pairs are aligned (time_left.h). */
static bool try_pack(batch_task *out, batch_state *state, device_state *device) {
  if (device->packs_tried == PACKS_TRIED || !device->packs || state->reading ||
      schedule_first_packs(state, device) < 0)
    return false;
  const bool tries = schedule_pick_pack(out, state, device, true);
  device->packs_tried += tries;
  return tries;
}

/* Ours: by predicted times. A device that is partly in use is not filled up with smaller pairs while a larger
 * one waits for its share: it will have it soon. */
static bool pick_model(batch_task *out, batch_state *state, device_state *device) {
  if (try_pack(out, state, device)) return true;
  const int size = state->pending_count > 0 ? best_class(state, device) : -1;
  if (packs_first(state, device, size)) return schedule_pick_pack(out, state, device, false);
  if (size < 0) return false;
  const int level = level_now(state, device, size);
  return device_has_share(device, level) && schedule_take_one(out, state, device, size, level);
}

schedule_pick schedule_of(cla_schedule schedule) {
  static const schedule_pick picks[] = {[CLA_SCHEDULE_MODEL] = pick_model,
                                        [CLA_SCHEDULE_FCFS] = pick_first,
                                        [CLA_SCHEDULE_STATIC] = pick_static,
                                        [CLA_SCHEDULE_TOSS] = pick_toss};
  return picks[schedule];
}

static const char *const schedule_texts[] = {
    [CLA_SCHEDULE_MODEL] = "model: by predicted times, the longest pairs of a device's own kind first",
    [CLA_SCHEDULE_FCFS] = "fcfs: first come, first served, each pair on a whole device",
    [CLA_SCHEDULE_STATIC] = "static: lots of equal pairs, as many as a device takes at once",
    [CLA_SCHEDULE_TOSS] = "toss: lots of equal pairs, as many at once as is most efficient for their size"};

/* At how many at once the schedule has the pairs of a class. */
static int level_of(device_state *device, cla_schedule schedule, const job_list *pairs) {
  int level = pair_times_best_level(&device->times, pairs->first->cells);
  if (schedule == CLA_SCHEDULE_FCFS) level = 0;
  if (schedule == CLA_SCHEDULE_STATIC) level = device->levels - 1;
  while (level > 0 && INT64_C(1) << level > pairs->count) level--;
  return level;
}

static void print_class(FILE *text, batch_state *state, cla_schedule schedule, int size) {
  const job_list *pairs = &state->pending[size];
  const double mean = pairs->cells / (double)pairs->count;
  fprintf(text, "%10lld  %10.0f", (long long)pairs->count, sqrt(mean));
  for (int i = 0; i < state->device_count; i++) {
    device_state *device = &state->devices[i];
    const int level = level_of(device, schedule, pairs);
    const double rate = pair_times_rate(&device->times, mean, level);
    fprintf(text, "  %7d %10.3g", 1 << level, (double)pairs->count / rate);
  }
  fputc('\n', text);
}

/* Pairs that are packed, in one line. */
static void print_packs(FILE *text, batch_state *state) {
  double cells = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) cells += state->packs[size].cells;
  const double mean = cells / (double)state->packs_count;
  fprintf(text, "%10lld  %10.0f", (long long)state->packs_count, sqrt(mean));
  for (int i = 0; i < state->device_count; i++) {
    device_state *device = &state->devices[i];
    const pack_load load = {
        .pairs = state->packs_count, .cells = cells, .largest = mean, .size = size_class_of(mean)};
    if (device->packs)
      fprintf(text, "  %7s %10.3g", "packed", pair_times_packed(&device->times, &load, 0));
    else
      fprintf(text, "  %7s %10s", "-", "-");
  }
  fputc('\n', text);
}

/* Seconds for all that waits, on all devices together. */
static double all_seconds(batch_state *state, cla_schedule schedule) {
  double seconds = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const job_list *singles = &state->pending[size], *packs = &state->packs[size];
    double rate = 0, packs_rate = 0;
    for (int i = 0; i < state->device_count; i++) {
      device_state *device = &state->devices[i];
      if (singles->first) {
        const int level = level_of(device, schedule, singles);
        rate += pair_times_rate(&device->times, singles->first->cells, level);
      }
      if (packs->first && device->packs) {
        const pack_load load = {
            .pairs = packs->count, .cells = packs->cells, .largest = packs->first->cells, .size = size};
        packs_rate += (double)packs->count / pair_times_packed(&device->times, &load, 0);
      }
    }
    if (rate > 0) seconds += (double)singles->count / rate;
    if (packs_rate > 0) seconds += (double)packs->count / packs_rate;
  }
  return seconds;
}

static cla_status no_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "out of memory: the plan of a batch; free some memory");
}

cla_status batch_plan_text(char **out, batch_state *state, const cla_batch_options *options,
                           cla_error *error) {
  size_t bytes = 0;
  char *buffer = NULL;
  *out = NULL;
  FILE *text = open_memstream(&buffer, &bytes);
  if (!text) return no_memory(error);
  fprintf(text, "schedule   %s\n", schedule_texts[options->schedule]);
  for (int i = 0; i < state->device_count; i++) {
    const cla_device_info *info = &state->devices[i].times.device;
    fprintf(text, "device %-3d %.255s, %d compute units, up to %d pairs at once\n", i, info->name,
            info->compute_units, 1 << (state->devices[i].levels - 1));
  }
  fprintf(text,
          "pairs      that were read so far, by size; of each device how many are in work at once, and the\n"
          "           seconds that it would take for all of them\n");
  fprintf(text, "%10s  %10s", "pairs", "letters");
  for (int i = 0; i < state->device_count; i++) fprintf(text, "  %7s %10s", "at once", "seconds");
  fputc('\n', text);
  if (state->packs_count > 0) print_packs(text, state);
  for (int size = 0; size < SIZE_CLASSES; size++)
    if (state->pending[size].first) print_class(text, state, options->schedule, size);
  fprintf(text, "time       about %.3g s for these\n", all_seconds(state, options->schedule));
  if (fclose(text) != 0) {
    free(buffer);
    return no_memory(error);
  }
  *out = buffer;
  return CLA_OK;
}
