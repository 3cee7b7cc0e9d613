#ifndef HOST_TUNING_TIME_MODEL_H
#define HOST_TUNING_TIME_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* A model of the seconds of a forward sweep over `m` query and `n` target letters,
 *
 *     t(m, n) = c1 + c2 m + c3 n + c4 m n        (CUDAlign 1.0, section 5.7)
 *
 * for one device, kernel config and size class. */
typedef struct time_model {
  double constant, per_row, per_column, per_cell; /* seconds: c1 to c4, each >= 0 */
} time_model;

/* A measured sweep. */
typedef struct time_sample {
  int64_t rows, columns;
  double seconds; /* > 0 */
} time_sample;

/* Fits the model to `count` >= 1 samples by least squares of the relative error. No coefficient is negative.
 * If there are fewer samples than coefficients, only coefficients that the samples can separate are
 * fitted. */
void time_model_fit(time_model *out, const time_sample *samples, int count);

/* Returns the seconds of a sweep over rows x columns cells. */
double time_model_seconds(const time_model *model, int64_t rows, int64_t columns);

/* Returns the seconds of a sweep with `factor` times the work of a sweep over length x length cells. */
double time_model_scaled(const time_model *model, int64_t length, double factor);

#endif
