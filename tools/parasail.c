/* Aligns the first records of two FASTA files with parasail, with clalign's default scores: a peer of
 * tools/peers. Prints the score, and the seconds of the fastest function with that score on one thread.
 *
 *   parasail local|global QUERY TARGET */

#include <htslib/faidx.h>
#include <parasail.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *read_first(const char *file, int *length) {
  faidx_t *index = fai_load(file);
  if (!index || faidx_nseq(index) < 1) {
    fprintf(stderr, "parasail: cannot read %s\n", file);
    exit(2);
  }
  char *letters = fai_fetch(index, faidx_iseq(index, 0), length);
  fai_destroy(index);
  return letters;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **arguments) {
  static const char *const methods[] = {"striped", "scan", "diag"};
  if (count != 4) {
    fprintf(stderr, "usage: parasail local|global QUERY TARGET\n");
    return 1;
  }
  int lengths[2], score = 0;
  double least = -1;
  char *query = read_first(arguments[2], &lengths[0]), *target = read_first(arguments[3], &lengths[1]);
  parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 1, -3);
  /* 32 bits first: they are enough, so their score is right. Narrower ones may saturate. */
  for (int bits = 32; bits >= 8; bits /= 2)
    for (int i = 0; i < 3; i++) {
      char name[64];
      snprintf(name, sizeof name, "%s_%s_%d", strcmp(arguments[1], "local") == 0 ? "sw" : "nw", methods[i],
               bits);
      const double began = seconds_now();
      parasail_result_t *result =
          parasail_lookup_function(name)(query, lengths[0], target, lengths[1], 5, 2, matrix);
      const double seconds = seconds_now() - began;
      if (least < 0) score = parasail_result_get_score(result);
      const int right = !parasail_result_is_saturated(result) && parasail_result_get_score(result) == score;
      if (right && (least < 0 || seconds < least)) least = seconds;
      parasail_result_free(result);
    }
  printf("%d %.3f\n", score, least);
  parasail_matrix_free(matrix);
  free(query);
  free(target);
  return least < 0 ? 3 : 0;
}
