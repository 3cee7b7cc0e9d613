#ifndef HOST_TUNING_RATES_H
#define HOST_TUNING_RATES_H

#include <stdio.h>

#include "clalign/tune.h"

/* Rates say how long a machine takes for a line or a cell of each way to align a pair (plan/ways.h). Records
 * keep the rates that 'clalign tune' has measured; otherwise defaults are used. */

/* The rates. tuning_rate_rows in rates.c says what each one means. */
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

/* Finds the rates to use: each comes from the first record that has it, else from the defaults for the kind
 * of device. `tuning` may be NULL. `from` gets a text that says how many rates come from each record, and how
 * many are defaults. */
void tuning_rates_find(tuning_rates *out, char *from, size_t size, const cla_tuning *tuning,
                       cla_device_kind kind);

#endif
