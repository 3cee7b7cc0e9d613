#include "tuning/time_model.h"

#include <math.h>
#include <string.h>

/* The fit minimises the squared relative error, with no negative coefficient. The best such fit is the
 * ordinary fit of those terms whose coefficients are not 0. So all 15 sets of terms are tried. Each set is
 * solved by Givens rotations, which process the samples one by one and are numerically stable. */

#define TERMS 4

enum { CONSTANT, PER_ROW, PER_COLUMN, PER_CELL };

/* A column is dependent if earlier columns explain all but less than this fraction of it. */
#define INDEPENDENT 1e-7
/* A later set of terms is preferred only if it reduces the error by at least this much. With fewer samples
 * than terms, or with exact samples, several sets fit perfectly. */
#define BETTER 1e-9

/* The samples, and for each term the largest value in its column, by which the column is divided. */
typedef struct problem {
  const time_sample *samples;
  int count;
  bool square; /* every sample has as many rows as columns, so the two terms cannot be separated */
  double scale[TERMS];
} problem;

/* Returns the contribution of a coefficient of 1 to a sample's relative time. If all samples are square, the
 * term for rows represents rows and columns. */
static double term(const problem *p, int which, const time_sample *sample) {
  const double rows = (double)sample->rows, columns = (double)sample->columns;
  const double values[TERMS] = {1, p->square ? rows + columns : rows, columns, rows * columns};
  return values[which] / sample->seconds;
}

/* Rotates a row into the triangle. A row has `size` terms, followed by the wanted value. */
static void rotate(double triangle[TERMS][TERMS + 1], double *row, int size) {
  for (int i = 0; i < size; i++) {
    if (row[i] == 0) continue;
    const double length = hypot(triangle[i][i], row[i]);
    const double cosine = triangle[i][i] / length, sine = row[i] / length;
    for (int j = i; j <= size; j++) {
      const double above = triangle[i][j];
      triangle[i][j] = cosine * above + sine * row[j];
      row[j] = cosine * row[j] - sine * above;
    }
  }
}

/* Fits the terms in `set` by ordinary least squares. Returns false if the terms cannot be separated or a
 * coefficient is negative. */
static bool fit_set(double coefficients[TERMS], const problem *p, unsigned set) {
  int which[TERMS], size = 0;
  for (int t = 0; t < TERMS; t++)
    if (set >> t & 1) which[size++] = t;
  if (size > p->count) return false;
  double triangle[TERMS][TERMS + 1] = {{0}}, norm[TERMS] = {0};
  for (int s = 0; s < p->count; s++) {
    double row[TERMS + 1];
    for (int i = 0; i < size; i++) {
      row[i] = term(p, which[i], &p->samples[s]) / p->scale[which[i]];
      norm[i] = hypot(norm[i], row[i]);
    }
    row[size] = 1;
    rotate(triangle, row, size);
  }
  memset(coefficients, 0, TERMS * sizeof *coefficients);
  double solved[TERMS] = {0};
  for (int i = size - 1; i >= 0; i--) {
    double rest = triangle[i][size];
    if (!(fabs(triangle[i][i]) > INDEPENDENT * norm[i])) return false;
    for (int j = i + 1; j < size; j++) rest -= triangle[i][j] * solved[j];
    solved[i] = rest / triangle[i][i];
    if (!(solved[i] >= 0) || !isfinite(solved[i])) return false;
    coefficients[which[i]] = solved[i] / p->scale[which[i]];
  }
  return true;
}

/* Returns the root of the mean squared relative error. */
static double error_of(const double coefficients[TERMS], const problem *p) {
  double sum = 0;
  for (int s = 0; s < p->count; s++) {
    double relative = -1;
    for (int t = 0; t < TERMS; t++) relative += coefficients[t] * term(p, t, &p->samples[s]);
    sum += relative * relative;
  }
  return sqrt(sum / p->count);
}

static void prepare(problem *p, const time_sample *samples, int count) {
  *p = (problem){.samples = samples, .count = count, .square = true};
  for (int s = 0; s < count; s++) p->square = p->square && samples[s].rows == samples[s].columns;
  for (int t = 0; t < TERMS; t++)
    for (int s = 0; s < count; s++) p->scale[t] = fmax(p->scale[t], term(p, t, &samples[s]));
}

void time_model_fit(time_model *out, const time_sample *samples, int count) {
  /* Sets with few terms come first; of sets with equally many terms, those with the term for cells come
   * first. So a larger set is chosen only if it fits better. */
  static const unsigned sets[] = {8, 1, 2, 4, 9, 10, 12, 3, 5, 6, 11, 13, 14, 7, 15};
  double best[TERMS] = {0}, least = INFINITY;
  problem p;
  prepare(&p, samples, count);
  for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    double coefficients[TERMS];
    if (p.square && sets[i] >> PER_COLUMN & 1) continue;
    if (!fit_set(coefficients, &p, sets[i])) continue;
    const double error = error_of(coefficients, &p);
    if (least < INFINITY && error > least - BETTER) continue;
    least = error;
    memcpy(best, coefficients, sizeof best);
  }
  if (p.square) best[PER_COLUMN] = best[PER_ROW];
  *out = (time_model){.constant = best[CONSTANT],
                      .per_row = best[PER_ROW],
                      .per_column = best[PER_COLUMN],
                      .per_cell = best[PER_CELL]};
}

double time_model_scaled(const time_model *model, int64_t length, double factor) {
  return model->constant + (time_model_seconds(model, length, length) - model->constant) * factor;
}

double time_model_seconds(const time_model *model, int64_t rows, int64_t columns) {
  return model->constant + model->per_row * (double)rows + model->per_column * (double)columns +
         model->per_cell * (double)rows * (double)columns;
}
