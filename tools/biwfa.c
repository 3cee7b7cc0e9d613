/* Aligns the first records of two FASTA files globally with WFA2's BiWFA, with clalign's default scores: the
 * peer of tools/peers. Prints the score and the seconds of the alignment, without reading.
 *
 *   biwfa alignment|score QUERY TARGET
 *
 * WFA2 minimises penalties. With match 1, mismatch -3 and a gap of k letters 5 + (k - 1) 2, the score is (m +
 * n - p) / 2 for p with mismatch 8, opening 6 and extension 5: a pair of letters takes one from m and one
 * from n. */

#include <htslib/faidx.h>
#include <stdbool.h> /* WFA2 2.3.3 leaves it out */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wfa2lib/wavefront/wavefront_align.h>

static char *read_first(const char *file, int *length) {
  faidx_t *index = fai_load(file);
  if (!index || faidx_nseq(index) < 1) {
    fprintf(stderr, "biwfa: cannot read %s\n", file);
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
  if (count != 4) {
    fprintf(stderr, "usage: biwfa alignment|score QUERY TARGET\n");
    return 1;
  }
  const int with_path = strcmp(arguments[1], "alignment") == 0;
  int query_length = 0, target_length = 0;
  char *query = read_first(arguments[2], &query_length), *target = read_first(arguments[3], &target_length);
  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  attributes.distance_metric = gap_affine;
  attributes.affine_penalties =
      (affine_penalties_t){.match = 0, .mismatch = 8, .gap_opening = 6, .gap_extension = 5};
  attributes.alignment_scope = with_path ? compute_alignment : compute_score;
  attributes.memory_mode = wavefront_memory_ultralow;
  attributes.heuristic.strategy = wf_heuristic_none;
  wavefront_aligner_t *aligner = wavefront_aligner_new(&attributes);
  const double began = seconds_now();
  const int status = wavefront_align(aligner, query, query_length, target, target_length);
  const double seconds = seconds_now() - began;
  const long penalty = -(long)aligner->cigar->score;
  printf("%ld %.3f\n", ((long)query_length + target_length - penalty) / 2, seconds);
  wavefront_aligner_delete(aligner);
  free(query);
  free(target);
  return status == 0 ? 0 : 3;
}
