/* Measures the rates with which the plan compares the ways to align a pair (plan/ways.h). They follow from
 * the times of the stages of simulated pairs. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "clalign/align.h"
#include "clalign/simulate.h"
#include "search/measurement.h"
#include "seq/sequence.h"

#define RUNS 3 /* number of runs of each pair; the fastest one counts */

/* The pairs and the ways in which they are aligned. */
enum { ALIKE, ALIKE_SHARED, UNLIKE, GAP, EDITS, EDITS_SHARED, WINDOWS, WHOLE, PAIRS };
static const struct {
  const char *settings;
  int64_t length, gap;      /* letters of the pair, and of one long insertion */
  double substitution_rate; /* the indel rate is a tenth of this rate */
  bool shared;              /* true: all threads; false: one thread */
} pairs[PAIRS] = {
    [ALIKE] = {"bounds=band", RATES_LENGTH, 0, 0.01, false},
    [ALIKE_SHARED] = {"bounds=band", RATES_LENGTH, 0, 0.01, true},
    [UNLIKE] = {"bounds=band", RATES_LENGTH, 0, 0.1, false},
    [GAP] = {"bounds=band", 300000, 20000, 0.05, false},
    [EDITS] = {"bounds=band", 200000, 0, 0.2, false},
    [EDITS_SHARED] = {"bounds=band", 200000, 0, 0.2, true},
    [WINDOWS] = {"bounds=sweep", RATES_LENGTH, 0, 0.01, true},
    [WHOLE] = {"bounds=off", RATES_LENGTH, 0, 0.01, true},
};

/* Seconds and cells of a pair's stages, divided by the number of lines. */
typedef struct stages {
  double levels, level_cells, sweep, sweep_cells, trace, all;
} stages;

static stages stages_of(const cla_alignment *alignment) {
  const cla_metrics *m = &alignment->metrics;
  const double lines = (double)(alignment->query.length + alignment->target.length);
  const int64_t others = m->bounds.cells + m->search.cells + m->blocks.cells + m->bands.cells;
  stages out = {.level_cells = (double)m->bounds.cells / lines,
                .sweep = m->sweep_seconds / lines,
                .sweep_cells = (double)(m->cells_computed - others) / lines,
                .trace = (m->search.seconds + m->blocks.seconds + m->bands.seconds) / lines};
  for (int i = 0; i < m->level_count; i++) out.levels += fmax(m->levels[i].seconds, 0) / lines;
  out.all = out.levels + out.sweep + out.trace;
  return out;
}

static cla_status align_pair(stages *out, cla_device *device, int pair, cla_error *error) {
  char *letters[2] = {NULL, NULL};
  int64_t lengths[2] = {0, 0};
  cla_sequence *sequences[2] = {NULL, NULL};
  cla_alignment *alignment = NULL;
  cla_simulate_options simulated;
  cla_align_options options;
  cla_simulate_options_init(&simulated);
  cla_align_options_init(&options);
  simulated.length = pairs[pair].length;
  simulated.substitution_rate = pairs[pair].substitution_rate;
  simulated.indel_rate = pairs[pair].substitution_rate / 10;
  simulated.long_insertions = pairs[pair].gap > 0;
  simulated.long_insertion_length = pairs[pair].gap;
  options.mode = CLA_MODE_GLOBAL;
  options.kernel.settings = pairs[pair].settings;
  options.budgets.threads = pairs[pair].shared ? machine_threads() : 1;
  cla_status status = cla_simulate(&letters[0], &lengths[0], &letters[1], &lengths[1], &simulated, error);
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    status = cla_sequence_from_letters(&sequences[i], "rates", letters[i], lengths[i], error);
  for (int run = 0; run < RUNS && status == CLA_OK; run++) {
    status = cla_align(&alignment, device, sequences[0], sequences[1], &options, error);
    if (status != CLA_OK) break;
    const stages found = stages_of(alignment);
    if (run == 0 || found.all < out->all) *out = found;
    cla_alignment_free(alignment);
  }
  for (int i = 0; i < 2; i++) {
    cla_sequence_free(sequences[i]);
    free(letters[i]);
  }
  return status;
}

/* Splits the time of one thread: rates[0] is the part that threads do not share, rates[1] the part that they
 * share. On a machine with a single thread, all but a twentieth is taken as shared. */
static void split_shared(double rates[2], double one, double all, int threads) {
  const double part = threads > 1 ? (1 - all / one) / (1 - 1.0 / threads) : 1;
  rates[1] = one * fmin(fmax(part, 0.05), 0.95);
  rates[0] = one - rates[1];
}

cla_status rates_measure(measurement *answer, cla_device *device, cla_error *error) {
  const int threads = machine_threads();
  const double sharing = cla_device_describe(device)->kind == CLA_DEVICE_GPU ? 1 : threads;
  double rates[RATE_COUNT] = {0};
  stages s[PAIRS];
  cla_status status = CLA_OK;
  size_t used = 0;
  *answer = (measurement){.outcome = MEASUREMENT_DONE, .seconds = 1};
  for (int i = 0; i < PAIRS && status == CLA_OK; i++) status = align_pair(&s[i], device, i, error);
  if (status != CLA_OK) return status;
  /* Two pairs with different numbers of cells per line separate the time of lines from that of cells. */
  const double cell = (s[UNLIKE].sweep - s[ALIKE].sweep) / (s[UNLIKE].sweep_cells - s[ALIKE].sweep_cells);
  const double one = s[ALIKE].sweep + s[ALIKE].trace, all = s[ALIKE_SHARED].sweep + s[ALIKE_SHARED].trace;
  rates[RATE_BAND_CELL] = cell;
  rates[RATE_BAND_LINE] = s[ALIKE].sweep - s[ALIKE].sweep_cells * cell;
  rates[RATE_BAND_WIDE_CELL] = fmax((s[GAP].sweep - rates[RATE_BAND_LINE]) / s[GAP].sweep_cells, cell);
  rates[RATE_BAND_TRACE_LINE] = s[ALIKE].trace;
  if (threads > 1) rates[RATE_BAND_THREAD] = fmin(fmax((one / all - 1) / (threads - 1), 0.05), 1);
  split_shared(rates + RATE_LEVELS_LINE, s[ALIKE].all, s[ALIKE_SHARED].all, threads);
  split_shared(rates + RATE_EDITS_LINE, s[EDITS].all, s[EDITS_SHARED].all, threads);
  rates[RATE_FIT_CELL] = s[EDITS].levels / s[EDITS].level_cells;
  rates[RATE_SWEEP_LINE] = s[WINDOWS].sweep;
  rates[RATE_WINDOWS_TRACE_LINE] = s[WINDOWS].trace * sharing;
  rates[RATE_SWEEP_TRACE_LINE] = s[WHOLE].trace * sharing;
  for (int i = 0; i < RATE_COUNT; i++)
    used += (size_t)snprintf(answer->message + used, sizeof answer->message - used, "%.6g ",
                             isfinite(rates[i]) && rates[i] > 0 ? rates[i] : 0);
  return CLA_OK;
}
