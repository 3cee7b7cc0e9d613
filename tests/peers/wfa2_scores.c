/* Global scores by WFA2, one a line, for lines of standard input:
 *
 *   MATCH MISMATCH GAP_FIRST GAP_EXT GAP_FIRST2 GAP_EXT2 QUERY TARGET
 *
 * with both of the second piece 0 for a single one. A program of its own, because libwfa2 exports names that
 * clalign has, too.
 *
 * WFA2 minimises penalties of mismatches and gaps. With match a, mismatch b and a gap of k letters first + (k
 * - 1) ext the score is (a (m + n) - p) / 2, p the penalty for mismatch 2 (a - b), opening 2 (first - ext)
 * and extension 2 ext + a: a pair of letters takes one from m and one from n. So +1, -3, 5, 2 becomes 8,
 * 6, 5. */

/* What WFA2 2.3.3's headers leave out comes first. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <wfa2lib/wavefront/wavefront_align.h>

#define LETTERS_MOST 10000

typedef struct scheme {
  int match, mismatch, first, ext, first2, ext2;
} scheme;

static wavefront_aligner_t *make_aligner(const scheme *s) {
  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  const int mismatch = 2 * (s->match - s->mismatch);
  const int opening = 2 * (s->first - s->ext), extension = 2 * s->ext + s->match;
  attributes.alignment_scope = compute_score;
  attributes.heuristic.strategy = wf_heuristic_none;
  if (s->first2 == 0) {
    attributes.distance_metric = gap_affine;
    attributes.affine_penalties = (affine_penalties_t){
        .match = 0, .mismatch = mismatch, .gap_opening = opening, .gap_extension = extension};
  } else {
    attributes.distance_metric = gap_affine_2p;
    attributes.affine2p_penalties = (affine2p_penalties_t){.match = 0,
                                                           .mismatch = mismatch,
                                                           .gap_opening1 = opening,
                                                           .gap_extension1 = extension,
                                                           .gap_opening2 = 2 * (s->first2 - s->ext2),
                                                           .gap_extension2 = 2 * s->ext2 + s->match};
  }
  return wavefront_aligner_new(&attributes);
}

int main(void) {
  static char query[LETTERS_MOST + 1], target[LETTERS_MOST + 1];
  scheme s;
  while (scanf("%d %d %d %d %d %d %10000s %10000s", &s.match, &s.mismatch, &s.first, &s.ext, &s.first2,
               &s.ext2, query, target) == 8) {
    const int m = (int)strlen(query), n = (int)strlen(target);
    wavefront_aligner_t *aligner = make_aligner(&s);
    if (wavefront_align(aligner, query, m, target, n) != 0) return 1;
    printf("%lld\n", ((long long)s.match * (m + n) + aligner->cigar->score) / 2);
    wavefront_aligner_delete(aligner);
  }
  return 0;
}
