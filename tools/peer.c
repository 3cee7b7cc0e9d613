/* Aligns the first records of two FASTA files with one of the libraries of tools/peers, with clalign's
 * default scores on one thread. Prints the score and the seconds of the alignment without reading.
 *
 *   peer alignment|score QUERY TARGET   globally with WFA2's BiWFA, with the path or without
 *   peer local|global QUERY TARGET      the score alone with parasail, by its fastest function that is right
 * */

#include <htslib/faidx.h>
#include <parasail.h>
#include <stdbool.h> /* missing in headers of WFA2 2.3.3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wfa2lib/wavefront/wavefront_align.h>

typedef struct record {
  char *letters;
  int length;
} record;

static record read_first(const char *file) {
  record read;
  faidx_t *index = fai_load(file);
  if (!index || faidx_nseq(index) < 1) {
    fprintf(stderr, "peer: cannot read %s\n", file);
    exit(2);
  }
  read.letters = fai_fetch(index, faidx_iseq(index, 0), &read.length);
  fai_destroy(index);
  return read;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* WFA2 minimises a penalty p. The scores match 1, mismatch -3 and 5 + (k - 1) 2 for a gap of k letters
 * correspond to the penalties mismatch 8, opening 6 and extension 5: the score is (m + n - p) / 2. */
static int run_biwfa(bool with_path, record query, record target) {
  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  attributes.distance_metric = gap_affine;
  attributes.affine_penalties =
      (affine_penalties_t){.match = 0, .mismatch = 8, .gap_opening = 6, .gap_extension = 5};
  attributes.alignment_scope = with_path ? compute_alignment : compute_score;
  attributes.memory_mode = wavefront_memory_ultralow;
  attributes.heuristic.strategy = wf_heuristic_none;
  wavefront_aligner_t *aligner = wavefront_aligner_new(&attributes);
  const double began = seconds_now();
  const int status = wavefront_align(aligner, query.letters, query.length, target.letters, target.length);
  const double seconds = seconds_now() - began;
  const long penalty = -(long)aligner->cigar->score;
  printf("%ld %.3f\n", ((long)query.length + target.length - penalty) / 2, seconds);
  wavefront_aligner_delete(aligner);
  return status == 0 ? 0 : 3;
}

/* 32 bits come first, because their score is exact. Narrower lanes may saturate. */
static int run_parasail(bool local, record query, record target) {
  static const char *const methods[] = {"striped", "scan", "diag"};
  parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 1, -3);
  int score = 0;
  double least = -1;
  for (int bits = 32; bits >= 8; bits /= 2)
    for (int i = 0; i < 3; i++) {
      char name[64];
      snprintf(name, sizeof name, "%s_%s_%d", local ? "sw" : "nw", methods[i], bits);
      parasail_function_t *call = parasail_lookup_function(name);
      const double began = seconds_now();
      parasail_result_t *result =
          call(query.letters, query.length, target.letters, target.length, 5, 2, matrix);
      const double seconds = seconds_now() - began;
      if (least < 0) score = parasail_result_get_score(result);
      const bool right = !parasail_result_is_saturated(result) && parasail_result_get_score(result) == score;
      if (right && (least < 0 || seconds < least)) least = seconds;
      parasail_result_free(result);
    }
  printf("%d %.3f\n", score, least);
  parasail_matrix_free(matrix);
  return least < 0 ? 3 : 0;
}

int main(int count, char **arguments) {
  static const char *const ways[] = {"alignment", "score", "local", "global"};
  int way = 0;
  while (count == 4 && way < 4 && strcmp(arguments[1], ways[way]) != 0) way++;
  if (count != 4 || way == 4) {
    fprintf(stderr, "usage: peer alignment|score|local|global QUERY TARGET\n");
    return 1;
  }
  const record query = read_first(arguments[2]), target = read_first(arguments[3]);
  const int code = way < 2 ? run_biwfa(way == 0, query, target) : run_parasail(way == 2, query, target);
  free(query.letters);
  free(target.letters);
  return code;
}
