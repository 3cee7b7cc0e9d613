#include <math.h>

#include "base/extremes.h"
#include "plan/plan.h"
#include "plan/plan_internal.h"

#define PANEL_SECONDS 12.0 /* wanted duration of a panel; a killed run loses up to this much of the sweep */
/* Minimum rounds of a panel if groups take any tile; with fewer rounds, groups wait. */
#define ROUNDS_LEAST 4
#define LAUNCH_SECONDS 2e-5   /* seconds of a launch, excluding its cells */
#define LAUNCHES_SHARE 0.01   /* maximum time of a panel's launches, as a fraction of the time of its cells */
#define UNIT_RATE_CPU 1e10    /* cells per second of a compute unit if no record has a time of the kernel */
#define UNIT_RATE_GPU 3e10    /* cells per second of a compute unit if no record has a time of the kernel */
#define STRIPS_PER_UNIT_CPU 1 /* strips computed at once per compute unit, by diagonals or single tiles */
#define STRIPS_PER_UNIT_GPU 4 /* strips computed at once per compute unit, by diagonals or single tiles */

int64_t plan_strips_at_once(const kernel_config *config, const cla_device_info *device) {
  const bool cpu = device->kind == CLA_DEVICE_CPU;
  if (config->launch == KERNEL_PERSISTENT && !cpu) return config->groups;
  return (int64_t)device->compute_units * (cpu ? STRIPS_PER_UNIT_CPU : STRIPS_PER_UNIT_GPU);
}

/* True if each group computes whole strips, one after the other, by ticket. Strips are then computed in
 * rounds, and an incomplete round takes as long as a full one. */
static bool has_rounds(const kernel_config *config) {
  return config->launch == KERNEL_PERSISTENT && !config->variant->persistent.single_tiles;
}

/* Returns the sweep's seconds per row. */
static double row_seconds(const plan *p, const plan_input *input) {
  const bool cpu = input->device->kind == CLA_DEVICE_CPU;
  const double timed = kernel_choice_seconds(&p->sweep, input, input->rows, input->columns, false);
  if (timed >= 0) return timed / (double)input->rows;
  return (double)input->columns / (input->device->compute_units * (cpu ? UNIT_RATE_CPU : UNIT_RATE_GPU));
}

/* A panel's size, before other limits apply. */
typedef struct wanted_panel {
  int64_t rows; /* a multiple of the strip's rows */
  bool exactly; /* no other multiple of the strip's rows is as good */
} wanted_panel;

static wanted_panel want_panel(const plan *p, const plan_input *input) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep);
  const int64_t round = larger(plan_strips_at_once(&p->sweep, input->device), 1) * strip_rows;
  const double diagonals = (double)input->columns / (double)p->sweep.tile_columns;
  const double launches = p->sweep.launch == KERNEL_PERSISTENT ? 0 : diagonals * LAUNCH_SECONDS;
  kernel_settings settings;
  cla_error unused;
  if (kernel_settings_parse(&settings, input->settings, &unused) == CLA_OK && settings.given[SETTING_PANEL])
    return (wanted_panel){.rows = settings.value[SETTING_PANEL] * strip_rows, .exactly = true};
  const double rows = fmax(PANEL_SECONDS, launches / LAUNCHES_SHARE) / row_seconds(p, input);
  if (rows >= (double)input->rows) return (wanted_panel){.rows = (input->rows / round + 1) * round};
  const bool rounds = has_rounds(&p->sweep);
  return (wanted_panel){.rows = larger((int64_t)rows / round, rounds ? 1 : ROUNDS_LEAST) * round,
                        .exactly = rounds};
}

static bool has_panels(const plan *p, const plan_input *input, const wanted_panel *wanted) {
  return !p->prune && input->devices <= 1 && wanted->rows < input->rows;
}

/* Returns the smallest divisor of `whole` that is at least `least`; least <= whole. */
static int64_t divisor_from(int64_t whole, int64_t least) {
  int64_t parts = whole / least;
  while (whole % parts != 0) parts--;
  return whole / parts;
}

static int64_t multiple_from(int64_t unit, int64_t least) {
  return (least + unit - 1) / unit * unit;
}

int64_t plan_panel_interval(const plan *p, const plan_input *input, int64_t least) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep);
  const wanted_panel wanted = want_panel(p, input);
  if (!wanted.exactly || !has_panels(p, input, &wanted)) return multiple_from(strip_rows, least);
  if (least > wanted.rows) return multiple_from(wanted.rows, least);
  return divisor_from(wanted.rows / strip_rows, multiple_from(strip_rows, least) / strip_rows) * strip_rows;
}

int64_t plan_panel_rows(const plan *p, const plan_input *input) {
  const wanted_panel wanted = want_panel(p, input);
  if (!has_panels(p, input, &wanted)) return 0;
  if (wanted.exactly || p->row_interval == 0) return wanted.rows;
  const int64_t rows = larger(wanted.rows / p->row_interval, 1) * p->row_interval;
  return rows < input->rows ? rows : 0;
}
