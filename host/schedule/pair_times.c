#include "schedule/pair_times.h"

#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "pipeline/align_input.h"

/* What a pair costs besides its cells, on the host and in waiting for the device: of a pair without a path,
 * with PoCL on two cores. */
#define HOST_SECONDS 0.5e-3
/* The same of a pack, and of each pair in it. */
#define PACK_SECONDS 0.5e-3
#define PACKED_PAIR_SECONDS 5e-6
/* Cells a second of a compute unit where no record has timed the kernel: what is seen corrects that. */
#define UNIT_RATE 2e10
/* Of a pack's lanes. */
#define PACKED_RATE 2e10
/* What a traceback takes of the sweep's time, where no record says more. */
#define TRACEBACK_SHARE 0.5
/* How much of a measurement is believed: the first one wholly, later ones so much. */
#define LEARNING 0.25

int size_class_of(double cells) {
  int exponent = 0;
  frexp(cells, &exponent);
  return exponent < 1 ? 0 : exponent > SIZE_CLASSES ? SIZE_CLASSES - 1 : exponent - 1;
}

void pair_times_begin(pair_times *times, const cla_device_info *device, const cla_align_options *align,
                      int levels) {
  memset(times, 0, sizeof *times);
  times->device = *device;
  times->align = *align;
  times->levels = levels;
}

/* The model of a class: by the plan for a square pair in the middle of it. Without a plan, as where a budget
 * is too small, the pair is taken to be a single tile: its own plan will say what is wrong. */
static void make_class(pair_times *times, int size) {
  class_model *model = &times->classes[size];
  const int64_t side = larger((int64_t)sqrt(1.5 * ldexp(1, size)), 1);
  cla_align_options align = times->align;
  score_table table;
  plan_input input;
  plan whole;
  *model = (class_model){.known = true, .cells = (double)side * (double)side, .width = 1};
  model->cell_seconds = 1 / UNIT_RATE * (align.score_only ? 1 : 1 + TRACEBACK_SHARE);
  if (align.strand == CLA_STRAND_BOTH) {
    align.strand = CLA_STRAND_FORWARD;
    model->cell_seconds *= 2;
  }
  if (align_input_make(&input, &table, &times->device, side, side, &align, NULL) != CLA_OK ||
      plan_make(&whole, &input, NULL) != CLA_OK)
    return;
  const double strip_rows = (double)kernel_strip_rows(&whole.sweep);
  const double strips = ceil((double)side / strip_rows);
  const double tiles = ceil((double)side / (double)whole.sweep.tile_columns);
  model->width = strips * tiles / (tiles + 2 * (strips - 1)); /* of diagonals of tiles two apart */
  if (whole.sweep_seconds < 0) return;
  const double busy = fmin(times->device.compute_units, model->width);
  const double strands = times->align.strand == CLA_STRAND_BOTH ? 2 : 1;
  model->cell_seconds = strands * (whole.sweep_seconds + whole.traceback_seconds) * busy / model->cells;
}

/* What was seen of a class at a level, or of the nearest class there, or of the class at other levels; false:
 * nothing. */
static bool find_ratio(double *ratio, const pair_times *times, batch_method method, int size, int level) {
  for (int distance = 0; distance < SIZE_CLASSES; distance++)
    for (int side = -1; side <= 1; side += 2) {
      const int other = size + side * distance;
      if (other < 0 || other >= SIZE_CLASSES) continue;
      const time_ratio *seen = &times->seen[method][other][level];
      *ratio = seen->ratio;
      if (seen->count > 0) return true;
      for (int l = 0; distance == 0 && l < times->levels; l++) {
        *ratio = times->seen[method][size][l].ratio;
        if (times->seen[method][size][l].count > 0) return true;
      }
    }
  return false;
}

/* Of a method that was not used so far, what was seen of the other one: a device that is slower than
 * expected, because others use it too, is slower at both. */
double pair_times_ratio(const pair_times *times, batch_method method, int size, int level) {
  const batch_method other = method == METHOD_SINGLE ? METHOD_PACKED : METHOD_SINGLE;
  double ratio = 1;
  if (find_ratio(&ratio, times, method, size, level) || find_ratio(&ratio, times, other, size, level))
    return ratio;
  return 1;
}

double pair_times_single(pair_times *times, double cells, int level) {
  const int size = size_class_of(cells);
  class_model *model = &times->classes[size];
  if (!model->known) make_class(times, size);
  const double units = (double)times->device.compute_units / (double)(1 << level);
  const double seconds = HOST_SECONDS + cells * model->cell_seconds / fmin(units, model->width);
  return seconds * pair_times_ratio(times, METHOD_SINGLE, size, level);
}

double pair_times_packed(pair_times *times, double cells, int64_t pairs, int size, int level) {
  const double units =
      (double)times->device.compute_units / (double)(1 << level); /* As long as if all lanes were filled. */
  const double lanes = pairs < times->enough ? (double)times->enough / (double)pairs : 1;
  const double seconds =
      PACK_SECONDS + PACKED_PAIR_SECONDS * (double)pairs + lanes * cells / (PACKED_RATE * units);
  return seconds * pair_times_ratio(times, METHOD_PACKED, size, level);
}

int pair_times_best_level(pair_times *times, double cells) {
  int best = 0;
  double most = 0;
  for (int level = 0; level < times->levels; level++) {
    const double rate = (double)(1 << level) / pair_times_single(times, cells, level);
    if (rate <= most) continue;
    most = rate;
    best = level;
  }
  return best;
}

void pair_times_learn(pair_times *times, batch_method method, int size, int level, double model_seconds,
                      double measured) {
  time_ratio *seen = &times->seen[method][size][level];
  if (!(model_seconds > 0) || !(measured > 0)) return;
  const double ratio = measured / model_seconds;
  seen->ratio = seen->count == 0 ? ratio : (1 - LEARNING) * seen->ratio + LEARNING * ratio;
  seen->count++;
}
