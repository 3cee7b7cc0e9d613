#ifndef HOST_WRITE_KARLIN_ALTSCHUL_H
#define HOST_WRITE_KARLIN_ALTSCHUL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/write.h"

/* Parameters of the probability that a local score occurs by chance (Karlin and Altschul 1990; with gaps:
 * Altschul and Gish 1996). */
typedef struct karlin_altschul {
  double lambda, k;
  double alpha, beta; /* an alignment of score s has about alpha * s + beta letters */
  int64_t granule;    /* for the expected number, scores are rounded down to multiples of `granule` */
} karlin_altschul;

/* Finds the parameters for scores in the units of the alignment's scheme. Returns false if they are not
 * known: for modes other than local, and for schemes that are not in the table. */
bool karlin_altschul_find(karlin_altschul *out, const cla_alignment *alignment);

double karlin_altschul_bits(const karlin_altschul *parameters, int64_t score);

/* Numbers of letters at which alignments can start: all letters except those near the ends of records
 * (Altschul and Gish 1996). */
typedef struct search_space {
  double query, target;     /* number of letters of each side at which alignments can start */
  int64_t letters, records; /* numbers of letters and records on the target side */
} search_space;

search_space karlin_altschul_space(const karlin_altschul *parameters, int64_t query_letters,
                                   const cla_database *database);

/* Returns the expected number of alignments that score at least `score` between an unrelated query and
 * database. */
double karlin_altschul_expect(const karlin_altschul *parameters, int64_t score, int64_t query_letters,
                              const cla_database *database);

#endif
