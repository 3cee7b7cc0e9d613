#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scoring/gap_costs.h"
#include "scoring/score_table.h"
#include "write/formats/karlin_altschul.h"

/* Karlin-Altschul parameters of scoring schemes. Scores are in points; a gap of k letters costs open + k *
 * extend. */

/* Parameters for alignments with gaps, from simulations. They are valid only for exactly these gap costs.
 * alpha and beta describe the edge effect. */
typedef struct gapped_parameters {
  const char *matrix; /* "": match and mismatch */
  int match, mismatch;
  int open, extend;
  double lambda, k, alpha, beta;
} gapped_parameters;

/* Parameters for alignments without gaps. They are also valid if gaps cost at least `open` and `extend`,
 * because such gaps are rare. lambda and alpha are computed from match and mismatch. */
typedef struct ungapped_parameters {
  int match, mismatch;
  int open, extend;
  double k, beta;
} ungapped_parameters;

/* NCBI publishes these figures with BLAST+ 2.12 (algo/blast/core/blast_stat.c). BLOSUM80 is not listed,
 * because NCBI's figures are for a matrix in half bits, and the built-in matrix is in thirds of a bit
 * (docs/matrices.md). Each table is terminated by a row of zeros. */

/* clang-format off */
static const gapped_parameters gapped_schemes[] = {
    {"BLOSUM45", 0, 0, 13, 3, 0.207, 0.049, 1.5, -22},
    {"BLOSUM45", 0, 0, 12, 3, 0.199, 0.039, 1.8, -34},
    {"BLOSUM45", 0, 0, 11, 3, 0.190, 0.031, 2.0, -38},
    {"BLOSUM45", 0, 0, 10, 3, 0.179, 0.023, 2.4, -51},
    {"BLOSUM45", 0, 0, 16, 2, 0.210, 0.051, 1.5, -24},
    {"BLOSUM45", 0, 0, 15, 2, 0.203, 0.041, 1.7, -31},
    {"BLOSUM45", 0, 0, 14, 2, 0.195, 0.032, 1.9, -36},
    {"BLOSUM45", 0, 0, 13, 2, 0.185, 0.024, 2.2, -45},
    {"BLOSUM45", 0, 0, 12, 2, 0.171, 0.016, 2.8, -65},
    {"BLOSUM45", 0, 0, 19, 1, 0.205, 0.040, 1.9, -43},
    {"BLOSUM45", 0, 0, 18, 1, 0.198, 0.032, 2.0, -43},
    {"BLOSUM45", 0, 0, 17, 1, 0.189, 0.024, 2.4, -57},
    {"BLOSUM45", 0, 0, 16, 1, 0.176, 0.016, 2.8, -67},
    {"BLOSUM50", 0, 0, 13, 3, 0.212, 0.063, 1.1, -16},
    {"BLOSUM50", 0, 0, 12, 3, 0.206, 0.055, 1.2, -18},
    {"BLOSUM50", 0, 0, 11, 3, 0.197, 0.042, 1.4, -25},
    {"BLOSUM50", 0, 0, 10, 3, 0.186, 0.031, 1.7, -34},
    {"BLOSUM50", 0, 0, 9, 3, 0.172, 0.022, 2.1, -48},
    {"BLOSUM50", 0, 0, 16, 2, 0.215, 0.066, 1.05, -15},
    {"BLOSUM50", 0, 0, 15, 2, 0.210, 0.058, 1.2, -20},
    {"BLOSUM50", 0, 0, 14, 2, 0.202, 0.045, 1.4, -27},
    {"BLOSUM50", 0, 0, 13, 2, 0.193, 0.035, 1.6, -32},
    {"BLOSUM50", 0, 0, 12, 2, 0.181, 0.025, 1.9, -41},
    {"BLOSUM50", 0, 0, 19, 1, 0.212, 0.057, 1.2, -21},
    {"BLOSUM50", 0, 0, 18, 1, 0.207, 0.050, 1.4, -28},
    {"BLOSUM50", 0, 0, 17, 1, 0.198, 0.037, 1.6, -33},
    {"BLOSUM50", 0, 0, 16, 1, 0.186, 0.025, 1.9, -42},
    {"BLOSUM50", 0, 0, 15, 1, 0.171, 0.015, 2.7, -76},
    {"BLOSUM62", 0, 0, 11, 2, 0.297, 0.082, 1.1, -10},
    {"BLOSUM62", 0, 0, 10, 2, 0.291, 0.075, 1.3, -15},
    {"BLOSUM62", 0, 0, 9, 2, 0.279, 0.058, 1.5, -19},
    {"BLOSUM62", 0, 0, 8, 2, 0.264, 0.045, 1.8, -26},
    {"BLOSUM62", 0, 0, 7, 2, 0.239, 0.027, 2.5, -46},
    {"BLOSUM62", 0, 0, 6, 2, 0.201, 0.012, 3.3, -58},
    {"BLOSUM62", 0, 0, 13, 1, 0.292, 0.071, 1.2, -11},
    {"BLOSUM62", 0, 0, 12, 1, 0.283, 0.059, 1.5, -19},
    {"BLOSUM62", 0, 0, 11, 1, 0.267, 0.041, 1.9, -30},
    {"BLOSUM62", 0, 0, 10, 1, 0.243, 0.024, 2.5, -44},
    {"BLOSUM62", 0, 0, 9, 1, 0.206, 0.010, 4.0, -87},
    {"BLOSUM90", 0, 0, 9, 2, 0.310, 0.12, 0.67, -6},
    {"BLOSUM90", 0, 0, 8, 2, 0.300, 0.099, 0.76, -7},
    {"BLOSUM90", 0, 0, 7, 2, 0.283, 0.072, 0.93, -11},
    {"BLOSUM90", 0, 0, 6, 2, 0.259, 0.048, 1.2, -16},
    {"BLOSUM90", 0, 0, 11, 1, 0.302, 0.093, 0.78, -8},
    {"BLOSUM90", 0, 0, 10, 1, 0.290, 0.075, 1.04, -15},
    {"BLOSUM90", 0, 0, 9, 1, 0.265, 0.044, 1.3, -19},
    {"PAM250", 0, 0, 15, 3, 0.205, 0.049, 1.6, -23},
    {"PAM250", 0, 0, 14, 3, 0.200, 0.043, 1.7, -26},
    {"PAM250", 0, 0, 13, 3, 0.194, 0.036, 1.9, -31},
    {"PAM250", 0, 0, 12, 3, 0.186, 0.029, 2.2, -41},
    {"PAM250", 0, 0, 11, 3, 0.174, 0.020, 2.5, -48},
    {"PAM250", 0, 0, 17, 2, 0.204, 0.047, 1.7, -28},
    {"PAM250", 0, 0, 16, 2, 0.198, 0.038, 1.8, -29},
    {"PAM250", 0, 0, 15, 2, 0.191, 0.031, 2.2, -44},
    {"PAM250", 0, 0, 14, 2, 0.182, 0.024, 2.5, -53},
    {"PAM250", 0, 0, 13, 2, 0.171, 0.017, 2.9, -64},
    {"PAM250", 0, 0, 21, 1, 0.205, 0.045, 1.8, -34},
    {"PAM250", 0, 0, 20, 1, 0.199, 0.037, 1.9, -35},
    {"PAM250", 0, 0, 19, 1, 0.192, 0.029, 2.3, -52},
    {"PAM250", 0, 0, 18, 1, 0.183, 0.021, 2.6, -60},
    {"PAM250", 0, 0, 17, 1, 0.171, 0.014, 3.3, -86},
    {"PAM30", 0, 0, 7, 2, 0.305, 0.15, 0.35, -3},
    {"PAM30", 0, 0, 6, 2, 0.287, 0.11, 0.42, -4},
    {"PAM30", 0, 0, 5, 2, 0.264, 0.079, 0.59, -7},
    {"PAM30", 0, 0, 10, 1, 0.309, 0.15, 0.35, -3},
    {"PAM30", 0, 0, 9, 1, 0.294, 0.11, 0.48, -6},
    {"PAM30", 0, 0, 8, 1, 0.270, 0.072, 0.68, -10},
    {"PAM70", 0, 0, 8, 2, 0.301, 0.12, 0.56, -5},
    {"PAM70", 0, 0, 7, 2, 0.286, 0.093, 0.67, -7},
    {"PAM70", 0, 0, 6, 2, 0.264, 0.064, 0.90, -12},
    {"PAM70", 0, 0, 11, 1, 0.305, 0.12, 0.59, -6},
    {"PAM70", 0, 0, 10, 1, 0.291, 0.091, 0.71, -9},
    {"PAM70", 0, 0, 9, 1, 0.270, 0.060, 0.97, -14},
    {"", 1, -4, 1, 2, 1.36, 0.67, 1.1, 0},
    {"", 1, -4, 0, 2, 1.26, 0.43, 1.4, -1},
    {"", 1, -4, 2, 1, 1.35, 0.61, 1.1, -1},
    {"", 1, -4, 1, 1, 1.22, 0.35, 1.7, -3},
    {"", 2, -7, 2, 4, 0.68, 0.67, 0.55, 0},
    {"", 2, -7, 0, 4, 0.63, 0.43, 0.7, -1},
    {"", 2, -7, 4, 2, 0.675, 0.62, 0.6, -1},
    {"", 2, -7, 2, 2, 0.61, 0.35, 1.7, -3},
    {"", 1, -3, 2, 2, 1.37, 0.70, 1.1, 0},
    {"", 1, -3, 1, 2, 1.35, 0.64, 1.2, -1},
    {"", 1, -3, 0, 2, 1.25, 0.42, 1.5, -2},
    {"", 1, -3, 2, 1, 1.34, 0.60, 1.2, -1},
    {"", 1, -3, 1, 1, 1.21, 0.34, 1.7, -2},
    {"", 2, -5, 2, 4, 0.67, 0.59, 0.6, -1},
    {"", 2, -5, 0, 4, 0.62, 0.39, 0.8, -2},
    {"", 2, -5, 4, 2, 0.67, 0.61, 0.65, -2},
    {"", 2, -5, 2, 2, 0.56, 0.32, 0.95, -4},
    {"", 1, -2, 2, 2, 1.33, 0.62, 1.2, 0},
    {"", 1, -2, 1, 2, 1.30, 0.52, 1.4, -2},
    {"", 1, -2, 0, 2, 1.19, 0.34, 1.8, -3},
    {"", 1, -2, 3, 1, 1.32, 0.57, 1.3, -1},
    {"", 1, -2, 2, 1, 1.29, 0.49, 1.4, -1},
    {"", 1, -2, 1, 1, 1.14, 0.26, 2.2, -5},
    {"", 2, -3, 4, 4, 0.63, 0.42, 0.75, -2},
    {"", 2, -3, 2, 4, 0.615, 0.37, 0.85, -3},
    {"", 2, -3, 0, 4, 0.55, 0.21, 1.2, -5},
    {"", 2, -3, 3, 3, 0.615, 0.37, 0.9, -3},
    {"", 2, -3, 6, 2, 0.63, 0.42, 0.75, -2},
    {"", 2, -3, 5, 2, 0.625, 0.41, 0.8, -2},
    {"", 2, -3, 4, 2, 0.61, 0.35, 0.9, -3},
    {"", 2, -3, 2, 2, 0.515, 0.14, 1.55, -9},
    {"", 3, -4, 6, 3, 0.389, 0.25, 0.7, -5},
    {"", 3, -4, 5, 3, 0.375, 0.21, 0.8, -6},
    {"", 3, -4, 4, 3, 0.351, 0.14, 1.0, -9},
    {"", 3, -4, 6, 2, 0.362, 0.16, 0.8, -4},
    {"", 3, -4, 5, 2, 0.330, 0.092, 1.2, -13},
    {"", 3, -4, 4, 2, 0.281, 0.046, 1.8, -23},
    {"", 4, -5, 6, 5, 0.28, 0.21, 0.6, -7},
    {"", 4, -5, 5, 5, 0.27, 0.17, 0.7, -9},
    {"", 4, -5, 4, 5, 0.25, 0.10, 0.8, -10},
    {"", 4, -5, 3, 5, 0.23, 0.065, 0.9, -11},
    {"", 1, -1, 3, 2, 1.09, 0.31, 2.0, -2},
    {"", 1, -1, 2, 2, 1.07, 0.27, 2.2, -3},
    {"", 1, -1, 1, 2, 1.02, 0.21, 2.8, -6},
    {"", 1, -1, 0, 2, 0.80, 0.064, 4.8, -16},
    {"", 1, -1, 4, 1, 1.08, 0.28, 2.0, -2},
    {"", 1, -1, 3, 1, 1.06, 0.25, 2.3, -4},
    {"", 1, -1, 2, 1, 0.99, 0.17, 3.3, -10},
    {"", 3, -2, 5, 5, 0.208, 0.030, 2.9, -47},
    {"", 5, -4, 10, 6, 0.163, 0.068, 1.0, -19},
    {"", 5, -4, 8, 6, 0.146, 0.039, 1.3, -29},
    {0},
};

