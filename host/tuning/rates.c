#include "tuning/rates.h"

#include <string.h>

#include "tuning/lookup.h"

/* A line is an anti-diagonal. The host's default rates were measured with one thread on a core with AVX-512,
 * 1 Mbp, 1 to 20 % divergence; with AVX2 a band's cell takes 1.5 times as long. Default rates for GPUs were
 * measured on an H100 with 16 host cores. */
const tuning_rate_row tuning_rate_rows[RATE_COUNT] = {
    /* Time of a band's sweep for each line, in addition to the time of its cells. */
    [RATE_BAND_LINE] = {"band-line", "seconds a line", 5e-8, 5e-8},
    [RATE_BAND_CELL] = {"band-cell", "seconds a cell", 1.8e-10, 1.8e-10},
    /* Time of a cell in lines that do not fit into the first-level cache. Measured with S. aureus N315 x
     * USA300 and with 20 Mbp. */
    [RATE_BAND_WIDE_CELL] = {"band-wide-cell", "seconds a cell", 6e-10, 6e-10},
    [RATE_BAND_TRACE_LINE] = {"band-trace-line", "seconds a line", 4e-8, 4e-8},
    /* Speed that each additional thread adds to a band, as a fraction of the first thread's speed. */
    [RATE_BAND_THREAD] = {"band-thread", "of the first thread", 0.85, 0.85},
    /* Levels by seeds, and the band after them: the time of the serial part, and the time that is divided
     * among threads. Measured with 10 kbp to 1 Mbp at 1 to 10 % divergence, and with 20 Mbp on 16 cores. */
    [RATE_LEVELS_LINE] = {"levels-line", "seconds a line", 2e-8, 2e-8},
    [RATE_LEVELS_LINE_SHARED] = {"levels-line-shared", "seconds a line", 1.2e-7, 1.2e-7},
    /* Levels by edits, and the band after them: the time of the serial part, and the time that is divided
     * among threads. Measured with 30 kbp to 1 Mbp at 15 and 20 % divergence. */
    [RATE_EDITS_LINE] = {"edits-line", "seconds a line", 4e-7, 4e-7},
    [RATE_EDITS_LINE_SHARED] = {"edits-line-shared", "seconds a line", 1.2e-6, 1.2e-6},
    [RATE_FIT_CELL] = {"fit-cell", "seconds a cell", 1.2e-10, 1.2e-10},
    /* Least time of a sweep (pruned or in windows) whose strips wait for each other. Measured on an H100:
     * 0.09 s for 1 Mbp. */
    [RATE_SWEEP_LINE] = {"sweep-line", "seconds a line", 8e-8, 4.5e-8},
    /* Time of tracebacks; it is divided among threads only if the device is a CPU. Measured on an H100: 0.05
     * to 0.07 s for 1 Mbp; for S. aureus N315 x USA300, 0.8 s after a sweep in windows, 0.4 s otherwise. */
    [RATE_SWEEP_TRACE_LINE] = {"sweep-trace-line", "seconds a line", 1.4e-7, 3e-8},
    [RATE_WINDOWS_TRACE_LINE] = {"windows-trace-line", "seconds a line", 1.4e-7, 1.4e-7},
    /* Time of a cell in a sweep whose kernel no record has timed: on one core of a CPU, or on the whole GPU.
     */
    [RATE_SWEEP_CELL] = {"sweep-cell", "seconds a cell", 1 / 1.8e10, 1 / 4e12},
};

void tuning_rates_find(tuning_rates *out, char *from, size_t size, const cla_tuning *tuning,
                       cla_device_kind kind) {
  const bool gpu = kind == CLA_DEVICE_GPU;
  char path[1024];
  size_t used = 0;
  int defaults = RATE_COUNT;
  memset(out, 0, sizeof *out);
  from[0] = '\0';
  for (int64_t source = 0; tuning && source < tuning->source_count; source++) {
    const int before = defaults;
    for (int i = 0; i < RATE_COUNT; i++) {
      const double measured = tuning->sources[source].record.rates.of[i];
      if (out->of[i] > 0 || measured <= 0) continue;
      out->of[i] = measured;
      defaults--;
    }
    if (defaults == before || used >= size) continue;
    tuning_source_describe(path, sizeof path, &tuning->sources[source]);
    used += (size_t)snprintf(from + used, size - used, "%d of %s, ", before - defaults, path);
  }
  for (int i = 0; i < RATE_COUNT; i++)
    if (out->of[i] <= 0) out->of[i] = gpu ? tuning_rate_rows[i].gpu : tuning_rate_rows[i].cpu;
  if (used < size)
    snprintf(from + used, size - used, "%d by default for a %s", defaults, gpu ? "GPU" : "CPU");
}
