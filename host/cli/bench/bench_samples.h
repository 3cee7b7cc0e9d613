#ifndef HOST_CLI_BENCH_BENCH_SAMPLES_H
#define HOST_CLI_BENCH_BENCH_SAMPLES_H

/* Seconds of repeated runs. */

#define BENCH_RUNS_LIMIT 99

typedef struct bench_samples {
  double seconds[BENCH_RUNS_LIMIT];
  int count;
} bench_samples;

void bench_samples_add(bench_samples *samples, double seconds);

/* The middle one, or the mean of the two in the middle; 0 without samples. */
double bench_median(const bench_samples *samples);
double bench_least(const bench_samples *samples);

/* 10^9 cells per second; 0 when the time was too short to measure. */
double bench_rate(double cells, double seconds);

#endif