static const ungapped_parameters ungapped_schemes[] = {
    {1, -5, 3, 3, 0.747, 0},
    {1, -4, 2, 2, 0.738, 0},
    {2, -7, 4, 4, 0.548, 0},
    {1, -3, 2, 2, 0.711, 0},
    {2, -5, 4, 4, 0.515, 0},
    {1, -2, 2, 2, 0.621, 0},
    {2, -3, 6, 4, 0.408, -2},
    {3, -4, 6, 3, 0.34, 0},
    {4, -5, 12, 8, 0.306, 0},
    {1, -1, 4, 2, 0.333, -2},
    {3, -2, 5, 5, 0.13, 0},
    {5, -4, 25, 10, 0.176, 0},
    {0},
};
/* clang-format on */

/* A scheme whose scores and costs are divided by `unit`. */
typedef struct reduced_scheme {
  const char *matrix; /* name of a built-in matrix, or "" */
  int64_t match, mismatch, open, extend, unit;
} reduced_scheme;

/* True if the scheme has the same scores as the built-in matrix of that name. The name alone proves
 * nothing. */
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
  if (gap_pieces(scoring) > 1) return false;
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

/* True if a row's costs are exactly those of the scheme. */
static bool same_costs(const reduced_scheme *scheme, const cla_scoring *scoring, int open, int extend) {
  return scoring->gap_ext == extend * scheme->unit && scoring->gap_first == (open + extend) * scheme->unit;
}

