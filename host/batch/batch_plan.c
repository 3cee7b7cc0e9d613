#include "batch/batch_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

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
    const double seconds =
        pair_times_packed(&device->times, cells, state->packs_count, mean, size_class_of(mean), 0);
    if (device->packs)
      fprintf(text, "  %7s %10.3g", "packed", seconds);
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
      if (packs->first && device->packs)
        packs_rate += (double)packs->count / pair_times_packed(&device->times, packs->cells, packs->count,
                                                               packs->first->cells, size, 0);
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
