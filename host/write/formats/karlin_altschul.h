#ifndef HOST_WRITE_KARLIN_ALTSCHUL_H
#define HOST_WRITE_KARLIN_ALTSCHUL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/write.h"

/* How likely a local score is by chance (Karlin and Altschul 1990; with gaps: Altschul and Gish 1996). */
typedef struct karlin_altschul {
  double lambda, k;
  double alpha, beta; /* an alignment of score s is about alpha s + beta letters long; alpha by point */
  int64_t granule;    /* for the expected number scores are rounded down to multiples of `granule` */
} karlin_altschul;

/* The parameters for scores in the units of the alignment's scheme. False if they are not known: for modes
 * other than local, and for schemes that are not in the table. */
bool karlin_altschul_find(karlin_altschul *out, const cla_alignment *alignment);

double karlin_altschul_bits(const karlin_altschul *parameters, int64_t score);

/* Letters at which alignments can begin: all less those near the ends of each record (Altschul and Gish
 * 1996). */
typedef struct search_space {
  double query, target;     /* letters of each side */
  int64_t letters, records; /* the target side's totals */
} search_space;

search_space karlin_altschul_space(const karlin_altschul *parameters, int64_t query_letters,
                                   const cla_database *database);

/* The number of alignments of that score or more that an unrelated query and database have. */
double karlin_altschul_expect(const karlin_altschul *parameters, int64_t score, int64_t query_letters,
                              const cla_database *database);

#endif
