#include "cli/bench/bench_samples.h"

#include <stdlib.h>
#include <string.h>

void bench_samples_add(bench_samples *samples, double seconds) {
  if (samples->count < BENCH_RUNS_LIMIT) samples->seconds[samples->count++] = seconds;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(const bench_samples *samples) {
  const int count = samples->count;
  if (count == 0) return 0;
  double sorted[BENCH_RUNS_LIMIT];
  memcpy(sorted, samples->seconds, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double bench_least(const bench_samples *samples) {
  double least = samples->count > 0 ? samples->seconds[0] : 0;
  for (int i = 1; i < samples->count; i++)
    if (samples->seconds[i] < least) least = samples->seconds[i];
  return least;
}

double bench_rate(double cells, double seconds) {
  return seconds > 0 ? cells / seconds / 1e9 : 0;
}
