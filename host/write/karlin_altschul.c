#include "write/karlin_altschul.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scoring/score_table.h"
#include "write/karlin_altschul_table.h"

/* A scheme without what all its numbers have in common: scores and costs are so many times the unit. */
typedef struct reduced_scheme {
  const char *matrix; /* name of a built-in one, or "" */
  int64_t match, mismatch, open, extend, unit;
} reduced_scheme;

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Whether the scheme has the scores of the built-in matrix of its name: a name decides nothing. */
static bool is_built_in(const cla_scoring *scoring) {
  cla_scoring known = {0};
  cla_scoring_init(&known);
  return cla_scoring_set_matrix(&known, scoring->matrix_name, NULL) == CLA_OK &&
         cla_scoring_set_units(&known, scoring_units(scoring), NULL) == CLA_OK &&
         strcmp(known.letters, scoring->letters) == 0 &&
         memcmp(known.matrix, scoring->matrix, sizeof known.matrix) == 0;
}

static bool reduce(reduced_scheme *out, const cla_scoring *scoring) {
  const int64_t open = scoring->gap_first - scoring->gap_ext, extend = scoring->gap_ext;
  *out = (reduced_scheme){.matrix = "", .unit = scoring_units(scoring)};
  if (scoring->gap_first2 > 0) return false;
  if (scoring->matrix_size > 0) {
    if (!is_built_in(scoring)) return false;
    out->matrix = scoring->matrix_name;
  } else {
    out->unit = common_divisor(scoring->match, -(int64_t)scoring->mismatch);
    if (out->unit == 0) return false;
    out->match = scoring->match / out->unit;
    out->mismatch = scoring->mismatch / out->unit;
  }
  out->open = open / out->unit;
  out->extend = extend / out->unit;
  return true;
}

/* Whether a row's costs are the scheme's own, without a rest. */
static bool same_costs(const reduced_scheme *scheme, const cla_scoring *scoring, int open, int extend) {
  return scoring->gap_ext == extend * scheme->unit && scoring->gap_first == (open + extend) * scheme->unit;
}

/* Solves (match exp(lambda match) + 3 exp(lambda mismatch)) / 4 = 1 for lambda above 0, for letters that are
 * equally frequent. */
static double solve_lambda(double match, double mismatch) {
  double low = 1e-6, high = 2;
  for (int step = 0; step < 60; step++) {
    const double middle = (low + high) / 2;
    if (exp(middle * match) + 3 * exp(middle * mismatch) < 4)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static bool find_ungapped(karlin_altschul *out, const reduced_scheme *scheme) {
  for (const ungapped_parameters *row = ungapped_schemes; row->match > 0; row++) {
    if (row->match != scheme->match || row->mismatch != scheme->mismatch || scheme->open < row->open ||
        scheme->extend < row->extend)
      continue;
    const double lambda = solve_lambda(row->match, row->mismatch);
    const double gain =
        (row->match * exp(lambda * row->match) + 3 * row->mismatch * exp(lambda * row->mismatch)) / 4;
    *out = (karlin_altschul){.lambda = lambda, .k = row->k, .alpha = 1 / gain, .beta = row->beta};
    return true;
  }
  return false;
}

static bool find_gapped(karlin_altschul *out, const reduced_scheme *scheme, const cla_scoring *scoring) {
  for (const gapped_parameters *row = gapped_schemes; row->matrix; row++) {
    if (strcmp(row->matrix, scheme->matrix) != 0 || row->match != scheme->match ||
        row->mismatch != scheme->mismatch || !same_costs(scheme, scoring, row->open, row->extend))
      continue;
    *out = (karlin_altschul){.lambda = row->lambda, .k = row->k, .alpha = row->alpha, .beta = row->beta};
    return true;
  }
  return false;
}

/* For these, BLAST's figures are of even scores. */
static bool is_even(const reduced_scheme *scheme) {
  return scheme->match == 2 || (scheme->match == 3 && scheme->mismatch == -4);
}

bool karlin_altschul_find(karlin_altschul *out, const cla_alignment *alignment) {
  reduced_scheme scheme;
  if (alignment->mode != CLA_MODE_LOCAL || !reduce(&scheme, &alignment->scoring)) return false;
  const bool found =
      find_gapped(out, &scheme, &alignment->scoring) || (scheme.match > 0 && find_ungapped(out, &scheme));
  if (!found) return false;
  out->lambda /= (double)scheme.unit;
  out->alpha /= (double)scheme.unit;
  out->granule = scheme.unit * (is_even(&scheme) ? 2 : 1);
  return true;
}

static double normal_score(const karlin_altschul *parameters, int64_t score) {
  return parameters->lambda * (double)score - log(parameters->k);
}

double karlin_altschul_bits(const karlin_altschul *parameters, int64_t score) {
  return normal_score(parameters, score) / log(2);
}

/* The largest length l for which K (m - l) (n - l) is at least the longer of m and n, and that is at most
 * alpha / lambda ln(K (m - l) (n - l)) + beta: at least 0. */
static int64_t edge_letters(const karlin_altschul *parameters, double m, double n) {
  int64_t low = 0, high = (int64_t)(m < n ? m : n);
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    const double space = parameters->k * (m - (double)middle) * (n - (double)middle);
    const bool fits =
        space >= (m > n ? m : n) &&
        (double)middle <= parameters->alpha / parameters->lambda * log(space) + parameters->beta;
    if (fits)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double karlin_altschul_expect(const karlin_altschul *parameters, int64_t score, int64_t query_letters,
                              int64_t target_letters) {
  const double m = (double)query_letters, n = (double)target_letters;
  const double edge = (double)edge_letters(parameters, m, n);
  return (m - edge) * (n - edge) * exp(-normal_score(parameters, score - score % parameters->granule));
}
