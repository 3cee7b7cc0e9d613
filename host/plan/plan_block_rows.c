#include <math.h>

#include "base/extremes.h"
#include "plan/plan.h"

/* Returns the rows of a block that is traced letter by letter; a multiple of the strip's rows. */
static int64_t unit_rows(const plan *whole) {
  const int64_t strip_rows = kernel_strip_rows(&whole->blocks);
  return larger(whole->trace.small_block_rows / strip_rows, 1) * strip_rows;
}

/* Returns the binomial coefficient "n over k"; a result of 1e18 or more may be too small. */
static double choose(double n, double k) {
  double product = 1;
  for (int i = 1; i <= k && product < 1e18; i++) product *= (n - k + i) / i;
  return product;
}

/* Returns how many of `units` units lie above the kept row, if memory has room for `most` rows. The units
 * below the kept row are traced first, with room for one row fewer. The units above are traced later, with
 * room for all rows, but in one pass fewer. `times` passes can trace "times + most over most" units
 * (Griewank and Walther 2000). */
static int64_t units_above(int64_t units, int64_t most) {
  double times = 1;
  while (choose((double)most + times, (double)most) < (double)units) times++;
  return (int64_t)fmin(choose((double)most + times - 1, (double)most), (double)(units - 1));
}

/* Returns the interval if memory has room for as many rows as are useful. */
static int64_t even_interval(const plan *whole, int64_t rows) {
  const int64_t strip_rows = kernel_strip_rows(&whole->blocks);
  int64_t parts = (rows + whole->trace.small_block_rows - 1) / whole->trace.small_block_rows;
  if (parts > whole->trace.block_rows_kept + 1) parts = whole->trace.block_rows_kept + 1;
  const int64_t even = (rows + parts - 1) / parts;
  const int64_t interval = (even + strip_rows - 1) / strip_rows * strip_rows;
  return interval < rows ? interval : 0;
}

int64_t plan_block_interval(const plan *whole, int64_t rows, int64_t most) {
  const int64_t interval = even_interval(whole, rows);
  const int64_t nested = interval > 0 && even_interval(whole, interval) > 0 ? most / 2 : most;
  if (interval == 0 || (rows - 1) / interval <= nested) return interval;
  const int64_t unit = unit_rows(whole), units = (rows + unit - 1) / unit;
  return units > 1 ? units_above(units, larger(most, 1)) * unit : 0;
}
