/* Local score of one pair, clalign beside parasail in the same run: medians and ratios.
 *
 *   against_parasail [LENGTH [REPETITIONS [DEVICE]]]
 *
 * The pair is unrelated (clalign simulate, seed 1), so that parasail's 16-bit scores do not saturate.
 * parasail runs on one core, once per repetition in turn with clalign; its rate is also shown times the
 * number of cores that clalign used. */

#include <parasail.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clalign/clalign.h"

#define REPETITIONS_MOST 99

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_size);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void stop_on(cla_status status, const cla_error *error) {
  if (status == CLA_OK) return;
  fprintf(stderr, "against_parasail: %s\n", error->message);
  exit(1);
}

int main(int argc, char **argv) {
  const int64_t length = argc > 1 ? atoll(argv[1]) : 100000;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 3;
  const cla_device_options device_options = {.select = argc > 3 ? argv[3] : NULL};
  double ours[REPETITIONS_MOST], theirs[REPETITIONS_MOST];
  cla_error error = {0};
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  char *first = NULL, *second = NULL;
  int64_t first_length = 0, second_length = 0;
  cla_simulate_options pair;
  cla_align_options options;
  if (length < 1 || length > 2000000000 || repetitions < 1 || repetitions > REPETITIONS_MOST) {
    fprintf(stderr, "usage: against_parasail [LENGTH [REPETITIONS up to %d [DEVICE]]]\n", REPETITIONS_MOST);
    return 1;
  }
  cla_simulate_options_init(&pair);
  pair.length = length;
  pair.unrelated = true;
  stop_on(cla_simulate(&first, &first_length, &second, &second_length, &pair, &error), &error);
  stop_on(cla_sequence_from_letters(&query, "query", first, first_length, &error), &error);
  stop_on(cla_sequence_from_letters(&target, "target", second, second_length, &error), &error);
  stop_on(cla_device_open(&device, &device_options, &error), &error);
  cla_align_options_init(&options);
  options.score_only = true;
  parasail_matrix_t *matrix = parasail_matrix_create("ACGT", options.scoring.match, options.scoring.mismatch);
  const double cells = (double)first_length * (double)second_length;
  for (int i = 0; i < repetitions; i++) {
    cla_alignment *alignment = NULL;
    stop_on(cla_align(&alignment, device, query, target, &options, &error), &error);
    ours[i] = cells / alignment->metrics.seconds / 1e9;
    const double began = seconds_now();
    parasail_result_t *result =
        parasail_sw_striped_avx2_256_16(first, (int)first_length, second, (int)second_length,
                                        options.scoring.gap_first, options.scoring.gap_ext, matrix);
    theirs[i] = cells / (seconds_now() - began) / 1e9;
    if (parasail_result_is_saturated(result) || result->score != alignment->score) {
      fprintf(stderr, "against_parasail: parasail's score %d (saturated: %d) is not clalign's %lld\n",
              result->score, parasail_result_is_saturated(result), (long long)alignment->score);
      return 1;
    }
    parasail_result_free(result);
    cla_alignment_free(alignment);
  }
  const int cores = cla_device_describe(device)->compute_units;
  const double a = median(ours, repetitions), b = median(theirs, repetitions);
  printf("%lld x %lld, local, score only, medians of %d\n", (long long)first_length, (long long)second_length,
         repetitions);
  printf("%-44s %8.2f GCUPS  (%s, %d compute units)\n", "clalign", a, cla_device_describe(device)->name,
         cores);
  printf("%-44s %8.2f GCUPS  ratio %.2f\n", "parasail sw_striped_avx2_256_16, 1 core", b, a / b);
  printf("%-44s %8.2f GCUPS  ratio %.2f\n", "the same times the compute units", b * cores, a / (b * cores));
  parasail_matrix_free(matrix);
  cla_sequence_free(query);
  cla_sequence_free(target);
  cla_device_close(device);
  free(first);
  free(second);
  return 0;
}
