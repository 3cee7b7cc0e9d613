#ifndef HOST_TUNING_RATES_H
#define HOST_TUNING_RATES_H

#include <stdio.h>

#include "clalign/tune.h"

/* A rate is the time that a machine needs for a line or a cell in one of the ways to align a pair
 * (plan/ways.h). Records contain the rates that 'clalign tune' has measured. Defaults replace missing
 * rates. */

/* The rates. tuning_rate_rows in rates.c explains each rate. */
typedef enum tuning_rate {
  RATE_BAND_LINE,
  RATE_BAND_CELL,
  RATE_BAND_WIDE_CELL,
  RATE_BAND_TRACE_LINE,
  RATE_BAND_THREAD,
  RATE_LEVELS_LINE,
  RATE_LEVELS_LINE_SHARED,
  RATE_EDITS_LINE,
  RATE_EDITS_LINE_SHARED,
  RATE_FIT_CELL,
  RATE_SWEEP_LINE,
  RATE_SWEEP_TRACE_LINE,
  RATE_WINDOWS_TRACE_LINE,
  RATE_SWEEP_CELL,
  RATE_COUNT
} tuning_rate;

typedef struct tuning_rates {
  double of[RATE_COUNT]; /* rates by tuning_rate; in records, 0 means not measured */
} tuning_rates;

typedef struct tuning_rate_row {
  const char *name, *unit; /* name in records; unit */
  double cpu, gpu;         /* defaults for CPUs and for GPUs */
} tuning_rate_row;

extern const tuning_rate_row tuning_rate_rows[RATE_COUNT];

/* Finds the rates to use: each rate comes from the first record that contains it, else from the defaults for
 * the kind of device. `tuning` may be NULL. `from` is set to a text with the number of rates from each record
 * and the number of defaults. */
void tuning_rates_find(tuning_rates *out, char *from, size_t size, const cla_tuning *tuning,
                       cla_device_kind kind);

#endif