/* Solves (exp(lambda * match) + 3 exp(lambda * mismatch)) / 4 = 1 for lambda above 0; letters are equally
 * frequent. */
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

/* True if BLAST's figures for the scheme are meant for even scores only. */
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

/* Returns the edge length: the largest l >= 0 with K (m - l) (n - k l) >= max(m, n) and l <= alpha / lambda
 * ln(K (m - l) (n - k l)) + beta. The query has m letters; the k records have n letters together. */
static int64_t edge_letters(const karlin_altschul *parameters, double m, double n, double k) {
  int64_t low = 0, high = (int64_t)(m < n / k ? m : n / k);
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    const double space = parameters->k * (m - (double)middle) * (n - k * (double)middle);
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

search_space karlin_altschul_space(const karlin_altschul *parameters, int64_t query_letters,
                                   const cla_database *database) {
  const double m = (double)query_letters, n = (double)database->letters, k = (double)database->records;
  const double edge = (double)edge_letters(parameters, m, n, k);
  return (search_space){
      .query = m - edge, .target = n - k * edge, .letters = database->letters, .records = database->records};
}

bool cla_database_expect(double *expect, const cla_alignment *alignment, const cla_database *database) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const cla_database alone = {.letters = target->end - target->begin, .records = 1};
  karlin_altschul parameters;
  if (!karlin_altschul_find(&parameters, alignment)) return false;
  *expect = karlin_altschul_expect(&parameters, alignment->score, query->end - query->begin,
                                   database && database->records > 0 ? database : &alone);
  return true;
}

double karlin_altschul_expect(const karlin_altschul *parameters, int64_t score, int64_t query_letters,
                              const cla_database *database) {
  const search_space space = karlin_altschul_space(parameters, query_letters, database);
  return space.query * space.target * exp(-normal_score(parameters, score - score % parameters->granule));
}
