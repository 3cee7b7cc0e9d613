#ifndef HOST_WRITE_KARLIN_ALTSCHUL_TABLE_H
#define HOST_WRITE_KARLIN_ALTSCHUL_TABLE_H

/* Karlin-Altschul parameters of score schemes in points, for gaps of k letters that cost open + k extend. */

/* With gaps: from simulations, for these gap costs alone. alpha and beta are those of the edge effect. */
typedef struct gapped_parameters {
  const char *matrix; /* "": match and mismatch */
  int match, mismatch;
  int open, extend;
  double lambda, k, alpha, beta;
} gapped_parameters;

/* Gaps that cost as much as open and extend, or more, are so rare that the parameters without gaps hold.
 * lambda and alpha follow from match and mismatch. */
typedef struct ungapped_parameters {
  int match, mismatch;
  int open, extend;
  double k, beta;
} ungapped_parameters;

/* Each ends with a row of zeros. */
extern const gapped_parameters gapped_schemes[];
extern const ungapped_parameters ungapped_schemes[];

#endif
