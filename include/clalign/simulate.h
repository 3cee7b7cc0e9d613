#ifndef CLALIGN_SIMULATE_H
#define CLALIGN_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A seeded generator of related or unrelated sequence pairs, for tests and benchmarks. The same options give
 * the same letters on every machine and in all later versions.
 *
 * Satellite arrays resemble those of human centromeres. A unit has 12 monomers of 171 letters. The monomers
 * differ from the first monomer in 25 % of the letters. The array grows by tandem copies of 1 to 20 units,
 * with 0.3 % of the copied letters substituted. The flank before the array has a twentieth of all letters;
 * the flank after the array has the remaining letters. The second sequence's array has one change, and one
 * more for each 100 units; each change copies or deletes 1 to 20 units. Then the changes that the other
 * options request are made. */
typedef struct cla_simulate_options {
  uint64_t seed;                 /* different seeds give different letters */
  int64_t length;                /* number of letters of the first sequence, 0 .. 2^40 */
  double substitution_rate;      /* per letter, 0 .. 1 */
  double indel_rate;             /* per letter, 0 .. 1: half insertions, half deletions */
  double indel_mean;             /* mean length of an indel (geometric distribution), >= 1 */
  int64_t long_insertions;       /* number of long insertions in the second sequence */
  int64_t long_insertion_length; /* number of letters of a long insertion */
  int64_t inversions; /* number of evenly spread parts of the second sequence that are on the other strand;
                         DNA only */
  int64_t inversion_length; /* number of letters of an inversion */
  bool protein;             /* 20 amino acids in natural frequencies instead of 4 bases */
  bool unrelated;           /* the second sequence is independent, of the same length */
  bool satellite; /* the first sequence has a satellite array, the second another haplotype of this array;
                     only for related DNA of at least 10,000 letters */
} cla_simulate_options;

/* Sets seed 1, length 10000, 5 % substitutions, 0.5 % indels of mean length 3, DNA, related sequences. */
void cla_simulate_options_init(cla_simulate_options *options);

/* Makes both sequences as zero-terminated letters; the caller frees both with free(). Errors:
 * CLA_ERROR_OPTION, whose message names the value that is out of range; CLA_ERROR_MEMORY. */
cla_status cla_simulate(char **first, int64_t *first_length, char **second, int64_t *second_length,
                        const cla_simulate_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
